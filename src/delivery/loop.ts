import type { Logger } from "pino";
import { SECOND } from "../core/clock.ts";
import type { Core } from "../core/core.ts";
import {
  type Claim,
  claimDue,
  msUntilDue,
  type Outcome,
  rescue,
  settle,
} from "../core/deliveries/deliveries.ts";
import type { Attempt } from "./attempt.ts";

export interface Loop {
  /** Something may be due. */
  wake(): void;
  /** Claims nothing more, lets running attempts end, and writes down how. */
  stop(): Promise<void>;
}

/** How many attempts run at once, and how many begin in one turn of the event loop: requests come in between. */
const RUNNING_MAX = 1024;
const TURN_MAX = 16;
/** How many for one endpoint: it begins with a few, earns more by acknowledging, and has one left when it fails. */
const WINDOW = { first: 2, max: 32 };
/** A timer of more than 2³¹ ms fires at once, and the machine's clock may jump: ask the table again at least this often. */
const SLEEP_MAX_MS = 60 * SECOND;
const RETRY_AFTER_FAULT_MS = SECOND;
/** Attempts that end within this time are written down together: a commit costs a disk sync, and nobody waits for it. */
const SETTLE_TOGETHER_MS = 5;

/**
 * Claim what is due, attempt a bounded number at once, settle, sleep until the next is due or until woken. Nothing is held
 * here that the table does not hold: killed at any point, an attempt is made again at worst.
 */
export function startLoop(core: Core, attempt: Attempt, delaysMs: readonly number[], log: Logger): Loop {
  const endpoints = new Map<string, { running: number; window: number }>();
  const running = new Set<Promise<void>>();
  const ended: { claim: Claim; outcome: Outcome }[] = [];
  let settling: Promise<void> | undefined;
  let lastServed = "";
  let isTicking = false;
  let isWoken = false;
  let isStopping = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const rescued = rescue(core);
  if (rescued > 0) log.info({ rescued }, "attempts that were cut off are made again");
  wake();
  return { wake, stop };

  function wake(): void {
    isWoken = true;
    if (isTicking || isStopping) return;
    isTicking = true;
    setImmediate(() => void supervised());
  }

  /** Whatever goes wrong is told and the loop goes on. */
  async function supervised(): Promise<void> {
    clearTimeout(timer);
    let sleepMs = RETRY_AFTER_FAULT_MS;
    try {
      while (isWoken && !isStopping) {
        isWoken = false;
        await claim();
      }
      sleepMs = Math.min(msUntilDue(core, core.clock.now()) ?? SLEEP_MAX_MS, SLEEP_MAX_MS);
    } catch (err) {
      log.error({ err }, "delivery loop failed; it goes on");
    }
    isTicking = false;
    if (isStopping) return;
    if (isWoken) wake();
    else timer = setTimeout(wake, Math.max(1, sleepMs));
  }

  async function claim(): Promise<void> {
    const room = Math.min(RUNNING_MAX - running.size, TURN_MAX);
    if (room <= 0) return;
    const claims = await core.db.write(() => claimDue(core, room, lastServed, roomOf));
    for (const claimed of claims) begin(claimed);
    const last = claims.at(-1);
    if (!last) return;
    lastServed = last.endpointId;
    // There may be more due than one turn took.
    isWoken = true;
  }

  function roomOf(endpointId: string): number {
    const endpoint = endpoints.get(endpointId);
    if (!endpoint) return WINDOW.first;
    // The second half of all places is for those that have few: many that hang at once leave room for the others.
    const isCrowded = running.size >= RUNNING_MAX / 2;
    return (isCrowded ? Math.min(endpoint.window, WINDOW.first) : endpoint.window) - endpoint.running;
  }

  function begin(claimed: Claim): void {
    const endpoint = endpoints.get(claimed.endpointId) ?? { running: 0, window: WINDOW.first };
    endpoints.set(claimed.endpointId, endpoint);
    endpoint.running++;
    const work: Promise<void> = attempt(claimed)
      .then((outcome) => {
        endpoint.window = outcome.error === undefined ? Math.min(endpoint.window + 1, WINDOW.max) : 1;
        ended.push({ claim: claimed, outcome });
        settling ??= settleSoon();
        return settling;
      })
      .catch((err: unknown) => log.error({ err, delivery: claimed.deliveryId }, "delivery was not settled"))
      .finally(() => {
        endpoint.running--;
        running.delete(work);
        wake();
      });
    running.add(work);
  }

  /** One transaction for all attempts that ended meanwhile. */
  async function settleSoon(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_TOGETHER_MS));
    settling = undefined;
    const batch = ended.splice(0);
    await core.db.write(() => {
      for (const { claim, outcome } of batch) settle(core, claim, outcome, delaysMs);
    });
  }

  async function stop(): Promise<void> {
    isStopping = true;
    clearTimeout(timer);
    while (running.size > 0) await Promise.allSettled(running);
  }
}
