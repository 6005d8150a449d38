import type { Logger } from "pino";
import { continueDeletion } from "../core/across/deletion/deletion.ts";
import { SECOND } from "../core/ground/clock.ts";
import type { Core } from "../core/ground/core.ts";
import {
  ATTEMPT_MS,
  type Claim,
  claimDue,
  type Ended,
  nextDue,
  type Outcome,
  rescue,
  settle,
  settleAcknowledged,
  type Turn,
} from "../core/outbox/deliveries/deliveries.ts";
import { steadyKeeper } from "../core/outbox/deliveries/steady.ts";
import type { Attempt } from "./attempt.ts";
import { createShares, type Shares } from "./shares.ts";
import { continueUnfinished } from "../core/across/unfinished/unfinished.ts";

export interface Loop {
  /** Something may be due. */
  wake(): void;
  /** Claims nothing more, lets running attempts end, and writes down how. */
  stop(): Promise<void>;
  health(): LoopHealth;
}

export interface LoopHealth {
  /** Since the last turn or look, in milliseconds. The loop looks around once a second, also when nothing is due. */
  sinceTurnMs: number;
  /** Attempts under way, those included whose end is not yet written down. */
  running: number;
  /** Steps that failed since the start. */
  faults: number;
}

/**
 * How many attempts begin in one turn, and at most twice as many ends are written down. Between two turns the database is free for
 * a moment: whoever else writes has a chance to.
 */
const CLAIMS_MAX = 64;
const PAUSE_MS = 1;
/** How often it looks whether another program wrote anything, and tries a step again that failed. */
const LOOK_EVERY_MS = SECOND;
/** A timer of more than 2³¹ ms fires at once, and the machine's clock may jump: ask the table again at least this often. */
const SLEEP_MAX_MS = 60 * SECOND;
const STOP_LOOK_MS = 2;

/**
 * In turns: write down what ended, go on with what is unfinished, claim what is due, all in one commit; begin the attempts.
 * Then sleep until the next is due or until woken. Nothing is held here that the table does not hold: killed at any point, an
 * attempt is made again at worst. A step that fails is told, rests until the next look, and the others go on. `attemptMs` is
 * how long `attempt` may take, and `shares` says how many may run.
 */
