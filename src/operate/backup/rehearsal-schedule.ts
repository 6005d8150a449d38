import type { Logger } from "pino";
import type { RehearsalHealth } from "../../core/services/backups/backups.ts";
import { DAY } from "../../core/base/clock.ts";
import { noteRehearsal, readRehearsals } from "./rehearsal.ts";
import { type ChildRun, createSingleRun, logFields, since } from "./single-run.ts";

const EVERY_MS = 7 * DAY;
/** Time until the next try after a failed rehearsal. It gives the operator time to read the log. */
const AGAIN_MS = DAY;

export interface RehearsalSchedule {
  look(): Promise<void>;
  health(): RehearsalHealth;
  /** Ends a running rehearsal. The next start makes it again. */
  stop(): Promise<void>;
}

export interface RehearsalOptions {
  data: string;
  now(): number;
  hasBackup(): boolean;
  /** Starts a rehearsal in a separate process. */
  run(): ChildRun;
  log: Logger;
}

/**
 * Restores the newest backup once a week into a temporary folder, to show that backups can be restored. The
 * first rehearsal runs as soon as a backup exists. Every result is reported (docs/contract.md#12.5).
 */
export function createRehearsalSchedule({
  data,
  now,
  hasBackup,
  run,
  log,
}: RehearsalOptions): RehearsalSchedule {
  let kept = readRehearsals(data);
  const singleRun = createSingleRun(run);
  const isDue = (): boolean =>
    hasBackup() && since(now(), kept.last?.at) >= EVERY_MS && since(now(), kept.failed?.at) >= AGAIN_MS;

  async function rehearse(): Promise<void> {
    const at = now();
    const ended = await singleRun.take();
    if (!ended) return;
    const { code, words } = ended;
    if (code === 0) {
      kept = readRehearsals(data);
      log.info(kept.last && logFields(kept.last), "test restore of the newest backup succeeded");
      return;
    }
    kept = { ...kept, failed: { at, reason: words || `the test restore ended with exit code ${code}` } };
    noteRehearsal(data, kept);
    log.error({ reason: kept.failed?.reason }, "test restore of the newest backup failed");
  }

  return {
    async look() {
      if (singleRun.isFree() && isDue()) await rehearse();
    },
    health: () => kept,
    stop: singleRun.stop,
  };
}
