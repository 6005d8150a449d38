import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RehearsalHealth } from "../../core/services/backups/backups.ts";
import { SCHEMA_VERSION } from "../../core/base/db/migrate.ts";
import { openDatabase, upgradeDatabase } from "../../core/base/db/open.ts";
import { readRegularFile } from "../../files/regular-file.ts";
import { BACKUPS } from "./backup.ts";
import { lockFile } from "./file-lock.ts";
import { DATABASE_MEMBER, type Manifest } from "./manifest.ts";
import { makeFolder, type BackupFile } from "./backup-file.ts";
import { BackupRefused } from "./refused.ts";
import { type RestoreOptions, unpack } from "./restore.ts";

const SCRATCH = ".restoring";

/**
 * Restores a backup into a temporary folder. A server may be running on the data folder. Unpacks the backup,
 * verifies it against its manifest, and checks it. Then opens the database with the key, migrates an older
 * database, and opens the result as a server would (docs/contract.md#12.5). Throws the errors of a restore,
 * and BackupRefused if another rehearsal is running.
 */
export async function rehearseRestore(
  from: BackupFile,
  options: Pick<RestoreOptions, "data" | "key" | "now" | "passphrase" | "proveKey" | "progress">,
): Promise<Manifest> {
  const folder = join(options.data, BACKUPS);
  makeFolder(folder);
  const held = lockFile(join(folder, ".restoring.lock"));
  if (!held)
    throw new BackupRefused(
      `Another test restore in ${options.data} is running. Try again when it has finished.`,
    );
  const scratch = join(folder, SCRATCH);
  try {
    // A killed rehearsal may have left this folder.
    rmSync(scratch, { recursive: true, force: true });
    mkdirSync(scratch, { mode: 0o700 });
    const { manifest } = await unpack(from, scratch, { ...options, replace: true });
    const database = join(scratch, DATABASE_MEMBER);
    if (manifest.schema < SCHEMA_VERSION) upgradeDatabase(database);
    openDatabase(database, { busyMs: 0 }).close();
    return manifest;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    held.release();
  }
}

const STATE = ".rehearsal.json";

/** Returns an empty state if the file is missing or unreadable. */
export function readRehearsals(data: string): RehearsalHealth {
  try {
    return JSON.parse(readRegularFile(join(data, BACKUPS, STATE)).toString("utf8")) as RehearsalHealth;
  } catch {
    return {};
  }
}

/** Stores the state if possible. A full disk may be the failure that the state reports. */
export function storeRehearsal(data: string, health: RehearsalHealth): void {
  const path = join(data, BACKUPS, STATE);
  try {
    writeFileSync(`${path}.tmp`, JSON.stringify(health), { mode: 0o600, flush: true });
    renameSync(`${path}.tmp`, path);
  } catch {
    // The error is ignored, because the caller reports the result of the rehearsal anyway.
  }
}