export function startLoop(
  core: Core,
  attempt: Attempt,
  delaysMs: readonly number[],
  log: Logger,
  attemptMs: number = ATTEMPT_MS,
  shares: Shares = createShares(),
): Loop {
  const keepSteady = steadyKeeper(core);
  const ended: Ended[] = [];
  const resting = new Set<string>();
  let faults = 0;
  let turnedAt = core.clock.elapsed();
  let isRescued = false;
  let after = "";
  /** Since this round of the ring began, nothing was claimed and nobody woke the loop. */
  let isQuietRound = false;
  /** What was due by then has been looked at in this round; what fell due since has not. */
  let roundFrom = core.clock.steady();
  let seenVersion = -1;
  let isRunning = false;
  let isWoken = false;
  let isStopping = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const looks = setInterval(() => {
    // It ends all rests, so that it must not rest itself.
    resting.delete("look");
    void step("look", lookAround);
    void step("steady", async () => void (await keepSteady()));
  }, LOOK_EVERY_MS);
  wake();
  return { wake, stop, health };

  function wake(): void {
    isWoken = true;
    isQuietRound = false;
    if (isRunning) return;
    isRunning = true;
    setImmediate(() => void run());
  }

  async function run(): Promise<void> {
    clearTimeout(timer);
    while (isWoken) {
      isWoken = false;
      await turn();
      turnedAt = core.clock.elapsed();
      if (isWoken) await Bun.sleep(PAUSE_MS);
    }
    await step("sleep", sleep);
    isRunning = false;
    if (isWoken) wake();
  }

  /** Writes that are asked for together share a commit, each in a savepoint of its own. */
  async function turn(): Promise<void> {
    if (!isRescued) await step("rescue", rescueLost);
    if (!isRescued) return;
    await Promise.all([
      settleEnded(),
      step("unfinished", () => goOn(continueUnfinished)),
      step("deletion", () => goOn(continueDeletion)),
      step("claim", claim),
    ]);
  }

  async function step(name: string, work: () => Promise<void> | void): Promise<void> {
    if (resting.has(name)) return;
    try {
      await work();
    } catch (err) {
      tell(name, err);
      resting.add(name);
    }
  }

  function tell(name: string, err: unknown): void {
    faults++;
    log.error({ err, step: name }, "a step of the delivery loop failed; the loop goes on");
  }

  async function rescueLost(): Promise<void> {
    const rescued = await core.db.write(() => rescue(core));
    isRescued = true;
    if (rescued > 0) log.info({ rescued }, "attempts that were cut off are made again");
  }

  /** One that cannot be written down is attempted again when its lease is over. */
  async function settleEnded(): Promise<void> {
    const batch = ended.splice(0, 2 * CLAIMS_MAX);
    // Before the write: the claims of this turn, which are in the same commit, may have the place.
    for (const { claim, outcome } of batch) shares.ended(claim, outcome.failure === undefined);
    const acknowledged = batch.filter(({ outcome }) => outcome.failure === undefined);
    const failed = batch.filter(({ outcome }) => outcome.failure !== undefined);
    await Promise.all([settleTogether(acknowledged), ...failed.map(settleOne)]);
    if (ended.length > 0) isWoken = true;
  }

  /** All in a few statements; where that fails, each by itself, so that one takes none of the others with it. */
  async function settleTogether(acknowledged: readonly Ended[]): Promise<void> {
    if (acknowledged.length === 0) return;
    try {
      await core.db.write(() => settleAcknowledged(core, acknowledged));
    } catch {
      await Promise.all(acknowledged.map(settleOne));
    }
  }

  async function settleOne({ claim, outcome }: Ended): Promise<void> {
    try {
      await core.db.write(() => settle(core, claim, outcome, delaysMs));
    } catch (err) {
      tell("settle", err);
    }
  }

  /** By a slice, in a write of its own: what fails takes nothing else back. */
  async function goOn(slice: (core: Core) => boolean): Promise<void> {
    if (isStopping) return;
    if (await core.db.write(() => slice(core))) isWoken = true;
  }

  async function claim(): Promise<void> {
    const room = Math.min(shares.free(), CLAIMS_MAX);
    if (isStopping || room <= 0) return;
    if (after === "") {
      isQuietRound = true;
      roundFrom = core.clock.steady();
    }
    const { claims, next } = await claimSome(room);
    for (const claimed of claims) begin(claimed);
    after = next;
    if (claims.length > 0) isQuietRound = false;
    // At rest once a whole round found nothing.
    if (next !== "" || !isQuietRound) isWoken = true;
  }

  /** A place that was taken by a claim that is not stored is given back. */
  async function claimSome(most: number): Promise<Turn> {
    const taken: Claim[] = [];
    const take = (claimed: Claim): void => {
      shares.begun(claimed);
      taken.push(claimed);
    };
    try {
      return await core.db.write(() => claimDue(core, most, after, { of: shares.roomOf, take }, attemptMs));
    } catch (error) {
      for (const claimed of taken) shares.ended(claimed, undefined);
      throw error;
    }
  }

  function begin(claimed: Claim): void {
    void attempted(claimed).then((outcome) => {
      ended.push({ claim: claimed, outcome });
      wake();
    });
  }

  /** An attempt does not throw; if one does all the same, it has failed. */
  async function attempted(claimed: Claim): Promise<Outcome> {
    try {
      return await attempt(claimed);
    } catch (err) {
      tell("attempt", err);
      return { durationMs: 0, failure: { code: "not_made" } };
    }
  }

  function sleep(): void {
    if (isStopping) return;
    seenVersion = core.db.version();
    const dueAt = nextDue(core, roundFrom);
    const sleepMs = dueAt === undefined ? SLEEP_MAX_MS : Math.min(dueAt - core.clock.steady(), SLEEP_MAX_MS);
    timer = setTimeout(wake, Math.max(1, sleepMs));
  }

  function lookAround(): void {
    const isChanged = core.db.version() !== seenVersion;
    if (isChanged || resting.size > 0) wake();
    else if (!isRunning) turnedAt = core.clock.elapsed();
    resting.clear();
  }

  function health(): LoopHealth {
    return { sinceTurnMs: core.clock.elapsed() - turnedAt, running: shares.running(), faults };
  }

  async function stop(): Promise<void> {
    isStopping = true;
    clearInterval(looks);
    clearTimeout(timer);
    wake();
    while (isRunning || shares.running() > 0) await Bun.sleep(STOP_LOOK_MS);
  }
}
