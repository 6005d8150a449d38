import { systemClock } from "../clock.ts";

/**
 * Faults of SQLite that no caller can fix (docs/contract.md#12.12). Faults of all requests are recorded, so
 * that /readyz and a checkup can report them.
 * - `damaged`: a page or the file differs from what was written.
 * - `unreadable`: the disk returned an error instead of a page.
 * - `unwritable`: commits fail.
 * - `unmerged`: the write-ahead log cannot be checkpointed, and grows.
 */
export const STORAGE_FAULT_KINDS = ["damaged", "unreadable", "unwritable", "unmerged"] as const;
export type StorageFaultKind = (typeof STORAGE_FAULT_KINDS)[number];

export interface StorageFault {
  kind: StorageFaultKind;
  /** SQLite's error code of the last occurrence, such as `SQLITE_CORRUPT_VTAB` or `SQLITE_IOERR_FSYNC`. */
  code: string;
  /** Wall time of the first and last occurrence, in ms. */
  firstAt: number;
  lastAt: number;
  times: number;
}

/**
 * Record of storage faults. `damaged` and `unreadable` stay open until the process ends or `closeBefore` is
 * called. `unwritable` stays open until a commit is on disk, `unmerged` until a checkpoint succeeds.
 */
export interface StorageFaults {
  /** Returns the open faults, most severe first. */
  open(): StorageFault[];
  /** Records an error if it is a storage fault. The same error object counts once. */
  record(error: unknown, isOfCheckpoint?: boolean): void;
  /** Reports a successful commit or checkpoint, which closes the fault of this kind. */
  reportSuccess(kind: "unwritable" | "unmerged"): void;
  /**
   * Closes the faults recorded before `since`. Call it when a check of the whole database that began at
   * `since` found no fault.
   */
  closeBefore(since: number): void;
  /** Memory to pass to other connections of this process, so that all connections share one record. */
  shared: SharedArrayBuffer;
}

/** Layout per kind: first time, last time, count, then the characters of the code. */
const FIGURES = 3;
const CODE_BYTES = 40;
const KIND_BYTES = FIGURES * Float64Array.BYTES_PER_ELEMENT + CODE_BYTES;

/** Creates a record in memory that threads share, because each thread's connection meets different faults. */
export function createStorageFaults(
  shared = new SharedArrayBuffer(STORAGE_FAULT_KINDS.length * KIND_BYTES),
  now: () => number = systemClock.now,
): StorageFaults {
  const slots = STORAGE_FAULT_KINDS.map((kind, index) => {
    const begins = index * KIND_BYTES;
    const figures = new Float64Array(shared, begins, FIGURES);
    const code = new Uint8Array(shared, begins + FIGURES * Float64Array.BYTES_PER_ELEMENT, CODE_BYTES);
    return { kind, figures, code };
  });
  let lastRecorded: unknown;

  const slotOf = (kind: StorageFaultKind) =>
    slots[STORAGE_FAULT_KINDS.indexOf(kind)] as (typeof slots)[number];
  const textOf = (bytes: Uint8Array): string =>
    String.fromCharCode(...bytes.subarray(0, bytes.indexOf(0) < 0 ? CODE_BYTES : bytes.indexOf(0)));

  return {
    shared,
    open: () =>
      slots.flatMap(({ kind, figures: [firstAt = 0, lastAt = 0, times = 0], code }) =>
        times > 0 ? [{ kind, code: textOf(code), firstAt, lastAt, times }] : [],
      ),
    record(error, isOfCheckpoint = false) {
      const code = codeOf(error);
      const kind = code === undefined ? undefined : kindOf(code);
      if (code === undefined || kind === undefined || error === lastRecorded) return;
      lastRecorded = error;
      const slot = slotOf(isOfCheckpoint && kind === "unwritable" ? "unmerged" : kind);
      const [firstAt = 0, , times = 0] = slot.figures;
      slot.figures.set([times > 0 ? firstAt : now(), now(), times + 1]);
      slot.code.fill(0);
      for (let at = 0; at < Math.min(code.length, CODE_BYTES); at++) slot.code[at] = code.charCodeAt(at);
    },
    reportSuccess(kind) {
      slotOf(kind).figures[FIGURES - 1] = 0;
    },
    closeBefore(since) {
      for (const kind of ["damaged", "unreadable"] as const) {
        const { figures } = slotOf(kind);
        if ((figures[1] ?? 0) < since) figures[FIGURES - 1] = 0;
      }
    },
  };
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && code.startsWith("SQLITE_") ? code : undefined;
}

/**
 * SQLITE_IOERR codes are split into errors of reads and errors of writes. A full quota and a file size limit
 * cause errors of writes (https://www.sqlite.org/rescode.html).
 */
function kindOf(code: string): StorageFaultKind | undefined {
  if (/^SQLITE_(?:CORRUPT|NOTADB)/.test(code)) return "damaged";
  if (/^SQLITE_IOERR_(?:READ|SHORT_READ|CORRUPTFS|DATA)$/.test(code)) return "unreadable";
  if (/^SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN)/.test(code)) return "unwritable";
  return undefined;
}
