import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import { BackupRefused } from "./refused.ts";

/** Bytes in chunks. Archives are streamed in this form. */
export type Bytes = AsyncIterable<Uint8Array>;

/** Number of bytes that decompression may still produce. The limit grows after the manifest was read. */
export interface ByteLimit {
  bytes: number;
}

/** zstd's default level: 300 MB per second on one core. */
const LEVEL = 3;
/**
 * Largest accepted zstd window. An archive that was recompressed with `zstd -19` fits. A larger window would
 * need too much memory.
 */
const WINDOW_LOG_MAX = 24;

/**
 * The SHA-256 of the compressed bytes follows them in a “skippable frame” of zstd (RFC 8878 §3.1.2), which
 * other tools ignore. The library does not detect a truncated stream, and some flipped bits do not change the
 * output. The hash detects every change.
 */
const END_MAGIC = 0x184d2a5e;
const END_BYTES = 8 + 32;

/** Returns the skippable frame with this hash. The caller appends it to the compressed bytes. */
export function endFrame(sha256: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(END_MAGIC, 0);
  head.writeUInt32LE(sha256.length, 4);
  return Buffer.concat([head, sha256]);
}

export async function* compressed(source: Bytes): Bytes {
  const params = {
    [constants.ZSTD_c_compressionLevel]: LEVEL,
    [constants.ZSTD_c_checksumFlag]: 1,
  };
  const hash = createHash("sha256");
  for await (const piece of pipeThrough(source, createZstdCompress({ params, chunkSize: 256 * 1024 }))) {
    hash.update(piece);
    yield piece;
  }
  yield endFrame(hash.digest());
}

/** Throws BackupRefused if the source is truncated, is not zstd, or expands beyond `limit`. */
export async function* expanded(source: Bytes, limit: ByteLimit): Bytes {
  const params = { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG_MAX };
  let done = 0;
  try {
    for await (const piece of pipeThrough(withoutEnd(source), createZstdDecompress({ params }))) {
      done += piece.byteLength;
      if (done > limit.bytes)
        throw new BackupRefused(
          "The backup contains more than its manifest says. It was not made by Guildhall.",
        );
      yield piece;
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("ZSTD_"))
      throw new BackupRefused(`The file is damaged, or not a Guildhall backup (${error.message}).`);
    throw error;
  }
}

/** Yields all bytes but the final frame. Throws if that frame is missing or its hash differs. */
async function* withoutEnd(source: Bytes): Bytes {
  const hash = createHash("sha256");
  let pending: Uint8Array = new Uint8Array();
  for await (const piece of source) {
    const all = Buffer.concat([pending, piece]);
    const rest = all.subarray(0, Math.max(0, all.length - END_BYTES));
    pending = all.subarray(rest.length);
    if (rest.length === 0) continue;
    hash.update(rest);
    yield rest;
  }
  if (!endFrame(hash.digest()).equals(pending))
    throw new BackupRefused("The file is incomplete, damaged, or not a Guildhall backup.");
}

async function* pipeThrough(source: Bytes, transform: NodeJS.ReadWriteStream & Readable): Bytes {
  const done = pipeline(Readable.from(source, { objectMode: false }), transform);
  // Prevents an unhandled rejection. The loop below throws an error of the source, and the last `await`
  // throws the same error.
  done.catch(() => undefined);
  yield* transform;
  await done;
}
