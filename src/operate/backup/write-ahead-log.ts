import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/**
 * What the bytes of a write-ahead log and of its database say, read without SQLite: that applies a log that
 * is none of the file's, and drops what does not check, both without a word (docs/adr/0040-whose-log.md). The
 * formats are https://sqlite.org/fileformat2.html, sections 1.3, 2.1 and 4. No lock is taken, and where this
 * process has the database open none is kept: closing a file drops what SQLite holds on it.
 */

/** The row of `lineage` as one commit left it. */
export interface Mark {
  line: string;
  commits: number;
  promised: number;
  /** The schema's, as the commit found it. */
  cookie: number;
}

export interface LogFacts {
  /** Of the commits that SQLite takes over: the first and the last that were counted. */
  first: Mark | undefined;
  last: Mark | undefined;
  lines: ReadonlySet<string>;
  /** The pages where these rows are: one, unless another program has rebuilt the file. */
  pages: ReadonlySet<number>;
  /** The schema's cookie before the first commit of the log, where that can be known. */
  baseCookie: number | undefined;
  /** What the database's first page may begin with, where the log has that page. */
  headers: ReadonlySet<string>;
  /** Whether a commit wrote every page anew, as VACUUM does: then it matters little what it began with. */
  isRebuilt: boolean;
  /** Behind the place where it no longer checks: written after all that was acknowledged before it. */
  beyond: { first: Mark; last: Mark; acknowledged: number } | undefined;
}

export interface DatabaseFacts {
  pageSize: number;
  cookie: number;
  schema: number;
  /** The part of the first page that every change of the file's size or schema changes. */
  header: string;
}

const LOG_HEADER = 32;
const FRAME_HEADER = 24;
const FRAMES_AT_ONCE = 256;
const MAGIC = 0x377f0682;

type Sum = readonly [number, number];

/** Undefined for a file that is too short to be a database. */
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

/** The mark on a page of the database, if that is the page where it stands. */
export function readMark(file: string, page: number, pageSize: number): Mark | undefined {
  const bytes = readAt(file, (page - 1) * pageSize, pageSize);
  return bytes.length === pageSize ? markOn(bytes) : undefined;
}

/** `pageSize`: the database's, by which a log is read whose own header does not check. */
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
  const stored: Sum = [head.readInt32BE(24), head.readInt32BE(28)];
  const isHead =
    (isBig || head.readUInt32BE(0) === MAGIC) && equal(sumOf(head, 0, 24, [0, 0], isBig), stored);
  const pageSize = isHead ? head.readUInt32BE(8) : databasePageSize;
  const told = tally();
  /** Of a header that does not check, the salts are not to be believed either: they stand in each frame. */
  let salts = isHead ? head.subarray(16, 24) : undefined;
  let before = stored;
  let isWhole = isHead;
  const size = FRAME_HEADER + pageSize;
  const chunk = Buffer.alloc(size * FRAMES_AT_ONCE);
  for (let at = LOG_HEADER; at + size <= length; at += chunk.length) {
    const frames = Math.floor(readSync(log, chunk, 0, chunk.length, at) / size);
    for (let i = 0; i < frames; i++) {
      const frame = chunk.subarray(i * size, (i + 1) * size);
      const own: Sum = [frame.readInt32BE(16), frame.readInt32BE(20)];
      salts ??= Buffer.from(frame.subarray(8, 16));
      const page = frame.readUInt32BE(0);
      // The sum goes on from what stands in the frame before, so that one can be told behind a broken one.
      const isSound =
        page !== 0 && salts.equals(frame.subarray(8, 16)) && equal(frameSum(frame, before, isBig), own);
      isWhole &&= isSound;
      if (isSound) told.frame(page, frame.subarray(FRAME_HEADER), frame.readUInt32BE(4), isWhole);
      before = own;
    }
  }
  return told.facts();
}

/** Takes the sound frames in, one after the other. */
function tally(): {
  frame(page: number, bytes: Buffer, commitPages: number, isWhole: boolean): void;
  facts(): LogFacts;
} {
  const lines = new Set<string>();
  const headers = new Set<string>();
  let first: Mark | undefined;
  let last: Mark | undefined;
  const pages = new Set<number>();
  let beyond: LogFacts["beyond"];
  let baseCookie: number | undefined;
  /** Until a transaction has shown it, or has changed it without saying what it was. */
  let isBaseOpen = true;
  /** Of the transaction whose end has not come yet. */
  let mark: Mark | undefined;
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

  function isBeyond(found: Mark): void {
    const previous = beyond?.last ?? mark ?? last;
    const isNext = previous !== undefined && previous.commits + 1 === found.commits;
    // The last one of all may have been under way; each before it had returned.
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
 * The one row of `lineage`, which is alone on its page: a leaf of a table (0x0d) with one cell, row 1, of
 * NULL (the row's number), sixteen bytes and three numbers. No text of a user's makes such a page: an
 * overflow page begins with the number of the next one.
 */
function markOn(page: Buffer): Mark | undefined {
  if (page[0] !== 0x0d || page.readUInt16BE(3) !== 1) return undefined;
  const at = page.readUInt16BE(8);
  // Length, row, length of the record's header, and the kinds of its five fields: a byte each.
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

/** How long a number is, by its kind; 8 and 9 are 0 and 1 themselves. */
const NUMBER_BYTES: Readonly<Record<number, number>> = { 1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 8: 0, 9: 0 };

/** Count of changes, size, free pages, cookie, version and all the rest up to the first page's own tree. */
function headerOf(page: Buffer): string {
  return page.toString("hex", 24, 100);
}

function frameSum(frame: Buffer, before: Sum, isBig: boolean): Sum {
  return sumOf(frame, FRAME_HEADER, frame.length, sumOf(frame, 0, 8, before, isBig), isBig);
}

/** The two sums of section 4.2, over words of 32 bits as the log's writer keeps them. */
function sumOf(bytes: Buffer, from: number, to: number, before: Sum, isBig: boolean): Sum {
  const part = isBig ? Buffer.from(bytes.subarray(from, to)).swap32() : bytes.subarray(from, to);
  const words = new Uint32Array(part.buffer, part.byteOffset, part.length / 4);
  let [a, b] = before;
  for (let i = 0; i < words.length; i += 2) {
    a = (a + (words[i] ?? 0) + b) | 0;
    b = (b + (words[i + 1] ?? 0) + a) | 0;
  }
  return [a, b];
}

function equal(a: Sum, b: Sum): boolean {
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
