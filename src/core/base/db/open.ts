import type Database from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { createWriter, isBusy, type WriteFigures } from "./writer.ts";
import { systemClock } from "../clock.ts";
import type { Lead } from "./lead.ts";
import { createLineage, type Position } from "./lineage.ts";
import type { SettingName } from "./settings.ts";
import {
  migrate,
  refuseEdited,
  refuseForeign,
  refuseOlder,
  type ReportMigration,
  versionOf,
} from "./migrate.ts";
import { createRows, type Rows } from "./rows.ts";
import { openSqlite } from "./sqlite.ts";
import { createStorageFaults, type StorageFaults } from "./storage-faults.ts";
import { createLockQueue, type LockQueue } from "./lock-queue.ts";

/** The database: writes rows from objects, runs SQL and manages transactions. */
export interface Db extends Rows {
  /** Prepares each SQL text once and caches the statement. The store that wrote the SQL sets the row type. */
  prepare<Row, Params extends unknown[] = unknown[]>(sql: string): Database.Statement<Params, Row>;
  /**
   * Runs `change` in one immediate transaction. Inside another transaction, `change` becomes part of the
   * outer transaction. If this part throws, the outer transaction stores nothing, even when the caller
   * catches the error. `change` must be synchronous: code after an `await` would run after the commit.
   */
  transact<Result>(change: () => Result): Result;
  /**
   * Like `transact`, for a server. The write waits in a queue without blocking the event loop and shares one
   * disk sync with other queued writes. The promise resolves when the change is on disk and rejects with the
   * error that `change` threw.
   */
  write<Result>(change: () => Result): Promise<Result>;
  /** Statistics about the writes in this queue. */
  writes(): WriteFigures;
  /**
   * Number that changes whenever this or another process may have changed data in the file. A cached query
   * result is valid while the number is unchanged. Getting the number is far cheaper than repeating the
   * query.
   */
  version(): number;
  /**
   * Position in the history of the database. A client sends the position to another node to require data that
   * is at least as new.
   */
  position(): Position;
  /** From now on, every write first calls `lead.require()`. */
  leadBy(lead: Lead): void;
  /**
   * Epoch of the new leader, as far as this process knows, if this database was given up. Undefined while
   * this process leads.
   */
  fencedBy(): number | undefined;
  /**
   * Gives up the database to the leader of this epoch, in one last commit. Does nothing if the database was
   * given up before.
   */
  fence(epoch: number): void;
  /**
   * Object that identifies the open transaction of this connection, including its nested parts. Undefined
   * outside a transaction.
   */
  transaction(): object | undefined;
  /**
   * Runs `work` at the end of the open transaction, after all writes that share its commit. `work` also runs
   * when the nested transaction that registered it was rolled back, and must check for that. An error in
   * `work` rolls back the whole transaction.
   */
  atEnd(work: () => void): void;
  /** Storage faults that no caller can fix: damage, a failing disk or a full one. */
  readonly storageFaults: StorageFaults;
  /** Wakes other writing threads when this connection ends a transaction. */
  readonly lockQueue: LockQueue;
  close(): void;
}

export interface OpenOptions {
  /**
   * Longest time that SQLite blocks this thread for a lock, in ms. A server sets a short time and waits in
   * `write` instead.
   */
  busyMs: number;
  /**
   * Whether a commit is on disk when it returns. Defaults to true. Use false only if the caller repeats work
   * that is lost in a power cut.
   */
  isDurable?: boolean;
  /**
   * Whether commits checkpoint the write-ahead log from time to time. Defaults to true. Use false if another
   * thread runs the checkpoints.
   */
  isCheckpointing?: boolean;
  /**
   * Whether followers may read a copy of the file. Defaults to true. Each commit then includes page 1, by
   * which their readers notice it (docs/adr/0064-followers.md). Use false only for a server without other
   * nodes.
   */
  isFollowed?: boolean;
  /** Whether to open the file read-only, without SQLite's automatic recovery. See `readDatabaseState`. */
  isReadOnly?: boolean;
  /** Clock for the lock timeout of writes. */
  elapsed?: () => number;
  /** Shared memory: the `storageFaults.shared` of another connection in this process. */
  storageFaults?: SharedArrayBuffer;
  /** Shared memory: the `lockQueue.shared` of another connection in this process. */
  lockQueue?: SharedArrayBuffer;
}

/** Longest wait for another writer while the database opens, in ms. */
const OPEN_BUSY_MS = 5000;

/**
 * Opens the database file, or creates the tables in an empty file. Throws DatabaseRefused when the file
 * belongs to another program, has another schema version or is damaged. Such a file is left unchanged.
 */
