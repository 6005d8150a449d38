import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { isoTime } from "../../core/base/clock.ts";
import { readDatabaseState } from "../../core/base/db/open.ts";
import { namedKeys } from "../../core/base/keyring/keyring.ts";
import { archiveBytes, type PictureSource, readArchive, type Source } from "./archive.ts";
import { lockFile } from "./file-lock.ts";
import { ARCHIVE_FORMAT, DATABASE_MEMBER, KEY_MEMBER, type Manifest } from "./manifest.ts";
import { makeFolder, type BackupFile } from "./backup-file.ts";
import { BackupRefused } from "./refused.ts";
import { sizeOf } from "../../files/disk-space.ts";
import { hasDiskSpace, diskReserve } from "./disk-reserve.ts";
import { writePicture, pictureBytes } from "../../files/pictures.ts";
import { withMediaLocked } from "./media-lock.ts";
import { copyDatabase, inspectDatabase, memberOf, picturesIn } from "./database-copy.ts";

export type Step = "copying" | "checking" | "writing" | "verifying";

export interface BackupOptions {
  /**
   * The data folder. Its `backups` folder holds the temporary copy, because the disk of the data folder is
   * fast enough. If that disk is full, the copy is made beside the backup.
   */
  data: string;
  version: string;
  now: number;
  /**
   * Text and fingerprint of the key file; undefined if there is no key file. `former`: see
   * src/app/data-folder.ts.
   */
  key: { text: string; fingerprint: string; former?: string | undefined } | undefined;
  withKey: boolean;
  passphrase?: string | undefined;
  progress?(step: Step, done: number, total: number): void;
}

/** Subfolder of the data folder for backups without another destination. */
export const BACKUPS = "backups";

const SCRATCH = ".copying";
const PARTIAL = /^guildhall-\d{8}T\d{6}Z\.tar\.zst(?:\.age)?\.partial$/;

/** Returns a name such as `guildhall-20261122T160000Z.tar.zst`. Names sort by time. */
export function archiveName(now: number, isEncrypted: boolean): string {
  const time = isoTime(now).replace(/\.\d+/, "").replaceAll(/[-:]/g, "");
  return `guildhall-${time}.tar.zst${isEncrypted ? ".age" : ""}`;
}

/**
 * Makes one backup of the database in a data folder. A server may be running on the folder. Copies one state
 * of the database, checks the copy, packs it, stores it and reads it back. Only then the backup gets its name
 * (docs/contract.md#12.4). Throws BackupRefused if another backup is running or the disk is too full.
 */
export async function backUp(destination: BackupFile, options: BackupOptions): Promise<Manifest> {
  const database = join(options.data, DATABASE_MEMBER);
  if (!existsSync(database))
    throw new BackupRefused(`There is no Guildhall in ${options.data}. Name its folder with --data.`);
  if (options.withKey && options.key?.former !== undefined) throw unfinishedRotation();
  const folder = join(options.data, BACKUPS);
  makeFolder(folder);
  const lock = lockFile(join(folder, ".lock"));
  if (!lock)
    throw new BackupRefused(`Another backup of ${options.data} is running. Try again when it has finished.`);
  const destinationScratch =
    destination.folder === undefined ? undefined : join(destination.folder, scratchName(options.data));
  const clearAll = (): void => {
    clear(folder);
    if (destinationScratch !== undefined) rmSync(destinationScratch, { recursive: true, force: true });
  };
  try {
    clearAll();
    const bytes = sizeOf(database) + sizeOf(`${database}-wal`);
    const isSameFileSystem =
      destinationScratch === undefined ||
      hasDiskSpace(folder, bytes) ||
      isSameDisk(folder, dirname(destinationScratch));
    const scratch = isSameFileSystem ? join(folder, SCRATCH) : destinationScratch;
    diskReserve(dirname(scratch)).refuseLess(bytes);
    mkdirSync(scratch, { mode: 0o700 });
    const copyData = (): Promise<Copied> => copyAll(database, scratch, options, isSameFileSystem);
    if (isSameFileSystem)
      return await pack(destination, await withMediaLocked(options.data, copyData), options);
    // The copy of the database has no picture files beside it, so packing reads the pictures from the data
    // folder. The picture files stay locked until packing ends.
    return await withMediaLocked(options.data, async () => pack(destination, await copyData(), options));
  } finally {
    clearAll();
    lock.release();
  }
}

