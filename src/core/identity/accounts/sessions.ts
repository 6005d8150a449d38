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
import { isWorkingMember } from "../members/members.ts";
import { findStanding } from "../builders/builders.ts";
import { refuseInMaintenance } from "../maintenance/maintenance.ts";
import { accountState } from "./account-state.ts";

export { deleteSessionsBut, selectSessions } from "./sessions-store.ts";

/** Where somebody sits who is not signed in yet. */
export interface SignInOrigin {
  /** As they are counted under: IPv6 by its /64. */
  address: string;
  /** What their browser says it is; only shown to themself. */
  agent: string;
  /** The mark that it carries where somebody has signed in with it before; see `devices.ts`. */
  device?: string | undefined;
}

/** One browser that somebody is signed in with. Times in ms since the epoch. */
export interface Session {
  id: string;
  address: string;
  agent: string;
  createdAt: number;
  /** Right to the hour. */
  lastSeenAt: number;
  expiresAt: number;
  /** Whether it is the one that asks. */
  isCurrent: boolean;
}

/** Who is signed in. */
export interface SignedInPerson {
  caller: BuilderCaller;
  session: Session;
  /** The name that others see. */
  name: string;
  role: Role;
  /** What they have chosen to be spoken to in. */
  language: Language | null;
}

/** A session that was just opened. */
export interface SignedIn {
  /** Goes into the cookie; it is seen only now, as only its hash is kept. */
  secret: string;
  /** Goes into a cookie that outlives the session; see `devices.ts`. */
  device: string;
  session: Session;
  builderId: string;
  username: string;
}

/** 256 bits: nobody guesses one, so its plain hash is enough to keep. */
const SECRET_BYTES = 32;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/**
 * A session nobody uses ends after 30 days, unless the operator says otherwise, any other after 180: then the
 * person shows again who they are.
 */
export const SESSION_IDLE_MS = 30 * DAY;
export const SESSION_MAX_MS = 180 * DAY;
/** A look is written down when the last one is so old, or of another day. */
const SEEN_EVERY_MS = HOUR;
const SESSIONS_MAX = 100;
const AGENT_MAX = 300;

/**
 * Who is signed in with this secret, or undefined: unknown, expired, ended, or of a suspended builder. One
 * look-up by the secret's hash, and no write.
 */
export function sessionOf(core: Core, secret: string, address: string): SignedInPerson | undefined {
  if (!SECRET.test(secret)) return undefined;
  const now = core.clock.now();
  const row = findLiveSession(core, hashOf(secret), now);
  if (!row) return undefined;
  if (now - row.lastSeenAt >= SEEN_EVERY_MS || Math.floor(now / DAY) !== Math.floor(row.lastSeenAt / DAY))
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
 * Opens a session for somebody who has shown who they are, always a new one (docs/threats.md#F02). Call it in
 * a transaction. Throws forbidden for a suspended builder, and unavailable in maintenance for who is no
 * admin.
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
    expiresAt: createdAt + idleMs(core),
  };
  insertSession(core, { ...row, hash: hashOf(secret), builderId });
  deleteSessionsBeyond(core, builderId, SESSIONS_MAX);
  const { username } = builder;
  return { secret, device: makeDevice(core, builderId), session: present(row, row.id), builderId, username };
}

