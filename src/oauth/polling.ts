import { createHash } from "node:crypto";
import { MINUTE, SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { createLimiter, refillMs } from "../core/base/limits.ts";

/** How long a device waits between two questions whether it was let in (RFC 8628 §3.2, `interval`). */
export const POLL_INTERVAL_MS = 5 * SECOND;

/** A second is lent: of two questions sent in time, the second may be the faster on its way. */
const POLLS = { sustained: MINUTE / (POLL_INTERVAL_MS - SECOND), burst: 1 };

/**
 * Says whether a device asks for a code that still waits sooner than it was told to: it gets `slow_down` and
 * waits longer from then on (RFC 8628 §3.5). Kept in memory alone: a question that nobody has answered yet is
 * not worth a write.
 */
export function createPolling(core: Core): (deviceCode: string) => boolean {
  const polls = createLimiter(core.clock.elapsed, refillMs(POLLS));
  return (deviceCode) => {
    const key = createHash("sha256").update(deviceCode).digest("base64url");
    return !polls.charge(key, POLLS).allowed;
  };
}
