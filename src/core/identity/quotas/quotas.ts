import { DAY, MINUTE } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuse, refuseFor } from "../../base/errors.ts";
import type { BuilderCaller, Caller } from "../access/caller.ts";
import { addToSpan, type Counted, deleteSpans, selectSpans } from "./quotas-store.ts";

/**
 * What is counted within a day is counted in spans of this length: of each kind a builder has at most 145 of
 * them. A span leaves the day with the latest that it counts, so that nobody waits for longer than a day.
 */
const SPAN_MS = 10 * MINUTE;

/**
 * Whether bounds of members hold for whoever asks (docs/contract.md#12.17): neither for the operator, nor for
 * tokens and apps that the operator or an admin has given a rate of their own.
 */
export function hasQuotas({ means, tier }: Caller): boolean {
  return means !== "operator" && tier !== "enterprise";
}

/**
 * Counts one post or reply more. Throws rate_limited, with the moment when one more is let through, for
 * whoever has published as many within a day as a member may. By the steady time, which no clock that is set
 * moves. Call it in the transaction of the post.
 */
export function spendPost(core: Core, caller: Caller, builderId: string): void {
  const max = core.policy.quotaPosts;
  if (max === undefined || !hasQuotas(caller)) return;
  const waitMs = spendInDay(core, builderId, "posts", { n: 1, max });
  if (waitMs > 0) throw refuseFor("posts_over_quota", waitMs, { max });
}

/**
 * Counts `n` more of a kind, at most `max`, and returns 0; where that would be more than `max` within a day,
 * counts nothing and returns the ms until there is room. What is deleted counts on. By the steady time, which
 * no clock that is set moves. Asks no right. Call it in the transaction of what is counted.
 */
export function spendInDay(
  core: Core,
  builderId: string,
  kind: Counted,
  { n, max }: { n: number; max: number },
): number {
  const now = core.clock.steady();
  const waitMs = waitForQuotaMs(core, builderId, kind, { n, max });
  if (waitMs > 0) return waitMs;
  deleteSpans(core, builderId, kind, now - DAY);
  addToSpan(core, builderId, kind, { beginsAt: now - (now % SPAN_MS), now, n });
  return 0;
}

/** The ms until `n` more would be let through, 0 for at once; counts nothing. */
export function waitForQuotaMs(
  core: Core,
  builderId: string,
  kind: Counted,
  { n, max }: { n: number; max: number },
): number {
  const now = core.clock.steady();
  let counted = 0;
  for (const span of selectSpans(core, builderId, kind, now - DAY)) {
    counted += span.n;
    // A day after its end there is room.
    if (counted > max - n) return span.endsAt + DAY - now;
  }
  return 0;
}

const BOUNDED = {
  endpoints: { setting: "quotaEndpoints", code: "endpoints_over_quota", unit: 1 },
  filters: { setting: "quotaFilters", code: "filters_over_quota", unit: 1 },
  // In bytes, and told in megabytes.
  media: { setting: "quotaMedia", code: "media_over_quota", unit: 1_000_000 },
} as const;

/**
 * Throws conflict for whoever has as many of a kind as a member may. `count` is asked where that is bounded
 * alone. Call it in the transaction that makes one more.
 */
export function refuseOverQuota(
  core: Core,
  caller: BuilderCaller,
  kind: keyof typeof BOUNDED,
  count: () => number,
): void {
  const { setting, code, unit } = BOUNDED[kind];
  const max = core.policy[setting];
  if (max !== undefined && hasQuotas(caller) && count() >= max) throw refuse(code, { max: max / unit });
}
