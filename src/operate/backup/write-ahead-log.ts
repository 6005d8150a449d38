import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/**
 * Reads a WAL and its database without SQLite. SQLite applies a WAL of another database, and drops frames
 * with a wrong checksum, both without an error (docs/adr/0040-whose-log.md). The formats are in
 * https://sqlite.org/fileformat2.html, sections 1.3, 2.1 and 4.
 * Takes no lock. Do not use this while this process has the database open: closing a file releases SQLite's
 * locks on it.
 */

/** The row of `lineage` after one commit. */
export interface CommitMark {
  line: string;
  commits: number;
  promised: number;
  /** Schema cookie before the commit. */
  cookie: number;
}

export interface LogFacts {
  /** Mark of the first commit that SQLite applies, and mark of the last commit that SQLite applies. */
  first: CommitMark | undefined;
  last: CommitMark | undefined;
  lines: ReadonlySet<string>;
  /**
   * Pages that contain the row of `lineage`. Only one page contains the row, unless another program has
   * rebuilt the file.
   */
  pages: ReadonlySet<number>;
  /** Schema cookie before the first commit of the WAL, if known. */
  baseCookie: number | undefined;
  /** Possible headers of the database's first page, if the WAL contains that page. */
  headers: ReadonlySet<string>;
  /**
   * Whether a commit rewrote every page, as VACUUM does. The WAL then does not depend on the earlier
   * contents.
   */
  isRebuilt: boolean;
  /**
   * Commits after the first damaged frame. `acknowledged` is the number of commits that were acknowledged
   * before the last of these commits.
   */
  beyond: { first: CommitMark; last: CommitMark; acknowledged: number } | undefined;
}

export interface DatabaseFacts {
  pageSize: number;
  cookie: number;
  schema: number;
  /** Part of the first page that changes with the file's size or schema. */
  header: string;
}

const LOG_HEADER = 32;
const FRAME_HEADER = 24;
const FRAMES_AT_ONCE = 256;
const MAGIC = 0x377f0682;

type Checksum = readonly [number, number];

/** Returns undefined if the file is too short for a database. */
export function readDatabaseFacts(file: string): DatabaseFacts | undefined {
  const head = readAt(file, 0, 100);
  if (head.length < 100) return undefined;
  const size = head.readUInt16BE(16);
  return {
    pageSize: size === 1 ? 65_536 : size,
    cookie: head.readUInt32BE(40),
    schema: head.readUInt32BE(60),
    header: headerOf(head),
  };
}

/** Returns the mark on a page of the database, or undefined if the page has none. */
export function readMark(file: string, page: number, pageSize: number): CommitMark | undefined {
  const bytes = readAt(file, (page - 1) * pageSize, pageSize);
  return bytes.length === pageSize ? markOn(bytes) : undefined;
}

/** `pageSize` is the page size of the database. It is used if the WAL's own header has a wrong checksum. */
export function readLogFacts(file: string, pageSize: number): LogFacts {
  const log = openSync(file, "r");
  try {
    return factsOf(log, fstatSync(log).size, pageSize);
  } finally {
    closeSync(log);
  }
}

function factsOf(log: number, length: number, databasePageSize: number): LogFacts {
  const head = Buffer.alloc(LOG_HEADER);
  readSync(log, head, 0, LOG_HEADER, 0);
  const isBig = head.readUInt32BE(0) === MAGIC + 1;
  const stored: Checksum = [head.readInt32BE(24), head.readInt32BE(28)];
  const isHead =
    (isBig || head.readUInt32BE(0) === MAGIC) && equal(sumOf(head, 0, 24, [0, 0], isBig), stored);
  const pageSize = isHead ? head.readUInt32BE(8) : databasePageSize;
  const told = tally();
  /** Undefined if the header has a wrong checksum. Each frame contains the salts too. */
  let salts = isHead ? head.subarray(16, 24) : undefined;
  let before = stored;
  let isWhole = isHead;
  const size = FRAME_HEADER + pageSize;
  const chunk = Buffer.alloc(size * FRAMES_AT_ONCE);
  for (let at = LOG_HEADER; at + size <= length; at += chunk.length) {
    const frames = Math.floor(readSync(log, chunk, 0, chunk.length, at) / size);
    for (let i = 0; i < frames; i++) {
      const frame = chunk.subarray(i * size, (i + 1) * size);
      const own: Checksum = [frame.readInt32BE(16), frame.readInt32BE(20)];
      salts ??= Buffer.from(frame.subarray(8, 16));
      const page = frame.readUInt32BE(0);
      // Each checksum continues from the one stored in the previous frame. So a sound frame after a damaged
      // one can be recognized.
      const isSound =
        page !== 0 && salts.equals(frame.subarray(8, 16)) && equal(frameSum(frame, before, isBig), own);
      isWhole &&= isSound;
      if (isSound) told.frame(page, frame.subarray(FRAME_HEADER), frame.readUInt32BE(4), isWhole);
      before = own;
    }
  }
  return told.facts();
}