/**
 * Returns a name that is unique to this machine and data folder, because other communities may use the same
 * destination.
 */
function scratchName(data: string): string {
  const mark = createHash("sha256")
    .update(`${hostname()}\n${realpathSync(data)}`)
    .digest("hex")
    .slice(0, 12);
  return `.guildhall-${mark}.copying`;
}

function isSameDisk(one: string, other: string): boolean {
  return statSync(one).dev === statSync(other).dev;
}

/**
 * Removes the temporary files, including those of a killed backup. The lock guarantees that no other backup
 * is running in this folder.
 */
function clear(folder: string): void {
  for (const name of readdirSync(folder))
    if (name === SCRATCH || PARTIAL.test(name)) rmSync(join(folder, name), { recursive: true });
}

interface Copied {
  scratch: string;
  database: string;
  pictures: PictureSource[];
}

async function copyAll(
  database: string,
  scratch: string,
  { data, progress }: BackupOptions,
  isSameFileSystem: boolean,
): Promise<Copied> {
  const copy = join(scratch, DATABASE_MEMBER);
  const room = diskReserve(scratch);
  await copyDatabase(database, copy, (done, total) => {
    room.refuseLess(0);
    progress?.("copying", done, total);
  });
  const pictures = sourcesOf(data, picturesIn(copy));
  return { scratch, database: copy, pictures: isSameFileSystem ? linkPictures(pictures, scratch) : pictures };
}

async function pack(
  destination: BackupFile,
  { scratch, database: copy, pictures }: Copied,
  options: BackupOptions,
): Promise<Manifest> {
  const { passphrase, progress, key, withKey } = options;
  progress?.("checking", 0, 1);
  const contents = inspectDatabase(copy);
  const sources: Source[] = [{ ...(await memberOf(DATABASE_MEMBER, copy)), path: copy }];
  if (withKey) {
    if (!key) throw new BackupRefused("There is no key to include. Omit --with-key.");
    refuseOtherKey(copy, key.fingerprint);
    const path = join(scratch, KEY_MEMBER);
    writeFileSync(path, key.text, { mode: 0o600, flag: "wx" });
    sources.push({ ...(await memberOf(KEY_MEMBER, path)), path });
  }
  progress?.("checking", 1, 1);
  const manifest: Manifest = {
    format: ARCHIVE_FORMAT,
    program: options.version,
    created_at: isoTime(options.now),
    files: sources.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })),
    media: { files: pictures.length, bytes: pictures.reduce((sum, { bytes }) => sum + bytes, 0) },
    ...contents,
    key: key?.fingerprint ?? null,
  };
  const bytes = archiveBytes(manifest, sources, {
    passphrase,
    pictures,
    progress: (done, total) => progress?.("writing", done, total),
  });
  await destination.store(bytes, async (stored) => {
    await readArchive(stored, {
      passphrase,
      progress: (done, total) => progress?.("verifying", done, total),
    });
  });
  return manifest;
}

/** Returns the files of these pictures. Leaves out missing files, which `guildhall doctor` reports. */
function sourcesOf(data: string, names: readonly string[]): PictureSource[] {
  return names.flatMap((name) => {
    const bytes = pictureBytes(data, name);
    return bytes === undefined ? [] : [{ name, path: join(data, name), bytes }];
  });
}

/**
 * Keeps the picture files in their current state, because the server deletes pictures that are no longer in
 * use. Uses hard links, which need no space, or copies on disks without hard links.
 */
function linkPictures(pictures: readonly PictureSource[], scratch: string): PictureSource[] {
  return pictures.map(({ name, path, bytes }) => {
    writePicture(path, join(scratch, name), true);
    return { name, path: join(scratch, name), bytes };
  });
}

/**
 * Throws BackupRefused if the key does not open the copy. A rotation may have changed the key since the key
 * file was read. The copy records the key that seals it.
 */
function refuseOtherKey(copy: string, fingerprint: string): void {
  const [sealing, former] = readDatabaseState(copy, false, (found) => namedKeys(found.setting("keys")));
  if (former !== undefined) throw unfinishedRotation();
  if (sealing !== undefined && sealing !== fingerprint)
    throw new BackupRefused(
      `The database is sealed with the key ${sealing}, but the key found is ${fingerprint}. If the key was rotated just now, run the backup again.`,
    );
}

function unfinishedRotation(): BackupRefused {
  return new BackupRefused(
    "A key rotation is unfinished. Complete it with `guildhall key rotate`, then back up.",
  );
}
