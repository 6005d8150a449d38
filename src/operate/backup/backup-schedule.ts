import type { Logger } from "pino";
import { MINUTE } from "../../core/base/clock.ts";
import type { BackupHealth } from "../../core/services/backups/backups.ts";
import { storeFailure, readState } from "./scheduled-backup.ts";
import { type ChildRun, createSingleRun, logFields, elapsedSince } from "./single-run.ts";

/** Longest time from a failed backup to the next try, in ms. Shorter if backups are made more often. */
const AGAIN_MS = 15 * MINUTE;

export interface BackupSchedule {
  runIfDue(): Promise<void>;
  health(): BackupHealth;
  /** Ends a running backup. The next start of the server makes that backup again. */
  stop(): Promise<void>;
}

export interface ScheduleOptions {
  data: string;
  /** Configured time between two backups, in ms. Read at each use, because a reload may change it. */
  everyMs(): number;
  now(): number;
  /** Starts a backup in a separate process. */
  run(): ChildRun;
  notifyAdmins(failed: { at: number; reason: string }): Promise<void>;
  log: Logger;
}

/**
 * Decides when a backup is due, and reports the result. A separate process does the work. Call `runIfDue`
 * every minute. Each failed try is reported, and a late backup is reported once.
 */
export function createBackupSchedule({
  data,
  everyMs,
  now,
  run,
  notifyAdmins,
  log,
}: ScheduleOptions): BackupSchedule {
  let state = readState(data);
  // If no backup exists, a backup is late when two intervals have passed since the server started.
  const began = now();
  const singleRun = createSingleRun(run);
  let isLateLogged = false;

  const isLate = (): boolean => now() - (state.last?.at ?? began) > 2 * everyMs();
  const isDue = (): boolean =>
    elapsedSince(now(), state.last?.at) >= everyMs() &&
    elapsedSince(now(), state.failed?.at) >= Math.min(AGAIN_MS, everyMs());

  async function runBackup(): Promise<void> {
    const at = now();
    const ended = await singleRun.runOnce();
    if (!ended) return;
    const { code, output } = ended;
    if (code === 0) {
      state = readState(data);
      isLateLogged = false;
      log.info(state.last && logFields(state.last), "backup finished and verified");
      return;
    }
    const failed = { at, reason: output || `the backup ended with exit code ${code}` };
    storeFailure(data, failed);
    state = { ...state, failed };
    log.error(
      { reason: failed.reason, last: state.last && logFields(state.last) },
      "scheduled backup failed",
    );
    // The cause of the failed backup may also break the notification of the admins. The log then has both
    // errors.
    await notifyAdmins(failed).catch((err: unknown) => log.error({ err }, "could not notify the admins"));
  }

  return {
    async runIfDue() {
      if (singleRun.isFree() && isDue()) await runBackup();
      if (!isLate() || isLateLogged) return;
      isLateLogged = true;
      log.error({ last: state.last && logFields(state.last) }, "newest backup is too old");
    },
    health: () => ({ ...state, everyMs: everyMs(), isLate: isLate() }),
    stop: singleRun.stop,
  };
}
