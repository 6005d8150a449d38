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

/** The one database: rows written from objects, SQL for all else, and transactions. */
export interface Db extends Rows {
  /** Prepares each text once and keeps it. Rows are typed by the store that wrote the SQL. */
  prepare<Row, Params extends unknown[] = unknown[]>(sql: string): Database.Statement<Params, Row>;
  /**
   * Runs `change` in one immediate transaction: all of it is stored or nothing. Inside another one it is
   * simply a part of that, which can then store nothing where this part threw, even if somebody caught it.
   * `change` is synchronous; SQLite commits before an `await` in it would come back.
   */
  transact<Result>(change: () => Result): Result;
  /**
   * The same, for a server: waits in a queue without blocking anyone, shares the disk sync with the writes
   * that came in meanwhile, and resolves only when the change is on disk. Rejects with what `change` threw.
   */
  write<Result>(change: () => Result): Promise<Result>;
  /** How the writes do that went through this queue. */
  writes(): WriteFigures;
  /**
   * A number that changes whenever anything in the file may have changed, by `transact` and `write` or by
   * another program: what was read at an equal number still holds. Far cheaper than reading again.
   */
  version(): number;
  /** Where it is in its history, for those who have to find the same or more at another node. */
  position(): Position;
  /** From now on whoever writes asks this first; until then it is written to without asking. */
  leadBy(lead: Lead): void;
  /** By whose epoch it was given up, as far as this program knows; undefined while it leads. */
  fencedBy(): number | undefined;
  /**
   * Gives it up for the leader of this epoch, in a commit of its own: the last one. Nothing happens where
   * that was done before.
   */
  fence(epoch: number): void;
  /**
   * What stands for the transaction of this connection that is under way, all inside it included; undefined
   * outside of one.
   */
  transaction(): object | undefined;
  /**
   * Runs `work` as one of the last acts of the transaction under way, after all writes that share its commit:
   * also of a part that was taken back meanwhile, which `work` has to find out. What it throws takes back
   * all.
   */
  atEnd(work: () => void): void;
  /** What was met that no caller can mend: damage, a disk that fails or is full. */
  readonly troubles: StorageFaults;
  /** What other threads that write are told of when one of this connection's transactions has ended. */
  readonly lockQueue: LockQueue;
  close(): void;
}

export interface OpenOptions {
  /**
   * How long SQLite may block this thread for a lock. A server keeps it short and waits in `write` instead.
   */
  busyMs: number;
  /**
   * Whether a commit is on disk when it returns: yes, unless whoever writes does it all again where a power
   * cut took it back.
   */
  isDurable?: boolean;
  /**
   * Whether commits take the write-ahead log over into the database now and then: yes, unless somebody else
   * does.
   */
  isTakingOver?: boolean;
  /**
   * Whether nothing is changed, also of what SQLite would put in order by itself: see `readDatabaseState`.
   */
  isReadOnly?: boolean;
  /** The clock by which a write gives up on a lock. */
  elapsed?: () => number;
  /** Where another connection of this program to the same database keeps what it met: `troubles.shared`. */
  troubles?: SharedArrayBuffer;
  /** And where it tells that a transaction has ended: `lockQueue.shared`. */
  lockQueue?: SharedArrayBuffer;
}

/** Opening waits for whoever is just writing. */
const OPEN_BUSY_MS = 5000;

/**
 * Opens the database file, or makes the tables in an empty one. Throws DatabaseRefused when the file is not
 * ours, is not of this program's version, or is damaged, and has changed nothing of it then.
 */
export function openDatabase(file: string, options: OpenOptions): Db {
  const sqlite = openSqlite(file, { timeout: OPEN_BUSY_MS, readonly: options.isReadOnly ?? false });
  try {
    // Before anything that writes: WAL itself changes the file.
    refuseForeign(sqlite);
    refuseOlder(sqlite);
    setPragmas(sqlite, options.isDurable ?? true, options.isTakingOver ?? true);
    migrate(sqlite);
    enforceKeys(sqlite);
    sqlite.pragma(`busy_timeout = ${options.busyMs}`);
  } catch (error) {
    sqlite.close();
    throw error;
  }
  const shared = {
    troubles: createStorageFaults(options.troubles),
    lockQueue: createLockQueue(options.lockQueue),
  };
  return wrap(sqlite, options.elapsed ?? systemClock.elapsed, options.isDurable ?? true, shared);
}

/**
 * Brings the tables of an older database up to this program (docs/contract.md#12.8): all or nothing. Only who
 * holds the folder, and has a copy, may call it. Throws DatabaseRefused as `openDatabase` does, and what
 * SQLite says where a migration cannot be applied.
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

/** What is known of a database before anything of it is changed. */
export interface DatabaseState {
  /** How many migrations it has; 0: it has no tables yet. */
  version: number;
  setting(name: SettingName): string | undefined;
}

