import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Config } from "../config/config.ts";
import { machineClock } from "../core/base/clock.ts";
import { type Core, createCore, type Policy } from "../core/base/core.ts";
import { SCHEMA_VERSION } from "../core/base/db/migrate.ts";
import {
  type Db,
  type DatabaseState,
  readDatabaseState,
  openDatabase,
  type OpenOptions,
} from "../core/base/db/open.ts";
import { systemRandom } from "../core/base/random.ts";
import { steadyBase } from "../core/outbox/deliveries/monotonic-time.ts";
import { createKeyring, isMarkedBy, markKey, namedKeys } from "../core/base/keyring/keyring.ts";
import { createSecrets, MASTER_KEY_BYTES, type SealedSecrets } from "../core/base/sealed-secrets.ts";
import { irregularityOf } from "../files/plain-file.ts";
import { sizeOf } from "../files/disk-space.ts";
import { lockFile } from "../operate/backup/file-lock.ts";
import {
  findKeys,
  type FoundKey,
  hasKey,
  isSwappable,
  makeKeyFile,
  nameOfPlace,
  nextFile,
} from "../operate/backup/key-files.ts";
import { finishUnfinished, isUnfinished } from "../operate/backup/restore-swap.ts";
import { resolveName } from "../delivery/dns.ts";
import { loadDriver } from "./driver/driver.ts";
import { reportLostCommits, refuseForeignLog } from "../operate/backup/log-check.ts";

/** The data folder cannot be used. The message tells the operator what to do. */
export class DataRefused extends Error {
  override name = "DataRefused";
}

export interface DataFolderOptions extends OpenOptions {
  /** Whether an empty folder may become a Guildhall. */
  mayCreate: boolean;
  /** Whether no server may work on the folder meanwhile. */
  holds?: boolean;
}

/**
 * Everything that stands on the data folder: the database, brought up to date, and the key that seals what is
 * in it.
 */
export interface DataFolder {
  db: Db;
  secrets: SealedSecrets;
  /** Sentences for the operator about what was found and done first. */
  messages: string[];
  close(): void;
}

/** The settings that name the folder and its key. */
export type FolderConfig = Pick<Config, "data" | "keyFile"> & Partial<Pick<Config, "key" | "credential">>;

export function databaseFile({ data }: Pick<Config, "data">): string {
  return join(data, "guildhall.db");
}

/**
 * Opens the data folder, made on first use with a database of this program's version; an older one is brought
 * up to date by `lockDataFolder` and `upgradeDatabase` alone. Throws DataRefused or DatabaseRefused, and has
 * changed nothing in a folder that has a database then (docs/contract.md#12.8).
 */
