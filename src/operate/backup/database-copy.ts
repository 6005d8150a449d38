import { createHash } from "node:crypto";
import { closeSync, createReadStream, fdatasyncSync, openSync, statSync } from "node:fs";
import { refuseForeign } from "../../core/base/db/migrate.ts";
import { openSqlite } from "../../core/base/db/sqlite.ts";
import { widthsOf } from "../../core/community/media/widths.ts";
import { pictureName } from "../../files/pictures.ts";
import { namedPictures, newestEvent, rowCounts } from "./contents-store.ts";
import type { Manifest, Member } from "./manifest.ts";
import { BackupRefused } from "./refused.ts";

/**
 * How much is copied between two looks around: some milliseconds of work, and as much for the disk at once.
 */
const STEP_PAGES = 2048;
/** Opening waits for whoever is just writing; the copy itself waits for nobody. */
const BUSY_MS = 5000;

/**
 * Copies one state of a living database into a new file `to`, which its owner alone may read: all that was
 * committed when this began, and nothing of what is committed meanwhile, however much that is
 * (docs/contract.md#12.4). The backup API begins anew at each commit of others, unless its connection holds a
 * read transaction: then it keeps to that state (docs/adr/0039-backups.md). What is at `to` after an error is
 * worth nothing. `progress` throws to end it; throws DatabaseRefused for a file that is not ours, or newer.
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
        // In pieces, so that commits beside it never wait behind all of it.
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
    if (!isWithoutRoom(error)) throw error;
  }
  // No server has it open, and a full disk has no room for the memory that is shared beside the file: alone
  // none is needed.
  const alone = openSqlite(file, { fileMustExist: true, timeout: BUSY_MS });
  try {
    alone.pragma("locking_mode = EXCLUSIVE");
    return takeState(alone);
  } catch (error) {
    alone.close();
    throw error;
  }
}

/** The first look is what takes the state. */
function takeState(sqlite: ReturnType<typeof openSqlite>): typeof sqlite {
  sqlite.exec("BEGIN");
  refuseForeign(sqlite);
  return sqlite;
}

function isWithoutRoom(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^SQLITE_(?:FULL|IOERR_(?:SHM|WRITE))/.test(code);
}

/** What an archive says of a database; see `Manifest`. */
export type Contents = Pick<Manifest, "schema" | "rows" | "newest_event">;

/**
 * Looks through all of a database file that nobody writes to, and changes nothing, nor lays anything beside
 * it. Throws BackupRefused where it is damaged or its rows do not fit together, DatabaseRefused where it is
 * not ours.
 */
export function inspectDatabase(file: string): Contents {
  const sqlite = openSqlite(file, { fileMustExist: true });
  try {
    // Nobody else has it open: then SQLite needs no memory shared with others beside the file.
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

/** The files of all pictures that a database file names, as a data folder has them. */
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

function damaged(what: string): BackupRefused {
  return new BackupRefused(`The database is damaged (${what.split("\n", 1)[0]}). Restore an older backup.`);
}

/** A file as a manifest lists it. */
export async function memberOf(name: string, path: string): Promise<Member> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 }))
    hash.update(piece as Buffer);
  return { name, bytes: statSync(path).size, sha256: hash.digest("hex") };
}
