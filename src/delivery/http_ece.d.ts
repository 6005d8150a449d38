declare module "http_ece" {
  import type { ECDH } from "node:crypto";

  /** RFC 8188, and with a key pair RFC 8291. Keys and secrets are in base64url. */
  export function encrypt(
    plain: Buffer,
    params: { version: "aes128gcm"; dh: string; privateKey: ECDH; authSecret: string; salt?: string },
  ): Buffer;
}
