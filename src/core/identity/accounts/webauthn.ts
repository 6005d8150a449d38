import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import ipaddr from "ipaddr.js";

/** The WebAuthn ceremonies, without accounts. */

/**
 * Loaded with the first ceremony: the library is large, and most starts of the program need none. It stands
 * on a polyfill that it loads too late where it is bundled into one file.
 */
async function library() {
  await import("reflect-metadata");
  return import("@simplewebauthn/server");
}

async function libraryHelpers() {
  await import("reflect-metadata");
  return import("@simplewebauthn/server/helpers");
}

/** This site as passkeys know it (WebAuthn §4 «relying party»). */
export interface RelyingParty {
  id: string;
  origin: string;
}

/** What a new passkey is made of. */
export interface NewPasskey {
  /** The credential's id in base64url. */
  credential: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
}

/** Ed25519, ES256, RS256: what authenticators have (COSE algorithm numbers). */
const ALGORITHMS = [-8, -7, -257];
/** WebAuthn §5.8.4, and what browsers have added. */
const TRANSPORTS = ["usb", "nfc", "ble", "hybrid", "internal", "cable", "smart-card"] as const;
/** A credential id is at most 1,023 bytes (WebAuthn §7.1): so many letters of base64url. */
const CREDENTIAL_MAX_LETTERS = 1364;

/**
 * Undefined where browsers offer no passkeys: they want https or localhost, and a name that is no address
 * (WebAuthn §5.1.3).
 */
export function relyingParty(origin: string): RelyingParty | undefined {
  const { protocol, hostname } = new URL(origin);
  if (ipaddr.isValid(hostname.replace(/^\[|\]$/g, ""))) return undefined;
  const isSafe = protocol === "https:" || hostname === "localhost" || hostname.endsWith(".localhost");
  return isSafe ? { id: hostname, origin } : undefined;
}

/**
 * The options of `navigator.credentials.create`. The passkey is to be one that says by itself whose it is,
 * and asks its person.
 */
export async function offer(
  party: RelyingParty,
  {
    community,
    builderId,
    username,
    challenge,
    known,
    timeoutMs,
  }: {
    /** What it is called. */
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

/** The options of `navigator.credentials.get`, for whichever passkey of this site the person has. */
export async function ask(
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
 * The new passkey in what a browser sent, or undefined for whatever is wrong with it. `take` uses the
 * challenge up.
 */
export async function readPasskey(
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
 * Whether no certificate speaks for the authenticator. We ask for none, and browsers send none (WebAuthn
 * §5.1.3): whoever does wants the library to fetch revocation lists from addresses in it, and only the
 * delivery loop opens connections.
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

/** The id of the passkey that an answer is by, without any proof. */
export function credentialIdOf(sent: unknown): string | undefined {
  const id = typeof sent === "object" && sent !== null && "id" in sent ? sent.id : undefined;
  return typeof id === "string" && id.length <= CREDENTIAL_MAX_LETTERS ? id : undefined;
}

/**
 * The counter in an answer by this passkey, or undefined for whatever is wrong with it. `take` uses the
 * challenge up.
 */
export async function readAnswer(
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
  // The passkey was asked whose it is, so it has to say so (WebAuthn §7.2, step 6).
  const isTheirs =
    Buffer.from(response.response.userHandle ?? "", "base64url").toString() === passkey.builderId;
  return isTheirs ? { counter: verified.authenticationInfo.newCounter } : undefined;
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(base64url, "base64url"));
}
