import type { Logger } from "pino";
import { MINUTE } from "../../core/base/clock.ts";
import type { BackupHealth } from "../../core/services/backups/backups.ts";
import { noteFailure, readState } from "./scheduled-backup.ts";
import { type ChildRun, createSingleRun, logFields, since } from "./single-run.ts";

/** Longest time from a failed backup to the next try, in ms. Shorter if backups are made more often. */
const AGAIN_MS = 15 * MINUTE;

export interface BackupSchedule {
  look(): Promise<void>;
  health(): BackupHealth;
  /** Ends a running backup. The next start makes it again. */
  stop(): Promise<void>;
}

export interface ScheduleOptions {
  data: string;
  /** Current time between two backups, in ms. */
  everyMs(): number;
  now(): number;
  /** Starts a backup in a separate process. */
  run(): ChildRun;
  tell(failed: { at: number; reason: string }): Promise<void>;
  log: Logger;
}

/**
 * Decides when a backup is due, and reports the result. A separate process does the work. Call `look` every
 * minute. Each failed try is reported, and a late backup is reported once.
 */
export function createBackupSchedule({
  data,
  everyMs,
  now,
  run,
  tell,
  log,
}: ScheduleOptions): BackupSchedule {
  let kept = readState(data);
  // A folder without any backup counts as backed up at this start.
  const began = now();
  const singleRun = createSingleRun(run);
  let isToldLate = false;

  const isLate = (): boolean => now() - (kept.last?.at ?? began) > 2 * everyMs();
  const isDue = (): boolean =>
    since(now(), kept.last?.at) >= everyMs() &&
    since(now(), kept.failed?.at) >= Math.min(AGAIN_MS, everyMs());

  async function back(): Promise<void> {
    const at = now();
    const ended = await singleRun.take();
    if (!ended) return;
    const { code, words } = ended;
    if (code === 0) {
      kept = readState(data);
      isToldLate = false;
      log.info(kept.last && logFields(kept.last), "backup finished and verified");
      return;
    }
    const failed = { at, reason: words || `the backup ended with exit code ${code}` };
    noteFailure(data, failed);
    kept = { ...kept, failed };
    log.error({ reason: failed.reason, last: kept.last && logFields(kept.last) }, "scheduled backup failed");
    // The cause of the failure may also break the notification. The log has both errors.
    await tell(failed).catch((err: unknown) => log.error({ err }, "could not notify the admins"));
  }

  return {
    async look() {
      if (singleRun.isFree() && isDue()) await back();
      if (!isLate() || isToldLate) return;
      isToldLate = true;
      log.error({ last: kept.last && logFields(kept.last) }, "newest backup is too old");
    },
    health: () => ({ ...kept, everyMs: everyMs(), isLate: isLate() }),
    stop: singleRun.stop,
  };
}
