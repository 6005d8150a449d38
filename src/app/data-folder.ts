import { recordStaffEvent } from "../core/outbox/events/events.ts";
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
import { irregularityOf } from "../files/regular-file.ts";
import { sizeOf } from "../files/disk-space.ts";
import { lockFile } from "../operate/backup/file-lock.ts";
import {
  findKeys,
  type FoundKey,
  hasKey,
  isSwappable,
  makeKeyFile,
  nameOfLocation,
  nextFile,
} from "../operate/backup/key-files.ts";
import { finishUnfinished, isUnfinished } from "../operate/backup/restore-swap.ts";
import { resolveName } from "../delivery/dns.ts";
import { loadDriver } from "./driver/driver.ts";
import { reportLostCommits, refuseForeignLog } from "../operate/backup/log-check.ts";
import { OperatorError } from "../core/base/operator-error.ts";

/** The data folder cannot be used. The message tells the operator what to do. */
export class DataRefused extends OperatorError {
  override name = "DataRefused";
}

export interface DataFolderOptions extends OpenOptions {
  /** Whether an empty folder may become a data folder. */
  mayCreate: boolean;
  /** Whether to lock the folder, so that no server can use it. */
  lock?: boolean;
}

/** An open data folder: the migrated database, and the key that encrypts secrets in it. */
export interface DataFolder {
  db: Db;
  secrets: SealedSecrets;
  /** Messages for the operator about problems found and repaired while opening. */
  messages: string[];
  close(): void;
}

/** The settings that name the folder and its key. */
export type FolderConfig = Pick<Config, "data" | "keyFile"> & Partial<Pick<Config, "key" | "credential">>;

export function databaseFile({ data }: Pick<Config, "data">): string {
  return join(data, "guildhall.db");
}

/**
 * Opens the data folder. Creates the folder and a database of this version on first use. Does not migrate an
 * older database; `lockDataFolder` and `upgradeDatabase` do. Throws DataRefused or DatabaseRefused, and then
 * leaves a folder with a database unchanged (docs/contract.md#12.8).
 */
