import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createTarDecoder, createTarPacker, type ParsedTarEntry, type TarPackController } from "modern-tar";
import { type Bytes, compressed, expanded, type ByteLimit } from "./compression.ts";
import { isEncrypted, decrypted, encrypted } from "./encryption.ts";
import {
  bytesIn,
  isPicture,
  type Manifest,
  manifestText,
  type Member,
  readManifest,
  unexpected,
} from "./manifest.ts";
import { BackupRefused } from "./refused.ts";

/**
 * A backup is one file: a tar with `manifest.json` and the files that it lists, compressed with zstd. With a
 * passphrase the file is encrypted in the age format, so `age -d FILE | zstd -d | tar x` always opens it
 * (docs/contract.md#12.4). Archives of any size are streamed.
 */

const MANIFEST = "manifest.json";
const MANIFEST_MAX_BYTES = 1024 * 1024;
/** Bytes that tar adds to the members other than pictures: headers, padding and the end of the archive. */
const TAR_OVERHEAD_BYTES = 64 * 1024;
/** Bytes that tar adds to each picture: a header and padding. */
const PICTURE_OVERHEAD_BYTES = 1024;
const PIECE_BYTES = 256 * 1024;

/** A member of an archive, and the file that its bytes are read from. */
export interface Source extends Member {
  path: string;
}

/**
 * A picture in the archive. The manifest does not list pictures: the name is a hash of the content, and the
 * end of the archive shows that all are present.
 */
export interface PictureSource {
  name: string;
  bytes: number;
  path: string;
}

/** Receives the bytes of a member. The bytes are verified only when `readArchive` has resolved. */
export interface Sink {
  write(bytes: Uint8Array): void | Promise<void>;
  /** Called once, after all bytes of the member were written and its SHA-256 matched the manifest. */
  close(): void | Promise<void>;
}

export interface ReadOptions {
  passphrase?: string | undefined;
  /**
   * Called before any other member is read. Throws to reject the archive, for example if the disk is too
   * full.
   */
  checkManifest?(manifest: Manifest): void | Promise<void>;
  /** Returns undefined for a member whose bytes are only verified. */
  sink?(member: Pick<Member, "name" | "bytes">): Sink | undefined;
  progress?(done: number, total: number): void;
}

/** Yields the bytes of an archive of these files, in the order of the manifest. */
export async function* archiveBytes(
  manifest: Manifest,
  sources: readonly Source[],
  {
    passphrase,
    pictures = [],
    progress,
  }: {
    passphrase?: string | undefined;
    pictures?: readonly PictureSource[];
    progress?: (done: number, total: number) => void;
  } = {},
): Bytes {
  const bytes = compressed(tarOf(manifest, [...sources, ...pictures], progress));
  yield* passphrase === undefined ? bytes : encrypted(bytes, passphrase);
}

/**
 * Reads a whole archive and verifies every member against the manifest. Throws BackupRefused if the archive
 * is truncated, damaged, newer, encrypted with another passphrase, or has unexpected members
 * (docs/threats.md#M09). After an error, discard everything that `sink` received.
 */
export async function readArchive(source: Bytes, options: ReadOptions = {}): Promise<Manifest> {
  const { passphrase } = options;
  const [bytes, isSealed] = await isEncrypted(source);
  if (isSealed && passphrase === undefined)
    throw new BackupRefused(
      "The backup is encrypted. Name the file with its passphrase: --passphrase-file FILE",
    );
  if (!isSealed && passphrase !== undefined)
    throw new BackupRefused(
      "The backup is not encrypted, but a passphrase was given. If it is meant to be unencrypted, omit the passphrase.",
    );
  // Until the manifest is read, the decompression may produce only as many bytes as a manifest needs.
  const limit: ByteLimit = { bytes: MANIFEST_MAX_BYTES + TAR_OVERHEAD_BYTES };
  const plain = passphrase === undefined ? bytes : decrypted(bytes, passphrase);
  return readTar(expanded(plain, limit), limit, options);
}

async function* tarOf(
  manifest: Manifest,
  sources: readonly PictureSource[],
  progress?: (done: number, total: number) => void,
): Bytes {
  const { readable, controller } = createTarPacker();
  const filled = writeEntries(controller, manifest, sources, progress);
  // Passes the error to the reader of `readable`. The last line awaits the same promise.
  filled.catch((error: unknown) => controller.error(error));
  yield* readable;
  await filled;
}

