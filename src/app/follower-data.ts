import { systemClock } from "../core/base/clock.ts";
import { openCopy } from "../core/base/db/copy.ts";
import { SCHEMA_VERSION } from "../core/base/db/migrate.ts";
import { getSetting } from "../core/base/db/settings.ts";
import { createKeyring } from "../core/base/keyring/keyring.ts";
import { systemRandom } from "../core/base/random.ts";
import { createSecrets } from "../core/base/sealed-secrets.ts";
import { loadDriver } from "./driver/driver.ts";
import {
  databaseFile,
  type FolderConfig,
  type DataFolder,
  makeFolder,
  refuseOtherKey,
  refuseUnusable,
} from "./data-folder.ts";
import { findKeys, type FoundKey } from "../operate/backup/key-files.ts";

/**
 * Prepares a folder in which another program keeps a copy of the database, and returns its keys. Throws
 * DataRefused if there is no key: a follower needs its leader's key.
 */
export function keysOfFollower(config: FolderConfig): [FoundKey, ...FoundKey[]] {
  refuseUnusable(config.data);
  makeFolder(config.data);
  loadDriver(config.data);
  return findKeys(config);
}

/**
 * Opens the data folder of a follower, a read-only copy that another program updates
 * (docs/adr/0064-followers.md).
 */
export function openFollowerFolder(config: FolderConfig): Pick<DataFolder, "db" | "secrets"> {
  const keys = findKeys(config);
  const db = openCopy(databaseFile(config));
  try {
    refuseOtherKey({ version: SCHEMA_VERSION, setting: (name) => getSetting({ db }, name) }, keys, config);
    const ring = createKeyring(db, () => findKeys(config).map(({ key }) => key), systemClock.now);
    return { db, secrets: createSecrets(ring, systemRandom) };
  } catch (error) {
    db.close();
    throw error;
  }
}
