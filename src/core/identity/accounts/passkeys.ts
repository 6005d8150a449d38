import { Type } from "@sinclair/typebox";
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import { type BuilderCaller, type Caller, requirePerson } from "../access/caller.ts";
import { recordBy } from "../audit/audit.ts";
import { communitySettingsOf } from "../community-settings/community-settings.ts";
import { check, Text } from "../../base/check.ts";
import { MINUTE } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { type CoreError, refuse } from "../../base/errors.ts";
import { notifyAddition } from "../notifications/notify.ts";
import { findPasswordHash } from "./accounts-store.ts";
import { noteFailure, writeWithFailures } from "./failures.ts";
import {
  deletePasskey,
  findPasskey,
  insertPasskey,
  type PasskeyRow,
  selectPasskeys,
  storeUse,
} from "./passkeys-store.ts";
import {
  requestOptions,
  credentialIdOf,
  creationOptions,
  verifyAssertion,
  verifyRegistration,
  relyingParty,
} from "./webauthn.ts";
import {
  openSessionWithNotice,
  requireFresh,
  requireStillSignedIn,
  type SignedIn,
  type SignInOrigin,
} from "./sessions.ts";
import { accountState } from "./account-state.ts";

export { deletePasskey, selectPasskeys } from "./passkeys-store.ts";

/** A passkey for its owner's list. Times in ms since the epoch. */
export interface Passkey {
  id: string;
  name: string;
  createdAt: number;
  lastUsedAt: number | null;
}

/** Input for a new passkey. Its owner chooses the name, such as “my phone”. */
export const PasskeyDraft = Type.Object({ name: Text({ max: 100, visible: true, line: true }) });

const PASSKEYS_MAX = 20;
/** Timeout of the browser's prompt and lifetime of the challenge. */
const CHALLENGE_TIMEOUT_MS = 5 * MINUTE;
/** Owner of a sign-in challenge. The empty text means that any client may answer the challenge. */
const ANY_CLIENT = "";

/**
 * Whether browsers support passkeys on this origin. Passkeys need https or localhost, and a host name instead
 * of an IP address.
 */
export function canUsePasskeys(core: Core): boolean {
  return relyingParty(core.origin) !== undefined;
}

/** Lists the person's passkeys, newest first. Needs a session; throws forbidden. */
export function listPasskeys(core: Core, caller: Caller): Passkey[] {
  return selectPasskeys(core, requirePerson(caller).builderId).map(present);
}

/**
 * Returns the options for `navigator.credentials.create`. The challenge is valid once, for five minutes, in
 * this session. Needs a recent sign-in (`requireFresh`). Throws forbidden, unprocessable when browsers
 * support no passkeys here, conflict for a person with twenty passkeys.
 */
export async function beginPasskey(
  core: Core,
  caller: Caller,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { builderId, username, credentialId } = requirePerson(caller);
  requireFresh(core, caller);
  const party = requireParty(core);
  const own = selectPasskeys(core, builderId);
  refuseTooMany(own);
  return creationOptions(party, {
    community: communitySettingsOf(core).name,
    builderId,
    username,
    challenge: core.memory(accountState).challenges.make("registration", credentialId ?? ""),
    known: own.map(({ credential }) => credential),
    timeoutMs: CHALLENGE_TIMEOUT_MS,
  });
}

/**
 * Adds a new passkey. `response` is the result of `navigator.credentials.create` as JSON. Needs a recent
 * sign-in. Throws forbidden, and bad_request for an invalid name. Throws unprocessable for a response that
 * does not match the challenge, the site or the person. Throws conflict for a passkey in use, and for a
 * person with twenty passkeys.
 */
export async function addPasskey(
  core: Core,
  caller: Caller,
  { name, response }: { name: string; response: unknown },
): Promise<Passkey> {
  const { builderId, credentialId } = requirePerson(caller);
  check(PasskeyDraft, { name });
  const created = await verifyRegistration(requireParty(core), response, (challenge) =>
    core.memory(accountState).challenges.take("registration", credentialId ?? "", challenge),
  );
  if (!created) throw refuse("passkey_unfit");
  return core.db.write(() => {
    requireStillSignedIn(core, caller);
    requireFresh(core, caller);
    refuseTooMany(selectPasskeys(core, builderId));
    if (findPasskey(core, created.credential)) throw refuse("passkey_taken");
    const createdAt = core.clock.now();
    const id = core.makeId("pky", createdAt);
    const row: PasskeyRow = { ...created, id, builderId, name, createdAt, lastUsedAt: null };
    insertPasskey(core, row);
    recordBy(core, caller, "passkey.added", builderId, { name });
    notifyAddition(core, builderId, "passkeys", name);
    return present(row);
  });
}

