import type Database from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { SECOND } from "../clock.ts";
import { newDigest } from "../digest.ts";
import { refuseFor } from "../errors.ts";
import { createLineage } from "./lineage.ts";
import { refuseEdited, refuseForeign, refuseOlder } from "./migrate.ts";
import { type Db, hideValues, recordingFaults } from "./open.ts";
import { createRows } from "./rows.ts";
import { openSqlite } from "./sqlite.ts";
import { createStorageFaults } from "./storage-faults.ts";
import { createLockQueue } from "./lock-queue.ts";
import { WRITE_SECONDS, type WriteFigures } from "./writer.ts";

/**
 * Longest wait for SQLite's lock on the file, in ms. The process that updates the file holds the lock for
 * some milliseconds, or for up to a second when very many pages change.
 */
const BUSY_MS = SECOND;
const RETRY_MS = 10 * SECOND;

/**
 * Opens a database read-only while another process keeps updating it (docs/adr/0064-followers.md). Reads
 * without an `await` between them see one snapshot, as they do on a leader. Writes throw unavailable with the
 * code `reads_only`. Throws DatabaseRefused like `openDatabase`.
 */
export function openCopy(file: string): Db {
  const sqlite = openSqlite(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
  try {
    refuseForeign(sqlite);
    refuseOlder(sqlite);
    refuseEdited(sqlite);
    sqlite.pragma("trusted_schema = OFF");
    sqlite.pragma(`cache_size = -${32 * 1024}`);
  } catch (error) {
    sqlite.close();
    throw error;
  }
  return wrap(sqlite);
}

const NO_WRITES: WriteFigures = {
  waiting: 0,
  commits: newDigest(WRITE_SECONDS),
  writes: newDigest(WRITE_SECONDS),
};

function wrap(sqlite: Database.Database): Db {
  const storageFaults = createStorageFaults();
  const { position } = createLineage(sqlite, { isPromised: false, isFollowed: false });
  const statements = new Map<string, Database.Statement>();
  const dataVersion = sqlite.prepare("PRAGMA data_version").pluck();
  const begin = sqlite.prepare("BEGIN");
  const end = sqlite.prepare("COMMIT");
  let seenVersion: unknown;
  let version = 0;
  let openTransaction: object | undefined;

  /** Begins a read transaction, if none is open, and ends it at the caller's next await. */
  const hold = (): void => {
    if (sqlite.inTransaction) return;
    begin.run();
    queueMicrotask(release);
  };
  const release = (): void => {
    if (sqlite.open && sqlite.inTransaction) end.run();
  };
  const prepare = (text: string): Database.Statement =>
    restrictToReads(recordingFaults(sqlite.prepare(text), storageFaults), hold);
  const runInTransaction = <Result>(change: () => Result): Result => {
    const outer = openTransaction;
    openTransaction ??= {};
    try {
      return change();
    } finally {
      openTransaction = outer;
    }
  };

  return {
    ...createRows(drizzle(sqlite), prepare),
    prepare<Row, Params extends unknown[]>(sql: string) {
      let statement = statements.get(sql);
      if (!statement) {
        statement = prepare(hideValues(sql));
        statements.set(sql, statement);
      }
      return statement as Database.Statement<Params, Row>;
    },
    transact: runInTransaction,
    write: async (change) => runInTransaction(change),
    writes: () => NO_WRITES,
    version() {
      hold();
      const now = dataVersion.get();
      if (now !== seenVersion) version++;
      seenVersion = now;
      return version;
    },
    position() {
      hold();
      return position();
    },
    // `leadBy` has no effect, because a copy is never the database of a leader.
    leadBy() {},
    fencedBy: () => undefined,
    fence() {
      throw refuseFor("reads_only", RETRY_MS);
    },
    transaction: () => openTransaction,
    // Transactions on a copy write nothing. No commit follows, so `work` runs at once.
    atEnd: (work) => work(),
    storageFaults,
    lockQueue: createLockQueue(),
    close() {
      release();
      sqlite.close();
    },
  };
}

/**
 * Matches statements that write only to the temporary in-memory tables of this connection, never to the file.
 * Search uses such tables to split words.
 */
const IS_OWN = /^\s*(?:CREATE VIRTUAL TABLE IF NOT EXISTS|INSERT INTO) temp\.\w/;

/** Wraps a statement of a read-only file. Refuses writes with our own error before SQLite does. */
function restrictToReads(statement: Database.Statement, hold: () => void): Database.Statement {
  const isAllowed = statement.readonly || IS_OWN.test(statement.source);
  for (const method of ["run", "get", "all"] as const) {
    const own = statement[method].bind(statement);
    statement[method] = (...values: unknown[]): never => {
      if (!isAllowed) throw refuseFor("reads_only", RETRY_MS);
      hold();
      return own(...values) as never;
    };
  }
  return statement;
}
