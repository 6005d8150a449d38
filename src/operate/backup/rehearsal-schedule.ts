import type { Logger } from "pino";
import type { RehearsalHealth } from "../../core/services/backups/backups.ts";
import { DAY } from "../../core/base/clock.ts";
import { storeRehearsal, readRehearsals } from "./rehearsal.ts";
import { type ChildRun, createSingleRun, logFields, elapsedSince } from "./single-run.ts";

const EVERY_MS = 7 * DAY;
/**
 * Time until the next try after a failed rehearsal. The operator has this time to read the log and fix the
 * cause.
 */
const AGAIN_MS = DAY;

export interface RehearsalSchedule {
  runIfDue(): Promise<void>;
  health(): RehearsalHealth;
  /** Ends a running rehearsal. The next start of the server repeats that rehearsal. */
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
  let state = readRehearsals(data);
  const singleRun = createSingleRun(run);
  const isDue = (): boolean =>
    hasBackup() &&
    elapsedSince(now(), state.last?.at) >= EVERY_MS &&
    elapsedSince(now(), state.failed?.at) >= AGAIN_MS;

  async function rehearse(): Promise<void> {
    const at = now();
    const ended = await singleRun.runOnce();
    if (!ended) return;
    const { code, output } = ended;
    if (code === 0) {
      state = readRehearsals(data);
      log.info(state.last && logFields(state.last), "test restore of the newest backup succeeded");
      return;
    }
    state = { ...state, failed: { at, reason: output || `the test restore ended with exit code ${code}` } };
    storeRehearsal(data, state);
    log.error({ reason: state.failed?.reason }, "test restore of the newest backup failed");
  }

  return {
    async runIfDue() {
      if (singleRun.isFree() && isDue()) await rehearse();
    },
    health: () => state,
    stop: singleRun.stop,
  };
}
