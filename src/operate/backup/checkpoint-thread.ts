import type { Logger } from "pino";
import { SECOND } from "../../core/base/clock.ts";

/** Messages to the thread: one start, one stop. */
export type ToThread<Setup> = { start: Setup } | "stop";

/** Messages from the thread: an error, or that it has stopped. The thread has no logger, to save memory. */
export type FromThread = { fault: string } | "stopped";

/** Delay before a thread that died is restarted. Until then the WAL only grows. */
const RESTART_MS = 5 * SECOND;

/** Runs checkpoints in a separate thread. A thread that dies is logged and restarted. */
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
    beginning = setTimeout(begin, RESTART_MS);
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
