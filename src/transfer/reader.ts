import { createHash } from "node:crypto";
import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { basename, join } from "node:path";
import { FORMER_TABLES, FORMS } from "../core/services/transfer/exporting.ts";
import { CoreError } from "../core/base/errors.ts";
import { MIGRATIONS } from "../core/base/db/migrations.ts";
import { checkManifest, FORMAT, fileOf, type FileEntry, MANIFEST, type Manifest } from "./manifest.ts";
import { TransferRefused, reason } from "./transfer-refused.ts";

/*
 * Reads the folder of an export from an untrusted source (docs/threats.md#M11). Opens only files of an
 * export, by the names that the program gives them, and follows no links. Reads line by line, with a limit on
 * the length.
 */

/** Longest line. The longest value that any table allows is an event's envelope, with a megabyte of text. */
const LINE_MAX = 4 * 1024 * 1024;
const MANIFEST_MAX = 256 * 1024;
const CHUNK = 256 * 1024;

export interface OpenExport {
  folder: string;
  manifest: Manifest;
  /** SHA-256 of the manifest, which identifies the export. */
  digest: string;
}

/** Throws TransferRefused unless the folder has an export of a whole community, in a known format. */
export function openExport(folder: string): OpenExport {
  const path = join(folder, MANIFEST);
  const bytes = readSmall(path);
  const manifest = manifestIn(path, bytes);
  if (manifest.format > FORMAT || manifest.schema > MIGRATIONS.length)
    throw new TransferRefused(
      `${folder} was written by a newer Guildhall (${manifest.program}). Import it with that version.`,
    );
  if (manifest.of !== "community")
    throw new TransferRefused(
      `${folder} is the export of one member. Only a whole community can be imported.`,
    );
  const known = new Set([...FORMS.map(({ name }) => name), ...FORMER_TABLES]);
  const strange = Object.keys(manifest.files).find((name) => !known.has(name));
  if (strange !== undefined)
    throw new TransferRefused(`${path} names the file ${JSON.stringify(strange)}, which no export contains.`);
  const left = FORMS.find(
    ({ name }) => !Object.hasOwn(manifest.files, name) && isMissing(name, folder, manifest),
  );
  if (left !== undefined)
    throw new TransferRefused(
      `${path} does not list ${fileOf(left.name)}, so its rows would be lost. Add the entry again, with 0 rows if there are none.`,
    );
  return { folder, manifest, digest: createHash("sha256").update(bytes).digest("hex") };
}

/**
 * Whether a file is missing that the manifest does not list. An export of the current schema version lists
 * all files. An older export must list the builders, and every other file that its folder contains.
 */
function isMissing(name: string, folder: string, { schema }: Manifest): boolean {
  return schema === MIGRATIONS.length || name === "builders" || existsSync(join(folder, fileOf(name)));
}

function manifestIn(path: string, bytes: Uint8Array): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new TransferRefused(`${path} is not valid JSON.`);
  }
  try {
    return checkManifest(value);
  } catch (error) {
    if (error instanceof CoreError) throw new TransferRefused(`${path}: ${error.message}`);
    throw error;
  }
}

function readSmall(path: string): Buffer {
  const file = openRegularFile(path);
  try {
    if (fstatSync(file).size > MANIFEST_MAX)
      throw new TransferRefused(`${path} is too large for a manifest.`);
    const bytes = Buffer.alloc(MANIFEST_MAX);
    return bytes.subarray(0, readSync(file, bytes, 0, MANIFEST_MAX, 0));
  } finally {
    closeSync(file);
  }
}

/** Rejects links, which could lead out of the folder, and pipes, which could block forever. */
function openRegularFile(path: string): number {
  try {
    if (!lstatSync(path).isFile()) throw new TransferRefused(`${path} is not a regular file.`);
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    return openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (error instanceof TransferRefused) throw error;
    if (reason(error) === "ENOENT" && basename(path) === MANIFEST)
      throw new TransferRefused(
        `There is no export in ${path.slice(0, -MANIFEST.length - 1)}: it has no ${MANIFEST}.`,
      );
    throw new TransferRefused(`${path} cannot be read (${reason(error)}).`);
  }
}

export interface FileLine {
  number: number;
  text: string;
  /** Offset of the first byte of the next line. */
  end: number;
}

/**
 * Yields the lines of one part of an export after the first `after.lines`, which end at byte `after.bytes`.
 * Throws TransferRefused with file and line if a line is too long or not UTF-8.
 */
export function* linesOf(
  { folder }: OpenExport,
  part: string,
  after: { lines: number; bytes: number },
): Generator<FileLine> {
  const path = join(folder, fileOf(part));
  const file = openRegularFile(path);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let number = after.lines;
  const lineOf = (bytes: Uint8Array, end: number): FileLine => {
    number++;
    try {
      return { number, text: decoder.decode(bytes), end };
    } catch {
      throw new TransferRefused(`${path}:${number} is not UTF-8.`);
    }
  };
  try {
    const chunk = Buffer.alloc(CHUNK);
    let pending: Buffer[] = [];
    let held = 0;
    let at = after.bytes;
    for (;;) {
      const size = readSync(file, chunk, 0, CHUNK, at);
      if (size === 0) break;
      let from = 0;
      for (let to = chunk.indexOf(10); to >= 0 && to < size; to = chunk.indexOf(10, from)) {
        yield lineOf(Buffer.concat([...pending, chunk.subarray(from, to)]), at + to + 1);
        [pending, held, from] = [[], 0, to + 1];
      }
      held += size - from;
      if (held > LINE_MAX)
        throw new TransferRefused(
          `${path}:${number + 1} is longer than ${LINE_MAX / 1024 / 1024} MB, the limit for a line.`,
        );
      pending.push(Buffer.from(chunk.subarray(from, size)));
      at += size;
    }
    if (held > 0) yield lineOf(Buffer.concat(pending), at);
  } finally {
    closeSync(file);
  }
}

/**
 * Compares a part with its manifest entry, in one pass. Yields the bytes of each chunk. Throws
 * TransferRefused if the part differs.
 */
export function* verifyPart({ folder }: OpenExport, part: string, said: FileEntry): Generator<number> {
  const path = join(folder, fileOf(part));
  const file = openRegularFile(path);
  try {
    const hash = createHash("sha256");
    const chunk = Buffer.alloc(CHUNK);
    let bytes = 0;
    for (let size = 1; size > 0;) {
      size = readSync(file, chunk, 0, CHUNK, bytes);
      hash.update(chunk.subarray(0, size));
      bytes += size;
      yield size;
    }
    const isAnother =
      (said.bytes !== undefined && said.bytes !== bytes) ||
      (said.sha256 !== undefined && said.sha256 !== hash.digest("hex"));
    if (isAnother)
      throw new TransferRefused(
        `${path} was changed after the export. Export again. If the change is intended, remove the file's bytes and sha256 from ${MANIFEST} instead.`,
      );
  } finally {
    closeSync(file);
  }
}
