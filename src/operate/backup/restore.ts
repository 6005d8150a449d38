import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { SCHEMA_VERSION } from "../../core/base/db/migrate.ts";
import { beginLine } from "../../core/base/db/lineage.ts";
import { openSqlite } from "../../core/base/db/sqlite.ts";
import { idCounts, idMaker } from "../../core/base/ids.ts";
import { systemRandom } from "../../core/base/random.ts";
import { readArchive, type Sink } from "./archive.ts";
import { lockFile } from "./file-lock.ts";
import { bytesIn, DATABASE_MEMBER, isPicture, KEY_MEMBER, type Manifest } from "./manifest.ts";
import { MEDIA } from "./media-lock.ts";
import type { BackupFile } from "./backup-file.ts";
import { BackupRefused } from "./refused.ts";
import { type DeletedCredentials, deleteCredentials, hasTable, insertRestored } from "./restored-store.ts";
import { diskReserve } from "./disk-reserve.ts";
import { inspectDatabase } from "./database-copy.ts";
import { commitRestore, completeRestore, isReady, stampOf, UNPACKED } from "./restore-swap.ts";

export type RestoreStep = "unpacking" | "checking";

/** Key that would open a restored community. */
export interface AvailableKey {
  /** Undefined if there is no key yet. */
  fingerprint: string | undefined;
  /**
   * Fingerprints of former keys that rotations left beside the current key. Each former key opens the values
   * that it sealed.
   */
  others: readonly string[];
  /** Name of the key's location, for messages to the operator. */
  name: string;
  /** Whether the key is in the data folder, where a restore may write one. */
  isInFolder: boolean;
}

export interface RestoreOptions {
  data: string;
  now: number;
  key: AvailableKey;
  /** Whether to move an existing community aside. */
  replace: boolean;
  passphrase?: string | undefined;
  /**
   * Throws if the key does not open the database. `inside` is the path of a key in the backup, which is used
   * instead of the configured key.
   */
  proveKey(database: string, inside: string | undefined): void;
  progress?(step: RestoreStep, done: number, total: number): void;
}

export interface Restored {
  manifest: Manifest;
  ended: DeletedCredentials;
  /** Subfolder of the data folder with the old files; undefined if there were none. */
  keptAs: string | undefined;
}

/**
 * Names that a data folder may contain besides the community. Any other name does not belong to Guildhall.
 */
const OWN_FILES =
  /^(?:guildhall\.(?:key(?:\..+)?|lock|lock-journal|address|toml)|driver|tls|media|backups|\.rehearsal|restore-(?:unfinished|ready)|before-(?:restore|upgrade)-.*|guildhall\.db-wal\.damaged-.*)$/;
const DATABASE_FILES = ["guildhall.db", "guildhall.db-wal", "guildhall.db-shm"];
const SYNC_EVERY_BYTES = 16 * 1024 * 1024;

/**
 * Restores the community of a backup into a data folder (docs/contract.md#12.5). Unpacks the backup beside
 * the current files, verifies it against its manifest, checks it, and opens it with its key. Only then
 * replaces each file with a rename. The data folder is locked the whole time. Throws BackupRefused, and then
 * has changed nothing.
 */
export async function restore(from: BackupFile, options: RestoreOptions): Promise<Restored> {
  const { data } = options;
  const isNewFolder = !existsSync(data);
  makeFolder(data);
  const hadLock = existsSync(join(data, "guildhall.lock"));
  const held = lockFile(join(data, "guildhall.lock"));
  if (!held)
    throw new BackupRefused(`A server or another restore is using ${data}. Stop that program first.`);
  const unpacked = join(data, UNPACKED);
  let isDone = false;
  try {
    // A killed restore may have left work to complete.
    if (isReady(data)) completeRestore(data);
    refuseUsedFolder(data, options.replace);
    rmSync(unpacked, { recursive: true, force: true });
    mkdirSync(unpacked, { mode: 0o700 });
    const { manifest, ended } = await unpack(from, unpacked, options);
    commitRestore(data, `before-restore-${stampOf(options.now)}`);
    const { keptAs } = completeRestore(data);
    isDone = true;
    return { manifest, ended, keptAs };
  } finally {
    if (!isDone) rmSync(unpacked, { recursive: true, force: true });
    held.release();
    if (!isDone && !hadLock) rmSync(join(data, "guildhall.lock"), { force: true });
    if (!isDone && isNewFolder && readdirSync(data).length === 0) rmSync(data, { recursive: true });
  }
}

