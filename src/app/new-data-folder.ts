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

/** A database that is filled before anybody uses it, in a folder inside of the one that it is for. */
export interface NewDataFolder extends Omit<DataFolder, "close"> {
  /** Closes; the next one goes on with what is there. */
  leave(): void;
  /** Closes and throws it away. */
  discard(): void;
  /** Makes it the community of the folder, all of it at once. */
  settle(): void;
}

/**
 * Begins a community that comes in many steps, or goes on with one: in a folder without any, which holds a
 * key at most, or what an earlier try left. No server works on it meanwhile. Throws DataRefused.
 */
export function openNewDataFolder(config: FolderConfig, options: Pick<OpenOptions, "busyMs">): NewDataFolder {
  const takeBack = prepareUndo(config);
  const held = lockEmptyFolder(config);
  const data = unfinishedFolder(config.data);
  let dataFolder: DataFolder;
  try {
    refuseRest(config);
    // What a power cut takes back is done again; the end is on disk.
    dataFolder = openDataFolder({ ...config, data }, { ...options, mayCreate: true, isDurable: false });
  } catch (error) {
    held.release();
    takeBack();
    throw error;
  }
  const leave = (): void => {
    dataFolder.close();
    held.release();
  };
  const remove = (): void => rmSync(data, { recursive: true, force: true });
  return {
    ...dataFolder,
    leave,
    discard() {
      dataFolder.close();
      remove();
      held.release();
      takeBack();
    },
    settle() {
      dataFolder.close();
      // SQLite takes it away when all that is in it is in the database.
      if (existsSync(`${databaseFile({ data })}-wal`)) {
        held.release();
        throw new DataRefused(`${data} cannot be completed. Free up disk space, then run the command again.`);
      }
      const [pictures, place] = [join(data, "media"), join(config.data, "media")];
      if (existsSync(pictures)) {
        // Of a community that is gone: what is named by its content is the same anywhere.
        rmSync(place, { recursive: true, force: true });
        renameSync(pictures, place);
      }
      renameSync(databaseFile({ data }), databaseFile(config));
      const folder = openSync(config.data, "r");
      fsyncSync(folder);
      closeSync(folder);
      remove();
      held.release();
    },
  };
}

/** The files that this program makes in an empty data folder. */
const MADE = ["guildhall.db", "guildhall.db-wal", "guildhall.db-shm", "guildhall.lock", "driver"];

/**
 * Looks at what a data folder has, and gives what deletes all that was made there since, the folder and those
 * above it too: for a community that was refused before it began. A key alone would be taken for one without
 * its database.
 */
export function prepareUndo({ data, keyFile }: FolderConfig): () => void {
  const made = [...MADE.map((name) => join(data, name)), keyFile].filter((path) => !existsSync(path));
  const folders: string[] = [];
  for (let folder = resolve(data); !existsSync(folder); folder = dirname(folder)) folders.push(folder);
  return () => {
    for (const path of made) rmSync(path, { recursive: true, force: true });
    for (const folder of folders)
      if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
  };
}

/** Does so where no server works on the folder by now. */
export function undoUnlessLocked(config: FolderConfig, takeBack: () => void): void {
  let held: { release(): void };
  try {
    held = lockEmptyFolder(config);
  } catch {
    return;
  }
  held.release();
  takeBack();
}

/** SQLite would take it for this database's own. */
function refuseRest(config: FolderConfig): void {
  const rest = ["-wal", "-shm"]
    .map((end) => `${databaseFile(config)}${end}`)
    .find((path) => existsSync(path));
  if (rest !== undefined)
    throw new DataRefused(
      `${rest} exists, but its database guildhall.db is missing. Put guildhall.db back, or delete ${rest}.`,
    );
}
