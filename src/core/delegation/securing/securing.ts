import { type Caller, requireAdmin, requirePerson } from "../../identity/access/caller.ts";
import type { AuditEvent, Detail } from "../../identity/audit/audit-events.ts";
import { record, recordBy } from "../../identity/audit/audit.ts";
import { type BuilderRow, findBuilder, refuseAccountAction } from "../../identity/builders/builders.ts";
import { foldUsername } from "../../identity/builders/username.ts";
import {
  findMailAddress,
  notifyFormerAddresses,
  type NoticeAddress,
  ownAddress,
} from "../../identity/mail/mail.ts";
import { storeUsedLink, peekNotMeLink } from "../../identity/mail/not-me-links.ts";
import type { AddedAccess } from "../../identity/notifications/kinds.ts";
import { DAY, HOUR } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import type { Endpoint } from "../../outbox/webhooks/endpoint.ts";
import { endpointsOfBuilder } from "../../outbox/webhooks/webhooks.ts";
import { deletePassword, findPasswordHash } from "../../identity/accounts/passwords.ts";
import { deleteUnusedRecoveries, makeLink } from "../../identity/accounts/links.ts";
import { type Passkey, selectPasskeys } from "../../identity/accounts/passkeys.ts";
import { type AccessEntry, type AccessKind, endAccess, type KeptAccess, listAccess } from "./access.ts";
import { renewSession, requireFresh, type SignedIn } from "../../identity/accounts/sessions.ts";

const TRUSTED_AFTER_MS = 30 * DAY;

/**
 * For each main kind of access: the number of items that give access to an account, or the number of items
 * that were ended.
 */
export interface AccessCounts {
  sessions: number;
  tokens: number;
  /** Connected apps. */
  apps: number;
  /** Webhook endpoints that the builder or one of their apps registered, in any workspace. */
  endpoints: number;
  /** Unused links that the builder created, and unused links that set the builder's password. */
  links: number;
}

/** The passkeys and the password that still work after the account is secured. */
export interface KeptCredentials {
  /** Ids of the passkeys to keep. The passkeys that are not listed are removed. */
  passkeys: readonly string[] | "all";
  /**
   * Whether to keep the password. Only an admin or the operator can remove a password in this way. Members
   * who secure their own account change their password separately. The change requires the current password.
   */
  password: boolean;
}

/** Data for the page on which a member confirms that they secure the account. */
export interface SecuringPreview {
  username: string;
  accessCounts: AccessCounts;
  /** Everything that gives access, by kind. */
  access: Record<AccessKind, AccessEntry[]>;
  endpoints: Endpoint[];
  passkeys: Passkey[];
  hasPassword: boolean;
}

/**
 * Returns what gives access to an account now, before it is secured. Allowed for the member, and for admins
 * and the operator. Throws forbidden, not_found.
 */
export function previewSecuring(core: Core, caller: Caller, username: string): SecuringPreview {
  requireRight(caller, username);
  const builder = getExistingBuilder(core, username);
  if (builder.id !== caller.builderId) refuseAccountAction(core, caller, "secure", builder);
  const { id, username: name } = builder;
  const access = listAccess(core, id);
  return {
    username: name,
    accessCounts: countsOf({
      sessions: access.sessions.length,
      tokens: access.tokens.length,
      apps: access.apps.length,
      endpoints: access.endpoints.length,
      links: access.links.length,
    }),
    access,
    endpoints: endpointsOfBuilder(core, id),
    passkeys: selectPasskeys(core, id).map(({ id: passkey, name: called, createdAt, lastUsedAt }) => ({
      id: passkey,
      name: called,
      createdAt,
      lastUsedAt,
    })),
    hasPassword: findPasswordHash(core, id) !== undefined,
  };
}

/**
 * Ends everything in `access.ts` that gives access to an account, except the passkeys to keep
 * (docs/contract.md#9.1). This cannot be undone.
 * If members secure their own account, their session gets a new secret, so copies of the session stop
 * working. The new secret is returned. The time of sign-in is unchanged. Allowed for the member and admins
 * with a recent sign-in, and for the operator. Throws forbidden, not_found. Throws conflict if members would
 * leave themselves no way to sign in.
 */
export function secureAccount(
  core: Core,
  caller: Caller,
  username: string,
  keep: KeptCredentials,
): { ended: AccessCounts; renewed: SignedIn | null } {
  const isOwn = requireRight(caller, username);
  requireFresh(core, caller);
  return core.db.transact(() => {
    const builder = getExistingBuilder(core, username);
    if (!isOwn) refuseAccountAction(core, caller, "secure", builder);
    const isDropped = !isOwn && !keep.password && deletePassword(core, builder.id);
    const mail = findMailAddress(core, builder.id);
    const note: RecordEvent = (act, detail) => recordBy(core, caller, act, builder.id, detail);
    const kept = { session: isOwn ? caller.credentialId : null, passkeys: keep.passkeys } as const;
    const ended = endAccessWithRecords(core, builder.id, { ...kept, endpoints: "removed" }, note);
    if (mail) notifyFormerAddresses(core, mail, (notice) => isOwn && isTrustedAddress(core, notice));
    // `renewSession` sets a new device cookie, so it must run after the old device cookies were invalidated.
    const renewed = isOwn ? renewSession(core, caller) : null;
    if (isOwn && selectPasskeys(core, builder.id).length === 0 && !findPasswordHash(core, builder.id))
      throw refuse("way_in_last");
    if (isDropped) note("password.removed");
    const counts = countsOf(ended);
    recordBy(core, caller, "account.secured", builder.id, { ...counts });
    return { ended: counts, renewed };
  });
}