/**
 * Reads a whole backup and verifies it against its manifest. Throws BackupRefused if the backup is
 * incomplete.
 */
export async function verify(
  from: BackupFile,
  options: Pick<RestoreOptions, "passphrase" | "progress">,
): Promise<Manifest> {
  return readArchive(from.read(), {
    passphrase: options.passphrase,
    checkManifest: refuseNewer,
    progress: (done, total) => options.progress?.("checking", done, total),
  }).catch((error: unknown) => {
    throw asRestoreRefusal(error, from);
  });
}

/**
 * Returns why this key does not open this backup. Undefined if the key fits, as far as the manifest shows.
 */
export function keyProblem(manifest: Manifest, key: AvailableKey, mayReplace: boolean): string | undefined {
  const hasKey = manifest.files.some(({ name }) => name === KEY_MEMBER);
  const needed = manifest.key === null ? "" : ` (${manifest.key})`;
  if (key.fingerprint === undefined) {
    if (!hasKey)
      return `The backup needs its key${needed}, but there is none at ${key.name}. Put the key there first.`;
    return key.isInFolder
      ? undefined
      : `The backup contains its key, but ${key.name} is outside the data folder. Take the key out of the backup and put it there first.`;
  }
  if (manifest.key === null || [key.fingerprint, ...key.others].includes(manifest.key)) return undefined;
  if (hasKey && key.isInFolder && mayReplace) return undefined;
  // The other key may be of the same community, from before or after a rotation.
  return `${key.name} holds another key (${key.fingerprint}) than the backup needs${needed}. Put the right key there first.`;
}

/** Unpacks into an empty folder, and checks that the result can be opened as a community. */
export async function unpack(
  from: BackupFile,
  folder: string,
  options: Pick<RestoreOptions, "key" | "now" | "replace" | "passphrase" | "proveKey" | "progress">,
): Promise<{ manifest: Manifest; ended: DeletedCredentials }> {
  const { key, passphrase, progress } = options;
  // The folder is created even if the backup has no pictures, so that the old pictures are moved aside.
  mkdirSync(join(folder, MEDIA), { mode: 0o700 });
  const manifest = await readArchive(from.read(), {
    passphrase,
    checkManifest(archived) {
      refuseNewer(archived);
      const problem = keyProblem(archived, key, options.replace);
      if (problem !== undefined) throw new BackupRefused(problem);
      diskReserve(folder).refuseLess(bytesIn(archived));
    },
    sink({ name }) {
      if (isPicture(name)) mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
      return sinkTo(join(folder, name));
    },
    progress: (done, total) => progress?.("unpacking", done, total),
  }).catch((error: unknown) => {
    throw asRestoreRefusal(error, from);
  });
  progress?.("checking", 0, 1);
  const inside = join(folder, KEY_MEMBER);
  // The data folder already has the same key. The existing file is kept, because the operator may have given
  // other users access to it.
  if (key.fingerprint !== undefined && key.fingerprint === manifest.key) rmSync(inside, { force: true });
  const database = join(folder, DATABASE_MEMBER);
  refuseDifferentContent(manifest, inspectDatabase(database));
  options.proveKey(database, existsSync(inside) ? inside : undefined);
  const ended = startNewHistory(database, manifest, options.now);
  progress?.("checking", 1, 1);
  return { manifest, ended };
}

