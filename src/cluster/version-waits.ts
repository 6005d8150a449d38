import type { Clock } from "../core/base/clock.ts";
import { isAtLeast, type Version } from "./version.ts";

/**
 * Requests that wait until this node has the version that their client saw elsewhere
 * (docs/contract.md#12.29).
 */
export interface VersionWaits {
  /** Resolves to whether the version arrived in time. Resolves to false at once if too many requests wait. */
  reached(asked: Version): Promise<boolean>;
  count(): number;
}

export const WAIT_MS = 250;
/** How often the database is checked while requests wait, once for all of them, in ms. */
const LOOK_EVERY_MS = 5;
/** Most waiting requests. A client can send made-up versions, and each of them holds a request. */
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

  /** Returns undefined if the database cannot be read now. The next check reads it again. */
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
