import { createHash } from "node:crypto";
import { type BuilderCaller, type Caller, requirePerson, scopesOfPerson } from "../access/caller.ts";
import { isAtLeast, type Role } from "../access/roles.ts";
import { record, recordBy } from "../audit/audit.ts";
import { notify } from "../notifications/notify.ts";
import { DAY, HOUR, MINUTE } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import type { Language } from "../../base/locales.ts";
import { refuse, unauthorized } from "../../base/errors.ts";
import { makeDevice, readDevice } from "./devices.ts";
import { writeWithFailures } from "./failures.ts";
import {
  deleteSession,
  deleteSessionsBeyond,
  deleteSessionsBut,
  findLiveSession,
  insertSession,
  pruneSessions,
  selectSessions,
  shortenSessions,
  type SessionRow,
  storeLastSeen,
  updateHash,
} from "./sessions-store.ts";
import { isActiveMember } from "../members/members.ts";
import { findStanding } from "../builders/builders.ts";
import { refuseInMaintenance } from "../maintenance/maintenance.ts";
import { accountState } from "./account-state.ts";

export { deleteSessionsBut, selectSessions } from "./sessions-store.ts";

/** Client of a person who is not signed in yet. */
export interface SignInOrigin {
  /** Network address for rate limits: IPv6 by its /64. */
  address: string;
  /** User agent of the browser; shown only to the owner of the session. */
  agent: string;
  /** Device cookie of a browser that was signed in before; see `devices.ts`. */
  device?: string | undefined;
}

/** A session in one browser. Times in ms since the epoch. */
export interface Session {
  id: string;
  address: string;
  agent: string;
  createdAt: number;
  /** Time of the last request, accurate to the hour. */
  lastSeenAt: number;
  expiresAt: number;
  /** Whether this session is the one that sends the request. */
  isCurrent: boolean;
}

export interface SignedInPerson {
  caller: BuilderCaller;
  session: Session;
  /** Display name of the member. */
  name: string;
  role: Role;
  /** Language that the member chose for pages; null without a choice. */
  language: Language | null;
}

/** A new session. */
export interface SignedIn {
  /** Secret for the cookie. Available only now, because only its hash is stored. */
  secret: string;
  /** Device cookie, which outlives the session; see `devices.ts`. */
  device: string;
  session: Session;
  builderId: string;
  username: string;
}

/**
 * Length of a session's secret. An attacker cannot guess 256 bits, so a plain hash of the secret is stored.
 */
const SECRET_BYTES = 32;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/**
 * Time after which an unused session ends by default: 30 days. Any session ends after 180 days, and then the
 * person must sign in again.
 */
export const SESSION_IDLE_MS = 30 * DAY;
export const SESSION_MAX_MS = 180 * DAY;
/** Time between two stored updates of “last seen”. A new day is always stored. */
const LAST_SEEN_EVERY_MS = HOUR;
const SESSIONS_MAX = 100;
const AGENT_MAX = 300;

/**
 * Returns who is signed in with this secret. Undefined for a secret that is unknown, expired or ended, and
 * for a suspended builder. Costs one query by the secret's hash and no write.
 */
export function sessionOf(core: Core, secret: string, address: string): SignedInPerson | undefined {
  if (!SECRET.test(secret)) return undefined;
  const now = core.clock.now();
  const row = findLiveSession(core, hashOf(secret), now);
  if (!row) return undefined;
  if (
    now - row.lastSeenAt >= LAST_SEEN_EVERY_MS ||
    Math.floor(now / DAY) !== Math.floor(row.lastSeenAt / DAY)
  )
    core.memory(accountState).lastSeen.set(row.id, now);
  const { role } = row;
  return {
    name: row.name,
    role,
    language: row.language,
    session: present(row, row.id),
    caller: {
      builderId: row.builderId,
      username: row.username,
      role,
      workspaceId: row.workspaceId,
      scopes: scopesOfPerson(role),
      tier: "personal",
      means: "session",
      credentialId: row.id,
      appId: null,
      rate: null,
      address,
    },
  };
}

/**
 * Opens a new session for an authenticated person (docs/threats.md#F02). Call it in a transaction. Throws
 * forbidden for a suspended builder, and unavailable in maintenance mode for a member who is not an admin.
 */
