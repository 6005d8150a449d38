import { existsSync } from "node:fs";
import { join } from "node:path";
import { SECOND } from "../../core/base/clock.ts";
import { lockFile } from "./file-lock.ts";

/** Subfolder of the data folder with the picture files, `ab/HASH-WIDTH.webp`. */
export const MEDIA = "media";
const LOCK = ".lock";
/** Longest wait for a running sweep, which takes moments. */
const SWEPT_WITHIN_MS = 30 * SECOND;

/** Runs `work` while no sweep can delete picture files. Takes no lock if there are no pictures. */
export async function withMediaLocked<Result>(data: string, work: () => Promise<Result>): Promise<Result> {
  const folder = join(data, MEDIA);
  const held = existsSync(folder) ? lockFile(join(folder, LOCK), SWEPT_WITHIN_MS) : undefined;
  try {
    return await work();
  } finally {
    held?.release();
  }
}

/**
 * Runs `sweep`, unless another process holds the lock on the picture files. In that case the next call
 * sweeps.
 */
export async function unlessMediaLocked(data: string, sweep: () => Promise<void>): Promise<void> {
  const folder = join(data, MEDIA);
  if (!existsSync(folder)) return;
  const held = lockFile(join(folder, LOCK));
  if (!held) return;
  try {
    await sweep();
  } finally {
    held.release();
  }
}