async function writeEntries(
  controller: TarPackController,
  manifest: Manifest,
  sources: readonly PictureSource[],
  progress: ((done: number, total: number) => void) | undefined,
): Promise<void> {
  const mtime = new Date(manifest.created_at);
  const total = sources.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const text = new TextEncoder().encode(manifestText(manifest));
  await add(MANIFEST, text.length, [text]);
  for (const { name, bytes, path } of sources)
    await add(name, bytes, createReadStream(path, { highWaterMark: PIECE_BYTES }), true);
  controller.finalize();

  async function add(
    name: string,
    size: number,
    pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    isCounted = false,
  ): Promise<void> {
    const writer = controller.add({ name, size, mode: 0o600, mtime, type: "file" }).getWriter();
    for await (const piece of pieces) {
      // The packer accepts plain Uint8Arrays only, not Buffers.
      await writer.write(new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength));
      if (isCounted) progress?.((done += piece.byteLength), total);
    }
    await writer.close();
  }
}

async function readTar(bytes: Bytes, limit: ByteLimit, options: ReadOptions): Promise<Manifest> {
  const tar = createTarDecoder({ strict: true });
  // Errors of `feed` are ignored here, because the reader of `tar.readable` gets them.
  const fed = feed(bytes, tar.writable).catch(() => undefined);
  const entries = tar.readable.getReader();
  try {
    return await readMembers(entries, limit, options);
  } catch (error) {
    await entries.cancel(error).catch(() => undefined);
    // A full disk, or an error in this program's sink, does not mean that the archive is damaged.
    if (error instanceof BackupRefused || (error instanceof Error && "code" in error)) throw error;
    throw new BackupRefused(
      `The backup is damaged or incomplete (${error instanceof Error ? error.message : String(error)}).`,
    );
  } finally {
    await fed;
  }
}

async function feed(bytes: Bytes, tar: WritableStream<Uint8Array>): Promise<void> {
  const writer = tar.getWriter();
  try {
    for await (const piece of bytes) await writer.write(piece);
    await writer.close();
  } catch (error) {
    await writer.abort(error);
  }
}

type Entries = ReadableStreamDefaultReader<ParsedTarEntry>;

async function readMembers(entries: Entries, limit: ByteLimit, options: ReadOptions): Promise<Manifest> {
  const manifest = readManifest(await manifestOf(await entries.read()));
  await options.checkManifest?.(manifest);
  const total = bytesIn(manifest);
  limit.bytes += total + PICTURE_OVERHEAD_BYTES * (manifest.media?.files ?? 0);
  let done = 0;
  const addProgress = (bytes: number): void => options.progress?.((done += bytes), total);
  for (const member of manifest.files) {
    const { value: entry } = await entries.read();
    if (!entry) throw new BackupRefused(`The backup is incomplete: it has no ${member.name}.`);
    if (entry.header.name !== member.name || entry.header.type !== "file")
      throw unexpected(entry.header.name);
    await readMember(entry, member, options.sink?.(member), addProgress);
  }
  if (manifest.media) await readPictures(entries, manifest.media, options, addProgress);
  const { value: more } = await entries.read();
  if (more) throw unexpected(more.header.name);
  return manifest;
}

/** Throws if the pictures differ from the manifest in number or size. */
async function readPictures(
  entries: Entries,
  { files, bytes }: NonNullable<Manifest["media"]>,
  options: ReadOptions,
  addProgress: (bytes: number) => void,
): Promise<void> {
  let left = bytes;
  for (let i = 0; i < files; i++) {
    const { value: entry } = await entries.read();
    if (!entry) throw new BackupRefused(`The backup is incomplete: ${files - i} of its images are missing.`);
    const { name, size, type } = entry.header;
    if (!isPicture(name) || type !== "file") throw unexpected(name);
    if (size > left)
      throw new BackupRefused(`The backup is damaged: ${name} is larger than its manifest says.`);
    left -= size;
    const sink = options.sink?.({ name, bytes: size });
    for await (const piece of entry.body) {
      await sink?.write(piece);
      addProgress(piece.byteLength);
    }
    await sink?.close();
  }
  if (left > 0)
    throw new BackupRefused("The backup is damaged: its images are smaller than its manifest says.");
}

async function manifestOf({ value: entry }: Awaited<ReturnType<Entries["read"]>>): Promise<string> {
  if (!entry) throw new BackupRefused("The backup is empty or incomplete.");
  if (entry.header.name !== MANIFEST || entry.header.type !== "file") throw unexpected(entry.header.name);
  if (entry.header.size > MANIFEST_MAX_BYTES)
    throw new BackupRefused("The backup is damaged: its manifest is too large.");
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of entry.body) text += decoder.decode(piece, { stream: true });
  return text;
}

async function readMember(
  { header, body }: ParsedTarEntry,
  member: Member,
  sink: Sink | undefined,
  addProgress: (bytes: number) => void,
): Promise<void> {
  const hash = createHash("sha256");
  if (header.size === member.bytes) {
    for await (const piece of body) {
      hash.update(piece);
      await sink?.write(piece);
      addProgress(piece.byteLength);
    }
    if (hash.digest("hex") === member.sha256) return void (await sink?.close());
  }
  throw new BackupRefused(`The backup is damaged: ${member.name} does not match its manifest.`);
}
