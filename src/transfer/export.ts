import { createHash } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import {
  beginSnapshot,
  countRows,
  endSnapshot,
  FORMS,
  type Part,
  partsOf,
  selectSequences,
  NOT_EXPORTED,
} from "../core/services/transfer/exporting.ts";
import { isoTime } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { MIGRATIONS } from "../core/base/db/migrations.ts";
import { fileOf, type FileEntry, FORMAT, MANIFEST, type Manifest, schemaFileOf } from "./manifest.ts";
import { exportPictures } from "./pictures.ts";
import { TransferRefused, reason } from "./transfer-refused.ts";

const CHUNK = 256 * 1024;
/** Marker file that exists until the export is complete. */
const UNFINISHED = "export.unfinished";
const EXPORT_FILES =
  /^(?:[a-z_]+\.ndjson|[a-z_]+\.schema\.json|manifest\.json\.part|media|export\.unfinished)$/;

export interface ExportOptions {
  /** Exports only this builder instead of all. */
  builder?: { id: string; username: string } | undefined;
  version: string;
  /** Data folder with the picture files. If undefined, pictures are not exported. */
  data?: string | undefined;
  progress(done: number, total: number, label: string): void;
}

/**
 * Writes an export into a folder: an NDJSON file and a JSON Schema per table, and the manifest last. All
 * files show the same moment, even if the server writes meanwhile. Overwrites an interrupted export. Throws
 * TransferRefused for any other folder that is not empty.
 */
export async function exportTo(core: Core, folder: string, options: ExportOptions): Promise<Manifest> {
  prepare(folder);
  beginSnapshot(core);
  try {
    const manifest = await writeExport(core, folder, options);
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    save(join(folder, `${MANIFEST}.part`), text);
    renameSync(join(folder, `${MANIFEST}.part`), join(folder, MANIFEST));
    rmSync(join(folder, UNFINISHED));
    syncFolder(folder);
    return manifest;
  } catch (error) {
    if (reason(error) === "ENOSPC")
      throw new TransferRefused(`The disk of ${folder} is full. Free up space, then run the export again.`);
    throw error;
  } finally {
    endSnapshot(core);
  }
}

async function writeExport(core: Core, folder: string, options: ExportOptions): Promise<Manifest> {
  const { builder, version, progress } = options;
  const at = core.clock.now();
  const total = builder ? 0 : FORMS.reduce((sum, form) => sum + countRows(core, form), 0);
  const files: Record<string, FileEntry> = {};
  let done = 0;
  for (const part of partsOf(core, { at, builderId: builder?.id })) {
    save(join(folder, schemaFileOf(part.name)), `${JSON.stringify(part.schema, null, 2)}\n`);
    for (const step of writePart(part, join(folder, fileOf(part.name)))) {
      if ("entry" in step) files[part.name] = step.entry;
      else done += step.rows;
      progress(done, Math.max(total, done), part.name);
      // Yields to the event loop, so that the progress bar is drawn and signals are handled.
      await new Promise(setImmediate);
    }
  }
  const media =
    options.data === undefined ? undefined : exportPictures(core, options.data, folder, builder?.id);
  return {
    guildhall: "export",
    format: FORMAT,
    program: version,
    schema: MIGRATIONS.length,
    exported_at: isoTime(at),
    origin: core.origin,
    of: builder ? "builder" : "community",
    ...(builder ? { builder } : {}),
    steady_time: isoTime(core.clock.steady()),
    sequences: builder ? {} : selectSequences(core),
    files,
    ...(media && { media }),
    left_behind: { ...NOT_EXPORTED },
  };
}

/**
 * Writes one part. Yields the number of rows after each chunk, and finally the file's entry for the manifest.
 */
function* writePart(part: Part, path: string): Generator<{ rows: number } | { entry: FileEntry }> {
  const hash = createHash("sha256");
  const file = openSync(path, "wx", 0o600);
  try {
    let [rows, bytes, pending, text] = [0, 0, 0, ""];
    const flush = (): { rows: number } => {
      const chunk = Buffer.from(text);
      hash.update(chunk);
      writeAll(file, chunk);
      bytes += chunk.length;
      const flushed = { rows: pending };
      [text, pending] = ["", 0];
      return flushed;
    };
    for (const line of part.lines) {
      text += `${JSON.stringify(line)}\n`;
      rows++;
      pending++;
      if (text.length >= CHUNK) yield flush();
    }
    yield flush();
    fsyncSync(file);
    yield { entry: { rows, bytes, sha256: hash.digest("hex") } };
  } finally {
    closeSync(file);
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}

/** Only the owner can read the file, because it may contain private messages. */
function save(path: string, text: string): void {
  const file = openSync(path, "wx", 0o600);
  try {
    writeAll(file, Buffer.from(text));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function prepare(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = readdirSync(folder);
    if (found.includes(UNFINISHED) && found.every((name) => EXPORT_FILES.test(name)))
      for (const name of found) rmSync(join(folder, name), { recursive: true });
    else if (found.includes(MANIFEST))
      throw new TransferRefused(`${folder} already holds an export. Name another folder.`);
    else if (found.length > 0) throw new TransferRefused(`${folder} is not empty. Name another folder.`);
    save(join(folder, UNFINISHED), "An export was interrupted here. Run it again to start over.\n");
  } catch (error) {
    if (error instanceof TransferRefused) throw error;
    throw new TransferRefused(`${folder} cannot be written (${reason(error)}). Name another folder.`);
  }
}

function syncFolder(folder: string): void {
  const file = openSync(folder, "r");
  fsyncSync(file);
  closeSync(file);
}
