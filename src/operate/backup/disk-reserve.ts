import { freeBytes } from "../../files/disk-space.ts";
import { BackupRefused } from "./refused.ts";

/** Free space to leave on the disk for the growth of the database. */
const RESERVE_BYTES = 64 * 1024 * 1024;

/** Whether the disk has this many free bytes besides the reserve. */
export function hasDiskSpace(folder: string, bytes: number): boolean {
  return freeBytes(folder) >= bytes + RESERVE_BYTES;
}

/**
 * Returns a check that keeps the reserve free while files are copied. Its `refuseLess` throws BackupRefused
 * if the disk is too full.
 */
export function diskReserve(folder: string): { refuseLess(bytes: number): void } {
  return {
    refuseLess(bytes) {
      const missing = bytes + RESERVE_BYTES - freeBytes(folder);
      if (missing > 0)
        throw new BackupRefused(
          `The disk of ${folder} has no space for a copy of the database. Free up another ${Math.ceil(missing / 1024 / 1024)} MB.`,
        );
    },
  };
}
