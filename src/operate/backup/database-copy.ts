import { createHash } from "node:crypto";
import { closeSync, createReadStream, fdatasyncSync, openSync, statSync } from "node:fs";
import { refuseForeign } from "../../core/base/db/migrate.ts";
import { openSqlite } from "../../core/base/db/sqlite.ts";
import { widthsOf } from "../../core/community/media/widths.ts";
import { pictureName } from "../../files/pictures.ts";
import { namedPictures, newestEvent, rowCounts } from "./contents-store.ts";
import type { Manifest, Member } from "./manifest.ts";
import { BackupRefused } from "./refused.ts";

/** Pages per step of a copy: some milliseconds of work, and the amount synced to disk at once. */
const STEP_PAGES = 2048;
/** How long opening waits for a writer, in ms. The copy itself waits for no writer. */
const BUSY_MS = 5000;

/**
 * Copies one state of a live database into a new file `to`, which only its owner can read. The copy has
 * everything that was committed when this function was called, and nothing newer (docs/contract.md#12.4). The
 * backup API restarts at each commit of another connection, unless its own connection holds a read
 * transaction (docs/adr/0039-backups.md). Throw in `progress` to cancel the copy. Discard `to` after an
 * error. Throws DatabaseRefused if the database is newer or belongs to another program.
 */
export async function copyDatabase(
  file: string,
  to: string,
  progress?: (done: number, total: number) => void,
): Promise<void> {
  const copy = openSync(to, "wx", 0o600);
  const sqlite = openState(file);
  try {
    await sqlite.backup(to, {
      progress({ totalPages, remainingPages }) {
        progress?.(totalPages - remainingPages, totalPages);
        // Syncs in steps, so that other commits never wait for a sync of the whole copy.
        fdatasyncSync(copy);
        return STEP_PAGES;
      },
    });
  } finally {
    sqlite.close();
    closeSync(copy);
  }
}

/** Opens a database in a read transaction. Throws DatabaseRefused. */
function openState(file: string): ReturnType<typeof openSqlite> {
  const shared = openSqlite(file, { readonly: true, fileMustExist: true, timeout: BUSY_MS });
  try {
    return takeState(shared);
  } catch (error) {
    shared.close();
    if (!isFull(error)) throw error;
  }
  // The disk is too full for SQLite's shared-memory file, so no server has the database open. In exclusive
  // mode SQLite needs no shared-memory file.
  const alone = openSqlite(file, { fileMustExist: true, timeout: BUSY_MS });
  try {
    alone.pragma("locking_mode = EXCLUSIVE");
    return takeState(alone);
  } catch (error) {
    alone.close();
    throw error;
  }
}

/** Fixes the state that this connection reads: the state at the first read after BEGIN. */
function takeState(sqlite: ReturnType<typeof openSqlite>): typeof sqlite {
  sqlite.exec("BEGIN");
  refuseForeign(sqlite);
  return sqlite;
}

function isFull(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^SQLITE_(?:FULL|IOERR_(?:SHM|WRITE))/.test(code);
}

/** Fields of the manifest that describe the database. See `Manifest`. */
export type Contents = Pick<Manifest, "schema" | "rows" | "newest_event">;

/**
 * Checks a whole database file that no process writes to. Changes nothing and creates no file beside it.
 * Throws BackupRefused if the database is damaged or inconsistent. Throws DatabaseRefused if it is not a
 * Guildhall database.
 */
export function inspectDatabase(file: string): Contents {
  const sqlite = openSqlite(file, { fileMustExist: true });
  try {
    // No other process has the file open. In exclusive mode SQLite creates no shared-memory file beside it.
    sqlite.pragma("locking_mode = EXCLUSIVE");
    refuseForeign(sqlite);
    const found = sqlite.pragma("integrity_check(1)", { simple: true });
    if (found !== "ok") throw damaged(String(found));
    const [orphan] = sqlite.pragma("foreign_key_check") as { table: string }[];
    if (orphan) throw damaged(`rows in ${orphan.table} refer to missing rows`);
    return {
      schema: sqlite.pragma("user_version", { simple: true }) as number,
      rows: rowCounts(sqlite),
      newest_event: newestEvent(sqlite),
    };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (/^SQLITE_(?:CORRUPT|NOTADB)/.test(code)) throw damaged((error as Error).message);
    throw error;
  } finally {
    sqlite.close();
  }
}

/** Returns the files of all pictures that a database uses, as paths in the data folder. */
export function picturesIn(file: string): string[] {
  const sqlite = openSqlite(file, { fileMustExist: true });
  try {
    sqlite.pragma("locking_mode = EXCLUSIVE");
    return namedPictures(sqlite).flatMap(({ hash, width }) =>
      widthsOf(width).map((each) => pictureName(hash, each)),
    );
  } finally {
    sqlite.close();
  }
}

function damaged(fault: string): BackupRefused {
  return new BackupRefused(`The database is damaged (${fault.split("\n", 1)[0]}). Restore an older backup.`);
}

/** Describes a file as the manifest lists it. */
export async function memberOf(name: string, path: string): Promise<Member> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 }))
    hash.update(piece as Buffer);
  return { name, bytes: statSync(path).size, sha256: hash.digest("hex") };
}
