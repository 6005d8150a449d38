import { existsSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BackupHealth } from "../../core/services/backups/backups.ts";
import { readRegularFile } from "../../files/regular-file.ts";
import { isDiskFull } from "../../files/disk-space.ts";
import { archiveName, BACKUPS, backUp, type BackupOptions } from "./backup.ts";
import { type RetentionCounts, expiredBackups } from "./retention.ts";
import type { BackupStore } from "./backup-storage.ts";

/**
 * Results of the scheduled backups of a data folder. Stored in the subfolder `BACKUPS` of the data folder.
 */
type BackupState = Pick<BackupHealth, "last" | "failed">;

const STATE = ".state.json";

/**
 * Returns the name of a scheduled backup, which includes the first 8 digits of the key's fingerprint. So
 * backups of other communities in the same destination are never deleted.
 */
function ownName(fingerprint: string | undefined, now: number, isEncrypted: boolean): string {
  return archiveName(now, isEncrypted).replace("guildhall-", `guildhall-${ownMark(fingerprint)}-`);
}

function ownMark(fingerprint: string | undefined): string {
  return (fingerprint ?? "").slice(0, 8).padEnd(8, "0");
}

/** Returns when a backup of this community was made, from its name. Undefined for any other name. */
function createdAt(name: string, fingerprint: string | undefined): number | undefined {
  const [, mark, ...parts] =
    /^guildhall-([0-9a-f]{8})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar\.zst(?:\.age)?$/.exec(name) ?? [];
  if (mark !== ownMark(fingerprint)) return undefined;
  const [year = 0, month = 1, ...rest] = parts.map(Number);
  return Date.UTC(year, month - 1, ...rest);
}

/** Returns the name of this community's newest backup, or undefined if there is none. */
export async function newestBackup(
  store: BackupStore,
  fingerprint: string | undefined,
): Promise<string | undefined> {
  // Names sort by time.
  return (await store.list())
    .filter((name) => createdAt(name, fingerprint) !== undefined)
    .sort()
    .at(-1);
}

/**
 * Makes one scheduled backup, then deletes the older backups of this community that retention no longer
 * keeps. Deletes no backup before the new one is verified. Records the result in the data folder, even if it
 * throws.
 */
export async function backUpOnSchedule(
  store: BackupStore,
  options: BackupOptions & { keep: RetentionCounts; elapsed(): number },
): Promise<{ name: string; removed: string[] }> {
  const { data, now, key, passphrase, keep, elapsed } = options;
  const began = elapsed();
  const name = ownName(key?.fingerprint, now, passphrase !== undefined);
  const manifest = await backUp(store.fileNamed(name), options);
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  storeSuccess(data, { at: now, name, bytes, ms: Math.round(elapsed() - began) });
  const ownBackups = (await store.list()).flatMap((each) => {
    const at = createdAt(each, key?.fingerprint);
    return at === undefined ? [] : [{ name: each, at }];
  });
  const removed = expiredBackups(ownBackups, keep)
    .map((each) => each.name)
    .filter((each) => each !== name);
  for (const each of removed) await store.remove(each);
  return { name, removed };
}

/** Returns an empty state if the file is missing or unreadable. */
export function readState(data: string): BackupState {
  try {
    return JSON.parse(readRegularFile(join(data, BACKUPS, STATE)).toString("utf8")) as BackupState;
  } catch {
    return {};
  }
}

function writeState(data: string, state: BackupState): void {
  const path = join(data, BACKUPS, STATE);
  const text = JSON.stringify(state);
  try {
    writeFileSync(`${path}.tmp`, text, { mode: 0o600, flush: true });
    renameSync(`${path}.tmp`, path);
  } catch (error) {
    rmSync(`${path}.tmp`, { force: true });
    if (!isDiskFull(error) || !existsSync(path)) throw error;
    // Overwrites in place, because a full disk still has room for the existing file.
    writeFileSync(path, text, { flag: "r+", flush: true });
    truncateSync(path, Buffer.byteLength(text));
  }
}

/**
 * Ignores a full disk. A backup that exists must not count as failed only because its result cannot be
 * stored.
 */
function storeSuccess(data: string, last: NonNullable<BackupState["last"]>): void {
  try {
    writeState(data, { last });
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  }
}

/** Records a failure if possible. The last good backup remains in the state. */
export function storeFailure(data: string, failed: { at: number; reason: string }): void {
  try {
    writeState(data, { ...readState(data), failed });
  } catch {
    // Storing the state can fail, for example on a full disk. The caller reports the failed backup anyway.
  }
}
