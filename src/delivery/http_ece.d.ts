declare module "http_ece" {
  import type { ECDH } from "node:crypto";

  /** Encrypts by RFC 8188, or by RFC 8291 with a key pair. Keys and secrets are base64url. */
  export function encrypt(
    plain: Buffer,
    params: { version: "aes128gcm"; dh: string; privateKey: ECDH; authSecret: string; salt?: string },
  ): Buffer;
}