/** The same, with its entry in the audit log. */
export function signedIn(
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
 * The same for somebody who came back, who is told where they had not signed in with this browser before:
 * what they do not know of was somebody else. It stays told when the session has ended.
 */
export function signedInAgain(...[core, builderId, from, means]: Parameters<typeof signedIn>): SignedIn {
  const isKnown = readDevice(core, builderId, from.device ?? "") !== undefined;
  const opened = signedIn(core, builderId, from, means);
  const { id, agent } = opened.session;
  if (!isKnown)
    notify(core, { to: builderId, kind: "sign_in", subject: { type: "session", id }, about: agent });
  return opened;
}

/** Ends the session that asks. For a person who has signed in; throws forbidden. */
export function signOut(core: Core, caller: Caller): void {
  const { builderId, credentialId } = requirePerson(caller);
  core.db.transact(() => deleteSession(core, builderId, credentialId ?? ""));
}

/**
 * For what waited, as for a hash or a name to be looked up, since the caller was found behind their session
 * or token: throws forbidden where the session ended or they lost their role in the meantime, and
 * unauthorized where a token's builder was suspended or deleted or left its workspace, and unavailable where
 * maintenance was begun. Call it in the transaction. The operator passes.
 */
export function requireStillSignedIn(core: Core, caller: Caller): void {
  const { means, builderId, workspaceId } = caller;
  if (builderId === null) return;
  refuseInMaintenance(core, caller);
  const standing = findStanding(core, builderId);
  if (means !== "session") {
    if (!isWorkingMember(core, builderId, workspaceId ?? "")) throw unauthorized();
  } else if (standing?.suspendedAt !== null || !ownSession(core, caller)) throw refuse("signed_out");
  if (caller.role !== null && standing && !isAtLeast(standing.role, caller.role)) throw refuse("role_lost");
}

/**
 * Runs a write of the caller's in a transaction of its own, where they still may: what was queued before it,
 * as the end of their account, is done by then. Resolves when it is on disk. Throws as
 * `requireStillSignedIn`.
 */
export function writeAs<Result>(core: Core, caller: Caller, change: () => Result): Promise<Result> {
  return core.db.write(() => {
    requireStillSignedIn(core, caller);
    return change();
  });
}

/** What changes how somebody comes in may be done for so long after they showed who they are. */
const FRESH_MS = 10 * MINUTE;

/**
 * For what opens a way into an account, an app, a workspace or the community, or closes one for others: what
 * outlives the session that did it. A session alone, which may be stolen, must not be enough to keep
 * anything. Throws forbidden where the person signed in more than ten minutes ago, or later than now: after a
 * step back of the clock they sign in once more. The operator passes.
 */
export function requireFresh(core: Core, caller: Caller): void {
  if (caller.means !== "operator" && !isFresh(core, caller)) throw refuse("sign_in_again");
}

/** The same for what a token may do too: it needs its scope for that, and nothing else. */
export function requireFreshSession(core: Core, caller: Caller): void {
  if (caller.means === "session") requireFresh(core, caller);
}

/** Whether a person who has signed in passes `requireFresh`. */
export function isFresh(core: Core, caller: Caller): boolean {
  const session = caller.means === "session" ? ownSession(core, caller) : undefined;
  if (!session) return false;
  const ageMs = core.clock.now() - session.createdAt;
  return ageMs >= 0 && ageMs < FRESH_MS;
}

/**
 * Gives the session that asks a new secret: whoever copied the old one has nothing, and the sign-in counts as
 * old as it is. For a person who has signed in. Throws forbidden. Call it in a transaction.
 */
export function renewSession(core: Core, caller: Caller): SignedIn {
  const { builderId, username } = requirePerson(caller);
  const row = ownSession(core, caller);
  if (!row) throw refuse("signed_out");
  const secret = makeSecret(core);
  updateHash(core, row.id, hashOf(secret));
  return { secret, device: makeDevice(core, builderId), session: present(row, row.id), builderId, username };
}

/** Where a person who has signed in sits, for a session that takes the place of theirs. */
export function signInOriginOfSession(core: Core, person: BuilderCaller): SignInOrigin {
  return { address: person.address ?? "", agent: ownSession(core, person)?.agent ?? "" };
}

/** The session that asks. */
function ownSession(core: Core, { builderId, credentialId }: Caller): SessionRow | undefined {
  return selectSessions(core, builderId ?? "", core.clock.now()).find(({ id }) => id === credentialId);
}

/** Where the person is signed in, newest first: at most a hundred. Throws forbidden. */
export function listSessions(core: Core, caller: Caller): Session[] {
  const { builderId, credentialId } = requirePerson(caller);
  return selectSessions(core, builderId, core.clock.now()).map((row) => present(row, credentialId));
}

/** Ends one of the person's own sessions; its next request is a stranger's. Throws forbidden, not_found. */
export function endSession(core: Core, caller: Caller, id: string): void {
  const { builderId } = requirePerson(caller);
  core.db.transact(() => {
    if (!deleteSession(core, builderId, id)) throw refuse("session_unknown");
    recordBy(core, caller, "session.ended", builderId);
  });
}

/** Ends all of the person's sessions but the one that asks, and returns how many. Throws forbidden. */
export function endOtherSessions(core: Core, caller: Caller): number {
  const { builderId, credentialId } = requirePerson(caller);
  return core.db.transact(() => {
    const ended = deleteSessionsBut(core, builderId, credentialId);
    recordBy(core, caller, "sessions.ended", builderId, { count: ended });
    return ended;
  });
}

/**
 * Writes down, all at once, when sessions were last seen and which sign-ins were refused. Called now and then
 * and at the end.
 */
export async function recordLastSeen(core: Core): Promise<void> {
  const { lastSeen, failures } = core.memory(accountState);
  if (lastSeen.size === 0 && failures.length === 0) return;
  const seen = new Map(lastSeen);
  await writeWithFailures(core, () =>
    storeLastSeen(core, seen, { idleMs: idleMs(core), wholeMs: SESSION_MAX_MS }),
  );
  for (const [id, at] of seen) if (lastSeen.get(id) === at) lastSeen.delete(id);
}

/**
 * Drops sessions that are over, in small slices, those included that the operator lets live for less long by
 * now. Called now and then.
 */
export async function forgetOldSessions(core: Core): Promise<void> {
  // What was seen lately is written down before.
  await recordLastSeen(core);
  while ((await core.db.write(() => shortenSessions(core, idleMs(core), 500))) > 0);
  while ((await core.db.write(() => pruneSessions(core, core.clock.now(), 500))) > 0);
}

function idleMs({ policy }: Core): number {
  return policy.retentionSessionsMs ?? SESSION_IDLE_MS;
}

function present(row: SessionRow, currentId: string | null): Session {
  const { id, address, agent, createdAt, lastSeenAt, expiresAt } = row;
  return { id, address, agent, createdAt, lastSeenAt, expiresAt, isCurrent: id === currentId };
}

/** As much of it as is shown, on one line. */
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