export function openSession(core: Core, builderId: string, from: SignInOrigin): SignedIn {
  const builder = findStanding(core, builderId);
  if (!builder) throw refuse("account_gone");
  if (builder.suspendedAt !== null) throw refuse("account_suspended");
  refuseInMaintenance(core, { scopes: scopesOfPerson(builder.role) });
  const createdAt = core.clock.now();
  const secret = makeSecret(core);
  const row: SessionRow = {
    id: core.makeId("ses", createdAt),
    address: from.address,
    agent: clip(from.agent),
    createdAt,
    lastSeenAt: createdAt,
    expiresAt: createdAt + sessionIdleMs(core),
  };
  insertSession(core, { ...row, hash: hashOf(secret), builderId });
  deleteSessionsBeyond(core, builderId, SESSIONS_MAX);
  const { username } = builder;
  return { secret, device: makeDevice(core, builderId), session: present(row, row.id), builderId, username };
}

/** Opens a session and records it in the audit log. */
export function openRecordedSession(
  core: Core,
  builderId: string,
  from: SignInOrigin,
  means: "password" | "passkey" | "link",
): SignedIn {
  const opened = openSession(core, builderId, from);
  record(core, {
    act: "session.opened",
    actor: builderId,
    subject: builderId,
    detail: { means },
    address: from.address,
  });
  return opened;
}

/**
 * Opens a session for a returning member. A sign-in from an unknown browser may be an attacker's, so the
 * member is notified. The notification remains after the session ends.
 */
export function openSessionWithNotice(
  ...[core, builderId, from, means]: Parameters<typeof openRecordedSession>
): SignedIn {
  const isKnown = readDevice(core, builderId, from.device ?? "") !== undefined;
  const opened = openRecordedSession(core, builderId, from, means);
  const { id, agent } = opened.session;
  if (!isKnown)
    notify(core, { to: builderId, kind: "sign_in", subject: { type: "session", id }, about: agent });
  return opened;
}

/** Ends the calling session. Needs a session; throws forbidden. */
export function signOut(core: Core, caller: Caller): void {
  const { builderId, credentialId } = requirePerson(caller);
  core.db.transact(() => deleteSession(core, builderId, credentialId ?? ""));
}

/**
 * Checks again that the caller may act, after an operation has waited for a hash or a DNS lookup. Call it in
 * the transaction. The operator passes.
 *
 * Throws forbidden when the session ended or the caller lost their role. Throws unauthorized when a token's
 * builder was suspended, was deleted or left the token's workspace. Throws unavailable when maintenance mode
 * began.
 */
export function requireStillSignedIn(core: Core, caller: Caller): void {
  const { means, builderId, workspaceId } = caller;
  if (builderId === null) return;
  refuseInMaintenance(core, caller);
  const standing = findStanding(core, builderId);
  if (means !== "session") {
    if (!isActiveMember(core, builderId, workspaceId ?? "")) throw unauthorized();
  } else if (standing?.suspendedAt !== null || !ownSession(core, caller)) throw refuse("signed_out");
  if (caller.role !== null && standing && !isAtLeast(standing.role, caller.role)) throw refuse("role_lost");
}

/**
 * Runs a write of the caller in its own transaction if the caller may still act. The check runs after the
 * earlier writes in the queue, such as the deletion of the account. Resolves when the write is on disk.
 * Throws like `requireStillSignedIn`.
 */
export function writeAs<Result>(core: Core, caller: Caller, change: () => Result): Promise<Result> {
  return core.db.write(() => {
    requireStillSignedIn(core, caller);
    return change();
  });
}

/** How long a sign-in counts as recent for changes of credentials. */
const FRESH_MS = 10 * MINUTE;

/**
 * Requires a recent sign-in, for operations whose effect outlives the session. Such operations open access to
 * an account, an app, a workspace or the community, or close that access for others. A stolen session alone
 * must not gain lasting access. Throws forbidden when the sign-in was more than ten minutes ago. Also throws
 * forbidden when the sign-in is in the future, after the clock was set back. The operator passes.
 */
export function requireFresh(core: Core, caller: Caller): void {
  if (caller.means !== "operator" && !isFresh(core, caller)) throw refuse("sign_in_again");
}

/** Requires a recent sign-in of a caller with a session. A token needs only its scope. */
export function requireFreshSession(core: Core, caller: Caller): void {
  if (caller.means === "session") requireFresh(core, caller);
}