/**
 * Finds an addition to an account (a sign-in, a passkey, a token) that was announced in an email. `token` is
 * the token of the link in that email. Throws not_found.
 */
export function peekUnknownAccess(
  core: Core,
  token: string,
): { username: string; what: AddedAccess; name: string; addedAt: number } {
  const { username, what, name, createdAt } = peekNotMeLink(core, token);
  return { username, what, name, addedAt: createdAt };
}

/**
 * Recovers an account. An email announced an addition (a sign-in, a passkey, a token) to the owner, and the
 * owner reported that another person made the addition (docs/contract.md#9.1.1). Ends everything that gives
 * access, including the password and all passkeys. The email address that received the email becomes the
 * account's email address. Returns the token of a recovery link, which sets a new password within an hour.
 * Throws not_found. Call it in a transaction.
 */
export function reportUnknownAccess(core: Core, token: string, from: string | null): string {
  const link = peekNotMeLink(core, token);
  const { builderId, address } = link;
  if (link.usedAt === null) {
    const note: RecordEvent = (act, detail) =>
      record(core, { act, actor: null, subject: builderId, ...(detail && { detail }), address: from });
    const mail = findMailAddress(core, builderId);
    if (deletePassword(core, builderId)) note("password.removed");
    const ended = endAccessWithRecords(
      core,
      builderId,
      { session: null, passkeys: [], endpoints: "removed" },
      note,
    );
    if (mail && mail.address !== address) notifyFormerAddresses(core, { ...mail, former: null }, () => false);
    ownAddress(core, builderId, address);
    note("mail.confirmed");
    note("account.secured", { ...countsOf(ended) });
    storeUsedLink(core, link);
  }
  deleteUnusedRecoveries(core, builderId);
  return makeLink(core, { purpose: "recovery", lifetimeMs: HOUR, builderId, createdBy: null }).token;
}

type RecordEvent = (act: AuditEvent, detail?: Detail) => void;

/**
 * Ends everything that gives access except `kept`. Writes a security log entry for each ended item whose kind
 * has a log event.
 */
function endAccessWithRecords(
  core: Core,
  builderId: string,
  kept: KeptAccess,
  note: RecordEvent,
): Record<AccessKind, number> {
  const before = namesOf(core, builderId);
  const ended = endAccess(core, builderId, kept);
  if (ended.feed > 0) note("feed.ended");
  if (ended.mail > 0) note("mail.removed");
  for (const url of before.endpoints) note("endpoint.deleted", { url });
  const after = namesOf(core, builderId);
  for (const [id, name] of before.passkeys) if (!after.passkeys.has(id)) note("passkey.removed", { name });
  return ended;
}

/**
 * Whether an email address has belonged to the account for so long that it probably belongs to the owner.
 * Such an address gets a link that undoes the securing, because a thief may secure an account to lock its
 * owner out. A newer address gets no link, because the newer address may belong to the thief.
 */
function isTrustedAddress(core: Core, { since }: NoticeAddress): boolean {
  return since !== null && since <= core.clock.now() - TRUSTED_AFTER_MS;
}

/**
 * Ends everything that gives access to a suspended account. The password is kept, so a restored member can
 * sign in. Endpoints are switched off, and their owner can switch them on again after the restoration. Checks
 * no right. Call it in a transaction.
 */
export function endAllAccess(core: Core, builderId: string): AccessCounts {
  return countsOf(endAccess(core, builderId, { session: null, passkeys: [], endpoints: "off" }));
}

function countsOf({ sessions, tokens, apps, endpoints, links }: AccessCounts): AccessCounts {
  return { sessions, tokens, apps, endpoints, links };
}

/** Returns the names of the passkeys and endpoints, for the security log. Call it before these items end. */
function namesOf(core: Core, builderId: string): { passkeys: Map<string, string>; endpoints: string[] } {
  return {
    passkeys: new Map(selectPasskeys(core, builderId).map(({ id, name }) => [id, name])),
    endpoints: endpointsOfBuilder(core, builderId).map(({ url }) => url),
  };
}

/**
 * Returns whether the account is the caller's own. Throws forbidden for the account of another member, unless
 * the caller is an admin or the operator.
 */
function requireRight(caller: Caller, username: string): boolean {
  const isOwn = caller.means !== "operator" && requirePerson(caller).username === foldUsername(username);
  if (!isOwn) requireAdmin(caller);
  return isOwn;
}

function getExistingBuilder(core: Core, username: string): BuilderRow {
  const builder = findBuilder(core, foldUsername(username));
  if (!builder) throw refuse("builder_unknown");
  return builder;
}
