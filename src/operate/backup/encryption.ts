import { Decrypter, Encrypter } from "age-encryption";
import type { Bytes } from "./compression.ts";
import { BackupRefused } from "./refused.ts";

/**
 * Encryption with a passphrase in the age format (age-encryption.org/v1), so that age's own tool opens it.
 * Each 64 KB block and the end are authenticated, so a changed or truncated file does not decrypt.
 */

const MAGIC = "age-encryption.org/v1\n";
/** 2^17 rounds of scrypt: 128 MB of memory for half a second. */
const WORK_FACTOR = 17;
/**
 * Largest accepted work factor, which is also the value that age's own tool writes. A larger factor would
 * need more memory than a small machine has.
 */
const WORK_FACTOR_MAX = 18;
/** Number of bytes at the start of a file that contain the header line about scrypt. */
const HEAD_BYTES = 200;

/** Returns all bytes of the source, and whether they are encrypted in the age format. */
export async function isEncrypted(source: Bytes): Promise<[Bytes, boolean]> {
  const [head, all] = await peek(source, MAGIC.length);
  return [all, head.toString("latin1") === MAGIC];
}

export async function* encrypted(source: Bytes, passphrase: string): Bytes {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(WORK_FACTOR);
  yield* await encrypter.encrypt(streamOf(source));
}

/**
 * Throws BackupRefused if the passphrase is wrong, if the file is not encrypted with a passphrase, or if the
 * file was changed.
 */
export async function* decrypted(source: Bytes, passphrase: string): Bytes {
  const [head, all] = await peek(source, HEAD_BYTES);
  const [, factor] = /^-> scrypt \S+ (\d+)$/m.exec(head.toString("latin1")) ?? [];
  if (factor === undefined)
    throw new BackupRefused(
      "The backup is not encrypted with a passphrase. Decrypt it with the tool that encrypted it.",
    );
  if (Number(factor) > WORK_FACTOR_MAX)
    throw new BackupRefused(`The backup asks for too much memory to decrypt (work factor ${factor}).`);
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  const plain = await decrypter.decrypt(streamOf(all)).catch((error: unknown) => {
    throw refusal(error);
  });
  try {
    yield* plain;
  } catch (error) {
    throw refusal(error);
  }
}

function refusal(error: unknown): unknown {
  if (error instanceof BackupRefused || !(error instanceof Error) || "code" in error) return error;
  if (error.message.startsWith("no identity matched")) return new BackupRefused("The passphrase is wrong.");
  return new BackupRefused(`The backup is damaged or incomplete (${error.message}).`);
}

/**
 * Returns the first `length` bytes, or fewer if the source is shorter. Also returns the source, which still
 * yields these bytes.
 */
async function peek(source: Bytes, length: number): Promise<[Buffer, Bytes]> {
  const pieces = source[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < length) {
    const next = await pieces.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  return [head.subarray(0, length), concatenated(head, pieces)];
}

async function* concatenated(head: Uint8Array, pieces: AsyncIterator<Uint8Array>): Bytes {
  try {
    yield head;
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
  } finally {
    await pieces.return?.();
  }
}

function streamOf(source: Bytes): ReadableStream<Uint8Array> {
  const pieces = source[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await pieces.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await pieces.return?.();
    },
  });
}
