import { sizeOf } from "../../files/disk-space.ts";
import type { Logger } from "pino";
import type { HttpMetrics } from "../../http/metrics.ts";

/**
 * If the WAL is larger than this, in bytes, a warning is logged. The value is four times the size to which
 * SQLite truncates the WAL after a restart of the log (`journal_size_limit`).
 */
export const ALARM_BYTES = 256 * 1024 * 1024;

/**
 * Watches the size of the WAL. SQLite writes to `<database>-wal`, and checkpoints it when no reader needs an
 * older state. The server's own reads are short. Another program that reads without end (a shell, a hung
 * backup) lets the file grow until the disk is full. `/metrics` contains the size. Each `look` logs a warning
 * if the file is too large.
 */
export function watchWriteAhead(
  database: string,
  metrics: HttpMetrics,
  log: Logger,
): { refresh(): Promise<void> } {
  const bytes = (): number => sizeOf(`${database}-wal`);
  metrics.gauges(() => ({ guildhall_write_ahead_log_bytes: bytes() }));
  return {
    async refresh() {
      const size = bytes();
      if (size > ALARM_BYTES)
        log.warn(
          { bytes: size },
          "write-ahead log keeps growing: another program keeps the database open for reading, stop it before the disk is full",
        );
    },
  };
}
