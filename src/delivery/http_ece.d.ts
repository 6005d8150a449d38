declare module "http_ece" {
  import type { ECDH } from "node:crypto";

  /**
   * Encrypts as RFC 8188 defines, or as RFC 8291 defines if a key pair is given. Keys and secrets are
   * base64url.
   */
  export function encrypt(
    plain: Buffer,
    params: { version: "aes128gcm"; dh: string; privateKey: ECDH; authSecret: string; salt?: string },
  ): Buffer;
}
