import type Database from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { SECOND } from "../clock.ts";
import { countCommit, type Position, positionFrom } from "./lineage.ts";
import type { Db } from "./open.ts";
import { createRows } from "./rows.ts";
import { settings } from "./schema-access.ts";
import { getSetting, setSetting } from "./settings.ts";
import { openSqlite } from "./sqlite.ts";

/** A change of leader: the epoch that it began, and the number of commits before it. */
export interface Takeover {
  epoch: number;
  commits: number;
}

/**
 * Number of takeovers to keep. A node that missed more takeovers cannot determine which of its commits exist
 * on no other node.
 */
const TAKEOVERS_KEPT = 20;
/** Longest wait for SQLite's lock on the file, in ms. Readers and followers hold the lock for less time. */
const BUSY_MS = 5 * SECOND;

/** Returns the takeovers of this database, newest last. */
export function takeoversOf(core: { db: Db }): Takeover[] {
  return takeoversIn(getSetting(core, "takeovers"));
}

/**
 * Begins the next epoch in a leader's database, because another node also leads in the current epoch. The
 * other node sees the newer epoch and gives up. Positions of the other node then count as older.
 */
export function takeNextEpoch(core: { db: Db }): void {
  core.db.transact(() => {
    const { epoch, commits } = core.db.position();
    core.db.prepare("UPDATE leadership SET epoch = epoch + 1").run();
    setSetting(core, "takeovers", withTakeover(takeoversOf(core), { epoch: epoch + 1, commits }));
  });
}

/** Returns the position of a database file, read-only. Other processes may have the file open. */
export function positionIn(file: string): Position {
  return withFile(file, { readonly: true, fileMustExist: true }, positionOf);
}

/** Returns SQLite's message about the first damaged page, or undefined when `quick_check` finds none. */
export function corruptionOf(file: string): string | undefined {
  return withFile(file, { readonly: true, fileMustExist: true }, (sqlite) => {
    try {
      const found = sqlite.pragma("quick_check(1)", { simple: true });
      return found === "ok" ? undefined : String(found);
    } catch (error) {
      return String(error);
    }
  });
}

/**
 * Makes this file the database of a leader. Begins a new epoch at the current position. The file is a copy
 * that no process updates any more, or a database that an earlier leader gave up. The caller must hold the
 * lock of the data folder. Throws SQLITE_BUSY when another process has the file open.
 */
export function takeLead(file: string, epoch: number): Position {
  return withFile(file, { fileMustExist: true, timeout: BUSY_MS }, (sqlite) => {
    if (sqlite.pragma("journal_mode = WAL", { simple: true }) !== "wal")
      throw new Error("the database cannot be written: a log exists beside it");
    sqlite.pragma("synchronous = FULL");
    sqlite
      .transaction(() => {
        const { commits } = positionOf(sqlite);
        const known = sqlite.prepare("SELECT value FROM settings WHERE name = 'takeovers'").pluck().get();
        const value = withTakeover(takeoversIn(known as string | undefined), { epoch, commits });
        createRows(drizzle(sqlite), (sql) => sqlite.prepare(sql)).upsert(settings, {
          name: "takeovers",
          value,
        });
        sqlite.prepare("UPDATE leadership SET epoch = ?, fenced_by = NULL").run(epoch);
        countCommit(sqlite, sqlite.pragma("schema_version", { simple: true }));
      })
      .immediate();
    return positionOf(sqlite);
  });
}

/**
 * Gives up a database to the leader of the epoch `fencedBy`. No server may have the database open. Moves all
 * data into one file without a write-ahead log and returns the last position. The caller must hold the lock
 * of the data folder.
 */
export function stepDown(file: string, fencedBy: number): Position {
  return withFile(file, { fileMustExist: true, timeout: BUSY_MS }, (sqlite) => {
    sqlite.pragma("synchronous = FULL");
    sqlite
      .transaction(() => {
        const { changes } = sqlite
          .prepare("UPDATE leadership SET fenced_by = ? WHERE fenced_by IS NULL")
          .run(fencedBy);
        if (changes > 0) countCommit(sqlite, sqlite.pragma("schema_version", { simple: true }));
      })
      .immediate();
    sqlite.pragma("journal_mode = DELETE");
    return positionOf(sqlite);
  });
}

/**
 * Compares a database at this epoch and position with the database that has these `takeovers`. Returns how
 * many commits of the compared database are missing there. Returns undefined when no later takeover is known.
 */
export function commitsAhead(
  { epoch, commits }: Takeover,
  takeovers: readonly Takeover[],
): number | undefined {
  const next = takeovers.find((each) => each.epoch > epoch);
  return next && Math.max(0, commits - next.commits);
}

function withTakeover(known: readonly Takeover[], next: Takeover): string {
  return JSON.stringify([...known, next].slice(-TAKEOVERS_KEPT));
}

function takeoversIn(text: string | undefined): Takeover[] {
  return text === undefined ? [] : (JSON.parse(text) as Takeover[]);
}

function positionOf(sqlite: Database.Database): Position {
  return positionFrom(sqlite).get() as Position;
}

function withFile<Result>(
  file: string,
  options: Database.Options,
  work: (sqlite: Database.Database) => Result,
): Result {
  const sqlite = openSqlite(file, options);
  try {
    return work(sqlite);
  } finally {
    sqlite.close();
  }
}