/** Whether the caller's session passes `requireFresh`. */
export function isFresh(core: Core, caller: Caller): boolean {
  const session = caller.means === "session" ? ownSession(core, caller) : undefined;
  if (!session) return false;
  const ageMs = core.clock.now() - session.createdAt;
  return ageMs >= 0 && ageMs < FRESH_MS;
}

/**
 * Gives the calling session a new secret, so that copies of the old secret are worthless. The time of sign-in
 * is unchanged. Needs a session; throws forbidden. Call it in a transaction.
 */
export function renewSession(core: Core, caller: Caller): SignedIn {
  const { builderId, username } = requirePerson(caller);
  const row = ownSession(core, caller);
  if (!row) throw refuse("signed_out");
  const secret = makeSecret(core);
  updateHash(core, row.id, hashOf(secret));
  return { secret, device: makeDevice(core, builderId), session: present(row, row.id), builderId, username };
}

/** Returns the client data of a person's session, for the session that replaces it. */
export function signInOriginOfSession(core: Core, person: BuilderCaller): SignInOrigin {
  return { address: person.address ?? "", agent: ownSession(core, person)?.agent ?? "" };
}

function ownSession(core: Core, { builderId, credentialId }: Caller): SessionRow | undefined {
  return selectSessions(core, builderId ?? "", core.clock.now()).find(({ id }) => id === credentialId);
}

/** Lists the person's sessions, newest first, at most a hundred. Throws forbidden. */
export function listSessions(core: Core, caller: Caller): Session[] {
  const { builderId, credentialId } = requirePerson(caller);
  return selectSessions(core, builderId, core.clock.now()).map((row) => present(row, credentialId));
}

/**
 * Ends one of the person's own sessions. The next request with that session is treated as a guest's. Throws
 * forbidden, not_found.
 */
export function endSession(core: Core, caller: Caller, id: string): void {
  const { builderId } = requirePerson(caller);
  core.db.transact(() => {
    if (!deleteSession(core, builderId, id)) throw refuse("session_unknown");
    recordBy(core, caller, "session.ended", builderId);
  });
}

/** Ends all other sessions of the person. Returns the number of ended sessions. Throws forbidden. */
export function endOtherSessions(core: Core, caller: Caller): number {
  const { builderId, credentialId } = requirePerson(caller);
  return core.db.transact(() => {
    const ended = deleteSessionsBut(core, builderId, credentialId);
    recordBy(core, caller, "sessions.ended", builderId, { count: ended });
    return ended;
  });
}

/**
 * Stores in one write when sessions were last seen and which sign-ins were refused. Called periodically and
 * at shutdown.
 */
export async function recordLastSeen(core: Core): Promise<void> {
  const { lastSeen, failures } = core.memory(accountState);
  if (lastSeen.size === 0 && failures.length === 0) return;
  const seen = new Map(lastSeen);
  await writeWithFailures(core, () =>
    storeLastSeen(core, seen, { idleMs: sessionIdleMs(core), maxMs: SESSION_MAX_MS }),
  );
  for (const [id, at] of seen) if (lastSeen.get(id) === at) lastSeen.delete(id);
}

/**
 * Deletes expired sessions in small batches. If the operator has set a shorter lifetime, applies it to
 * existing sessions first. Called periodically.
 */
export async function forgetOldSessions(core: Core): Promise<void> {
  // Store the times of recent requests first, because they extend sessions in use.
  await recordLastSeen(core);
  while ((await core.db.write(() => shortenSessions(core, sessionIdleMs(core), 500))) > 0);
  while ((await core.db.write(() => pruneSessions(core, core.clock.now(), 500))) > 0);
}

/** Time after which an unused session ends, in ms. */
export function sessionIdleMs({ policy }: Pick<Core, "policy">): number {
  return policy.retentionSessionsMs ?? SESSION_IDLE_MS;
}

function present(row: SessionRow, currentId: string | null): Session {
  const { id, address, agent, createdAt, lastSeenAt, expiresAt } = row;
  return { id, address, agent, createdAt, lastSeenAt, expiresAt, isCurrent: id === currentId };
}

/** Returns the part of the user agent that is shown, on one line. */
function clip(agent: string): string {
  return agent
    .replace(/\p{Cc}/gu, " ")
    .slice(0, AGENT_MAX)
    .toWellFormed();
}

function makeSecret(core: Core): string {
  return Buffer.from(core.random.bytes(SECRET_BYTES)).toString("base64url");
}

function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
