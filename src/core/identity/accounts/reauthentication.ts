import { type BuilderCaller, type Caller, requirePerson } from "../access/caller.ts";
import type { Core } from "../../base/core.ts";
import { fault, refuse, refuseFields } from "../../base/errors.ts";
import { findPasswordHash } from "./accounts-store.ts";
import { noteFailure } from "./failures.ts";
import { isPassword } from "./password.ts";
import { provePasskey } from "./passkeys.ts";
import { requireStillSignedIn, type SignedIn, signedIn, signInOriginOfSession } from "./sessions.ts";
import { deleteSession } from "./sessions-store.ts";
import { accountState } from "./account-state.ts";

/** What shows that whoever holds a session is its person: their password, or what their passkey answered. */
export type Proof = { password: string } | { passkey: unknown };

/**
 * Compares a proof with what the person has. What it returns is to be called in the transaction of what was
 * to be proved, and throws where the proof holds no more. Throws bad_request (at `current`) for a wrong
 * password, unauthorized for a wrong passkey, rate_limited.
 */
export function verifyProof(core: Core, person: BuilderCaller, proof: Proof): Promise<() => void> {
  return "password" in proof
    ? provePassword(core, person, proof.password)
    : provePasskey(core, person, proof.passkey);
}

/**
 * Signs the person in once more: a new session takes the place of the one that asks, and of any copy of it,
 * and what wants a recent sign-in may be done (`requireFresh`). For a person who has signed in. Throws
 * forbidden, and as `verifyProof`.
 */
export async function signInAgain(core: Core, caller: Caller, proof: Proof): Promise<SignedIn> {
  const person = requirePerson(caller);
  const proved = await verifyProof(core, person, proof);
  return core.db.write(() => {
    requireStillSignedIn(core, caller);
    proved();
    const from = signInOriginOfSession(core, person);
    deleteSession(core, person.builderId, person.credentialId ?? "");
    return signedIn(core, person.builderId, from, "password" in proof ? "password" : "passkey");
  });
}

/**
 * Guesses count by the session, from wherever they come: a stolen one must not become a way to guess the
 * password, and strangers who guess at the sign-in lock nobody out who is in.
 */
async function provePassword(core: Core, person: BuilderCaller, password: string): Promise<() => void> {
  const { builderId, username, credentialId } = person;
  const address = person.address ?? "";
  const { guard, hasher } = core.memory(accountState);
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
