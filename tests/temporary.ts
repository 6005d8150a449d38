import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** A folder in memory if there is 1 GiB of space, otherwise the system's temporary folder. */
export function roomiestTemporaryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    if (bavail * bsize > 2 ** 30) return "/dev/shm";
  } catch {
    // The system has no /dev/shm.
  }
  return tmpdir();
}
