import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Moves Litestream's state for this database to `aside`, creating the folder if needed. Returns whether there
 * was any state.
 * If the node leads again, Litestream 0.5 takes the old state for the start of the new database and
 * replicates nothing (docs/adr/0066-litestream.md).
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
 * Makes deploy/follow.sh fetch a new copy at its next start. If this position file remained, the script would
 * continue to write to its old `engine/guildhall.db`. That file is the same file as the database that leads
 * or was moved aside.
 */
export function forgetEnginePosition(data: string): void {
  rmSync(join(data, "engine/guildhall.db-txid"), { force: true });
}

/** Syncs the folder, because a rename is durable only after the folder is synced. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const opened = openSync(folder, "r");
  fsyncSync(opened);
  closeSync(opened);
}