export function openDataFolder(config: FolderConfig, options: DataFolderOptions): DataFolder {
  refuseUnusable(config.data);
  const restored = finishRestore(config);
  const file = databaseFile(config);
  const isNew = !hasDatabase(config);
  if (isNew) {
    refuseLost(config, options.mayCreate);
    refuseKeyNowhere(config);
    // One that cannot be used leaves no folder behind.
    if (hasKey(config)) findKeys(config);
  }
  makeFolder(config.data);
  loadDriver(config.data);
  const held = options.holds ? holdFolder(config) : undefined;
  let db: Db | undefined;
  const close = (): void => {
    db?.close();
    held?.release();
  };
  try {
    // A server has looked at its own start, and writes now.
    const lost = held || !isLocked(config) ? reportLostCommits(file) : [];
    if (isNew && !hasKey(config)) makeKeyFile(config.keyFile, systemRandom.bytes(MASTER_KEY_BYTES));
    const keys = findKeys(config);
    if (isNew) makeDatabaseFile(file);
    else readState(file, (found) => refuseOtherKey(found, keys, config));
    db = openDatabase(file, options);
    const ring = createKeyring(db, () => findKeys(config).map(({ key }) => key), Date.now);
    const secrets = createSecrets(ring, systemRandom);
    markKey(db, secrets);
    return { db, secrets, messages: [...restored, ...lost], close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Holds a folder that has no community yet, made on first use: what fills one begins with it. */
export function lockEmptyFolder(config: FolderConfig): { release(): void } {
  refuseUnusable(config.data);
  refuseKeyNowhere(config);
  makeFolder(config.data);
  loadDriver(config.data);
  return holdFolder(config);
}

/** Where one is filled before anybody uses it (new-data-folder.ts). */
export function unfinishedFolder(data: string): string {
  return join(data, "importing");
}

/** A folder that no server works on, with a database that its key opens: what an upgrade begins with. */
export interface LockedDataFolder {
  file: string;
  /** The version of the database's schema; this program's is SCHEMA_VERSION. */
  version: number;
  /** As in `DataFolder`. */
  messages: string[];
  release(): void;
}

/**
 * Holds a folder that has a database of this version or an older one, and changes nothing in it. Throws
 * DataRefused or DatabaseRefused: also where a server works on it, and where the key is another one.
 */
export function lockDataFolder(config: FolderConfig): LockedDataFolder {
  refuseUnusable(config.data);
  const restored = finishRestore(config);
  if (!hasDatabase(config)) refuseLost(config, false);
  loadDriver(config.data);
  const held = holdFolder(config);
  try {
    const messages = [...restored, ...reportLostCommits(databaseFile(config))];
    return { ...readDataFolder(config), messages: messages, release: held.release };
  } catch (error) {
    held.release();
    throw error;
  }
}

/** The same while a server runs. */
export function readDataFolder(config: FolderConfig): Omit<LockedDataFolder, "messages" | "release"> {
  refuseUnusable(config.data);
  if (!hasDatabase(config)) refuseLost(config, false);
  loadDriver(config.data);
  const file = databaseFile(config);
  const keys = findKeys(config);
  const version = readState(file, (found) => {
    refuseOtherKey(found, keys, config);
    return found.version;
  });
  return { file, version };
}

/**
 * What is sealed with the key of a folder that is only looked at; what an earlier key has signed does not
 * count.
 */
export function secretsIn(config: FolderConfig): SealedSecrets {
  const keys = findKeys(config);
  const [sealing] = namesIn(config);
  const ring = [...keys].sort(
    (one, other) => Number(other.fingerprint === sealing) - Number(one.fingerprint === sealing),
  );
  const [first, ...others] = ring.map(({ key }) => key) as [Buffer, ...Buffer[]];
  return createSecrets({ keys: () => [first, ...others], former: () => [] }, systemRandom);
}

/** What a restore that was broken off has left is put in order (docs/contract.md#12.5). */
export function finishRestore({ data }: FolderConfig): string[] {
  if (!isUnfinished(data)) return [];
  loadDriver(data);
  return finishUnfinished(data);
}

/** Throws DataRefused where the key, or this file of one, does not open a database that nobody has open. */
export function verifyKey(file: string, config: FolderConfig, keyFile: string | undefined): void {
  const place = keyFile === undefined ? config : { data: config.data, keyFile };
  const keys = findKeys(place);
  readDatabaseState(file, false, (found) => refuseOtherKey(found, keys, place));
}

/** Whether there is a database of an older Guildhall; only looks. Throws DatabaseRefused for one of none. */
export function isOlder(config: FolderConfig): boolean {
  refuseUnusable(config.data);
  if (!hasDatabase(config)) return false;
  loadDriver(config.data);
  if (!isLocked(config)) refuseForeignLog(databaseFile(config));
  const version = readState(databaseFile(config), (found) => found.version);
  return version > 0 && version < SCHEMA_VERSION;
}

/** Whether a community stands in the folder; one that was killed at its very first start does not. */
export function hasDatabase(config: Pick<FolderConfig, "data">): boolean {
  const file = databaseFile(config);
  return existsSync(file) && sizeOf(file) > 0;
}

/** A log that a killed program left is not put in order before it is known whose it is. */
function readState<Result>(file: string, work: (found: DatabaseState) => Result): Result {
  const log = `${file}-wal`;
  return readDatabaseState(file, existsSync(log) && sizeOf(log) > 0, work);
}

/**
 * The core of a running program: real clock, real randomness, real names. `ids`: see createCore; `base`: see
 * machineClock. `config` is read whenever it is asked for something.
 */
export function createFolderCore(
  { db, secrets }: Pick<DataFolder, "db" | "secrets">,
  config: Policy & Pick<Config, "webhookAllow">,
  origin: string,
  ids?: SharedArrayBuffer,
  base: number = steadyBase({ db }, Date.now()),
): Core {
  const parts = {
    db,
    secrets,
    origin,
    clock: machineClock(base),
    random: systemRandom,
    policy: config,
    targets: {
      resolve: resolveName,
      get allow() {
        return config.webhookAllow;
      },
    },
  };
  return createCore(parts, ids);
}

/**
 * In words, and before what is in it is taken for missing. SQLite would only say that it cannot open a file.
 */
export function refuseUnusable(folder: string): void {
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory())
    throw new DataRefused(`${folder} is not a folder. Choose another data folder with --data.`);
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new DataRefused(
      `The data folder ${folder} cannot be read and written by this user (${reason(error)}). Give the user access, or choose another folder with --data.`,
    );
  }
  for (const name of FILES) {
    const oddity = irregularityOf(join(folder, name));
    if (oddity !== undefined)
      throw new DataRefused(
        `${join(folder, name)} is ${oddity}, but Guildhall needs a file there. Move it to another folder.`,
      );
  }
}

/**
 * What a data folder holds that is opened by others' code, which waits for a pipe and has no word for a
 * folder.
 */
const FILES = ["guildhall.db", "guildhall.db-wal", "guildhall.db-shm", "guildhall.lock"];

/** A folder without a database is a new one, a mistyped one, or one that has lost it. */
function refuseLost({ data, keyFile }: FolderConfig, mayCreate: boolean): void {
  const begun = unfinishedFolder(data);
  if (existsSync(begun))
    throw new DataRefused(
      `An import into ${data} is running or was interrupted. Run the import again to continue, or delete ${begun} to discard the import.`,
    );
  if (!mayCreate) throw new DataRefused(`There is no Guildhall in ${data}. Name its folder with --data.`);
  if (resolve(keyFile) === resolve(data, "guildhall.key") && existsSync(keyFile)) {
    throw new DataRefused(
      `${data} has a key file but no database. Restore a backup (guildhall restore). If there never was a database, delete the key file.`,
    );
  }
}

/**
 * A key file elsewhere is a place the operator chose, such as a mounted one: where that is not there, it is
 * mistyped or not mounted.
 */
function refuseKeyNowhere(config: FolderConfig): void {
  const { data, keyFile } = config;
  if (!isSwappable(config)) return;
  const folder = dirname(resolve(keyFile));
  if (folder === resolve(data) || (existsSync(folder) && statSync(folder).isDirectory())) return;
  throw new DataRefused(
    `The folder ${folder} for the key file does not exist. Create it, or correct GUILDHALL_KEY_FILE.`,
  );
}

/** A tool that looks whether there is a server holds the lock itself for a moment. */
const HOLD_WITHIN_MS = 100;

/**
 * Holds the folder for one server: two would count limits apart and take each other's deliveries for lost.
 * The lock is SQLite's own on a file beside the database, so that it ends with the process, however that
 * ends.
 */
function holdFolder({ data }: Pick<Config, "data">, waitMs = HOLD_WITHIN_MS): { release(): void } {
  const held = lockFile(join(data, "guildhall.lock"), waitMs);
  if (!held)
    throw new DataRefused(
      `Another server uses ${data}. Stop that server first, or choose another folder with --data.`,
    );
  return held;
}

/** Whether a server works on the folder just now. */
export function isLocked(config: Pick<Config, "data">): boolean {
  if (!existsSync(join(config.data, "guildhall.lock"))) return false;
  try {
    holdFolder(config, 0).release();
    return false;
  } catch {
    return true;
  }
}

export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DataRefused(
      `The data folder ${folder} cannot be created (${reason(error)}). Choose another with --data.`,
    );
  }
}

