import { systemClock } from "../clock.ts";

/**
 * What SQLite meets while a server runs and no caller can mend (docs/contract.md#12.12): it is remembered, so
 * that /readyz and a checkup tell of it, whoever's request it was. `damaged`: a page, or the file, is not
 * what was written. `unreadable`: the disk gave an error instead of a page. `unwritable`: no commit comes
 * through. `unmerged`: the write-ahead log cannot be taken over into the database, and grows.
 */
export const STORAGE_FAULT_KINDS = ["damaged", "unreadable", "unwritable", "unmerged"] as const;
export type StorageFaultKind = (typeof STORAGE_FAULT_KINDS)[number];

export interface StorageFault {
  kind: StorageFaultKind;
  /** SQLite's own word of the last time, such as `SQLITE_CORRUPT_VTAB` or `SQLITE_IOERR_FSYNC`. */
  code: string;
  /** Wall time in milliseconds, of the first and the last time. */
  firstAt: number;
  lastAt: number;
  times: number;
}

/**
 * `damaged` and `unreadable` stand until the program ends, or `overcome`; `unwritable` until a commit is on
 * disk again, `unmerged` until a checkpoint is.
 */
export interface StorageFaults {
  /** Those that stand, the gravest first. */
  open(): StorageFault[];
  /** Keeps what is one of them of whatever was thrown; the same object counts once. */
  note(error: unknown, isOfCheckpoint?: boolean): void;
  /** A commit, or a checkpoint, came through. */
  succeeded(kind: "unwritable" | "unmerged"): void;
  /** A look at the whole database that began at `since` found nothing wrong: what was met before is past. */
  overcome(since: number): void;
  /**
   * What other connections of this program to the same database are given, so that they note in one place.
   */
  shared: SharedArrayBuffer;
}

/** Of each kind: when first, when last, how often; then the letters of the code. */
const FIGURES = 3;
const CODE_BYTES = 40;
const KIND_BYTES = FIGURES * Float64Array.BYTES_PER_ELEMENT + CODE_BYTES;

/**
 * In memory that threads share, as the delivery thread's connection meets what the requests' one does not.
 */
export function createStorageFaults(
  shared = new SharedArrayBuffer(STORAGE_FAULT_KINDS.length * KIND_BYTES),
  now: () => number = systemClock.now,
): StorageFaults {
  const places = STORAGE_FAULT_KINDS.map((kind, index) => {
    const begins = index * KIND_BYTES;
    const figures = new Float64Array(shared, begins, FIGURES);
    const code = new Uint8Array(shared, begins + FIGURES * Float64Array.BYTES_PER_ELEMENT, CODE_BYTES);
    return { kind, figures, code };
  });
  let noted: unknown;

  const placeOf = (kind: StorageFaultKind) =>
    places[STORAGE_FAULT_KINDS.indexOf(kind)] as (typeof places)[number];
  const lettersOf = (bytes: Uint8Array): string =>
    String.fromCharCode(...bytes.subarray(0, bytes.indexOf(0) < 0 ? CODE_BYTES : bytes.indexOf(0)));

  return {
    shared,
    open: () =>
      places.flatMap(({ kind, figures: [firstAt = 0, lastAt = 0, times = 0], code }) =>
        times > 0 ? [{ kind, code: lettersOf(code), firstAt, lastAt, times }] : [],
      ),
    note(error, isOfCheckpoint = false) {
      const code = codeOf(error);
      const kind = code === undefined ? undefined : kindOf(code);
      if (code === undefined || kind === undefined || error === noted) return;
      noted = error;
      const place = placeOf(isOfCheckpoint && kind === "unwritable" ? "unmerged" : kind);
      const [firstAt = 0, , times = 0] = place.figures;
      place.figures.set([times > 0 ? firstAt : now(), now(), times + 1]);
      place.code.fill(0);
      for (let at = 0; at < Math.min(code.length, CODE_BYTES); at++) place.code[at] = code.charCodeAt(at);
    },
    succeeded(kind) {
      placeOf(kind).figures[FIGURES - 1] = 0;
    },
    overcome(since) {
      for (const kind of ["damaged", "unreadable"] as const) {
        const { figures } = placeOf(kind);
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
 * A reader meets some of SQLITE_IOERR and a writer the others: what a full quota or a limit of file sizes
 * says is among those (https://www.sqlite.org/rescode.html).
 */
function kindOf(code: string): StorageFaultKind | undefined {
  if (/^SQLITE_(?:CORRUPT|NOTADB)/.test(code)) return "damaged";
  if (/^SQLITE_IOERR_(?:READ|SHORT_READ|CORRUPTFS|DATA)$/.test(code)) return "unreadable";
  if (/^SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN)/.test(code)) return "unwritable";
  return undefined;
}
