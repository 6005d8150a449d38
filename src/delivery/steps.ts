import type { Logger } from "pino";

/** Named steps of a loop. Each step may fail without affecting the others. */
export interface Steps {
  /** Runs a step, unless it is paused because it failed. */
  run(name: string, work: () => Promise<void> | void): Promise<void>;
  /** Counts and logs an error. */
  report(name: string, err: unknown): void;
  /** Whether any step is paused. */
  isAnyPaused(): boolean;
  /** Resumes one step, or all steps. */
  wake(name?: string): void;
  /** Number of errors since the start. */
  faults(): number;
}

/**
 * Creates steps. A step that fails is logged and paused until `wake` is called. Other steps continue. Without
 * the pause, a full disk would cause a thousand retries a second.
 */
export function createSteps(log: Logger): Steps {
  const paused = new Set<string>();
  let faults = 0;
  const report = (name: string, err: unknown): void => {
    faults++;
    log.error({ err, step: name }, "delivery loop step failed");
  };
  return {
    async run(name, work) {
      if (paused.has(name)) return;
      try {
        await work();
      } catch (err) {
        report(name, err);
        paused.add(name);
      }
    },
    report,
    isAnyPaused: () => paused.size > 0,
    wake: (name) => (name === undefined ? paused.clear() : void paused.delete(name)),
    faults: () => faults,
  };
}