export function openDatabase(file: string, options: OpenOptions): Db {
  const sqlite = openSqlite(file, { timeout: OPEN_BUSY_MS, readonly: options.isReadOnly ?? false });
  try {
    // Check before anything writes: switching to WAL changes the file.
    refuseForeign(sqlite);
    refuseOlder(sqlite);
    setPragmas(sqlite, options.isDurable ?? true, options.isCheckpointing ?? true);
    migrate(sqlite);
    enforceKeys(sqlite);
    sqlite.pragma(`busy_timeout = ${options.busyMs}`);
  } catch (error) {
    sqlite.close();
    throw error;
  }
  const shared = {
    storageFaults: createStorageFaults(options.storageFaults),
    lockQueue: createLockQueue(options.lockQueue),
  };
  const { isDurable = true, isFollowed = true, elapsed = systemClock.elapsed } = options;
  return wrap(sqlite, elapsed, { isDurable, isFollowed }, shared);
}

/**
 * Migrates an older database to this release in one transaction (docs/contract.md#12.8). The caller must hold
 * the lock of the data folder and have a backup. Throws DatabaseRefused like `openDatabase`, and SQLite's
 * error when a migration fails.
 */
export function upgradeDatabase(file: string, report?: ReportMigration): void {
  const sqlite = openSqlite(file, { timeout: OPEN_BUSY_MS });
  try {
    refuseForeign(sqlite);
    setPragmas(sqlite, true, true);
    migrate(sqlite, report);
  } finally {
    sqlite.close();
  }
}

/** Facts about a database before it is changed. */
export interface DatabaseState {
  /** Number of applied migrations; 0 for a file without tables. */
  version: number;
  setting(name: SettingName): string | undefined;
}

/**
 * Reads the state of an existing database of any version, and changes no data. With `isReadOnly`, SQLite also
 * does not recover the write-ahead log of a killed process. A read-only open leaves empty files beside a
 * database without a log. Throws DatabaseRefused for a file of another program, of a newer release or of
 * edited migrations.
 */
export function readDatabaseState<Result>(
  file: string,
  isReadOnly: boolean,
  work: (found: DatabaseState) => Result,
): Result {
  const sqlite = openSqlite(file, { timeout: OPEN_BUSY_MS, readonly: isReadOnly });
  try {
    refuseForeign(sqlite);
    const version = versionOf(sqlite);
    if (version > 0) refuseEdited(sqlite);
    return work({
      version,
      setting: (name) =>
        version === 0
          ? undefined
          : (sqlite.prepare("SELECT value FROM settings WHERE name = ?").pluck().get(name) as
              string | undefined),
    });
  } finally {
    sqlite.close();
  }
}

function wrap(
  sqlite: Database.Database,
  elapsed: () => number,
  { isDurable, isFollowed }: { isDurable: boolean; isFollowed: boolean },
  { storageFaults, lockQueue }: { storageFaults: StorageFaults; lockQueue: LockQueue },
): Db {
  const lineage = createLineage(sqlite, { isPromised: isDurable, isFollowed });
  const statements = new Map<string, Database.Statement>();
  const dataVersion = sqlite.prepare("PRAGMA data_version").pluck();
  let seenVersion = dataVersion.get();
  let version = 0;
  let openTransaction = {};
  /** Error of a nested part of the open transaction, if a part threw. */
  let broken: { cause: unknown } | undefined;
  /** Functions that `atEnd` registered for the end of the open transaction. */
  let last: (() => void)[] = [];

  /**
   * Increases the number of `version` before and after `change`. A query result that was read before or
   * during `change` is then stale. SQLite's `data_version` does not help, because it reports only the commits
   * of other connections.
   */
  const changing = <Result>(change: () => Result): Result => {
    version++;
    try {
      const result = change();
      // An asynchronous function would continue outside the transaction after its first await, and its writes
      // would still be stored.
      if (result instanceof Promise) throw new Error("a transaction is a plain function, not an async one");
      return result;
    } finally {
      version++;
    }
  };
  /** Begins a transaction, or a savepoint inside one. */
  const enter = sqlite.transaction((change: () => unknown) => {
    try {
      const result = changing(change);
      if (broken)
        throw new Error("a part of this transaction was refused, and who called it went on", broken);
      return result;
    } finally {
      broken = undefined;
    }
  });
  let lead: Lead | undefined;
  const begin = <Result>(change: () => Result): Result => {
    if (sqlite.inTransaction) return enter.immediate(change) as Result;
    lead?.require();
    return commit(change, () => lead?.require());
  };
  /**
   * Runs and commits a transaction. Calls `prove` right before the commit and again when the commit is on
   * disk. `prove` throws when this node is not allowed to write. The process may be paused between any two
   * steps. A write that finishes after such a pause must not be confirmed (docs/adr/0065-leadership.md).
   */
  const commit = <Result>(change: () => Result, prove: () => void): Result => {
    openTransaction = {};
    last = [];
    const runWithEndWork = (): Result => {
      const result = change();
      for (const work of last) work();
      return result;
    };
    try {
      const result = enter.immediate(() => {
        const changed = lineage.runCounted(runWithEndWork);
        prove();
        return changed;
      }) as Result;
      prove();
      // A commit without changes, or without a sync, proves nothing about the disk.
      if (isDurable && lineage.hasChanged()) storageFaults.reportSuccess("unwritable");
      lockQueue.reportEnd();
      return result;
    } catch (error) {
      // A failed attempt to get the lock releases no lock. Waking other threads here would make all of them
      // retry in a loop.
      if (!isBusy(error)) lockQueue.reportEnd();
      storageFaults.record(error);
      throw error;
    }
  };
  const writer = createWriter(sqlite, begin, elapsed, lockQueue);
  const prepareRecording = (sql: string) => recordingFaults(sqlite.prepare(sql), storageFaults);
  const join = <Result>(change: () => Result): Result => {
    try {
      return changing(change);
    } catch (cause) {
      broken = { cause };
      throw cause;
    }
  };

  return {
    ...createRows(drizzle(sqlite), prepareRecording),
    prepare<Row, Params extends unknown[]>(sql: string) {
      let statement = statements.get(sql);
      if (!statement) {
        statement = prepareRecording(hideValues(sql));
        statements.set(sql, statement);
      }
      return statement as Database.Statement<Params, Row>;
    },
    transact: (change) => (sqlite.inTransaction ? join(change) : begin(change)),
    // While a new check of the lead runs, writes wait until the check ends instead of failing.
    write: (change) =>
      lead === undefined || lead.isCheckRecent()
        ? writer.write(change)
        : lead.checkNow().then(() => writer.write(change)),
    writes: writer.figures,
    version() {
      const now = dataVersion.get();
      if (now !== seenVersion) version++;
      seenVersion = now;
      return version;
    },
    position: lineage.position,
    leadBy(asked) {
      lead = asked;
      const { fencedBy } = lineage.position();
      if (fencedBy !== null) lead.fence(fencedBy);
    },
    fencedBy: () => lead?.fencedBy(),
    fence(epoch) {
      if (lineage.position().fencedBy === null)
        commit(
          () => lineage.fence(epoch),
          () => {},
        );
    },
    transaction: () => (sqlite.inTransaction ? openTransaction : undefined),
    atEnd(work) {
      if (!sqlite.inTransaction) throw new Error("there is no transaction under way");
      last.push(work);
    },
    storageFaults,
    lockQueue,
    close() {
      sqlite.close();
    },
  };
}

