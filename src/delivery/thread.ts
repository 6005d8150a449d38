import type { Logger } from "pino";
import { MINUTE, SECOND, systemClock } from "../core/base/clock.ts";
import type { Loop, LoopHealth } from "./loop.ts";
import { sumCounters, newDeliveryCounters } from "../core/outbox/deliveries/counters.ts";

/** What is said to the thread, in this order: one start, wakes and changes of its setup, one stop. */
export type ToThread<Setup> = { start: Setup } | { change: Setup } | "wake" | "stop";

/** What the thread says: how it is, every second, and that it has stopped. */
export type FromThread = { health: LoopHealth } | "stopped";

/** How often the thread tells how it is. */
export const HEALTH_EVERY_MS = SECOND;
/**
 * A thread that died begins again after a second; one that did not live for a minute rests twice as long as
 * the one before it.
 */
const REST_MS = { first: SECOND, most: MINUTE };
const LONG_LIFE_MS = MINUTE;

/**
 * The delivery loop on a thread of its own, with a connection of its own: what a pass computes, signs and
 * writes holds up no request. `script` is the thread's program, `setup` what each of its lives is told when
 * it begins; a thread that dies is told and begins again, and rescues what was running. `change` tells it that
 * what `setup` gives is another by now.
 */
export function startThread<Setup>(
  script: string | URL,
  setup: () => Setup,
  log: Logger,
): Loop & { change(): void } {
  const stopped = Promise.withResolvers<void>();
  let isStopping = false;
  let isWaking = false;
  /** Deaths of the thread, and the faults that the dead ones told of. */
  let faults = 0;
  let told: LoopHealth = { sincePassMs: 0, running: 0, faults: 0, tally: newDeliveryCounters() };
  /** What those that died had counted. */
  let former = newDeliveryCounters();
  let toldAt = systemClock.elapsed();
  /** Undefined between a death and the next beginning. */
  let thread: Worker | undefined;
  let beganAt = -Infinity;
  let restMs = REST_MS.first;
  let beginning: ReturnType<typeof setTimeout> | undefined;
  begin();
  return { wake, stop, health, change: () => say({ change: setup() }) };

  function begin(): void {
    const worker = new Worker(script);
    thread = worker;
    beganAt = systemClock.elapsed();
    worker.addEventListener("message", ({ data }: MessageEvent<FromThread>) => {
      if (data === "stopped") return void stopped.resolve();
      told = data.health;
      toldAt = systemClock.elapsed();
    });
    worker.addEventListener("error", ({ message, error }) => died(worker, message, error));
    worker.addEventListener("close", () => died(worker, "it ended"));
    say({ start: setup() });
  }

  function died(worker: Worker, reason: string, err?: unknown): void {
    if (worker !== thread) return;
    thread = undefined;
    worker.terminate();
    faults += told.faults + 1;
    former = sumCounters([former, told.tally]);
    told = { ...told, running: 0, faults: 0, tally: newDeliveryCounters() };
    log.error({ err, reason }, "the delivery thread died");
    if (isStopping) return void stopped.resolve();
    if (systemClock.elapsed() - beganAt > LONG_LIFE_MS) restMs = REST_MS.first;
    beginning = setTimeout(begin, restMs);
    restMs = Math.min(2 * restMs, REST_MS.most);
  }

  function say(message: ToThread<Setup>): void {
    thread?.postMessage(message);
  }

  /**
   * Called inside transactions: the thread must not look before they are committed, and once is enough for
   * all of them.
   */
  function wake(): void {
    if (isWaking) return;
    isWaking = true;
    setImmediate(() => {
      isWaking = false;
      say("wake");
    });
  }

  async function stop(): Promise<void> {
    isStopping = true;
    clearTimeout(beginning);
    if (!thread) return;
    say("stop");
    await stopped.promise;
    const last = thread;
    thread = undefined;
    last?.terminate();
  }

  function health(): LoopHealth {
    const sincePassMs = told.sincePassMs + systemClock.elapsed() - toldAt;
    return { ...told, sincePassMs, faults: faults + told.faults, tally: sumCounters([former, told.tally]) };
  }
}
