import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RehearsalHealth } from "../../core/services/backups/backups.ts";
import { SCHEMA_VERSION } from "../../core/base/db/migrate.ts";
import { openDatabase, upgradeDatabase } from "../../core/base/db/open.ts";
import { readPlain } from "../../files/plain-file.ts";
import { BACKUPS } from "./backup.ts";
import { lockFile } from "./file-lock.ts";
import { DATABASE_MEMBER, type Manifest } from "./manifest.ts";
import { makeFolder, type BackupFile } from "./backup-file.ts";
import { BackupRefused } from "./refused.ts";
import { type RestoreOptions, unpack } from "./restore.ts";

const SCRATCH = ".restoring";

/**
 * Restores a backup into a folder that is taken away again, beside a server too: unpacked, held against its
 * manifest, looked through, opened with the key, brought up to date where it is older, and opened as a server
 * would (docs/contract.md#12.5). Throws what a restore would, and BackupRefused while another one is under
 * way.
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
    // Of one that was killed.
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

/** Of none yet where there is none, or it cannot be read. */
export function readRehearsals(data: string): RehearsalHealth {
  try {
    return JSON.parse(readPlain(join(data, BACKUPS, STATE)).toString("utf8")) as RehearsalHealth;
  } catch {
    return {};
  }
}

/** Written down where it can be: a full disk may be what is to be told. */
export function noteRehearsal(data: string, health: RehearsalHealth): void {
  const path = join(data, BACKUPS, STATE);
  try {
    writeFileSync(`${path}.tmp`, JSON.stringify(health), { mode: 0o600, flush: true });
    renameSync(`${path}.tmp`, path);
  } catch {
    // Whoever ran it tells.
  }
}
