import type { Logger } from "pino";
import { SECOND, systemClock } from "../core/clock.ts";
import type { Loop, LoopHealth } from "./loop.ts";

/** What is said to the thread, in this order: one start, wakes, one stop. */
export type ToThread<Setup> = { start: Setup } | "wake" | "stop";

/** What the thread says: how it is, every second, and that it has stopped. */
export type FromThread = { health: LoopHealth } | "stopped";

/** How often the thread tells how it is. */
export const TELL_EVERY_MS = SECOND;
const BEGIN_AGAIN_AFTER_MS = SECOND;

/**
 * The delivery loop on a thread of its own, with a connection of its own: what a turn computes, signs and syncs to disk holds up
 * no request. `script` is the thread's program; a thread that dies is told and begins again, and rescues what was running.
 */
export function startThread<Setup>(script: string | URL, setup: Setup, log: Logger): Loop {
  const stopped = Promise.withResolvers<void>();
  let isStopping = false;
  let isWaking = false;
  /** Deaths of the thread, and the faults that the dead ones told of. */
  let faults = 0;
  let told: LoopHealth = { sinceTurnMs: 0, running: 0, faults: 0 };
  let toldAt = systemClock.elapsed();
  /** Undefined between a death and the next beginning. */
  let thread: Worker | undefined;
  let beginning: ReturnType<typeof setTimeout> | undefined;
  begin();
  return { wake, stop, health };

  function begin(): void {
    const worker = new Worker(script);
    thread = worker;
    worker.addEventListener("message", ({ data }: MessageEvent<FromThread>) => {
      if (data === "stopped") return void stopped.resolve();
      told = data.health;
      toldAt = systemClock.elapsed();
    });
    worker.addEventListener("error", ({ message }) => died(worker, message));
    worker.addEventListener("close", () => died(worker, "it ended"));
    say({ start: setup });
  }

  function died(worker: Worker, reason: string): void {
    if (worker !== thread) return;
    thread = undefined;
    worker.terminate();
    if (isStopping) return void stopped.resolve();
    faults += told.faults + 1;
    told = { ...told, running: 0, faults: 0 };
    log.error({ reason }, "the delivery thread died; it begins again");
    beginning = setTimeout(begin, BEGIN_AGAIN_AFTER_MS);
  }

  function say(message: ToThread<Setup>): void {
    thread?.postMessage(message);
  }

  /** Called inside transactions: the thread must not look before they are committed, and once is enough for all of them. */
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
    const sinceTurnMs = told.sinceTurnMs + systemClock.elapsed() - toldAt;
    return { ...told, sinceTurnMs, faults: faults + told.faults };
  }
}
