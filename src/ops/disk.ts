import { statfsSync, statSync } from "node:fs";
import type { HttpMetrics } from "../http/metrics.ts";

/** What this user may still write where the folder is. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Without the write-ahead log. */
export function databaseBytes(database: string): number {
  return statSync(database, { throwIfNoEntry: false })?.size ?? 0;
}

/** The database's size and the disk's room, on `/metrics`. */
export function gaugeDisk(metrics: HttpMetrics, database: string, folder: string): void {
  metrics.gauges(() => {
    return {
      guildhall_database_bytes: databaseBytes(database),
      guildhall_disk_free_bytes: freeBytes(folder),
    };
  });
}