/**
 * Asks a database that is there, of whatever version, and changes nothing of it. `isReadOnly`: also nothing
 * of what SQLite would put in order by itself, such as a log that a killed program left; it leaves empty
 * files beside a database that has no log. Throws DatabaseRefused for one that is none of ours, is newer, or
 * was made by edited migrations.
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
  isDurable: boolean,
  { troubles, lockQueue }: { troubles: StorageFaults; lockQueue: LockQueue },
): Db {
  const lineage = createLineage(sqlite, isDurable);
  const statements = new Map<string, Database.Statement>();
  const dataVersion = sqlite.prepare("PRAGMA data_version").pluck();
  let seenVersion = dataVersion.get();
  let version = 0;
  let underWay = {};
  /** What a part of the transaction under way threw, if any did. */
  let broken: { cause: unknown } | undefined;
  /** What the transaction under way still has to do. */
  let last: (() => void)[] = [];

  /**
   * Nothing that was read before `change`, or while it ran, holds after it. SQLite's own number tells only of
   * other connections.
   */
  const changing = <Result>(change: () => Result): Result => {
    version++;
    try {
      const result = change();
      // What stands after an await would run outside the transaction and be stored all the same.
      if (result instanceof Promise) throw new Error("a transaction is a plain function, not an async one");
      return result;
    } finally {
      version++;
    }
  };
  /** Begins a transaction, or a savepoint of the one under way. */
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
   * `prove` is asked as the last thing before a commit, and once more when it is on disk: a program may be
   * stopped between any two steps, and what it wrote when it went on is then no promise
   * (docs/adr/0065-leadership.md).
   */
  const commit = <Result>(change: () => Result, prove: () => void): Result => {
    underWay = {};
    last = [];
    const whole = (): Result => {
      const result = change();
      for (const work of last) work();
      return result;
    };
    try {
      const result = enter.immediate(() => {
        const changed = lineage.counted(whole);
        prove();
        return changed;
      }) as Result;
      prove();
      // One that changed nothing asked nothing of the disk, nor did one that is not synced.
      if (isDurable && lineage.hasChanged()) troubles.succeeded("unwritable");
      lockQueue.end();
      return result;
    } catch (error) {
      // Who found the lock taken has let nobody in: they would wake each other for nothing.
      if (!isBusy(error)) lockQueue.end();
      troubles.note(error);
      throw error;
    }
  };
  const writer = createWriter(sqlite, begin, elapsed, lockQueue);
  const prepareNoting = (sql: string) => recordingFaults(sqlite.prepare(sql), troubles);
  const join = <Result>(change: () => Result): Result => {
    try {
      return changing(change);
    } catch (cause) {
      broken = { cause };
      throw cause;
    }
  };

  return {
    ...createRows(drizzle(sqlite), prepareNoting),
    prepare<Row, Params extends unknown[]>(sql: string) {
      let statement = statements.get(sql);
      if (!statement) {
        statement = prepareNoting(hideValues(sql));
        statements.set(sql, statement);
      }
      return statement as Database.Statement<Params, Row>;
    },
    transact: (change) => (sqlite.inTransaction ? join(change) : begin(change)),
    // What waits for a look of this node's is not refused for the time that it takes.
    write: (change) =>
      lead === undefined || lead.isSure()
        ? writer.write(change)
        : lead.sure().then(() => writer.write(change)),
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
    transaction: () => (sqlite.inTransaction ? underWay : undefined),
    atEnd(work) {
      if (!sqlite.inTransaction) throw new Error("there is no transaction under way");
      last.push(work);
    },
    troubles,
    lockQueue,
    close() {
      sqlite.close();
    },
  };
}

/** Has what a statement throws remembered. `iterate` is nobody's here. */
export function recordingFaults(statement: Database.Statement, troubles: StorageFaults): Database.Statement {
  for (const way of ["run", "get", "all"] as const) {
    const own = statement[way].bind(statement);
    statement[way] = (...values: unknown[]): never => {
      try {
        return own(...values) as never;
      } catch (error) {
        troubles.note(error);
        throw error;
      }
    };
  }
  return statement;
}

/**
 * SQLite looks at the values bound to some places (a LIMIT, a unique key in a join) to choose a plan, and
 * from then on plans the statement anew whenever they are bound again: 14 of the 34 µs of a feed page, 11 of
 * the 14 µs of a token. A plus sign changes no value and hides it from the planner.
 */
export function hideValues(sql: string): string {
  return sql.replaceAll("?", "+?");
}

/**
 * Durable by default: a 201 survives a power cut. `synchronous` is set after `journal_mode` and read back,
 * because the driver falls back to NORMAL when it reopens a file that is in WAL mode.
 */
function setPragmas(sqlite: Database.Database, isDurable: boolean, isTakingOver: boolean): void {
  sqlite.pragma("journal_mode = WAL");
  // In WAL mode NORMAL loses the last commits in a power cut, and never the order or the whole of them.
  sqlite.pragma(`synchronous = ${isDurable ? "FULL" : "NORMAL"}`);
  sqlite.pragma("trusted_schema = OFF");
  sqlite.pragma(`journal_size_limit = ${64 * 1024 * 1024}`);
  // A checkpoint writes every page that changed since the last one: fewer of them write busy pages less
  // often.
  sqlite.pragma(`wal_autocheckpoint = ${isTakingOver ? 8000 : 0}`);
  sqlite.pragma(`cache_size = -${32 * 1024}`);
  if (isDurable && sqlite.pragma("synchronous", { simple: true }) !== 2)
    throw new Error("SQLite does not sync its commits");
}

/**
 * After the migrations: one that rebuilds a table drops the old one, and enforced keys would empty its
 * children.
 */
function enforceKeys(sqlite: Database.Database): void {
  sqlite.pragma("foreign_keys = ON");
  if (sqlite.pragma("foreign_keys", { simple: true }) !== 1)
    throw new Error("SQLite does not enforce foreign keys");
}
