import { sizeOf } from "../../files/disk-space.ts";
import type { Logger } from "pino";
import type { HttpMetrics } from "../../http/metrics.ts";

/** Four times what SQLite keeps of it between checkpoints. */
export const ALARM_BYTES = 256 * 1024 * 1024;

/**
 * SQLite writes into `<database>-wal` and takes it over into the database as soon as nobody reads an older
 * state. Our own reads are short; another program that reads without end (a shell, a backup that hangs) lets
 * the file grow until it is done or the disk is full. Its size is on `/metrics`, and each `look` tells the
 * log of one that is too large.
 */
export function watchWriteAhead(
  database: string,
  metrics: HttpMetrics,
  log: Logger,
): { look(): Promise<void> } {
  const bytes = (): number => sizeOf(`${database}-wal`);
  metrics.gauges(() => ({ guildhall_write_ahead_log_bytes: bytes() }));
  return {
    async look() {
      const size = bytes();
      if (size > ALARM_BYTES)
        log.warn(
          { bytes: size },
          "write-ahead log keeps growing: another program keeps the database open for reading, stop it before the disk is full",
        );
    },
  };
}
