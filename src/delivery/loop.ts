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
  /** Something may be due. */
  wake(): void;
  /** Claims nothing more, lets running attempts end, and writes down how. */
  stop(): Promise<void>;
  health(): LoopHealth;
}

export interface LoopHealth {
  /**
   * Since the last pass or look, in milliseconds. The loop looks around once a second, also when nothing is
   * due.
   */
  sincePassMs: number;
  /** Attempts under way, those included whose end is not yet written down. */
  running: number;
  /** Steps that failed since the start. */
  faults: number;
  /** What was counted since the start. */
  tally: DeliveryCounters;
}

/**
 * How many attempts begin in one pass, and at most twice as many ends are written down. Between two passes
 * the database is free for a moment: whoever else writes has a chance to.
 */
const CLAIMS_MAX = 64;
const PAUSE_MS = 1;
/** How often it looks whether another program wrote anything, and tries a step again that failed. */
const LOOK_EVERY_MS = SECOND;
/**
 * A timer of more than 2³¹ ms fires at once, and the machine's clock may jump: ask the table again at least
 * this often.
 */
const SLEEP_MAX_MS = 60 * SECOND;
const STOP_LOOK_MS = 2;

/**
 * Passes, one after another: write down what ended, go on with what is unfinished, claim what is due, all in
 * one commit; begin the attempts. Then sleep until the next is due or until woken. Nothing is held here that
 * the table does not hold: killed at any point, an attempt is made again at worst. `attemptMs` is how long
 * `attempt` may take, and `limits` says how many may run. Long, because its small steps share what says
 * whether it runs, was woken or is to stop.
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
  let isStopping = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const changeTimer = setInterval(() => {
    // It ends all rests, so that it must not rest itself.
    steps.wake("look");
    void steps.run("look", wakeOnChange);
    if (!isGivenUp()) void steps.run("steady", async () => void (await keepSteady()));
  }, LOOK_EVERY_MS);
  const isGivenUp = (): boolean => core.db.fencedBy() !== undefined;
  wake();
  return { wake, stop, health };

  function wake(): void {
    isWoken = true;
    roundRobin.disturb();
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
    if (isWoken) wake();
  }

  /** Writes that are asked for together share a commit, each in a savepoint of its own. */
  async function pass(): Promise<void> {
    // What is written down nowhere is attempted again where the community is led by now.
    if (isGivenUp()) return results.drop();
    if (!isRescued) await steps.run("rescue", rescueLost);
    if (!isRescued) return;
    // In maintenance what runs ends, and nothing is begun.
    if (maintenanceOf(core)) return await settleEnded();
    await Promise.all([
      settleEnded(),
      steps.run("unfinished", () => continueWork(continueBatches)),
      steps.run("deletion", () => continueWork(continueDeletion)),
      steps.run("claim", claim),
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

  /** By a slice, in a write of its own: what fails takes nothing else back. */
  async function continueWork(slice: (core: Core) => boolean): Promise<void> {
    if (isStopping) return;
    if (await core.db.write(() => slice(core))) isWoken = true;
  }

  async function claim(): Promise<void> {
    const room = Math.min(limits.free(), CLAIMS_MAX);
    if (isStopping || room <= 0) return;
    for (const claimed of await roundRobin.claim(room)) begin(claimed);
    if (!roundRobin.isQuiet()) isWoken = true;
  }

  function begin(claim: Claim): void {
    void attempted(claim).then((outcome) => {
      noteAttempt(tally, claim, outcome, core.clock.steady());
      results.add({ claim, outcome });
      wake();
    });
  }

  /** An attempt does not throw; if one does all the same, it has failed. */
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
    const rest = maintenanceOf(core);
    // Its end by hand is a change of the database, which is looked for.
    if (rest) return void (timer = setTimeout(wake, restMs(rest.until)));
    const dueAt = nextDue(core, roundRobin.lookedFrom());
    const sleepMs = dueAt === undefined ? SLEEP_MAX_MS : Math.min(dueAt - core.clock.steady(), SLEEP_MAX_MS);
    timer = setTimeout(wake, Math.max(1, sleepMs));
  }

  function restMs(until: number | null): number {
    return until === null ? SLEEP_MAX_MS : Math.min(Math.max(1, until - core.clock.now()), SLEEP_MAX_MS);
  }

  function wakeOnChange(): void {
    const isChanged = core.db.version() !== seenVersion;
    if (isChanged || steps.isAnyResting()) wake();
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
    while (isRunning || limits.running() > 0) await Bun.sleep(STOP_LOOK_MS);
  }
}
