import type { Logger } from "pino";
import { MINUTE } from "../../core/base/clock.ts";
import type { BackupHealth } from "../../core/services/backups/backups.ts";
import { noteFailure, readState } from "./scheduled-backup.ts";
import { type ChildRun, createSingleRun, logFields, since } from "./single-run.ts";

/** After one that failed the next is tried so soon, or sooner where they are made more often. */
const AGAIN_MS = 15 * MINUTE;

export interface BackupSchedule {
  look(): Promise<void>;
  health(): BackupHealth;
  /** Ends one that is under way: the next start makes it again. */
  stop(): Promise<void>;
}

export interface ScheduleOptions {
  data: string;
  /** The time between two, as it is now. */
  everyMs(): number;
  now(): number;
  /** Begins one in a process of its own. */
  run(): ChildRun;
  /** Tells those who look after the community of one that failed. */
  tell(failed: { at: number; reason: string }): Promise<void>;
  log: Logger;
}

/**
 * Decides when a backup is due, and tells what came of it; all work is another process's. `look` is called
 * every minute. A failure is told once for each try, and a late one once.
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
  // A folder without any backup is as old as this start.
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
    // What failed may be what this is written with, too: the log has it.
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
