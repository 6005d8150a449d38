import { storeAllCopies } from "../core/services/moderation/reports.ts";
import {
  finishImport,
  fromLine,
  hasRow,
  importLines,
  type ImportMark,
  importMark,
  LineRefused,
} from "../core/services/transfer/importing.ts";
import { type Form, FORMS } from "../core/services/transfer/exporting.ts";
import type { Core } from "../core/base/core.ts";
import { fileOf } from "./manifest.ts";
import { type FileLine, linesOf, type OpenExport, verifyPart } from "./reader.ts";
import { OtherImportUnfinished, TransferRefused } from "./transfer-refused.ts";

export type Progress = (done: number, total: number, label: string) => void;

/** Lines per transaction. With more lines, commits take less time. With fewer, the WAL stays small. */
const BATCH = 2000;
/** Maximum number of characters per transaction, for long lines. */
const BATCH_TEXT = 8 * 1024 * 1024;
/** Maximum number of wrong lines that are reported in full. */
const PROBLEMS_MAX = 50;

/** Number of rows per file after the import. */
export type Imported = Readonly<Record<string, number>>;

/** Compares every file with the manifest. Throws TransferRefused for the first file that differs. */
export async function verifyExport(from: OpenExport, progress: Progress): Promise<void> {
  const { files } = from.manifest;
  const total = Object.values(files).reduce((sum, { bytes = 0 }) => sum + bytes, 0);
  let done = 0;
  for (const [part, entry] of Object.entries(files))
    for (const size of verifyPart(from, part, entry)) {
      done += size;
      progress(Math.min(done, total), total, "verifying");
      await yieldToEventLoop();
    }
}

/**
 * Imports an export into a new database. Starts at the beginning, or where an import of the same export was
 * interrupted. Throws TransferRefused with file and line for the first error. The caller must then discard
 * the database.
 */
export async function importInto(core: Core, from: OpenExport, progress: Progress): Promise<Imported> {
  return fill(core, from, progress, (where, why) => {
    throw new TransferRefused(`${where} ${why}`);
  });
}

/** Imports into a database that the caller discards. Returns all errors as text, with file and line. */
export async function dryRunImport(
  core: Core,
  from: OpenExport,
  progress: Progress,
): Promise<{ rows: Imported; wrong: string[]; problemCount: number }> {
  const wrong: string[] = [];
  let problemCount = 0;
  const note = (where: string, why: string): void => {
    if (problemCount++ < PROBLEMS_MAX) wrong.push(`${where} ${why}`);
  };
  const rows = await fill(core, from, progress, note);
  return { rows, wrong, problemCount };
}

async function fill(
  core: Core,
  from: OpenExport,
  progress: Progress,
  refused: (where: string, why: string) => void,
): Promise<Imported> {
  const { manifest, digest, folder } = from;
  const begun = importMark(core);
  if (begun?.isDone) return countsOf(from);
  if (begun && begun.export !== digest)
    throw new OtherImportUnfinished(
      "An import of another export was interrupted here. Continue that one, or delete the folder importing.",
    );
  const total = Object.values(manifest.files).reduce((sum, { rows }) => sum + rows, 0);
  let done = 0;
  let progressMark = begun ?? beginning(from);
  const forms = FORMS.filter(({ name }) => Object.hasOwn(manifest.files, name));
  const first = Math.max(
    0,
    forms.findIndex(({ name }) => name === progressMark.file),
  );
  for (const [i, form] of forms.entries()) {
    const statedRows = manifest.files[form.name]?.rows ?? 0;
    if (i >= first) {
      const after = form.name === progressMark.file ? progressMark : { lines: 0, bytes: 0 };
      const path = `${folder}/${fileOf(form.name)}`;
      for (const batch of batches(linesOf(from, form.name, after))) {
        progressMark = markAt(progressMark, form, batch);
        importLines(core, form, batch, progressMark, ({ number }, why) => refused(`${path}:${number}`, why));
        progress(done + progressMark.lines, Math.max(total, done + progressMark.lines), form.name);
        await yieldToEventLoop();
      }
      const found = form.name === progressMark.file ? progressMark.lines : 0;
      if (found !== statedRows) refused(path, `has ${found} rows, but the manifest says ${statedRows}`);
    }
    done += statedRows;
  }
  core.db.transact(() => storeAllCopies(core));
  const unsound = finishImport(core, progressMark, {
    steadyAt: Date.parse(manifest.steady_time),
    sequences: manifest.sequences,
  });
  if (unsound !== undefined) refused(folder, `is inconsistent: ${unsound}`);
  return countsOf(from);
}

function beginning({ manifest, digest }: OpenExport): ImportMark {
  const from = URL.parse(manifest.origin)?.host ?? "elsewhere";
  const exportedAt = Date.parse(manifest.exported_at);
  return { export: digest, file: "", lines: 0, bytes: 0, isDone: false, from, exportedAt };
}

function countsOf({ manifest }: OpenExport): Imported {
  return Object.fromEntries(Object.entries(manifest.files).map(([name, { rows }]) => [name, rows]));
}

function markAt(progressMark: ImportMark, { name }: Form, batch: readonly FileLine[]): ImportMark {
  const last = batch.at(-1);
  return last ? { ...progressMark, file: name, lines: last.number, bytes: last.end } : progressMark;
}

function* batches(lines: Generator<FileLine>): Generator<FileLine[]> {
  let batch: FileLine[] = [];
  let size = 0;
  for (const line of lines) {
    batch.push(line);
    size += line.text.length;
    if (batch.length < BATCH && size < BATCH_TEXT) continue;
    yield batch;
    [batch, size] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

/** The rows of an export that a community already has. */
export interface ImportState {
  presentRows: Imported;
  missing: number;
  /** Whether this community was created from this export. */
  isFromThisExport: boolean;
}

/** Searches an existing community for every row of an export. Changes nothing. */
export async function findImportState(
  core: Core,
  from: OpenExport,
  progress: Progress,
): Promise<ImportState> {
  const { manifest, digest } = from;
  const total = Object.values(manifest.files).reduce((sum, { rows }) => sum + rows, 0);
  const presentRows: Record<string, number> = {};
  let [done, missing] = [0, 0];
  for (const form of FORMS) {
    if (!Object.hasOwn(manifest.files, form.name)) continue;
    let found = 0;
    for (const batch of batches(linesOf(from, form.name, { lines: 0, bytes: 0 }))) {
      for (const line of batch)
        if (isRowPresent(core, from, form, line)) found++;
        else missing++;
      done += batch.length;
      progress(done, Math.max(total, done), form.name);
      await yieldToEventLoop();
    }
    presentRows[form.name] = found;
  }
  return { presentRows, missing, isFromThisExport: importMark(core)?.export === digest };
}

function isRowPresent(core: Core, { folder }: OpenExport, form: Form, { number, text }: FileLine): boolean {
  try {
    return hasRow(core, form, fromLine(form, text));
  } catch (error) {
    if (error instanceof LineRefused)
      throw new TransferRefused(`${folder}/${fileOf(form.name)}:${number} ${error.message}`);
    throw error;
  }
}

/** Yields to the event loop, so that the progress bar is drawn and signals are handled. */
function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
