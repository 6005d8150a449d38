import { accessSync, constants, type Stats, statSync } from "node:fs";
import type { Config } from "../../config/config.ts";
import { type FixableFinding, ok, severe } from "../../core/services/checkup/checkup.ts";
import { SECOND } from "../../core/base/clock.ts";
import { isMoving } from "../../cluster/database-file.ts";
import { openCopy } from "../../core/base/db/copy.ts";
import { SCHEMA_VERSION } from "../../core/base/db/migrate.ts";
import { type Db, readDatabaseState, openDatabase } from "../../core/base/db/open.ts";
import { loadDriver } from "../../app/driver/driver.ts";
import { databaseFile, hasDatabase, isLocked, readDataFolder } from "../../app/data-folder.ts";
import { inspectLog } from "../backup/log-check.ts";
import { sizeOf } from "../../files/disk-space.ts";
import { codeOf, messageOf } from "./format.ts";

/** An opened data folder, and the findings from opening it. */
export interface OpenedFolder {
  /** Whether a server holds the folder. Undefined if the folder is missing or unusable. */
  isServed: boolean | undefined;
  db: Db | undefined;
  found: FixableFinding[];
  close(): void;
}

const BUSY_MS = 5 * SECOND;
const BRING_KEY =
  "Put your copy of the key there (after a rotation, the old key is guildhall.key.old-TIME) and check it: guildhall key check. Or restore a backup made with --with-key: guildhall restore FILE --replace";
const RESTORE = "Stop the server, then restore the newest backup: guildhall restore FILE --replace";

/**
 * Opens as much of the folder as possible, and returns findings for the parts that cannot be opened. Unless
 * `isFixing`, changes nothing: even the WAL of a killed program remains.
 */
export function openFolder(config: Config, isFixing: boolean): OpenedFolder {
  const found: FixableFinding[] = [];
  const shut: OpenedFolder = { isServed: undefined, db: undefined, found, close() {} };
  const unusable = unusableFolder(config);
  if (unusable) return { ...shut, found: [unusable] };
  try {
    loadDriver(config.data);
  } catch (error) {
    return { ...shut, found: [severe("driver", messageOf(error))] };
  }
  const isServed = isLocked(config);
  const at = { ...shut, isServed };
  const file = databaseFile(config);
  try {
    if (!isServed && !isLogOwn(config, found)) return at;
    if (!isDatabaseOurs(config, found)) return at;
    // A copy is opened with a read-only connection, which leaves the WAL for the next start to report.
    // Opening a follower's copy like a normal database would create a WAL that the replication engine does
    // not know.
    if (!isServed && isMoving(file)) {
      const copy = openCopy(file);
      return { ...at, db: copy, close: () => copy.close() };
    }
    const isReadOnly = !isFixing && (isServed || sizeOf(`${file}-wal`) > 0);
    const db = openDatabase(file, { busyMs: BUSY_MS, isCheckpointing: !isServed, isReadOnly });
    return { ...at, db, close: () => db.close() };
  } catch (error) {
    found.push(cannotOpen(error));
    return at;
  }
}

/** Returns why this user cannot use the folder. */
function unusableFolder({ data }: Config): FixableFinding | undefined {
  const unusable = (says: string, mend: string): FixableFinding => severe("folder", says, mend);
  let found: Stats | undefined;
  try {
    found = statSync(data, { throwIfNoEntry: false });
  } catch (error) {
    const code = codeOf(error);
    return code === "ENOTDIR"
      ? unusable(
          `The path ${data} leads through a file, so it cannot be a folder.`,
          "Name the community's folder with --data",
        )
      : unusable(
          `This user cannot reach ${data} (${code}).`,
          "Run the command as the folder's owner or as root, or name another folder with --data",
        );
  }
  if (!found)
    return unusable(`There is no Guildhall in ${data}.`, "Name its folder with --data, or mount its disk");
  if (!found.isDirectory())
    return unusable(`${data} is not a folder.`, "Name the community's folder with --data");
  try {
    accessSync(data, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const code = codeOf(error);
    if (code === "EROFS")
      return unusable(
        `The disk of ${data} is read-only (${code}), so every write fails.`,
        "Check the disk (dmesg), then remount it: mount -o remount,rw",
      );
    return unusable(
      `This user cannot read and write ${data} (${code}).`,
      `Run the command as the folder's owner: sudo -u '#${found.uid}' guildhall doctor`,
    );
  }
}

/** Whether a database that no server uses may be opened with the WAL beside it. Adds findings to `found`. */
function isLogOwn(config: Config, found: FixableFinding[]): boolean {
  const { refused, lost } = inspectLog(databaseFile(config));
  if (refused !== undefined)
    found.push(
      severe(
        "write_ahead_log",
        `${databaseFile(config)} ${refused}`,
        "Put back the database that belongs to the log. To use this database as it is, move guildhall.db-wal and guildhall.db-shm away",
      ),
    );
  if (lost !== undefined)
    found.push(
      severe(
        "write_ahead_log",
        `guildhall.db-wal is damaged: ${lost} of the last acknowledged commits are lost.`,
        "Copy guildhall.db-wal to a safe place. Then restore a backup that contains the commits (guildhall restore FILE --replace), or start the server without them",
      ),
    );
  return refused === undefined && lost === undefined;
}

/**
 * Whether the database has this program's schema version. Adds findings about the version and the key to
 * `found`.
 */
function isDatabaseOurs(config: Config, found: FixableFinding[]): boolean {
  if (!hasDatabase(config)) {
    found.push(
      severe(
        "database",
        `There is no database in ${config.data}.`,
        "Restore the newest backup (guildhall restore FILE), or name another folder with --data",
      ),
    );
    return false;
  }
  let version: number;
  try {
    const file = databaseFile(config);
    // A read-only connection to a database without a WAL would create empty files beside it.
    version = readDatabaseState(file, sizeOf(`${file}-wal`) > 0, (looked) => looked.version);
  } catch (error) {
    found.push(cannotOpen(error));
    return false;
  }
  try {
    readDataFolder(config);
    found.push(ok("key", "The key opens the database's secrets."));
  } catch (error) {
    found.push(severe("key", messageOf(error), BRING_KEY));
  }
  if (version === SCHEMA_VERSION)
    found.push(ok("schema", `The database has this program's schema version (${version}).`));
  else
    found.push(
      severe(
        "schema",
        `The database has schema ${version}, and this program needs ${SCHEMA_VERSION}.`,
        "Stop the server, then upgrade: guildhall migrate",
      ),
    );
  return version === SCHEMA_VERSION;
}

function cannotOpen(error: unknown): FixableFinding {
  const code = codeOf(error);
  if (code === "SQLITE_NOTADB" || code.startsWith("SQLITE_CORRUPT"))
    return severe("database", `guildhall.db is damaged (${code}).`, RESTORE);
  if (code === "") {
    // The last sentence of a refusal says what to do.
    const sentences = messageOf(error).split(/(?<=\.) (?=\p{Lu})/u);
    const mend = sentences.length > 1 ? sentences.pop()?.replace(/\.$/, "") : RESTORE;
    return severe("schema", sentences.join(" "), mend);
  }
  return severe(
    "database",
    `This user cannot open guildhall.db (${code}).`,
    "Run the command as the service's user: sudo -u guildhall guildhall doctor",
  );
}
