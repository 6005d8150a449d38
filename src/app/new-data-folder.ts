import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { OpenOptions } from "../core/base/db/open.ts";
import {
  databaseFile,
  DataRefused,
  type FolderConfig,
  type DataFolder,
  lockEmptyFolder,
  openDataFolder,
  unfinishedFolder,
} from "./data-folder.ts";

/** A database that is filled before anyone uses it. Its folder is inside the final data folder. */
export interface NewDataFolder extends Omit<DataFolder, "close"> {
  /** Closes the database. The next run continues with this database. */
  close(): void;
  /** Closes and deletes the database. */
  discard(): void;
  /** Makes the database the community of the data folder, atomically. */
  settle(): void;
}

/**
 * Starts or continues a community that is built in many steps. The data folder may contain only a key, or the
 * files of an interrupted attempt. The folder lock keeps servers out meanwhile. Throws DataRefused.
 */
export function openNewDataFolder(config: FolderConfig, options: Pick<OpenOptions, "busyMs">): NewDataFolder {
  const undo = prepareUndo(config);
  const lock = lockEmptyFolder(config);
  const data = unfinishedFolder(config.data);
  let dataFolder: DataFolder;
  try {
    refuseLooseWal(config);
    // Not durable: after a power cut the steps run again. `settle` flushes the final state to disk.
    dataFolder = openDataFolder({ ...config, data }, { ...options, mayCreate: true, isDurable: false });
  } catch (error) {
    lock.release();
    undo();
    throw error;
  }
  const close = (): void => {
    dataFolder.close();
    lock.release();
  };
  const remove = (): void => rmSync(data, { recursive: true, force: true });
  return {
    ...dataFolder,
    close,
    discard() {
      dataFolder.close();
      remove();
      lock.release();
      undo();
    },
    settle() {
      dataFolder.close();
      // SQLite deletes the WAL once all of its content is in the database.
      if (existsSync(`${databaseFile({ data })}-wal`)) {
        lock.release();
        throw new DataRefused(`${data} cannot be completed. Free up disk space, then run the command again.`);
      }
      const [pictures, place] = [join(data, "media"), join(config.data, "media")];
      if (existsSync(pictures)) {
        // `place` may contain the pictures of an earlier community. The new folder has all pictures that the
        // new community uses.
        rmSync(place, { recursive: true, force: true });
        renameSync(pictures, place);
      }
      renameSync(databaseFile({ data }), databaseFile(config));
      const folder = openSync(config.data, "r");
      fsyncSync(folder);
      closeSync(folder);
      remove();
      lock.release();
    },
  };
}

/** The files that this program makes in an empty data folder. */
const CREATED_FILES = ["guildhall.db", "guildhall.db-wal", "guildhall.db-shm", "guildhall.lock", "driver"];

/**
 * Records which files exist, and returns a function that deletes all files created since. The function also
 * deletes the data folder and its parent folders if they are new. Used for a community that was rejected
 * before it started. A key that is left behind would look like the key of a lost database.
 */
export function prepareUndo({ data, keyFile }: FolderConfig): () => void {
  const createdFiles = [...CREATED_FILES.map((name) => join(data, name)), keyFile].filter(
    (path) => !existsSync(path),
  );
  const folders: string[] = [];
  for (let folder = resolve(data); !existsSync(folder); folder = dirname(folder)) folders.push(folder);
  return () => {
    for (const path of createdFiles) rmSync(path, { recursive: true, force: true });
    for (const folder of folders)
      if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
  };
}

/** Calls `undo` unless a server uses the folder. */
export function undoUnlessLocked(config: FolderConfig, undo: () => void): void {
  let lock: { release(): void };
  try {
    lock = lockEmptyFolder(config);
  } catch {
    return;
  }
  lock.release();
  undo();
}

/**
 * Throws DataRefused if a WAL exists without its database. SQLite would apply this WAL to the new database.
 */
function refuseLooseWal(config: FolderConfig): void {
  const walFiles = ["-wal", "-shm"]
    .map((end) => `${databaseFile(config)}${end}`)
    .find((path) => existsSync(path));
  if (walFiles !== undefined)
    throw new DataRefused(
      `${walFiles} exists, but its database guildhall.db is missing. Put guildhall.db back, or delete ${walFiles}.`,
    );
}
