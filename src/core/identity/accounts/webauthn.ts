import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import ipaddr from "ipaddr.js";

/** WebAuthn ceremonies, independent of accounts. */

/**
 * Loads the library at the first ceremony, because it is large and most starts of the program never need it.
 * Loads the library's polyfill first. In a bundle of one file, the library itself would load the polyfill too
 * late.
 */
async function library() {
  await import("reflect-metadata");
  return import("@simplewebauthn/server");
}

async function libraryHelpers() {
  await import("reflect-metadata");
  return import("@simplewebauthn/server/helpers");
}

/** This site as a relying party (WebAuthn §4). */
export interface RelyingParty {
  id: string;
  origin: string;
}

/** The data of a new passkey. */
export interface NewPasskey {
  /** ID of the credential, in base64url. */
  credential: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
}

/** Ed25519, ES256, RS256: the algorithms of common authenticators (COSE algorithm numbers). */
const ALGORITHMS = [-8, -7, -257];
/** Transports of passkeys: the transports of WebAuthn §5.8.4, and later additions of browsers. */
const TRANSPORTS = ["usb", "nfc", "ble", "hybrid", "internal", "cable", "smart-card"] as const;
/** Longest credential ID in base64url characters: 1,023 bytes (WebAuthn §7.1). */
const CREDENTIAL_MAX_LETTERS = 1364;

/**
 * Returns the relying party of an origin, or undefined where browsers support no passkeys. Passkeys need
 * https or localhost, and a host name instead of an IP address (WebAuthn §5.1.3).
 */
export function relyingParty(origin: string): RelyingParty | undefined {
  const { protocol, hostname } = new URL(origin);
  if (ipaddr.isValid(hostname.replace(/^\[|\]$/g, ""))) return undefined;
  const isSafe = protocol === "https:" || hostname === "localhost" || hostname.endsWith(".localhost");
  return isSafe ? { id: hostname, origin } : undefined;
}

/**
 * Returns the options for `navigator.credentials.create`. Asks for a discoverable passkey that verifies its
 * user.
 */
export async function creationOptions(
  party: RelyingParty,
  {
    community,
    builderId,
    username,
    challenge,
    known,
    timeoutMs,
  }: {
    /** Name of the community. */
    community: string;
    builderId: string;
    username: string;
    challenge: string;
    known: string[];
    timeoutMs: number;
  },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: community,
    rpID: party.id,
    userName: username,
    userDisplayName: username,
    userID: new TextEncoder().encode(builderId),
    challenge: bytesOf(challenge),
    timeout: timeoutMs,
    attestationType: "none",
    excludeCredentials: known.map((id) => ({ id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** Returns the options for `navigator.credentials.get`, for any passkey of this site. */
export async function requestOptions(
  party: RelyingParty,
  { challenge, timeoutMs }: { challenge: string; timeoutMs: number },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: bytesOf(challenge),
    timeout: timeoutMs,
    userVerification: "required",
  });
}

/**
 * Returns the new passkey from a browser's response, or undefined for an invalid response. `take` uses up the
 * challenge.
 */
export async function verifyRegistration(
  { id, origin }: RelyingParty,
  sent: unknown,
  take: (challenge: string) => boolean,
): Promise<NewPasskey | undefined> {
  const { verifyRegistrationResponse } = await library();
  const response = sent as RegistrationResponseJSON;
  if (!(await isPlain(response))) return undefined;
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: take,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined);
  const credential = verified?.registrationInfo?.credential;
  if (!credential || credential.id.length > CREDENTIAL_MAX_LETTERS) return undefined;
  const transports: readonly unknown[] = Array.isArray(credential.transports) ? credential.transports : [];
  return {
    credential: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: TRANSPORTS.filter((name) => transports.includes(name)),
  };
}

/**
 * Whether the response has no attestation. We request none, and browsers send none (WebAuthn §5.1.3). An
 * attestation contains URLs. The library could fetch revocation lists from these URLs, but only the delivery
 * loop may open connections.
 */
async function isPlain(response: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject } = await libraryHelpers();
  try {
    const attestation = decodeAttestationObject(bytesOf(response.response.attestationObject));
    const format = attestation.get("fmt");
    return format === "none" || (format === "packed" && attestation.get("attStmt").get("x5c") === undefined);
  } catch {
    return false;
  }
}

/** Returns the passkey ID that a response names, without any verification. */
export function credentialIdOf(sent: unknown): string | undefined {
  const id = typeof sent === "object" && sent !== null && "id" in sent ? sent.id : undefined;
  return typeof id === "string" && id.length <= CREDENTIAL_MAX_LETTERS ? id : undefined;
}

/**
 * Returns the signature counter of a valid response by this passkey, or undefined for an invalid one. `take`
 * uses up the challenge.
 */
export async function verifyAssertion(
  { id, origin }: RelyingParty,
  sent: unknown,
  passkey: NewPasskey & { builderId: string },
  take: (challenge: string) => boolean,
): Promise<{ counter: number } | undefined> {
  const { verifyAuthenticationResponse } = await library();
  const response = sent as AuthenticationResponseJSON;
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: take,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    credential: {
      id: passkey.credential,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
    },
  }).catch(() => undefined);
  if (!verified?.verified) return undefined;
  // The request named no passkey, so the response must identify its user (WebAuthn §7.2, step 6).
  const isTheirs =
    Buffer.from(response.response.userHandle ?? "", "base64url").toString() === passkey.builderId;
  return isTheirs ? { counter: verified.authenticationInfo.newCounter } : undefined;
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(base64url, "base64url"));
}