/**
 * Wraps a statement so that its storage faults are recorded. `iterate` is not wrapped, because no code here
 * uses it.
 */
export function recordingFaults(
  statement: Database.Statement,
  storageFaults: StorageFaults,
): Database.Statement {
  for (const method of ["run", "get", "all"] as const) {
    const own = statement[method].bind(statement);
    statement[method] = (...values: unknown[]): never => {
      try {
        return own(...values) as never;
      } catch (error) {
        storageFaults.record(error);
        throw error;
      }
    };
  }
  return statement;
}

/**
 * Puts a unary plus before every parameter. The plus leaves the value unchanged and hides the value from
 * SQLite's planner. Without the plus, SQLite reads some values (a LIMIT, a unique key in a join) to choose a
 * plan. SQLite then plans the statement again for every new value. Repeated planning costs 14 of the 34 µs of
 * a feed page and 11 of the 14 µs of a token check.
 */
export function hideValues(sql: string): string {
  return sql.replaceAll("?", "+?");
}

/**
 * Sets the pragmas of a connection. Commits are durable by default: data confirmed by a 201 survives a power
 * cut. Set `synchronous` after `journal_mode` and read it back. The driver falls back to NORMAL when it
 * reopens a file in WAL mode.
 */
function setPragmas(sqlite: Database.Database, isDurable: boolean, isCheckpointing: boolean): void {
  sqlite.pragma("journal_mode = WAL");
  // In WAL mode, NORMAL can lose the last commits in a power cut. The remaining commits keep their order, and
  // the database remains intact.
  sqlite.pragma(`synchronous = ${isDurable ? "FULL" : "NORMAL"}`);
  sqlite.pragma("trusted_schema = OFF");
  sqlite.pragma(`journal_size_limit = ${64 * 1024 * 1024}`);
  // A checkpoint writes every page that changed since the last checkpoint. With fewer checkpoints, a page
  // that changes often is written less often.
  sqlite.pragma(`wal_autocheckpoint = ${isCheckpointing ? 8000 : 0}`);
  sqlite.pragma(`cache_size = -${32 * 1024}`);
  if (isDurable && sqlite.pragma("synchronous", { simple: true }) !== 2)
    throw new Error("SQLite does not sync its commits");
}

/**
 * Enables foreign keys after the migrations. A migration that rebuilds a table drops the old table. With
 * enforced keys, SQLite would then delete the child rows of the old table.
 */
function enforceKeys(sqlite: Database.Database): void {
  sqlite.pragma("foreign_keys = ON");
  if (sqlite.pragma("foreign_keys", { simple: true }) !== 1)
    throw new Error("SQLite does not enforce foreign keys");
}
