import { createECDH, createDecipheriv, hkdfSync, randomBytes, verify, createPublicKey } from "node:crypto";
import type { Received } from "./receiver.ts";

/** A browser's side of Web Push after RFC 8291 §3.4 and RFC 8188 §2, independent of the product's code. */
export interface Browser {
  /** Keys as in `PushSubscription.toJSON()`. */
  keys: { p256dh: string; auth: string };
  /** Decrypts a push. Throws for a body that was encrypted for another browser. */
  read(body: Uint8Array): unknown;
}

export function makeBrowser(): Browser {
  const pair = createECDH("prime256v1");
  pair.generateKeys();
  const auth = randomBytes(16);
  return {
    keys: { p256dh: pair.getPublicKey().toString("base64url"), auth: auth.toString("base64url") },
    read(body) {
      const bytes = Buffer.from(body);
      const salt = bytes.subarray(0, 16);
      const keyLength = bytes.readUInt8(20);
      const sender = bytes.subarray(21, 21 + keyLength);
      const sealed = bytes.subarray(21 + keyLength);
      const info = Buffer.concat([Buffer.from("WebPush: info\0"), pair.getPublicKey(), sender]);
      const ikm = Buffer.from(hkdfSync("sha256", pair.computeSecret(sender), auth, info, 32));
      const key = Buffer.from(hkdfSync("sha256", ikm, salt, "Content-Encoding: aes128gcm\0", 16));
      const nonce = Buffer.from(hkdfSync("sha256", ikm, salt, "Content-Encoding: nonce\0", 12));
      const cipher = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(sealed.subarray(-16));
      const padded = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
      const end = padded.lastIndexOf(2);
      return JSON.parse(padded.subarray(0, end).toString());
    },
  };
}

export function bodyOf({ bytes, head }: Received): Buffer {
  return bytes.subarray(Buffer.byteLength(head, "latin1") + 4);
}

/** Verifies a sender's VAPID header as a push service does (RFC 8292 §4). Returns the claims and the key. */
export function checkVapid(header: string | undefined): { claims: Record<string, unknown>; key: string } {
  const [, token = "", key = ""] = /^vapid t=([^, ]+), ?k=([A-Za-z0-9_-]+)$/.exec(header ?? "") ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  const publicKey = createPublicKey({
    key: { kty: "EC", crv: "P-256", x: x ?? "", y: y ?? "" },
    format: "jwk",
  });
  const isRight = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isRight) throw new Error("the token is not signed with that key");
  const read = (part: string): Record<string, unknown> =>
    JSON.parse(Buffer.from(part, "base64url").toString());
  if (read(head)["alg"] !== "ES256") throw new Error("the token is not signed with ES256");
  return { claims: read(claims), key };
}