export function openDataFolder(config: FolderConfig, options: DataFolderOptions): DataFolder {
  refuseUnusable(config.data);
  const restored = finishRestore(config);
  const file = databaseFile(config);
  const isNew = !hasDatabase(config);
  if (isNew) {
    refuseLostDatabase(config, options.mayCreate);
    refuseKeyWithoutDatabase(config);
    // Checked before the folder is created, so that an invalid key leaves no folder behind.
    if (hasKey(config)) findKeys(config);
  }
  makeFolder(config.data);
  loadDriver(config.data);
  const lock = options.lock ? holdFolder(config) : undefined;
  let db: Db | undefined;
  const close = (): void => {
    db?.close();
    lock?.release();
  };
  try {
    // The check for lost commits is skipped if a running server holds the folder. That server checked the WAL
    // at its start, and is writing it now.
    const lost = lock || !isLocked(config) ? reportLostCommits(file) : [];
    if (isNew && !hasKey(config)) makeKeyFile(config.keyFile, systemRandom.bytes(MASTER_KEY_BYTES));
    const keys = findKeys(config);
    if (isNew) makeDatabaseFile(file);
    else readState(file, (found) => refuseOtherKey(found, keys, config));
    db = openDatabase(file, options);
    const keyring = createKeyring(db, () => findKeys(config).map(({ key }) => key), Date.now);
    const secrets = createSecrets(keyring, systemRandom);
    markKey(db, secrets);
    return { db, secrets, messages: [...restored, ...lost], close };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * Locks a folder without a community, and creates the folder if it is missing. Commands that fill a new
 * community call this first.
 */
export function lockEmptyFolder(config: FolderConfig): { release(): void } {
  refuseUnusable(config.data);
  refuseKeyWithoutDatabase(config);
  makeFolder(config.data);
  loadDriver(config.data);
  return holdFolder(config);
}

/** Returns the folder in which new-data-folder.ts fills a database before anyone uses it. */
export function unfinishedFolder(data: string): string {
  return join(data, "importing");
}

/** A locked folder whose key opens its database. An upgrade starts from it. */
export interface LockedDataFolder {
  file: string;
  /** The schema version of the database. This program's version is SCHEMA_VERSION. */
  version: number;
  /** Same as in `DataFolder`. */
  messages: string[];
  release(): void;
}

/**
 * Locks a folder whose database has this version or an older one, and changes nothing in the database. Throws
 * DataRefused or DatabaseRefused, also if a server uses the folder or the key does not fit.
 */
export function lockDataFolder(config: FolderConfig): LockedDataFolder {
  refuseUnusable(config.data);
  const restored = finishRestore(config);
  if (!hasDatabase(config)) refuseLostDatabase(config, false);
  loadDriver(config.data);
  const lock = holdFolder(config);
  try {
    const messages = [...restored, ...reportLostCommits(databaseFile(config))];
    return { ...readDataFolder(config), messages: messages, release: lock.release };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Returns the file and the schema version like `lockDataFolder`, but takes no lock. It works while a server
 * runs.
 */
export function readDataFolder(config: FolderConfig): Omit<LockedDataFolder, "messages" | "release"> {
  refuseUnusable(config.data);
  if (!hasDatabase(config)) refuseLostDatabase(config, false);
  loadDriver(config.data);
  const file = databaseFile(config);
  const keys = findKeys(config);
  const version = readState(file, (found) => {
    refuseOtherKey(found, keys, config);
    return found.version;
  });
  return { file, version };
}

/** Returns the secrets of a folder that is only read. Signatures of an earlier key are not valid. */
export function secretsIn(config: FolderConfig): SealedSecrets {
  const keys = findKeys(config);
  const [sealing] = namesIn(config);
  const keyring = [...keys].sort(
    (one, other) => Number(other.fingerprint === sealing) - Number(one.fingerprint === sealing),
  );
  const [first, ...others] = keyring.map(({ key }) => key) as [Buffer, ...Buffer[]];
  return createSecrets({ keys: () => [first, ...others], former: () => [] }, systemRandom);
}

/**
 * Repairs the folder after an interrupted restore (docs/contract.md#12.5). Returns messages for the operator.
 */
export function finishRestore({ data }: FolderConfig): string[] {
  if (!isUnfinished(data)) return [];
  loadDriver(data);
  return finishUnfinished(data);
}

/**
 * Throws DataRefused if the key does not open the database `file`. If `keyFile` is set, checks the key in
 * that file instead of the configured key. No other process may have the database open.
 */
export function verifyKey(file: string, config: FolderConfig, keyFile: string | undefined): void {
  const location = keyFile === undefined ? config : { data: config.data, keyFile };
  const keys = findKeys(location);
  readDatabaseState(file, false, (found) => refuseOtherKey(found, keys, location));
}

/**
 * Whether the folder has a database of an older version. Changes nothing. Throws DatabaseRefused for a
 * foreign database.
 */
export function isOlder(config: FolderConfig): boolean {
  refuseUnusable(config.data);
  if (!hasDatabase(config)) return false;
  loadDriver(config.data);
  if (!isLocked(config)) refuseForeignLog(databaseFile(config));
  const version = readState(databaseFile(config), (found) => found.version);
  return version > 0 && version < SCHEMA_VERSION;
}

/**
 * Whether the folder has a community. A database file that is empty, after a first start was killed, does not
 * count.
 */
export function hasDatabase(config: Pick<FolderConfig, "data">): boolean {
  const file = databaseFile(config);
  return existsSync(file) && sizeOf(file) > 0;
}

/**
 * Reads the state of a database. Does not recover a WAL that a killed program left, because the database may
 * belong to another key or program.
 */
function readState<Result>(file: string, work: (found: DatabaseState) => Result): Result {
  const log = `${file}-wal`;
  return readDatabaseState(file, existsSync(log) && sizeOf(log) > 0, work);
}

/**
 * Creates the core of a running program, with the machine's clock, randomness and name resolution. For `ids`
 * see createCore, for `base` see machineClock. The core reads `config` at each use, so reloads apply.
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
    fireStaffEvent: recordStaffEvent,
  };
  return createCore(parts, ids);
}

/**
 * Throws DataRefused with the reason why the folder cannot be used. Without this check, files would seem
 * missing, and SQLite would only say that it cannot open a file.
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
 * Files of a data folder that SQLite opens. SQLite would wait forever on a pipe, and its error for a
 * directory is unclear.
 */
const FILES = ["guildhall.db", "guildhall.db-wal", "guildhall.db-shm", "guildhall.lock"];

/**
 * Throws DataRefused for a folder without a database, unless a new database may be created there. The message
 * depends on the likely cause: an unfinished import, a mistyped path or a lost database.
 */
function refuseLostDatabase({ data, keyFile }: FolderConfig, mayCreate: boolean): void {
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
 * Throws DataRefused if the folder of the key file is missing. The operator chose that folder, so the path is
 * mistyped or its disk is not mounted.
 */
function refuseKeyWithoutDatabase(config: FolderConfig): void {
  const { data, keyFile } = config;
  if (!isSwappable(config)) return;
  const folder = dirname(resolve(keyFile));
  if (folder === resolve(data) || (existsSync(folder) && statSync(folder).isDirectory())) return;
  throw new DataRefused(
    `The folder ${folder} for the key file does not exist. Create it, or correct GUILDHALL_KEY_FILE.`,
  );
}

/**
 * Longest wait for the folder lock, in ms. A tool that checks for a running server holds the lock for a
 * moment.
 */
const HOLD_WITHIN_MS = 100;

/**
 * Locks the folder for one server. Two servers would count rate limits separately and retry each other's
 * running deliveries. The lock is SQLite's, on a file beside the database, so it ends with the process.
 */
function holdFolder({ data }: Pick<Config, "data">, waitMs = HOLD_WITHIN_MS): { release(): void } {
  const lock = lockFile(join(data, "guildhall.lock"), waitMs);
  if (!lock)
    throw new DataRefused(
      `Another server uses ${data}. Stop that server first, or choose another folder with --data.`,
    );
  return lock;
}

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

/** Creates a file that only its owner may read. SQLite gives the WAL the same permissions. */
function makeDatabaseFile(file: string): void {
  try {
    closeSync(openSync(file, "a", 0o600));
  } catch (error) {
    throw new DataRefused(
      `The database ${file} cannot be created (${reason(error)}). Choose another folder with --data.`,
    );
  }
}

/** The current encryption key, as the content of a key file, and its fingerprint. */
export interface SealingKey {
  text: string;
  fingerprint: string;
  /**
   * The fingerprint of the previous key during an unfinished rotation. Some secrets are still encrypted with
   * the previous key.
   */
  former: string | undefined;
}

/** Returns undefined if there is no key. */
export function readKeyFile(config: FolderConfig): SealingKey | undefined {
  if (!hasKey(config)) return undefined;
  const named = hasDatabase(config) ? namesIn(config) : [];
  const keys = findKeys(config);
  const { key, fingerprint } = keys.find((each) => each.fingerprint === named[0]) ?? keys[0];
  return { text: `${key.toString("hex")}\n`, fingerprint, former: named[1] };
}

/** Returns the fingerprints of the keys that a database names, or nothing if the database is damaged. */
function namesIn(config: FolderConfig): string[] {
  loadDriver(config.data);
  try {
    return readState(databaseFile(config), (found) => namedKeys(found.setting("keys")));
  } catch {
    return [];
  }
}

/**
 * Throws DataRefused if no key fits the database. Runs at start and before any change to the database.
 * Otherwise a wrong key would only show at the first delivery. `keys` are all keys that were found. An
 * unfinished rotation needs two of them.
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
      `${nameOfLocation(config)} (${chosen.fingerprint}) is not the key of this database${sealing === undefined ? "" : ` (${sealing})`}. Put the right key there.`,
    );
  if (right !== chosen && right.file !== nextFile(config))
    throw new DataRefused(
      `${nameOfLocation(config)} is not the key of this database. The right key is ${right.file}, kept from before a rotation. Copy the right key over the wrong one.`,
    );
  if (former !== undefined && !keys.some(({ fingerprint }) => fingerprint === former))
    throw new DataRefused(
      `A key rotation is unfinished. Some secrets still use the old key (${former}), which is missing. Put the old key back as ${nextFile(config).replace(/next$/, "old-0")}.`,
    );
}

function reason(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
