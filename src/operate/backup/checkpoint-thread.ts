import type { Logger } from "pino";
import { SECOND } from "../../core/base/clock.ts";

/** What is said to the thread: one start, one stop. */
export type ToThread<Setup> = { start: Setup } | "stop";

/** What it says: that something failed, and that it has stopped. It keeps no log: that would cost memory. */
export type FromThread = { fault: string } | "stopped";

/** Meanwhile the log only grows. */
const REST_MS = 5 * SECOND;

/** Checkpoints on a thread of their own. One that dies is told, and begins again. */
export function startThread<Setup>(
  script: string | URL,
  setup: Setup,
  log: Logger,
): { stop(): Promise<void> } {
  const stopped = Promise.withResolvers<void>();
  let isStopping = false;
  let beginning: ReturnType<typeof setTimeout> | undefined;
  let thread: Worker | undefined;
  begin();

  function begin(): void {
    const worker = new Worker(script);
    thread = worker;
    worker.addEventListener("message", ({ data }: MessageEvent<FromThread>) => {
      if (data === "stopped") stopped.resolve();
      else log.error({ reason: data.fault }, "checkpoint failed");
    });
    worker.addEventListener("error", ({ message }) => died(worker, message));
    worker.addEventListener("close", () => died(worker, "it exited"));
    const message: ToThread<Setup> = { start: setup };
    worker.postMessage(message);
  }

  function died(worker: Worker, reason: string): void {
    if (worker !== thread) return;
    thread = undefined;
    worker.terminate();
    if (isStopping) return void stopped.resolve();
    log.error({ reason }, "checkpoint thread exited");
    beginning = setTimeout(begin, REST_MS);
  }

  return {
    async stop() {
      isStopping = true;
      clearTimeout(beginning);
      if (!thread) return;
      const message: ToThread<Setup> = "stop";
      thread.postMessage(message);
      await stopped.promise;
      const last = thread;
      thread = undefined;
      last?.terminate();
    },
  };
}
