import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Moves what Litestream knows of the replica of this database to `aside`, a folder that may not be there yet;
 * whether there was anything. Litestream 0.5 finds that state beside the database of the next lead, takes it
 * for the beginning of that one, and ships nothing (docs/adr/0066-litestream.md).
 */
export function moveStateAside(file: string, aside: string): boolean {
  const name = `.${basename(file)}-litestream`;
  const state = join(dirname(file), name);
  if (!existsSync(state)) return false;
  mkdirSync(aside, { recursive: true, mode: 0o700 });
  renameSync(state, join(aside, name));
  syncFolder(aside);
  syncFolder(dirname(file));
  return true;
}

/**
 * Has deploy/follow.sh fetch a new copy at its next start. Its own name for the copy belongs to the same file
 * as the database that leads, or was moved aside: with a position it would go on writing there.
 */
export function forgetEnginePosition(data: string): void {
  rmSync(join(data, "engine/guildhall.db-txid"), { force: true });
}

/** A rename is on disk when its folder is. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const opened = openSync(folder, "r");
  fsyncSync(opened);
  closeSync(opened);
}