/**
 * Ends sessions, links and codes, and records the restore in the audit log (docs/contract.md#12.5). Starts a
 * new history line of the database.
 */
function startNewHistory(database: string, manifest: Manifest, now: number): DeletedCredentials {
  const sqlite = openSqlite(database, { fileMustExist: true });
  try {
    // No other process has the database open, so only the WAL is created beside it.
    sqlite.pragma("locking_mode = EXCLUSIVE");
    sqlite.pragma("foreign_keys = ON");
    const makeId = idMaker(systemRandom, idCounts());
    const ended = sqlite
      .transaction(() => {
        const deleted = deleteCredentials(sqlite);
        const detail = JSON.stringify({ time: manifest.created_at });
        insertRestored(sqlite, { id: makeId("aud", now), detail, createdAt: now });
        return deleted;
      })
      .immediate();
    if (hasTable(sqlite, "lineage")) beginLine(sqlite);
    sqlite.pragma("wal_checkpoint(TRUNCATE)");
    return ended;
  } finally {
    sqlite.close();
    const file = openSync(database, "r+");
    fsyncSync(file);
    closeSync(file);
  }
}

function makeFolder(data: string): void {
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new BackupRefused(
      `The data folder ${data} cannot be created (${code}). Choose another with --data.`,
    );
  }
}

function refuseUsedFolder(data: string, replace: boolean): void {
  const names = readdirSync(data);
  const foreign = names.find((name) => !DATABASE_FILES.includes(name) && !OWN_FILES.test(name));
  if (foreign !== undefined && !replace)
    throw new BackupRefused(
      `${data} contains ${foreign}, which does not belong to Guildhall. Choose an empty folder.`,
    );
  if (!replace && names.some((name) => DATABASE_FILES.includes(name)))
    throw new BackupRefused(
      `${data} already holds a community. Move it aside with --replace, or choose another folder with --data.`,
    );
}

function refuseNewer({ schema, program }: Manifest): void {
  if (schema > SCHEMA_VERSION)
    throw new BackupRefused(
      `The backup is from Guildhall ${program} (schema ${schema}), and this program knows schema ${SCHEMA_VERSION}. Restore it with that version.`,
    );
}

/**
 * Throws BackupRefused if the database does not match the manifest. All checksums matched, so a person
 * changed the database and the manifest, but not consistently.
 */
function refuseDifferentContent(
  manifest: Manifest,
  found: Pick<Manifest, "schema" | "rows" | "newest_event">,
): void {
  const tables = new Set([...Object.keys(manifest.rows), ...Object.keys(found.rows)]);
  const other = [...tables].find((name) => manifest.rows[name] !== found.rows[name]);
  const difference =
    other !== undefined
      ? `${other} has ${found.rows[other] ?? 0} rows, but the manifest says ${manifest.rows[other] ?? 0}`
      : manifest.schema !== found.schema
        ? "the tables have another version than the manifest says"
        : manifest.newest_event !== found.newest_event
          ? "the newest event differs from the manifest"
          : undefined;
  if (difference !== undefined)
    throw new BackupRefused(`The backup was altered: ${difference}. Restore another one.`);
}

function sinkTo(path: string): Sink {
  const file = openSync(path, "wx", 0o600);
  let unsynced = 0;
  return {
    write(bytes) {
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
      unsynced += bytes.length;
      if (unsynced < SYNC_EVERY_BYTES) return;
      fsyncSync(file);
      unsynced = 0;
    },
    close() {
      fsyncSync(file);
      closeSync(file);
    },
  };
}

function asRestoreRefusal(error: unknown, { name }: BackupFile): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  if (code === "ENOSPC" || code === "EDQUOT")
    return new BackupRefused(
      "There is no space in the data folder to unpack the backup. Nothing was changed.",
    );
  if (code !== undefined && /^(?:E[A-Z]+|a [a-z]+)$/.test(code))
    return new BackupRefused(`The backup ${name} cannot be read (${code}).`);
  return error;
}
