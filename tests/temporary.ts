import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** A folder in memory where there is 1 GiB of room, and that of the system elsewhere. */
export function roomiestTemporaryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    if (bavail * bsize > 2 ** 30) return "/dev/shm";
  } catch {
    // Not every system has one.
  }
  return tmpdir();
}
