import { createHash } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { requireFresh } from "../../identity/accounts/sessions.ts";
import { recordBy } from "../../identity/audit/audit.ts";
import { notifyAddition } from "../../identity/notifications/notify.ts";
import { Choice, Text, WholeNumber } from "../../base/check.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import type { Endpoint } from "../../outbox/webhooks/endpoint.ts";
import { endpointsCreatedBy, endpointsOfBuilder, removeCreatedWith } from "../../outbox/webhooks/webhooks.ts";
import {
  countLiveTokens,
  dropDeadTokens,
  findLiveToken,
  insertToken,
  listTokenRows,
  revokeTokenRow,
  splitScopes,
  storeTokenUses,
  type TokenRow,
} from "./tokens-store.ts";
import { findAppCaller } from "./app-tokens.ts";
import { type Caller, requirePerson } from "../../identity/access/caller.ts";
import { type CredentialUse, unwrittenUses } from "../../identity/access/credential-uses.ts";
import { callerCache, type CachedCaller } from "./caller-cache.ts";
import { ownBuilder } from "../../identity/builders/own-builder.ts";
import { isAtLeast, type Role } from "../../identity/access/roles.ts";
import {
  isScope,
  isStaffScope,
  SCOPE_NAMES,
  type Scope,
  scopesOfRole,
  STAFF_SCOPES,
} from "../../identity/access/scopes.ts";
import { isWellFormedToken, makeToken } from "./token-format.ts";
import { isMember } from "../../identity/members/members.ts";

export { revokeTokensOf, selectLiveTokens } from "./tokens-store.ts";

/** Lifetimes that a member can choose (docs/contract.md#7.4). A token without expiry is also possible. */
export const TOKEN_LIFETIMES_DAYS: readonly number[] = [7, 30, 90, 365];
/** Maximum number of live tokens of a builder. */
export const LIVE_TOKENS_MAX = 50;
/**
 * Maximum number of revoked and expired tokens that are kept, to show them in the builder's list of tokens.
 */
const DEAD_TOKENS_MAX = 50;

export const TokenDraft = Type.Object({
  name: Text({ max: 100, visible: true, line: true }),
  scopes: Type.Array(Type.String(), { minItems: 1, maxItems: SCOPE_NAMES.length }),
  /** Days until the token expires. Without this property, the token never expires. */
  expiresInDays: Type.Optional(WholeNumber(1, 3650)),
  tier: Choice(["personal", "enterprise"]),
  /** A workspace of the builder. The default is their personal workspace. */
  workspaceId: Type.Optional(Type.String()),
});
export type TokenDraft = Static<typeof TokenDraft>;

/** Whether a well-formed but unknown bearer token may be looked up in the database: see `authenticate`. */
export type LookupAllowed = () => boolean;

/**
 * Returns the caller of a bearer token. Returns undefined if the token is missing, mistyped, unknown,
 * expired, revoked, or of a suspended builder. The client cannot distinguish these cases
 * (docs/contract.md#1.15). Needs no scope.
 * A token that worked before may always be looked up in the database. Any other token is looked up only if
 * its checksum is correct and `mayLookUp` returns true. So a flood of guesses causes no queries.
 */
export function authenticate(core: Core, token: string, mayLookUp: LookupAllowed): Caller | undefined {
  const known =
    core.memory(callerCache).get(token) ?? findAppCaller(core, token) ?? findCaller(core, token, mayLookUp);
  const now = core.clock.now();
  if (!known || (known.expiresAt !== null && known.expiresAt <= now)) return undefined;
  useOf(core, known.tokenId).at = now;
  return known.caller;
}

/**
 * Returns the record, in memory, of how a token was used. `recordTokenUses` later stores these records.
 * Therefore a request that changes no data causes no write to the database (docs/threats.md#D11).
 */
function useOf(core: Core, tokenId: string): CredentialUse {
  const uses = core.memory(unwrittenUses);
  let use = uses.get(tokenId);
  if (!use) {
    use = { at: core.clock.now(), scopes: new Set() };
    uses.set(tokenId, use);
  }
  return use;
}

