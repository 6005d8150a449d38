import { createRoundRobinList } from "../core/base/fair-queue.ts";

type Kind = "begins" | "goesOn";

/**
 * How long requests that begin, and expensive work that goes on, may each keep the event loop in one turn of
 * it, before everything else that came in is served. With 5 ms for the first, GraphQL took 2.9 times as long
 * as REST beside it (`bun run bench graphql`).
 */
const SLICE_MS: Readonly<Record<Kind, number>> = { begins: 8, goesOn: 5 };
const BOTH_SLICES_MS = SLICE_MS.begins + SLICE_MS.goesOn;
/** The most requests that begin or continue in one turn of the event loop. */
const PER_TURN = 24;
/** A body above this waits for its turn in any case: to parse and check it can take a whole time slice. */
export const SMALL_BODY_BYTES = 16 * 1024;

/**
 * Shares the event loop between requests that would keep it for long, and everything else that comes in
 * (docs/contract.md#12.34).
 */
export interface Scheduler {
  /** Whether expensive work has used up its time slice of this turn. */
  isSpent(): boolean;
  /** Resolves behind whatever the network has brought by now, those who wait longer first. */
  yieldToEvents(): Promise<void>;
  /**
   * Resolves when a request of so many bytes may begin, or gives undefined where it may at once: a small one
   * does while the time slice of this turn lasts and nobody waits. Callers take turns, however much one of
   * them sent.
   */
  admitRequest(whose: string, bytes: number): Promise<void> | undefined;
}

/** When something began by both clocks. */
interface Start {
  at: number;
  used: number;
}

/**
 * A turn of the event loop has a time slice for requests that begin and one for work that goes on; they take
 * turns in being first. The first kind has at least one served. The second has its own slice, unless the
 * first took both. Each is served in a callback of its own, so that it goes as far as it can before the clock
 * is read for the next. `used` is the processor's time of this thread: a slice ends by that, or a busy
 * machine would leave each turn one request. `now` costs a tenth of it and tells when to ask. Both in ms.
 */
export function createScheduler(now: () => number, used: () => number): Scheduler {
  const beginning = createRoundRobinList<() => void>();
  const paused: (() => void)[] = [];
  /** When the first of a kind was served in this turn. */
  const since: Record<Kind, Start | undefined> = { begins: undefined, goesOn: undefined };
  let first: Kind = "begins";
  /** Callbacks of this turn that are still to come. */
  let scheduled = 0;
  /** Whether they have begun. */
  let isServing = false;
  /** Whether anything was served in this turn, by a callback or at once. */
  let isUsed = false;
  /** When the first request since the last callback began without one. */
  let direct: Start | undefined;

  const start = (): Start => ({ at: now(), used: used() });
  const hasTaken = (from: Start | undefined, ms: number): boolean =>
    from !== undefined && now() - from.at >= ms && used() - from.used >= ms;

  /** Begins a turn where there is none; one callback ends it. */
  function schedule(callbacks: number): void {
    if (isServing) return;
    for (; scheduled < callbacks; scheduled++) setImmediate(serve);
  }

  function beginTurn(): void {
    isServing = true;
    first = first === "begins" ? "goesOn" : "begins";
    since.goesOn = undefined;
    // What began at once has used up this turn's slices where it took both.
    if (!hasTaken(direct, BOTH_SLICES_MS)) since.begins = undefined;
    direct = undefined;
    isUsed = false;
  }

  function serve(): void {
    if (!isServing) beginTurn();
    scheduled--;
    const second = first === "begins" ? "goesOn" : "begins";
    const served = take(first) ?? (hasTaken(since[first], BOTH_SLICES_MS) ? undefined : take(second));
    if (scheduled === 0) {
      isServing = false;
      const isWaitedFor = paused.length > 0 || beginning.size() > 0;
      // What goes on behind the last callback still has what is left of this turn's slices.
      schedule(isWaitedFor ? PER_TURN : isUsed || served ? 1 : 0);
    }
    if (!served) return;
    isUsed = true;
    served();
  }

  /** The next of a kind, unless it has used up its slice. */
  function take(kind: Kind): (() => void) | undefined {
    if (hasTaken(since[kind], SLICE_MS[kind])) return undefined;
    const next = kind === "begins" ? beginning.take() : paused.shift();
    if (next) since[kind] ??= start();
    return next;
  }

  return {
    isSpent() {
      schedule(1);
      isUsed = true;
      since.goesOn ??= start();
      return hasTaken(since.goesOn, SLICE_MS.goesOn);
    },
    yieldToEvents: () =>
      new Promise((resolve) => {
        paused.push(resolve);
        schedule(PER_TURN);
      }),
    admitRequest(whose, bytes) {
      if (bytes <= SMALL_BODY_BYTES && beginning.size() === 0 && !hasTaken(since.begins, SLICE_MS.begins)) {
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

/** There is one event loop in a process, and so one pace for all that is expensive in it. */
export const { isSpent, yieldToEvents, admitRequest } = createScheduler(
  () => performance.now(),
  () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  },
);
