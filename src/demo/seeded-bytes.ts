import { createCipheriv, createHash } from "node:crypto";
import type { Random } from "../core/base/random.ts";

/** Returns bytes that look random but depend only on the seed: the key stream of AES-256 in counter mode. */
export function seededBytes(seed: number): Random {
  const key = createHash("sha256").update(`guildhall ${seed}`).digest();
  const stream = createCipheriv("aes-256-ctr", key, Buffer.alloc(16));
  return { bytes: (count) => stream.update(Buffer.alloc(count)) };
}
