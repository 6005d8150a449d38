import { createHash } from "node:crypto";
import { MINUTE, SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { createLimiter, refillMs } from "../core/base/limits.ts";

/** Minimum interval between two polls of a device (RFC 8628 §3.2, `interval`). */
export const POLL_INTERVAL_MS = 5 * SECOND;

/**
 * Rate limit of polls by one device. A poll may be up to one second early. If the network delays one poll
 * more than the next, the two polls arrive closer together than the device sent them.
 */
const POLLS = { sustained: MINUTE / (POLL_INTERVAL_MS - SECOND), burst: 1 };

/**
 * Creates a function that returns whether a device polls faster than allowed. The device then gets
 * `slow_down` and must poll less often (RFC 8628 §3.5). The state is kept only in memory, because a poll is
 * not worth a database write.
 */
export function createPolling(core: Core): (deviceCode: string) => boolean {
  const polls = createLimiter(core.clock.elapsed, refillMs(POLLS));
  return (deviceCode) => {
    const key = createHash("sha256").update(deviceCode).digest("base64url");
    return !polls.charge(key, POLLS).allowed;
  };
}
