import type { Clock } from "../core/base/clock.ts";
import { isAtLeast, type Version } from "./version.ts";

/**
 * Requests that wait until this node has the version that their client saw elsewhere
 * (docs/contract.md#12.29).
 */
export interface VersionWaits {
  /** Resolves to whether the version arrived in time. Resolves to false at once if too many requests wait. */
  waitFor(version: Version): Promise<boolean>;
  count(): number;
}

export const WAIT_MS = 250;
/** How often the database is checked while requests wait, in ms. One check serves all waiting requests. */
const CHECK_EVERY_MS = 5;
/**
 * Most waiting requests. A client can send made-up versions, and each such request would wait until the
 * timeout.
 */
const WAITING_MAX = 1_000;

interface Waiting {
  asked: Version;
  until: number;
  resolve(isReached: boolean): void;
}

export function createVersionWaits(
  readVersion: () => Version,
  clock: Pick<Clock, "elapsed">,
  every: (work: () => void, ms: number) => { stop(): void } = repeat,
): VersionWaits {
  const waiting = new Set<Waiting>();
  let checks: { stop(): void } | undefined;
  return {
    count: () => waiting.size,
    waitFor(version) {
      if (waiting.size >= WAITING_MAX) return Promise.resolve(false);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      waiting.add({ asked: version, until: clock.elapsed() + WAIT_MS, resolve });
      checks ??= every(checkWaiting, CHECK_EVERY_MS);
      return promise;
    },
  };

  function checkWaiting(): void {
    const current = currentVersion();
    const now = clock.elapsed();
    for (const waiter of waiting) {
      const isReached = current !== undefined && isAtLeast(current, waiter.asked);
      if (!isReached && now < waiter.until) continue;
      waiting.delete(waiter);
      waiter.resolve(isReached);
    }
    if (waiting.size > 0) return;
    checks?.stop();
    checks = undefined;
  }

  /** Returns undefined if the database cannot be read now. The next check reads it again. */
  function currentVersion(): Version | undefined {
    try {
      return readVersion();
    } catch {
      return undefined;
    }
  }
}

function repeat(work: () => void, ms: number): { stop(): void } {
  const timer = setInterval(work, ms);
  return { stop: () => clearInterval(timer) };
}
