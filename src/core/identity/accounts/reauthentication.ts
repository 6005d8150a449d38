import { type BuilderCaller, type Caller, requirePerson } from "../access/caller.ts";
import type { Core } from "../../base/core.ts";
import { fault, refuse, refuseFields } from "../../base/errors.ts";
import { findPasswordHash } from "./accounts-store.ts";
import { noteFailure } from "./failures.ts";
import { isPassword } from "./password.ts";
import { provePasskey } from "./passkeys.ts";
import {
  requireStillSignedIn,
  type SignedIn,
  openRecordedSession,
  signInOriginOfSession,
} from "./sessions.ts";
import { deleteSession } from "./sessions-store.ts";
import { accountState } from "./account-state.ts";

/** Proof that the user of a session is the account's owner: the password, or the response of a passkey. */
export type Proof = { password: string } | { passkey: unknown };

/**
 * Verifies a proof against the person's credentials. Returns a function; call it in the transaction that
 * needs the proof. The function throws when the credential has changed since the check. Throws bad_request
 * (at `current`) for a wrong password, unauthorized for a wrong passkey, rate_limited.
 */
export function verifyProof(core: Core, person: BuilderCaller, proof: Proof): Promise<() => void> {
  return "password" in proof
    ? provePassword(core, person, proof.password)
    : provePasskey(core, person, proof.passkey);
}

/**
 * Signs the person in again. A new session replaces the calling session, invalidates any copy of that
 * session, and satisfies `requireFresh`. Needs a session. Throws forbidden, and like `verifyProof`.
 */
export async function signInAgain(core: Core, caller: Caller, proof: Proof): Promise<SignedIn> {
  const person = requirePerson(caller);
  const proved = await verifyProof(core, person, proof);
  return core.db.write(() => {
    requireStillSignedIn(core, caller);
    proved();
    const from = signInOriginOfSession(core, person);
    deleteSession(core, person.builderId, person.credentialId ?? "");
    return openRecordedSession(core, person.builderId, from, "password" in proof ? "password" : "passkey");
  });
}

/**
 * Verifies the password. Attempts count per session, whatever the network address. A stolen session must not
 * allow unlimited guesses, and failed sign-ins of strangers must not lock out a member with a session.
 */
async function provePassword(core: Core, person: BuilderCaller, password: string): Promise<() => void> {
  const { builderId, username, credentialId } = person;
  const address = person.address ?? "";
  const { attemptLimits: guard, hasher } = core.memory(accountState);
  const wasRight = guard.admitGuess(credentialId ?? username, address, () => false);
  const before = findPasswordHash(core, builderId);
  if (!(await hasher.verify(isPassword(password) ? password : "", before))) {
    noteFailure(core, { builderId, means: "password", address });
    throw refuseFields([fault("current", "password_wrong")]);
  }
  return () => {
    if (findPasswordHash(core, builderId) !== before) throw refuse("password_changed");
    wasRight();
  };
}
