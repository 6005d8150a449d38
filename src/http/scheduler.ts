import { createRoundRobinList } from "../core/base/fair-queue.ts";

type Kind = "begins" | "goesOn";

/**
 * Time slices per turn of the event loop, in ms. `begins` is for new requests, and `goesOn` is for
 * expensive work that continues. Other events are handled after the time slices. With 5 ms for new requests,
 * GraphQL takes
 * 2.9 times as long as concurrent REST (`bun run bench graphql`).
 */
const SLICE_MS: Readonly<Record<Kind, number>> = { begins: 8, goesOn: 5 };
const BOTH_SLICES_MS = SLICE_MS.begins + SLICE_MS.goesOn;
/** Maximum number of new requests and continued work items per turn of the event loop. */
const PER_TURN = 24;
/**
 * Maximum size of a body that may skip the queue, in bytes. Parsing and validating a larger body can take a
 * whole time slice.
 */
export const SMALL_BODY_BYTES = 16 * 1024;

/**
 * Divides the time of the event loop between long-running requests and all other events
 * (docs/contract.md#12.34).
 */
export interface Scheduler {
  /** Whether expensive work has used up its time slice of this event loop turn. */
  isSpent(): boolean;
  /** Resolves after pending network events are handled. Calls resolve in their order. */
  yieldToEvents(): Promise<void>;
  /**
   * Resolves when a request of `bytes` bytes may begin. Returns `undefined` if it may begin immediately. A
   * request may begin immediately if it is small, the time slice is not used up, and no request waits.
   * Callers are served round-robin, however many requests each of them sends.
   */
  admitRequest(account: string, bytes: number): Promise<void> | undefined;
}

/** A start time, in wall time (`at`) and in CPU time (`used`). */
interface Start {
  at: number;
  used: number;
}

/**
 * Creates a scheduler. Each event loop turn has two time slices: one for new requests, and one for work that
 * continues. The kind that is served first changes with each turn. At least one item of the first kind is
 * served. The other kind has its own time slice, unless the first kind used the time of both time slices.
 * Each item runs in its own callback, so that the item runs as far as possible before the clock is read
 * again. `used` returns the CPU time of this thread and `now` the wall time, both in ms. A time slice ends by
 * CPU time. If a time slice ended by wall time, a busy machine would serve only one request per turn. Reading
 * `now` costs a tenth of reading `used`, so `now` is checked first.
 */
export function createScheduler(now: () => number, used: () => number): Scheduler {
  const beginning = createRoundRobinList<() => void>();
  const paused: (() => void)[] = [];
  /** When the first item of each kind was served in this event loop turn. */
  const since: Record<Kind, Start | undefined> = { begins: undefined, goesOn: undefined };
  let first: Kind = "begins";
  /** Number of callbacks of this event loop turn that have not run yet. */
  let scheduled = 0;
  /** Whether the callbacks of this event loop turn have started. */
  let isServing = false;
  /** Whether any item was served in this event loop turn, by a callback or immediately. */
  let isUsed = false;
  /**
   * Start time of the first request that began immediately since the last callback. `undefined` without such
   * a request.
   */
  let direct: Start | undefined;

  const start = (): Start => ({ at: now(), used: used() });
  const hasUsed = (from: Start | undefined, ms: number): boolean =>
    from !== undefined && now() - from.at >= ms && used() - from.used >= ms;

  /** Schedules callbacks, until `callbacks` are scheduled. Does nothing while callbacks run. */
  function schedule(callbacks: number): void {
    if (isServing) return;
    for (; scheduled < callbacks; scheduled++) setImmediate(serve);
  }

  function beginTurn(): void {
    isServing = true;
    first = first === "begins" ? "goesOn" : "begins";
    since.goesOn = undefined;
    // New requests get a new time slice, unless requests that began immediately have already used the time of
    // both time slices.
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
      // Work that runs after the last callback uses what is left of this turn's time slices.
      schedule(isWaitedFor ? PER_TURN : isUsed || served ? 1 : 0);
    }
    if (!served) return;
    isUsed = true;
    served();
  }

  /** Takes the next item of a kind. Returns `undefined` if the kind's time slice is used up. */
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