/** Collects facts from sound frames, in order. */
function tally(): {
  frame(page: number, bytes: Buffer, commitPages: number, isWhole: boolean): void;
  facts(): LogFacts;
} {
  const lines = new Set<string>();
  const headers = new Set<string>();
  let first: CommitMark | undefined;
  let last: CommitMark | undefined;
  const pages = new Set<number>();
  let beyond: LogFacts["beyond"];
  let baseCookie: number | undefined;
  /**
   * True until a transaction in the WAL contains the cookie, or changes the schema without the row of
   * `lineage`.
   */
  let isBaseOpen = true;
  /** `mark`, `header` and `frames` belong to the transaction whose last frame was not read yet. */
  let mark: CommitMark | undefined;
  let header: string | undefined;
  let frames = 0;
  let isRebuilt = false;

  function commit(): void {
    if (isBaseOpen && (mark || header !== undefined)) {
      isBaseOpen = false;
      baseCookie = mark?.cookie;
    }
    if (header !== undefined) headers.add(header);
    if (mark) {
      lines.add(mark.line);
      first ??= mark;
      last = mark;
    }
    mark = undefined;
    header = undefined;
    frames = 0;
  }

  function isBeyond(found: CommitMark): void {
    const previous = beyond?.last ?? mark ?? last;
    const isNext = previous !== undefined && previous.commits + 1 === found.commits;
    // The last commit does not count, because it may have been in progress. Every commit before it was
    // acknowledged.
    const ownPromise = isNext ? found.promised - previous.promised : 1;
    beyond = { first: beyond?.first ?? found, last: found, acknowledged: found.promised - ownPromise };
  }

  return {
    frame(page, bytes, commitPages, isWhole) {
      const found = markOn(bytes);
      if (found) pages.add(page);
      if (!isWhole) {
        if (found) isBeyond(found);
        return;
      }
      if (found) mark = found;
      if (page === 1) header = headerOf(bytes);
      frames++;
      if (commitPages === 0) return;
      isRebuilt ||= frames >= commitPages;
      commit();
    },
    facts: () => ({ first, last, lines, pages, baseCookie, headers, isRebuilt, beyond }),
  };
}

/**
 * Reads the only row of `lineage` from its page. The page is a table leaf (0x0d) with one cell: row 1 with
 * NULL (the row number), sixteen bytes and three numbers. User text never produces such a page, because an
 * overflow page begins with the number of the next page.
 */
function markOn(page: Buffer): CommitMark | undefined {
  if (page[0] !== 0x0d || page.readUInt16BE(3) !== 1) return undefined;
  const at = page.readUInt16BE(8);
  // One byte each: cell length, row number, length of the record header, and types of its five fields.
  const cell = page.subarray(at, at + 8);
  if (cell.length < 8 || cell[1] !== 1 || cell[2] !== 6 || cell[3] !== 0 || cell[4] !== 12 + 2 * 16)
    return undefined;
  let from = at + 8;
  const line = page.toString("hex", from, (from += 16));
  const numbers = [...cell.subarray(5)].map((kind) => {
    const bytes = NUMBER_BYTES[kind];
    if (bytes === undefined || from + bytes > page.length) return undefined;
    const value =
      bytes === 0
        ? kind - 8
        : Number(BigInt.asIntN(bytes * 8, BigInt(`0x${page.toString("hex", from, from + bytes)}`)));
    from += bytes;
    return value;
  });
  const [commits, promised, cookie] = numbers;
  if (commits === undefined || promised === undefined || cookie === undefined) return undefined;
  return { line, commits, promised, cookie };
}

/** Length of a number by its serial type. Types 8 and 9 are the constants 0 and 1. */
const NUMBER_BYTES: Readonly<Record<number, number>> = { 1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 8: 0, 9: 0 };

/**
 * Returns the change counter, size, free pages, cookie, version and all other fields before the first page's
 * B-tree.
 */
function headerOf(page: Buffer): string {
  return page.toString("hex", 24, 100);
}

function frameSum(frame: Buffer, before: Checksum, isBig: boolean): Checksum {
  return sumOf(frame, FRAME_HEADER, frame.length, sumOf(frame, 0, 8, before, isBig), isBig);
}

/** Computes the two checksums of section 4.2, over 32-bit words in the byte order of the WAL's writer. */
function sumOf(bytes: Buffer, from: number, to: number, before: Checksum, isBig: boolean): Checksum {
  const part = isBig ? Buffer.from(bytes.subarray(from, to)).swap32() : bytes.subarray(from, to);
  const words = new Uint32Array(part.buffer, part.byteOffset, part.length / 4);
  let [a, b] = before;
  for (let i = 0; i < words.length; i += 2) {
    a = (a + (words[i] ?? 0) + b) | 0;
    b = (b + (words[i + 1] ?? 0) + a) | 0;
  }
  return [a, b];
}

function equal(a: Checksum, b: Checksum): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

function readAt(file: string, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const opened = openSync(file, "r");
  try {
    return bytes.subarray(0, readSync(opened, bytes, 0, length, at));
  } finally {
    closeSync(opened);
  }
}
