import { createHash } from "node:crypto";

/** A WebAuthn ceremony. Optional fields override what a correct authenticator does. */
export interface Ceremony {
  challenge: string;
  origin?: string;
  rpId?: string;
  isVerified?: boolean;
  /** Defaults to a counter that increases with each ceremony. */
  counter?: number;
  userHandle?: string;
  type?: string;
  certificates?: Uint8Array[];
}

export const ORIGIN = "https://guild.test";
const RP_ID = "guild.test";

/** A passkey in software: ES256 by WebCrypto, attestation `none` (WebAuthn §6, RFC 9053 §2.1). */
export async function makeAuthenticator({ counts = true }: { counts?: boolean } = {}) {
  const keys = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ]);
  const jwk = await crypto.subtle.exportKey("jwk", keys.publicKey);
  const credentialId = crypto.getRandomValues(new Uint8Array(16));
  const id = base64url(credentialId);
  let counted = 0;

  /** RP id hash, flags, counter (WebAuthn §6.1). */
  function authenticatorData(
    { rpId = RP_ID, isVerified = true, counter = counts ? ++counted : 0 }: Ceremony,
    attested: Uint8Array,
  ): Buffer {
    const flags = 0x01 | (isVerified ? 0x04 : 0) | (attested.length > 0 ? 0x40 : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested]);
  }

  return {
    id,
    /** Result of `navigator.credentials.create` as JSON. */
    async create(ceremony: Ceremony) {
      // COSE_Key: kty EC2, alg ES256, crv P-256, x, y (RFC 9053 §7.1.1).
      const publicKey = cbor(
        new Map<number, unknown>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(jwk.x ?? "", "base64url")],
          [-3, Buffer.from(jwk.y ?? "", "base64url")],
        ]),
      );
      const length = Buffer.from([0, credentialId.length]);
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, publicKey]);
      const statement = ceremony.certificates
        ? new Map<string, unknown>([
            ["alg", -7],
            ["sig", Buffer.alloc(70)],
            ["x5c", ceremony.certificates],
          ])
        : new Map<string, unknown>();
      const attestationObject = cbor(
        new Map<string, unknown>([
          ["fmt", ceremony.certificates ? "packed" : "none"],
          ["attStmt", statement],
          ["authData", authenticatorData(ceremony, attested)],
        ]),
      );
      return {
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(clientData("webauthn.create", ceremony)),
          attestationObject: base64url(attestationObject),
          transports: ["internal", "hybrid", "carrier-pigeon"],
        },
      };
    },
    /** Result of `navigator.credentials.get` as JSON. */
    async get(ceremony: Ceremony) {
      const data = clientData("webauthn.get", ceremony);
      const authData = authenticatorData(ceremony, new Uint8Array());
      const signed = await crypto.subtle.sign(
        { name: "ECDSA", hash: "SHA-256" },
        keys.privateKey,
        Buffer.concat([authData, sha256(data)]),
      );
      return {
        id,
        rawId: id,
        type: "public-key",
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64url(data),
          authenticatorData: base64url(authData),
          signature: base64url(der(Buffer.from(signed))),
          ...(ceremony.userHandle === undefined
            ? {}
            : { userHandle: base64url(Buffer.from(ceremony.userHandle)) }),
        },
      };
    },
  };
}

function clientData(type: string, ceremony: Ceremony): Buffer {
  return Buffer.from(
    JSON.stringify({
      type: ceremony.type ?? type,
      challenge: ceremony.challenge,
      origin: ceremony.origin ?? ORIGIN,
      crossOrigin: false,
    }),
  );
}

/**
 * Converts an ES256 signature. WebAuthn encodes ES256 as ASN.1 DER (WebAuthn §6.5.5), WebCrypto as two
 * concatenated integers.
 */
function der(raw: Buffer): Buffer {
  const integer = (bytes: Buffer): Buffer => {
    let first = 0;
    while (first < bytes.length - 1 && bytes[first] === 0) first++;
    const short = bytes.subarray(first);
    const value = (short[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), short]) : short;
    return Buffer.concat([Buffer.from([0x02, value.length]), value]);
  };
  const body = Buffer.concat([integer(raw.subarray(0, 32)), integer(raw.subarray(32))]);
  return Buffer.concat([Buffer.from([0x30, body.length]), body]);
}

/** Encodes the part of CBOR (RFC 8949 §3) that an attestation needs. */
function cbor(value: unknown): Buffer {
  if (typeof value === "number") return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (typeof value === "string")
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  if (value instanceof Map)
    return Buffer.concat([
      head(5, value.size),
      ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one)]),
    ]);
  throw new Error("no such CBOR here");
}

function head(kind: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(kind << 5) | count]);
  if (count < 256) return Buffer.from([(kind << 5) | 24, count]);
  return Buffer.from([(kind << 5) | 25, count >> 8, count & 0xff]);
}

function sha256(data: string | Uint8Array): Buffer {
  return createHash("sha256").update(data).digest();
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}
