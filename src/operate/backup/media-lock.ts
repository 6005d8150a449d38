import { existsSync } from "node:fs";
import { join } from "node:path";
import { SECOND } from "../../core/base/clock.ts";
import { lockFile } from "./file-lock.ts";

/** Of a data folder: the files of pictures, `ab/HASH-WIDTH.webp`. */
export const MEDIA = "media";
const LOCK = ".lock";
/** A sweep takes moments. */
const SWEPT_WITHIN_MS = 30 * SECOND;

/** Does something while no file of a picture is swept away; at once where there are none. */
export async function withMediaLocked<Result>(data: string, work: () => Promise<Result>): Promise<Result> {
  const folder = join(data, MEDIA);
  const held = existsSync(folder) ? lockFile(join(folder, LOCK), SWEPT_WITHIN_MS) : undefined;
  try {
    return await work();
  } finally {
    held?.release();
  }
}

/** Sweeps, unless somebody wants all files to stay meanwhile: then the next time. */
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
