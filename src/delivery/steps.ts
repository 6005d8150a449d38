import type { Logger } from "pino";

/** The steps of the loop, each of which may fail without the others. */
export interface Steps {
  /** Runs one, unless it rests: it failed since the last look. */
  run(name: string, work: () => Promise<void> | void): Promise<void>;
  /** Tells of a fault: counts it, and logs it. */
  report(name: string, err: unknown): void;
  /** Whether any rests. */
  isAnyResting(): boolean;
  /** Ends the rest of one, or of all. */
  wake(name?: string): void;
  /** How many failed since the start. */
  faults(): number;
}

/**
 * A step that fails is told, rests until it is woken, and the others go on: a full disk is not asked a
 * thousand times a second.
 */
export function createSteps(log: Logger): Steps {
  const resting = new Set<string>();
  let faults = 0;
  const report = (name: string, err: unknown): void => {
    faults++;
    log.error({ err, step: name }, "delivery loop step failed");
  };
  return {
    async run(name, work) {
      if (resting.has(name)) return;
      try {
        await work();
      } catch (err) {
        report(name, err);
        resting.add(name);
      }
    },
    report,
    isAnyResting: () => resting.size > 0,
    wake: (name) => (name === undefined ? resting.clear() : void resting.delete(name)),
    faults: () => faults,
  };
}
