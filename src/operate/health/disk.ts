import { freeBytes, sizeOf } from "../../files/disk-space.ts";
import type { HttpMetrics } from "../../http/metrics.ts";

/** Adds the size of the database without its WAL, and the free disk space, to `/metrics`. */
export function gaugeDisk(metrics: HttpMetrics, database: string, folder: string): void {
  metrics.gauges(() => {
    return {
      guildhall_database_bytes: sizeOf(database),
      guildhall_disk_free_bytes: freeBytes(folder),
    };
  });
}
