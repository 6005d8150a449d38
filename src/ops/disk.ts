import { statfsSync, statSync } from "node:fs";
import type { HttpMetrics } from "../http/metrics.ts";

/** What this user may still write where the folder is. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** The database's size and the disk's room, on `/metrics`. */
export function gaugeDisk(metrics: HttpMetrics, database: string, folder: string): void {
  const helps = {
    database_bytes: "Size of the database, without its write-ahead log.",
    disk_free_bytes: "What the server may still write on the disk of the data folder.",
  };
  metrics.gauges(helps, () => {
    return {
      database_bytes: statSync(database, { throwIfNoEntry: false })?.size ?? 0,
      disk_free_bytes: freeBytes(folder),
    } satisfies Record<keyof typeof helps, number>;
  });
}