function findCaller(core: Core, token: string, mayLookUp: LookupAllowed): CachedCaller | undefined {
  const callers = core.memory(callerCache);
  if (!callers.wasValid(token) && (!isWellFormedToken(token) || !mayLookUp())) return undefined;
  const version = core.db.version();
  const row = findLiveToken(core, hashToken(token));
  if (!row) {
    callers.forget(token);
    return undefined;
  }
  const scopes = liveScopes(row);
  const known: CachedCaller = {
    tokenId: row.id,
    expiresAt: row.expiresAt,
    caller: {
      builderId: row.builderId,
      username: row.username,
      role: row.role,
      workspaceId: row.workspaceId,
      // `admin` includes everything that `moderation` allows.
      scopes: new Set(scopes.includes("admin") ? [...scopes, "moderation"] : scopes),
      tier: row.tier,
      means: "token",
      credentialId: row.id,
      appId: null,
      rate: null,
      noteScope: (scope) => void useOf(core, row.id).scopes.add(scopes.includes(scope) ? scope : "admin"),
      address: null,
    },
  };
  callers.put(token, known, version);
  return known;
}

/** Returns the scopes that a token has now. Its owner may have lost the role that a scope needs. */
function liveScopes({ scopes, role }: { scopes: string; role: Role }): Scope[] {
  const allowed = scopesOfRole(role);
  return splitScopes(scopes).filter((name): name is Scope => isScope(name) && allowed.includes(name));
}

/**
 * Creates a personal access token. The token is returned here and never again, because only its hash is
 * stored. Allowed for the builder with a recent sign-in, and for the operator, to whom the limits do not
 * apply.
 * Throws:
 * - forbidden for other callers, and for an enterprise token unless the operator creates it
 * - forbidden for a scope of the staff (`STAFF_SCOPES`) if the builder lacks the role
 * - not_found for an unknown builder or a workspace that the builder is not in
 * - unprocessable for an unknown scope
 * - bad_request for a lifetime that developer settings do not offer
 * - conflict for a builder with fifty live tokens
 */
export function createToken(
  core: Core,
  caller: Caller,
  username: string,
  draft: TokenDraft,
): { id: string; token: string } {
  const builder = ownBuilder(core, caller, username);
  requireFresh(core, caller);
  if (draft.tier === "enterprise" && caller.means !== "operator") throw refuse("enterprise_by_operator");
  const { expiresInDays } = draft;
  const isOffered = expiresInDays === undefined || TOKEN_LIFETIMES_DAYS.includes(expiresInDays);
  if (!isOffered && caller.means !== "operator")
    throw refuse("token_lifetime_unknown", { days: TOKEN_LIFETIMES_DAYS.map(String) });
  for (const scope of draft.scopes) {
    if (!isScope(scope)) throw refuse("scope_unknown", { scopes: SCOPE_NAMES });
    if (isStaffScope(scope) && !isAtLeast(builder.role, STAFF_SCOPES[scope]))
      throw refuse(scope === "admin" ? "admin_token_for_others" : "moderation_token_for_others", {
        username,
      });
  }
  const workspaceId = draft.workspaceId ?? builder.workspaceId;
  if (!isMember(core, builder.id, workspaceId)) {
    throw refuse("token_workspace_unknown", { username });
  }
  const now = core.clock.now();
  const token = makeToken(core.random);
  const id = core.makeId("tok", now);
  core.db.transact(() => {
    if (caller.means !== "operator" && countLiveTokens(core, builder.id, now) >= LIVE_TOKENS_MAX)
      throw refuse("tokens_too_many", { max: LIVE_TOKENS_MAX });
    dropDeadTokens(core, builder.id, now, DEAD_TOKENS_MAX);
    insertToken(core, {
      id,
      hash: hashToken(token),
      builderId: builder.id,
      workspaceId,
      name: draft.name,
      scopes: [...new Set(draft.scopes)].join(" "),
      tier: draft.tier,
      createdAt: now,
      expiresAt: expiresInDays === undefined ? null : now + expiresInDays * DAY,
      lastUsedAt: null,
      revokedAt: null,
      usedScopes: "",
    });
    recordBy(core, caller, "token.made", builder.id, { id, name: draft.name });
    if (caller.means !== "operator") notifyAddition(core, builder.id, "tokens", draft.name);
  });
  return { id, token };
}

