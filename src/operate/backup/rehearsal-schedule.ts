import type { Logger } from "pino";
import type { RehearsalHealth } from "../../core/services/backups/backups.ts";
import { DAY } from "../../core/base/clock.ts";
import { noteRehearsal, readRehearsals } from "./rehearsal.ts";
import { type ChildRun, createSingleRun, logFields, since } from "./single-run.ts";

const EVERY_MS = 7 * DAY;
/** After one that failed: whoever reads the log has had time. */
const AGAIN_MS = DAY;

export interface RehearsalSchedule {
  look(): Promise<void>;
  health(): RehearsalHealth;
  /** Ends one that is under way: the next start makes it again. */
  stop(): Promise<void>;
}

export interface RehearsalOptions {
  data: string;
  now(): number;
  /** Whether there is a backup that can be tried. */
  hasBackup(): boolean;
  /** Begins one in a process of its own. */
  run(): ChildRun;
  log: Logger;
}

/**
 * Once a week the newest backup is restored into a folder that is taken away again: a backup that was never
 * restored is none. As soon as there is a first one, and told each time (docs/contract.md#12.5).
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
