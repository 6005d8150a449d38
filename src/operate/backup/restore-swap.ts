import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isoTime } from "../../core/base/clock.ts";
import { freeName } from "./free-name.ts";
import { lockFile } from "./file-lock.ts";
import { DATABASE_MEMBER, KEY_MEMBER } from "./manifest.ts";
import { MEDIA } from "./media-lock.ts";
import { syncFolder } from "./backup-file.ts";
import { BackupRefused } from "./refused.ts";

/** Where a restore unpacks: nothing of it counts yet. */
export const UNPACKED = "restore-unfinished";
/**
 * The same folder once all of it is on disk and proven. From this rename on the restored community is the one
 * that counts, and whoever opens the folder next completes what a kill left (docs/threats.md#M10).
 */
const READY = "restore-ready";
const PLAN = "plan.json";
/** A command that looks whether there is a server holds the lock itself for a moment. */
const HOLD_WITHIN_MS = 100;
const BESIDE = ["", "-wal", "-shm"];

/**
 * Makes what was unpacked count. `name`: of the folder that takes what was there before, where that is free.
 */
export function commitRestore(data: string, name: string): void {
  const unpacked = join(data, UNPACKED);
  const keptAs = basename(freeName(join(data, name)));
  writeFileSync(join(unpacked, PLAN), JSON.stringify({ keptAs }), { mode: 0o600, flag: "wx", flush: true });
  syncFolder(unpacked);
  renameSync(unpacked, join(data, READY));
  syncFolder(data);
}

/** A time in a name: `20261122T160000Z`. */
export function stampOf(now: number): string {
  return isoTime(now).replace(/\.\d+/, "").replaceAll(/[-:]/g, "");
}

/** Whether a restore is under way on this folder, or was broken off. */
export function isUnfinished(data: string): boolean {
  return isReady(data) || existsSync(join(data, UNPACKED));
}

/**
 * Completes a restore that was broken off once it counted, and takes away what one left that was broken off
 * before; in words. Throws BackupRefused while one is under way.
 */
export function finishUnfinished(data: string): string[] {
  const held = lockFile(join(data, "guildhall.lock"), HOLD_WITHIN_MS);
  if (!held) throw new BackupRefused(`A restore of ${data} is running. Try again when it has finished.`);
  try {
    if (isReady(data)) {
      const { keptAs } = completeRestore(data);
      const before = keptAs === undefined ? "" : ` The previous community is in ${join(data, keptAs)}.`;
      return [`Completed an interrupted restore.${before}`];
    }
    rmSync(join(data, UNPACKED), { recursive: true, force: true });
    return ["Deleted the files of an interrupted restore, which had not changed anything."];
  } finally {
    held.release();
  }
}

export function isReady(data: string): boolean {
  return existsSync(join(data, READY));
}

/**
 * Puts a restored community in the place of the one before, which is moved beside: file by file, each by a
 * rename, and where it was broken off it goes on. Only who holds the folder may call it. Whether anything was
 * there before.
 */
export function completeRestore(data: string): { keptAs: string | undefined } {
  const ready = join(data, READY);
  const plan = join(ready, PLAN);
  if (!existsSync(plan)) {
    // All but its own folder was done.
    rmSync(ready, { recursive: true, force: true });
    return { keptAs: undefined };
  }
  const keptAs = keptAsOf(plan);
  const kept = join(data, keptAs);
  const isWaiting = (name: string): boolean => existsSync(join(ready, name));
  const old = isWaiting(DATABASE_MEMBER) ? BESIDE.map((end) => `${DATABASE_MEMBER}${end}`) : [];
  if (isWaiting(KEY_MEMBER)) old.push(KEY_MEMBER);
  // Those that are restored wait, or stand in the place of the others already.
  if (isWaiting(MEDIA)) old.push(MEDIA);
  for (const name of old.filter((each) => existsSync(join(data, each)))) {
    mkdirSync(kept, { recursive: true, mode: 0o700 });
    renameSync(join(data, name), join(kept, name));
  }
  if (existsSync(kept)) syncFolder(kept);
  syncFolder(data);
  // The key first: a key without a database is refused in words, the reverse would ask for another key.
  for (const name of [KEY_MEMBER, MEDIA, DATABASE_MEMBER].filter(isWaiting))
    renameSync(join(ready, name), join(data, name));
  syncFolder(data);
  rmSync(plan);
  rmSync(ready, { recursive: true });
  syncFolder(data);
  return { keptAs: existsSync(kept) ? keptAs : undefined };
}

/** Throws BackupRefused for a plan that is none of ours: followed, it could move files anywhere. */
function keptAsOf(plan: string): string {
  const [, keptAs] = /^\{"keptAs":"(before-restore-[\w-]+)"\}$/.exec(readFileSync(plan, "utf8")) ?? [];
  if (keptAs !== undefined) return keptAs;
  throw new BackupRefused(`${plan} is damaged. Move its folder out of the data folder, and restore again.`);
}
