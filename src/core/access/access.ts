import { createHash } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { Choice, Text, Whole } from "../check.ts";
import { DAY } from "../clock.ts";
import type { Core } from "../core.ts";
import { forbidden, notFound, unprocessable } from "../errors.ts";
import {
  findLiveToken,
  insertToken,
  listTokenRows,
  revokeTokenRow,
  storeTokenUses,
  type TokenRow,
} from "./access-store.ts";
import { type Caller, requirePerson, requirePersonOrOperator } from "./caller.ts";
import type { KnownCaller } from "./caller-cache.ts";
import { type BuilderRow, findBuilder, isMember } from "../builders/builders-store.ts";
import { isScope, SCOPE_NAMES, type Scope } from "./scopes.ts";
import { isWellFormedToken, makeToken } from "./token-format.ts";

export const TokenDraft = Type.Object({
  name: Text({ max: 100, visible: true, line: true }),
  scopes: Type.Array(Type.String(), { minItems: 1, maxItems: SCOPE_NAMES.length }),
  /** Days until it expires; none means never. Developer settings offer 7, 30, 90 and 365. */
  expiresInDays: Type.Optional(Whole(1, 3650)),
  tier: Choice(["personal", "enterprise"]),
  /** A workspace the builder belongs to; left out, their personal one. */
  workspaceId: Type.Optional(Type.String()),
});
export type TokenDraft = Static<typeof TokenDraft>;

/** What happens to a bearer token that is well-formed but not known: see `authenticate`. */
export type LookupAllowed = () => boolean;

/**
 * The caller behind a bearer token, or undefined when there is none: missing, mistyped, unknown, expired, revoked, or
 * of a suspended builder (§5.4: all the same to the outside). The database is asked for a token that was good
 * before, and for another only when its checksum is right and `mayLookUp` allows it: a flood of guesses is stopped before it. Needs no scope.
 */
export function authenticate(core: Core, token: string, mayLookUp: LookupAllowed): Caller | undefined {
  const known = core.callers.get(token) ?? lookUp(core, token, mayLookUp);
  const now = core.clock.now();
  if (!known || (known.expiresAt !== null && known.expiresAt <= now)) return undefined;
  core.tokenUses.set(known.tokenId, now);
  return known.caller;
}

function lookUp(core: Core, token: string, mayLookUp: LookupAllowed): KnownCaller | undefined {
  if (!core.callers.wasGood(token) && (!isWellFormedToken(token) || !mayLookUp())) return undefined;
  const version = core.db.version();
  const row = findLiveToken(core, hashToken(token));
  if (!row) {
    core.callers.forget(token);
    return undefined;
  }
  const known: KnownCaller = {
    tokenId: row.id,
    expiresAt: row.expiresAt,
    caller: {
      builderId: row.builderId,
      username: row.username,
      workspaceId: row.workspaceId,
      scopes: new Set(
        row.scopes
          .split(" ")
          .filter((name) => isScope(name) && (name !== "admin" || row.isAdmin === 1)) as Scope[],
      ),
      tier: row.tier,
      means: "token",
      credentialId: row.id,
      appId: null,
      rate: null,
      address: null,
    },
  };
  core.callers.keep(token, known, version);
  return known;
}

/**
 * Makes a personal access token for a builder and returns it: the only time it is ever seen, as only its hash is kept.
 * For the builder themself, signed in, and the operator. Throws forbidden for anybody else, for `admin` to one who is
 * not an admin and for an enterprise token that is not the operator's gift; not_found for an unknown builder or a workspace the
 * builder is not in, unprocessable for an unknown scope.
 */
export function createToken(
  core: Core,
  caller: Caller,
  username: string,
  draft: TokenDraft,
): { id: string; token: string } {
  const builder = ownBuilder(core, caller, username);
  if (draft.tier === "enterprise" && caller.means !== "operator")
    throw forbidden("Only the operator makes enterprise tokens; make a personal one.");
  for (const scope of draft.scopes) {
    if (!isScope(scope))
      throw unprocessable(`There is no scope \`${scope}\`; the scopes are ${SCOPE_NAMES.join(", ")}.`);
    if (scope === "admin" && !builder.isAdmin)
      throw forbidden(`${username} is not an admin, so no token of theirs can be.`);
  }
  const workspaceId = draft.workspaceId ?? builder.workspaceId;
  if (!isMember(core, builder.id, workspaceId)) {
    throw notFound(`${username} does not belong to a workspace ${workspaceId}.`);
  }
  const now = core.clock.now();
  const token = makeToken(core.random);
  const id = core.makeId("tok", now);
  core.db.transact(() =>
    insertToken(core, {
      id,
      hash: hashToken(token),
      builderId: builder.id,
      workspaceId,
      name: draft.name,
      scopes: [...new Set(draft.scopes)].join(" "),
      tier: draft.tier,
      createdAt: now,
      expiresAt: draft.expiresInDays === undefined ? null : now + draft.expiresInDays * DAY,
      lastUsedAt: null,
      revokedAt: null,
    }),
  );
  return { id, token };
}

/** All tokens of a builder, newest first, with what is known of their use. For them, signed in, and the operator. Throws forbidden, not_found. */
export function listTokens(core: Core, caller: Caller, username: string): TokenRow[] {
  return listTokenRows(core, ownBuilder(core, caller, username).id);
}

function ownBuilder(core: Core, caller: Caller, username: string): BuilderRow {
  const builder = findBuilder(core, username);
  if (!builder) throw notFound(`There is no builder called ${username}.`);
  requirePersonOrOperator(caller, builder.id);
  return builder;
}

/**
 * Revokes a token by its id, or by itself when it leaked: the next request with it is refused. For its builder, signed in, and the
 * operator. Throws not_found, also for somebody else's.
 */
export function revokeToken(core: Core, caller: Caller, idOrToken: string): void {
  const owner = caller.means === "operator" ? null : requirePerson(caller).builderId;
  const named = isWellFormedToken(idOrToken) ? { hash: hashToken(idOrToken) } : { id: idOrToken };
  const where = { ...named, builderId: owner };
  const revoked = core.db.transact(() => revokeTokenRow(core, where, core.clock.now()));
  if (!revoked)
    throw notFound("There is no live token like that among yours; the list of tokens shows the ids.");
}

/** Writes down when tokens were last used, all at once. Called now and then and at the end, never by a request. */
export async function recordTokenUses(core: Core): Promise<void> {
  const uses = new Map(core.tokenUses);
  if (uses.size === 0) return;
  await core.db.write(() => storeTokenUses(core, uses));
  for (const [id, at] of uses) if (core.tokenUses.get(id) === at) core.tokenUses.delete(id);
}

function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
