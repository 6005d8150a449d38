import type Database from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { SECOND } from "../clock.ts";
import { countCommit, type Position, positionFrom } from "./lineage.ts";
import type { Db } from "./open.ts";
import { createRows } from "./rows.ts";
import { settings } from "./schema-access.ts";
import { getSetting, setSetting } from "./settings.ts";
import { openSqlite } from "./sqlite.ts";

/**
 * Where a leader took the community over: the epoch that it began, and the commits that it had of those
 * before.
 */
export interface Takeover {
  epoch: number;
  commits: number;
}

/** Whoever was away for longer cannot be told what it has that nobody else does. */
const TAKEOVERS_KEPT = 20;
/** Whoever reads the file, or moves it, holds it for less. */
const BUSY_MS = 5 * SECOND;

/** Of this database, the newest last. */
export function takeoversOf(core: { db: Db }): Takeover[] {
  return takeoversIn(getSetting(core, "takeovers"));
}

/**
 * Begins the next epoch in a database that leads already: of two that lead by the same one the other then
 * knows who stays, and what was read there is not taken for newer.
 */
export function takeNextEpoch(core: { db: Db }): void {
  core.db.transact(() => {
    const { epoch, commits } = core.db.position();
    core.db.prepare("UPDATE leadership SET epoch = epoch + 1").run();
    setSetting(core, "takeovers", withTakeover(takeoversOf(core), { epoch: epoch + 1, commits }));
  });
}

/** Where a database is that nobody has open here, or that others have; only looks. */
export function positionIn(file: string): Position {
  return withFile(file, { readonly: true, fileMustExist: true }, positionOf);
}

/**
 * What is wrong with the pages of a database, in SQLite's words; undefined for one that is whole as far as it
 * looks.
 */
export function divergenceOf(file: string): string | undefined {
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
 * Makes of a copy that nothing moves any more a database that is written to, or of one that was given up one
 * that leads again: by this epoch, from where it stands. Only who holds the folder may call it. Throws
 * SQLITE_BUSY where somebody else has the file.
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
 * Gives a database up that no server has, and has all of it in one file, without a log beside: what it was at
 * its end. Only who holds the folder may call it.
 */
export function giveUpLead(file: string, fencedBy: number): Position {
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
 * How many commits a database has that the one of these takeovers never had, where it was at so many of an
 * epoch; undefined where nobody knows any more.
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
