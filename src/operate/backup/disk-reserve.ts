import { freeBytes } from "../../files/disk-space.ts";
import { BackupRefused } from "./refused.ts";

/** What is left free of the disk on which the database grows. */
const RESERVE_BYTES = 64 * 1024 * 1024;

/** Whether so much room is there, and what is left free beside it. */
export function hasDiskSpace(folder: string, bytes: number): boolean {
  return freeBytes(folder) >= bytes + RESERVE_BYTES;
}

/** The copy must never take the room in which the database itself grows. */
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