/** Readable by the owner alone; SQLite gives the log beside it the same rights. */
function makeDatabaseFile(file: string): void {
  try {
    closeSync(openSync(file, "a", 0o600));
  } catch (error) {
    throw new DataRefused(
      `The database ${file} cannot be created (${reason(error)}). Choose another folder with --data.`,
    );
  }
}

/** The key that seals, as its file has it, and what it is called. */
export interface SealingKey {
  text: string;
  fingerprint: string;
  /** What the one before it is called, while a rotation is unfinished: a part is still sealed with that. */
  former: string | undefined;
}

/** Undefined where there is none. */
export function readKeyFile(config: FolderConfig): SealingKey | undefined {
  if (!hasKey(config)) return undefined;
  const named = hasDatabase(config) ? namesIn(config) : [];
  const keys = findKeys(config);
  const { key, fingerprint } = keys.find((each) => each.fingerprint === named[0]) ?? keys[0];
  return { text: `${key.toString("hex")}\n`, fingerprint, former: named[1] };
}

/** The keys that a database names; nothing if it is damaged. */
function namesIn(config: FolderConfig): string[] {
  loadDriver(config.data);
  try {
    return readState(databaseFile(config), (found) => namedKeys(found.setting("keys")));
  } catch {
    return [];
  }
}

/**
 * Finds out at start, not at the first delivery, that the key is another database's; and before anything of
 * the database is changed. `keys`: all that lie about. In the middle of a rotation both are needed.
 */
export function refuseOtherKey(
  found: DatabaseState,
  keys: [FoundKey, ...FoundKey[]],
  config: FolderConfig,
): void {
  const check = found.setting("key-check");
  if (check === undefined) return;
  const [sealing, former] = namedKeys(found.setting("keys"));
  const [chosen] = keys;
  const right = keys.find(({ key }) => isMarkedBy(check, createSecrets(key, systemRandom)));
  if (!right)
    throw new DataRefused(
      `${nameOfPlace(config)} (${chosen.fingerprint}) is not the key of this database${sealing === undefined ? "" : ` (${sealing})`}. Put the right key there.`,
    );
  if (right !== chosen && right.file !== nextFile(config))
    throw new DataRefused(
      `${nameOfPlace(config)} is not the key of this database. The right key is ${right.file}, kept from before a rotation. Copy the right key over the wrong one.`,
    );
  if (former !== undefined && !keys.some(({ fingerprint }) => fingerprint === former))
    throw new DataRefused(
      `A key rotation is unfinished. Some secrets still use the old key (${former}), which is missing. Put the old key back as ${nextFile(config).replace(/next$/, "old-0")}.`,
    );
}

function reason(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
