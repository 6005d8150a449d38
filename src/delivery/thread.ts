import type { Logger } from "pino";
import { MINUTE, SECOND, systemClock } from "../core/base/clock.ts";
import type { Loop, LoopHealth } from "./loop.ts";
import { sumCounters, newDeliveryCounters } from "../core/outbox/deliveries/counters.ts";

/** Messages to the thread, in this order: one start, any number of wakes and setup changes, one stop. */
export type ToThread<Setup> = { start: Setup } | { change: Setup } | "wake" | "stop";

/** Messages from the thread: its health every second, and at the end that it has stopped. */
export type FromThread = { health: LoopHealth } | "stopped";

export const HEALTH_EVERY_MS = SECOND;
/**
 * Pause before a dead thread restarts, in ms. The pause doubles if the thread lived for less than a minute.
 */
const PAUSE_MS = { first: SECOND, most: MINUTE };
const LONG_LIFE_MS = MINUTE;

/**
 * Starts the delivery loop on its own thread with its own database connection, so that its passes do not
 * block requests. `script` is the thread's program. `setup` returns the settings for the thread, at each
 * start. A thread that died is logged and restarted, and repeats the attempts that were running. `change`
 * sends the current settings to the thread.
 */
export function startThread<Setup>(
  script: string | URL,
  setup: () => Setup,
  log: Logger,
  pauseMs = PAUSE_MS,
): Loop & { change(): void } {
  const stopped = Promise.withResolvers<void>();
  let isStopping = false;
  let isWaking = false;
  /** Number of thread deaths, plus the errors that dead threads had counted. */
  let faults = 0;
  let last: LoopHealth = { sincePassMs: 0, running: 0, faults: 0, tally: newDeliveryCounters() };
  /** Counters of dead threads. */
  let previous = newDeliveryCounters();
  let healthAt = systemClock.elapsed();
  /** The running thread. `undefined` after a thread has died, until the next start. */
  let thread: Worker | undefined;
  let beganAt = -Infinity;
  let nextPauseMs = pauseMs.first;
  let beginning: ReturnType<typeof setTimeout> | undefined;
  begin();
  return { wake, stop, health, change: () => send({ change: setup() }) };

  function begin(): void {
    const worker = new Worker(script);
    thread = worker;
    beganAt = systemClock.elapsed();
    worker.addEventListener("message", ({ data }: MessageEvent<FromThread>) => {
      if (data === "stopped") return void stopped.resolve();
      last = data.health;
      healthAt = systemClock.elapsed();
    });
    worker.addEventListener("error", ({ message, error }) => died(worker, message, error));
    worker.addEventListener("close", () => died(worker, "it exited"));
    send({ start: setup() });
  }

  function died(worker: Worker, reason: string, err?: unknown): void {
    if (worker !== thread) return;
    thread = undefined;
    worker.terminate();
    faults += last.faults + 1;
    previous = sumCounters([previous, last.tally]);
    last = { ...last, running: 0, faults: 0, tally: newDeliveryCounters() };
    log.error({ err, reason }, "delivery thread exited");
    if (isStopping) return void stopped.resolve();
    if (systemClock.elapsed() - beganAt > LONG_LIFE_MS) nextPauseMs = pauseMs.first;
    beginning = setTimeout(begin, nextPauseMs);
    nextPauseMs = Math.min(2 * nextPauseMs, pauseMs.most);
  }

  function send(message: ToThread<Setup>): void {
    thread?.postMessage(message);
  }

  /**
   * Wakes the thread. This function is called inside transactions, but the thread must read after those
   * transactions commit. One message is enough for all transactions of the same tick.
   */
  function wake(): void {
    if (isWaking) return;
    isWaking = true;
    setImmediate(() => {
      isWaking = false;
      send("wake");
    });
  }

  async function stop(): Promise<void> {
    isStopping = true;
    clearTimeout(beginning);
    if (!thread) return;
    send("stop");
    await stopped.promise;
    const last = thread;
    thread = undefined;
    last?.terminate();
  }

  function health(): LoopHealth {
    const sincePassMs = last.sincePassMs + systemClock.elapsed() - healthAt;
    return { ...last, sincePassMs, faults: faults + last.faults, tally: sumCounters([previous, last.tally]) };
  }
}
