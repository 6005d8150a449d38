import { createRoundRobinList } from "../core/base/fair-queue.ts";

type Kind = "begins" | "goesOn";

/**
 * Time slices per event loop turn, in ms: for requests that begin and for expensive work that continues.
 * Other events are served after the slices. With 5 ms for beginning requests, GraphQL takes 2.9 times as long
 * as concurrent REST (`bun run bench graphql`).
 */
const SLICE_MS: Readonly<Record<Kind, number>> = { begins: 8, goesOn: 5 };
const BOTH_SLICES_MS = SLICE_MS.begins + SLICE_MS.goesOn;
/** Maximum number of requests that begin or continue in one event loop turn. */
const PER_TURN = 24;
/** Larger bodies always wait in the queue, because parsing and validating one can take a whole time slice. */
export const SMALL_BODY_BYTES = 16 * 1024;

/** Shares the event loop between long-running requests and all other events (docs/contract.md#12.34). */
export interface Scheduler {
  /** Whether expensive work has used up its time slice of this turn. */
  isSpent(): boolean;
  /** Resolves after pending network events are handled. Earlier waiters resolve first. */
  yieldToEvents(): Promise<void>;
  /**
   * Resolves when a request of `bytes` bytes may begin. Returns `undefined` if it may begin immediately: a
   * small request, while the time slice lasts and nobody waits. Callers are served round-robin, however much
   * each of them sends.
   */
  admitRequest(account: string, bytes: number): Promise<void> | undefined;
}

/** A start time by both clocks. */
interface Start {
  at: number;
  used: number;
}

/**
 * Creates a scheduler. Each event loop turn has a time slice for requests that begin and one for work that
 * continues. They alternate in being first. At least one of the first kind is served. The second kind has its
 * own slice, unless the first kind used both.
 *
 * Each item runs in its own callback, so that it runs as far as possible before the clock is read again.
 * `used` returns the CPU time of this thread and `now` the wall time, both in ms. A slice ends by CPU time.
 * By wall time, a busy machine would serve only one request per turn. `now` costs a tenth of `used`, so it is
 * checked first.
 */
export function createScheduler(now: () => number, used: () => number): Scheduler {
  const beginning = createRoundRobinList<() => void>();
  const paused: (() => void)[] = [];
  /** When the first item of each kind was served in this turn. */
  const since: Record<Kind, Start | undefined> = { begins: undefined, goesOn: undefined };
  let first: Kind = "begins";
  /** Callbacks of this turn that have not run yet. */
  let scheduled = 0;
  /** Whether this turn's callbacks have started. */
  let isServing = false;
  /** Whether any item was served in this turn, by a callback or directly. */
  let isUsed = false;
  /** When the first request since the last callback began directly. */
  let direct: Start | undefined;

  const start = (): Start => ({ at: now(), used: used() });
  const hasUsed = (from: Start | undefined, ms: number): boolean =>
    from !== undefined && now() - from.at >= ms && used() - from.used >= ms;

  /** Schedules callbacks. Starts a turn if none is active. */
  function schedule(callbacks: number): void {
    if (isServing) return;
    for (; scheduled < callbacks; scheduled++) setImmediate(serve);
  }

  function beginTurn(): void {
    isServing = true;
    first = first === "begins" ? "goesOn" : "begins";
    since.goesOn = undefined;
    // Requests that began directly use up this turn's slices if they took the time of both.
    if (!hasUsed(direct, BOTH_SLICES_MS)) since.begins = undefined;
    direct = undefined;
    isUsed = false;
  }

  function serve(): void {
    if (!isServing) beginTurn();
    scheduled--;
    const second = first === "begins" ? "goesOn" : "begins";
    const served = take(first) ?? (hasUsed(since[first], BOTH_SLICES_MS) ? undefined : take(second));
    if (scheduled === 0) {
      isServing = false;
      const isWaitedFor = paused.length > 0 || beginning.size() > 0;
      // Work after the last callback uses the rest of this turn's slices.
      schedule(isWaitedFor ? PER_TURN : isUsed || served ? 1 : 0);
    }
    if (!served) return;
    isUsed = true;
    served();
  }

  /** Takes the next item of a kind, unless its slice is used up. */
  function take(kind: Kind): (() => void) | undefined {
    if (hasUsed(since[kind], SLICE_MS[kind])) return undefined;
    const next = kind === "begins" ? beginning.take() : paused.shift();
    if (next) since[kind] ??= start();
    return next;
  }

  return {
    isSpent() {
      schedule(1);
      isUsed = true;
      since.goesOn ??= start();
      return hasUsed(since.goesOn, SLICE_MS.goesOn);
    },
    yieldToEvents: () =>
      new Promise((resolve) => {
        paused.push(resolve);
        schedule(PER_TURN);
      }),
    admitRequest(whose, bytes) {
      if (bytes <= SMALL_BODY_BYTES && beginning.size() === 0 && !hasUsed(since.begins, SLICE_MS.begins)) {
        schedule(1);
        since.begins ??= start();
        if (!isServing) direct ??= since.begins;
        isUsed = true;
        return undefined;
      }
      return new Promise((resolve) => {
        beginning.add(whose, resolve);
        schedule(PER_TURN);
      });
    },
  };
}

/** One scheduler per process, because a process has one event loop. */
export const { isSpent, yieldToEvents, admitRequest } = createScheduler(
  () => performance.now(),
  () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  },
);
