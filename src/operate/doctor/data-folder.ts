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

/** A folder as far as it opens, and what was found on the way in. */
export interface OpenedFolder {
  /** Undefined where there is no folder to look into. */
  isServed: boolean | undefined;
  db: Db | undefined;
  found: FixableFinding[];
  close(): void;
}

const BUSY_MS = 5 * SECOND;
const BRING_KEY =
  "put your copy of the key there (after a rotation the former one is guildhall.key.old-TIME), or guildhall restore FILE --replace with a backup made --with-key; guildhall key check tells whether it is the right one";
const RESTORE = "stop the server, then guildhall restore FILE --replace with the newest backup";

/**
 * Opens what opens, and says of the rest why it does not. Nothing is put in order on the way: a log that a
 * killed program left stays as it is, unless `isFixing`.
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
    // Who only reads a log that was left leaves it to the next start, which tells of it.
    // To open the copy of a follower like a database would begin a log beside it, of which its engine knows nothing.
    if (!isServed && isMoving(file)) {
      const copy = openCopy(file);
      return { ...at, db: copy, close: () => copy.close() };
    }
    const isReadOnly = !isFixing && (isServed || sizeOf(`${file}-wal`) > 0);
    const db = openDatabase(file, { busyMs: BUSY_MS, isTakingOver: !isServed, isReadOnly });
    return { ...at, db, close: () => db.close() };
  } catch (error) {
    found.push(unopened(error));
    return at;
  }
}

/** Why nobody could look into the folder as this user. */
function unusableFolder({ data }: Config): FixableFinding | undefined {
  const unusable = (says: string, mend: string): FixableFinding => severe("folder", says, mend);
  let found: Stats | undefined;
  try {
    found = statSync(data, { throwIfNoEntry: false });
  } catch (error) {
    const code = codeOf(error);
    return code === "ENOTDIR"
      ? unusable(
          `${data} lies below a file, where no folder can be`,
          "name the community's folder with --data",
        )
      : unusable(
          `${data} cannot be reached by this user (${code})`,
          "run it as the folder's owner or as root, or name another folder with --data",
        );
  }
  if (!found)
    return unusable(`there is no Guildhall in ${data}`, "name its folder with --data, or mount its disk");
  if (!found.isDirectory())
    return unusable(`${data} is no folder`, "name the community's folder with --data");
  try {
    accessSync(data, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const code = codeOf(error);
    if (code === "EROFS")
      return unusable(
        `the disk of ${data} is read-only (${code}): no write can work`,
        "look at the disk (dmesg), then mount -o remount,rw",
      );
    return unusable(
      `${data} cannot be read and written by this user (${code})`,
      `run it as the folder's owner: sudo -u '#${found.uid}' guildhall doctor`,
    );
  }
}

/** Whether the write-ahead log beside a database that no server has may be opened with it. */
function isLogOwn(config: Config, found: FixableFinding[]): boolean {
  const { refused, lost } = inspectLog(databaseFile(config));
  if (refused !== undefined)
    found.push(
      severe(
        "write_ahead_log",
        `${databaseFile(config)} ${refused}`,
        "bring back the database that the log belongs to, or move guildhall.db-wal and guildhall.db-shm away to begin with this one as it is",
      ),
    );
  if (lost !== undefined)
    found.push(
      severe(
        "write_ahead_log",
        `guildhall.db-wal is damaged: ${lost} of the last commits, which were acknowledged, are lost`,
        "copy guildhall.db-wal away, then guildhall restore FILE --replace with a backup that has them, or start the server and go on without them",
      ),
    );
  return refused === undefined && lost === undefined;
}

/** Whether it is a database of this program's version; and of which, and whether the key is its own. */
function isDatabaseOurs(config: Config, found: FixableFinding[]): boolean {
  if (!hasDatabase(config)) {
    found.push(
      severe(
        "database",
        `there is no database in ${config.data}`,
        "guildhall restore FILE with the newest backup, or name another folder with --data",
      ),
    );
    return false;
  }
  let version: number;
  try {
    const file = databaseFile(config);
    // Who only reads leaves empty files beside a database without a log.
    version = readDatabaseState(file, sizeOf(`${file}-wal`) > 0, (looked) => looked.version);
  } catch (error) {
    found.push(unopened(error));
    return false;
  }
  try {
    readDataFolder(config);
    found.push(ok("key", "the key is the one that the database is sealed with"));
  } catch (error) {
    found.push(severe("key", messageOf(error), BRING_KEY));
  }
  if (version === SCHEMA_VERSION)
    found.push(ok("schema", `the database is of this program's version (${version})`));
  else
    found.push(
      severe(
        "schema",
        `the database is an older Guildhall's (schema ${version}, this program works with ${SCHEMA_VERSION})`,
        "guildhall migrate, once the server that works on it is stopped",
      ),
    );
  return version === SCHEMA_VERSION;
}

function unopened(error: unknown): FixableFinding {
  const code = codeOf(error);
  if (code === "SQLITE_NOTADB" || code.startsWith("SQLITE_CORRUPT"))
    return severe("database", `guildhall.db is damaged (${code})`, RESTORE);
  if (code === "") {
    // A refusal of ours says what is wrong, and behind a semicolon what to do.
    const [says = "", ...mend] = messageOf(error).split("; ");
    return severe("schema", says, mend.join("; ") || RESTORE);
  }
  return severe(
    "database",
    `guildhall.db cannot be opened by this user (${code})`,
    "run doctor as the service's user (sudo -u guildhall guildhall doctor), who owns all that is in the folder",
  );
}
