import { freeBytes, sizeOf } from "../../files/disk-space.ts";
import type { HttpMetrics } from "../../http/metrics.ts";

/** The database's size, without its write-ahead log, and the disk's room, on `/metrics`. */
export function gaugeDisk(metrics: HttpMetrics, database: string, folder: string): void {
  metrics.gauges(() => {
    return {
      guildhall_database_bytes: sizeOf(database),
      guildhall_disk_free_bytes: freeBytes(folder),
    };
  });
}