/** A token as its owner sees it. Times are in ms since the epoch. */
export interface Token {
  id: string;
  name: string;
  state: "live" | "expired" | "revoked";
  scopes: string[];
  /** Scopes that no request has needed so far. */
  unusedScopes: string[];
  tier: TokenRow["tier"];
  workspace: { id: string; name: string };
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  /** Webhook endpoints that were created with this token. */
  endpoints: Endpoint[];
}

/**
 * Lists the tokens of a builder with their uses, newest first. Contains all live tokens and the newest
 * revoked and expired tokens. Allowed for the builder in a session, and for the operator. Throws forbidden,
 * not_found.
 */
export function listTokens(core: Core, caller: Caller, username: string): Token[] {
  const now = core.clock.now();
  const { id: builderId } = ownBuilder(core, caller, username);
  const endpoints = endpointsOfBuilder(core, builderId);
  return listTokenRows(core, builderId).map((row) => {
    const use = core.memory(unwrittenUses).get(row.id);
    const used = new Set<string>([...splitScopes(row.usedScopes), ...(use?.scopes ?? [])]);
    const scopes = splitScopes(row.scopes);
    return {
      id: row.id,
      name: row.name,
      state: stateOf(row, now),
      scopes,
      unusedScopes: scopes.filter((scope) => !used.has(scope)),
      tier: row.tier,
      workspace: { id: row.workspaceId, name: row.workspaceName },
      createdAt: row.createdAt,
      expiresAt: row.expiresAt,
      lastUsedAt: use ? Math.max(use.at, row.lastUsedAt ?? 0) : row.lastUsedAt,
      endpoints: endpoints.filter(({ owner }) => owner.tokenId === row.id),
    };
  });
}

function stateOf({ revokedAt, expiresAt }: TokenRow, now: number): Token["state"] {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt <= now ? "expired" : "live";
}

/**
 * Revokes a token, given its id or the token itself (for a leaked token). The next request with the token is
 * refused. The webhook endpoints that were created with the token belong to the builder, so the endpoints can
 * continue without the token. Deletes the endpoints in `ending`, and returns the other endpoints. Allowed for
 * the builder in a session, and for the operator. Throws not_found, also for a token of another builder.
 */
export function revokeToken(
  core: Core,
  caller: Caller,
  idOrToken: string,
  ending: readonly string[] | "all" = [],
): Endpoint[] {
  const owner = caller.means === "operator" ? null : requirePerson(caller).builderId;
  const named = isWellFormedToken(idOrToken) ? { hash: hashToken(idOrToken) } : { id: idOrToken };
  const where = { ...named, builderId: owner };
  return core.db.transact(() => {
    const revoked = revokeTokenRow(core, where, core.clock.now());
    if (!revoked) {
      throw refuse(owner === null ? "token_unknown" : "token_not_yours");
    }
    const { id, name, builderId } = revoked;
    recordBy(core, caller, "token.revoked", builderId, { id, name });
    for (const url of removeCreatedWith(core, id, ending))
      recordBy(core, caller, "endpoint.deleted", builderId, { url });
    return endpointsCreatedBy(core, { tokenId: id });
  });
}

/**
 * Stores for each used token the time of use and the used scopes, in one transaction. Runs periodically
 * and at shutdown, never in a request.
 */
export async function recordTokenUses(core: Core): Promise<void> {
  const unwritten = core.memory(unwrittenUses);
  if (unwritten.size === 0) return;
  const uses = [...unwritten].map(([id, { at, scopes }]) => [id, { at, scopes: new Set(scopes) }] as const);
  await core.db.write(() => storeTokenUses(core, new Map(uses)));
  for (const [id, written] of uses) {
    const use = unwritten.get(id);
    // A token that was used again during the write remains in `unwritten`, so the next call stores this use.
    if (use?.at === written.at && use.scopes.size === written.scopes.size) unwritten.delete(id);
  }
}

function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