/**
 * Removes a passkey. Sessions that were opened by the passkey continue; `endSession` ends such a session.
 * Needs a recent sign-in. Throws forbidden, not_found, conflict when the passkey is the last way to sign in.
 */
export function removePasskey(core: Core, caller: Caller, id: string): void {
  const { builderId } = requirePerson(caller);
  requireFresh(core, caller);
  core.db.transact(() => {
    const own = selectPasskeys(core, builderId);
    const passkey = own.find((row) => row.id === id);
    if (!passkey) throw refuse("passkey_unknown");
    if (own.length === 1 && findPasswordHash(core, builderId) === undefined) throw refuse("passkey_last");
    deletePasskey(core, id);
    recordBy(core, caller, "passkey.removed", builderId, { name: passkey.name });
  });
}

/**
 * Returns the options for `navigator.credentials.get`. No username is needed, because the passkey identifies
 * its owner. The challenge is valid once, for five minutes. Throws unprocessable when browsers support no
 * passkeys here, rate_limited.
 */
export async function beginPasskeySignIn(
  core: Core,
  from: SignInOrigin,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return beginRequest(core, from.address, ANY_CLIENT);
}

function beginRequest(
  core: Core,
  address: string,
  owner: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const party = requireParty(core);
  core.memory(accountState).attemptLimits.admitAttempt(address);
  return requestOptions(party, {
    challenge: core.memory(accountState).challenges.make("sign-in", owner),
    timeoutMs: CHALLENGE_TIMEOUT_MS,
  });
}

/**
 * Signs a builder in by passkey. `response` is the result of `navigator.credentials.get` as JSON. Throws
 * unauthorized for every invalid response alike, forbidden for a suspended builder, rate_limited. A signature
 * counter that does not increase means a copied passkey and is refused (WebAuthn §6.1.1).
 */
export async function signInByPasskey(core: Core, from: SignInOrigin, response: unknown): Promise<SignedIn> {
  const { builderId, use } = await verifyResponse(core, from.address, ANY_CLIENT, response);
  return writeWithFailures(core, () => {
    use();
    return openSessionWithNotice(core, builderId, from, "passkey");
  });
}

/**
 * Returns the options for `navigator.credentials.get`, for a person who confirms their identity again. Only
 * this session can answer the challenge. Throws like `beginPasskeySignIn`, and forbidden without a session.
 */
export async function beginProof(core: Core, caller: Caller): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { credentialId, address } = requirePerson(caller);
  return beginRequest(core, address ?? "", credentialId ?? ANY_CLIENT);
}

/** Verifies that one of the person's own passkeys signed the challenge; see `verifyProof`. */
export async function provePasskey(
  core: Core,
  { builderId, credentialId, address }: BuilderCaller,
  response: unknown,
): Promise<() => void> {
  const answer = await verifyResponse(core, address ?? "", credentialId ?? ANY_CLIENT, response);
  if (answer.builderId !== builderId) throw wrongPasskey();
  return answer.use;
}

/**
 * Verifies a browser's response. Returns the owner of the passkey that signed, and a function that stores the
 * use. Call the function in the transaction. The function throws if the passkey was used or deleted since the
 * check.
 */
async function verifyResponse(
  core: Core,
  address: string,
  owner: string,
  response: unknown,
): Promise<{ builderId: string; use: () => void }> {
  const party = requireParty(core);
  core.memory(accountState).attemptLimits.admitAttempt(address);
  const passkey = findPasskey(core, credentialIdOf(response) ?? "");
  const answer =
    passkey &&
    (await verifyAssertion(party, response, passkey, (challenge) =>
      core.memory(accountState).challenges.take("sign-in", owner, challenge),
    ));
  if (!passkey || !answer) {
    if (passkey) noteFailure(core, { builderId: passkey.builderId, means: "passkey", address });
    throw wrongPasskey();
  }
  return {
    builderId: passkey.builderId,
    use() {
      const use = { from: passkey.counter, to: answer.counter, at: core.clock.now() };
      if (!storeUse(core, passkey.id, use)) throw wrongPasskey();
    },
  };
}

function requireParty(core: Core) {
  const party = relyingParty(core.origin);
  if (party) return party;
  throw refuse("passkeys_need_https");
}

function refuseTooMany(own: readonly PasskeyRow[]): void {
  if (own.length >= PASSKEYS_MAX) throw refuse("passkeys_too_many", { max: PASSKEYS_MAX });
}

function wrongPasskey(): CoreError {
  return refuse("passkey_wrong");
}

function present({ id, name, createdAt, lastUsedAt }: PasskeyRow): Passkey {
  return { id, name, createdAt, lastUsedAt };
}
