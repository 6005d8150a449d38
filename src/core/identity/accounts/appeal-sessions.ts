import { createHash } from "node:crypto";
import { record } from "../audit/audit.ts";
import { findStanding } from "../builders/builders.ts";
import { foldUsername } from "../builders/username.ts";
import { refuseInMaintenance } from "../maintenance/maintenance.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { accountState } from "./account-state.ts";
import { findAccount, findPasswordHash } from "./accounts-store.ts";
import {
  type AppellantRow,
  deleteAppealSession,
  deleteAppealSessionsBeyond,
  findAppellant,
  insertAppealSession,
  pruneAppealSessions,
} from "./appeal-sessions-store.ts";
import { readDevice } from "./devices.ts";
import { isPassword } from "./password.ts";
import type { SignInOrigin } from "./sessions.ts";

/*
 * Sessions of suspended members (docs/contract.md#12.42). Such a session is not a session of an account: its
 * secret is stored in another table and sent in another cookie. It only shows the decision, and takes one
 * appeal.
 */

/** A suspended member who may read the decision about their account, and appeal. */
export type Appellant = AppellantRow;

/** Lifetime of an appeal session. */
export const APPEAL_SESSION_MS = DAY;
const SESSIONS_MAX = 5;
const SECRET_BYTES = 32;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/**
 * Opens an appeal session by the password of a suspended member, and returns its secret. Throws unauthorized
 * for a wrong password and for every account that is not suspended. Throws rate_limited like `signIn`, and
 * unavailable in maintenance mode.
 */
export async function openAppealSession(
  core: Core,
  from: SignInOrigin,
  { username, password }: { username: string; password: string },
): Promise<{ secret: string }> {
  refuseInMaintenance(core, undefined);
  const name = foldUsername(username.trim()).slice(0, 100);
  const { attemptLimits: guard, hasher } = core.memory(accountState);
  const account = findAccount(core, name);
  const device = account && readDevice(core, account.builderId, from.device ?? "");
  const wasRight = guard.admitGuess(name, from.address, () => false, device);
  const isRight = await hasher.verify(isPassword(password) ? password : "", account?.hash ?? undefined);
  if (!account || !isRight) throw refuse("sign_in_wrong");
  const { builderId, hash } = account;
  return core.db.write(() => {
    // The password was changed, or the member was restored, while the password was compared.
    if (findPasswordHash(core, builderId) !== hash) throw refuse("sign_in_wrong");
    if ((findStanding(core, builderId)?.suspendedAt ?? null) === null) throw refuse("sign_in_wrong");
    wasRight();
    const secret = Buffer.from(core.random.bytes(SECRET_BYTES)).toString("base64url");
    const endsAt = core.clock.now() + APPEAL_SESSION_MS;
    insertAppealSession(core, { hash: hashOf(secret), builderId, endsAt });
    deleteAppealSessionsBeyond(core, builderId, SESSIONS_MAX);
    record(core, {
      act: "appeal.session",
      actor: builderId,
      subject: builderId,
      address: from.address,
    });
    return { secret };
  });
}

/**
 * Returns the suspended member for a browser's secret. Undefined for a secret that is unknown or a day old.
 * Also undefined for a member who is no longer suspended, was suspended again since, or is deleted.
 */
export function appellantOf(core: Core, secret: string): Appellant | undefined {
  return SECRET.test(secret)
    ? findAppellant(core, hashOf(secret), core.clock.now(), APPEAL_SESSION_MS)
    : undefined;
}

/** Ends an appeal session. Does nothing for an unknown secret. Call it in a transaction. */
export function closeAppealSession(core: Core, secret: string): void {
  if (SECRET.test(secret)) deleteAppealSession(core, hashOf(secret));
}

/** Ends all appeal sessions of a member. Call it in a transaction. */
export function deleteAppealSessionsOf(core: Core, builderId: string): void {
  deleteAppealSessionsBeyond(core, builderId, 0);
}

/** Deletes ended appeal sessions in small batches. Called periodically. */
export async function forgetOldAppealSessions(core: Core): Promise<void> {
  while ((await core.db.write(() => pruneAppealSessions(core, core.clock.now(), 500))) > 0);
}

function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
