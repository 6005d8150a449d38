import type { Logger } from "pino";
import { continueDeletion } from "../core/services/deletion/deletion.ts";
import { SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { continueBatches } from "../core/services/batches/batches.ts";
import {
  ATTEMPT_MS,
  type Claim,
  nextDue,
  type Outcome,
  recoverInterrupted,
} from "../core/outbox/deliveries/deliveries.ts";
import { maintenanceOf } from "../core/identity/maintenance/maintenance.ts";
import { createMonotonicStore } from "../core/outbox/deliveries/monotonic-time.ts";
import type { Attempt } from "./attempt.ts";
import { createPendingResults } from "./results.ts";
import { createRoundRobin } from "./round-robin.ts";
import { createConcurrencyLimits, type ConcurrencyLimits } from "./concurrency-limits.ts";
import { createSteps } from "./steps.ts";
import {
  newDeliveryCounters,
  noteAttempt,
  type DeliveryCounters,
} from "../core/outbox/deliveries/counters.ts";

export interface Loop {
  /** Starts a pass, because a delivery may be due. */
  wake(): void;
  /** Stops claiming, waits for running attempts and stores their results. */
  stop(): Promise<void>;
  health(): LoopHealth;
}

export interface LoopHealth {
  /**
   * Time since the last pass or check, in ms. The loop checks for work once a second, even if nothing is due.
   */
  sincePassMs: number;
  /** Running attempts, including those whose result is not stored yet. */
  running: number;
  /** Number of failed steps since the start. */
  faults: number;
  /** Counters since the start. */
  tally: DeliveryCounters;
}

/**
 * Maximum number of attempts that start in one pass. A pass stores at most twice as many results. Other
 * writers can use the database between two passes.
 */
const CLAIMS_MAX = 64;
const PAUSE_MS = 1;
/** How often the loop checks for writes of other processes and retries failed steps, in ms. */
const CHECK_EVERY_MS = SECOND;
/**
 * Longest sleep, in ms. A timer of more than 2³¹ ms fires at once. The machine's clock may also change during
 * a long sleep.
 */
const SLEEP_MAX_MS = 60 * SECOND;
const STOP_POLL_MS = 2;
/** Work that continues over several passes, by the name of its step. */
const UNFINISHED_WORK = [
  ["unfinished", continueBatches],
  ["deletion", continueDeletion],
] as const;

/**
 * Starts the delivery loop. A pass stores results, continues unfinished work and claims due deliveries, all
 * in one commit. Then the pass starts the attempts. The loop sleeps until the next delivery is due or `wake`
 * is called.
 *
 * All state is in the database. If the process is killed, an interrupted attempt is repeated. `attemptMs` is
 * the longest duration of `attempt`.
 *
 * The function is long because its steps share the flags for running, woken and stopping.
 */
export function startLoop(
  core: Core,
  attempt: Attempt,
  delaysMs: readonly number[],
  log: Logger,
  attemptMs: number = ATTEMPT_MS,
  limits: ConcurrencyLimits = createConcurrencyLimits(),
): Loop {
  const keepSteady = createMonotonicStore(core);
  const steps = createSteps(log);
  const tally = newDeliveryCounters(core.db.writes());
  const results = createPendingResults(core, limits, delaysMs, (err) => steps.report("settle", err), tally);
  const roundRobin = createRoundRobin(core, limits, attemptMs);
  let passedAt = core.clock.elapsed();
  let isRescued = false;
  let seenVersion = -1;
  let isRunning = false;
  let isWoken = false;
  /** Whether another thread or process, or this loop, may have left unfinished work. */
  let mayHaveWork = false;
  let isStopping = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const changeTimer = setInterval(() => {
    // The step `look` resumes all other paused steps, so it is resumed first.
    steps.wake("look");
    void steps.run("look", wakeOnChange);
    if (!isGivenUp()) void steps.run("steady", async () => void (await keepSteady()));
  }, CHECK_EVERY_MS);
  const isGivenUp = (): boolean => core.db.fencedBy() !== undefined;
  wake();
  return { wake, stop, health };

  function wake(): void {
    mayHaveWork = true;
    roundRobin.markDirty();
    startPass();
  }

  function startPass(): void {
    isWoken = true;
    if (isRunning) return;
    isRunning = true;
    setImmediate(() => void run());
  }

  async function run(): Promise<void> {
    clearTimeout(timer);
    while (isWoken) {
      isWoken = false;
      await pass();
      passedAt = core.clock.elapsed();
      if (isWoken) await Bun.sleep(PAUSE_MS);
    }
    await steps.run("sleep", sleep);
    isRunning = false;
    if (isWoken) startPass();
  }

  /**
   * Runs the steps of one pass that may have work. Their concurrent writes share a commit, and each write has
   * its own savepoint.
   */
  async function pass(): Promise<void> {
    // This node no longer leads. The new leader repeats attempts whose result is not stored.
    if (isGivenUp()) return results.discard();
    if (!isRescued) await steps.run("rescue", rescueLost);
    if (!isRescued) return;
    // In maintenance mode, store the results of running attempts and start no new attempts.
    if (maintenanceOf(core)) return await settleEnded();
    const works = mayHaveWork ? UNFINISHED_WORK : [];
    mayHaveWork = false;
    await Promise.all([
      settleEnded(),
      ...works.map(([name, batch]) => steps.run(name, () => continueWork(batch))),
      roundRobin.isQuiet() ? undefined : steps.run("claim", claim),
    ]);
  }

  async function rescueLost(): Promise<void> {
    const rescued = await core.db.write(() => recoverInterrupted(core));
    isRescued = true;
    if (rescued > 0) log.info({ rescued }, "repeating attempts that were interrupted");
  }

  async function settleEnded(): Promise<void> {
    await results.settle(2 * CLAIMS_MAX);
    if (!results.isEmpty()) isWoken = true;
  }

  /** Processes one batch in its own write, so that a failure rolls back only the batch that failed. */
  async function continueWork(batch: (core: Core) => boolean): Promise<void> {
    if (isStopping) return;
    if (await core.db.write(() => batch(core))) wake();
  }

  async function claim(): Promise<void> {
    const claimsMax = Math.min(limits.free(), CLAIMS_MAX);
    if (isStopping || claimsMax <= 0) return;
    for (const claimed of await roundRobin.claim(claimsMax)) begin(claimed);
    if (!roundRobin.isQuiet()) isWoken = true;
  }

  function begin(claim: Claim): void {
    void attempted(claim).then((outcome) => {
      noteAttempt(tally, claim, outcome, core.clock.steady());
      results.add({ claim, outcome });
      roundRobin.noteFreeSlot();
      startPass();
    });
  }

  /** Counts a thrown error as a failed attempt, although `attempt` should not throw. */
  async function attempted(claimed: Claim): Promise<Outcome> {
    try {
      return await attempt(claimed);
    } catch (err) {
      steps.report("attempt", err);
      return { durationMs: 0, failure: { code: "not_made" } };
    }
  }

  function sleep(): void {
    if (isStopping) return;
    seenVersion = core.db.version();
    const maintenance = maintenanceOf(core);
    // Sleeps until the planned end of maintenance mode. An earlier end changes the database, and the loop
    // detects the change.
    if (maintenance) return void (timer = setTimeout(wake, maintenanceMs(maintenance.until)));
    const dueAt = nextDue(core, roundRobin.roundStartedAt());
    const sleepMs = dueAt === undefined ? SLEEP_MAX_MS : Math.min(dueAt - core.clock.steady(), SLEEP_MAX_MS);
    timer = setTimeout(wake, Math.max(1, sleepMs));
  }

  function maintenanceMs(until: number | null): number {
    return until === null ? SLEEP_MAX_MS : Math.min(Math.max(1, until - core.clock.now()), SLEEP_MAX_MS);
  }

  function wakeOnChange(): void {
    const isChanged = core.db.version() !== seenVersion;
    if (isChanged || steps.isAnyPaused()) wake();
    else if (!isRunning) passedAt = core.clock.elapsed();
    steps.wake();
  }

  function health(): LoopHealth {
    return {
      sincePassMs: core.clock.elapsed() - passedAt,
      running: limits.running(),
      faults: steps.faults(),
      tally,
    };
  }

  async function stop(): Promise<void> {
    isStopping = true;
    clearInterval(changeTimer);
    clearTimeout(timer);
    wake();
    while (isRunning || limits.running() > 0) await Bun.sleep(STOP_POLL_MS);
  }
}
