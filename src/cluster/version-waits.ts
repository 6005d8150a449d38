import type { Clock } from "../core/base/clock.ts";
import { isAtLeast, type Version } from "./version.ts";

/** Who waits until this node has what they have seen elsewhere (docs/contract.md#12.29). */
export interface VersionWaits {
  /** Whether it came in time. At once false where too many wait already. */
  reached(asked: Version): Promise<boolean>;
  /** How many wait. */
  count(): number;
}

export const WAIT_MS = 250;
/** As often the file is looked at while anybody waits, once for all of them. */
const LOOK_EVERY_MS = 5;
/** Each holds a request, and no more: of made-up versions there is room for so many. */
const WAITING_MAX = 1_000;

interface Waiting {
  asked: Version;
  until: number;
  tell(isReached: boolean): void;
}

export function createVersionWaits(
  place: () => Version,
  clock: Pick<Clock, "elapsed">,
  every: (work: () => void, ms: number) => { stop(): void } = repeat,
): VersionWaits {
  const waiting = new Set<Waiting>();
  let looks: { stop(): void } | undefined;
  return {
    count: () => waiting.size,
    reached(asked) {
      if (waiting.size >= WAITING_MAX) return Promise.resolve(false);
      const { promise, resolve: tell } = Promise.withResolvers<boolean>();
      waiting.add({ asked, until: clock.elapsed() + WAIT_MS, tell });
      looks ??= every(look, LOOK_EVERY_MS);
      return promise;
    },
  };

  function look(): void {
    const here = placeNow();
    const now = clock.elapsed();
    for (const one of waiting) {
      const isReached = here !== undefined && isAtLeast(here, one.asked);
      if (!isReached && now < one.until) continue;
      waiting.delete(one);
      one.tell(isReached);
    }
    if (waiting.size > 0) return;
    looks?.stop();
    looks = undefined;
  }

  /** A file that cannot be asked just now is asked again. */
  function placeNow(): Version | undefined {
    try {
      return place();
    } catch {
      return undefined;
    }
  }
}

function repeat(work: () => void, ms: number): { stop(): void } {
  const timer = setInterval(work, ms);
  return { stop: () => clearInterval(timer) };
}
