import { DAY, MINUTE } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuse, refuseFor } from "../../base/errors.ts";
import type { BuilderCaller, Caller } from "../access/caller.ts";
import { addToSpan, type Counted, deleteSpans, selectSpans } from "./quotas-store.ts";

/**
 * Length of the spans for daily limits. A builder has at most 145 spans of each kind. A span counts until 24
 * hours after its last item, so nobody waits for longer than a day.
 */
const SPAN_MS = 10 * MINUTE;

/**
 * Whether member limits apply to the caller (docs/contract.md#12.17). They do not apply to the operator, nor
 * to tokens and apps with a rate set by the operator or an admin.
 */
export function hasQuotas({ means, tier }: Caller): boolean {
  return means !== "operator" && tier !== "enterprise";
}

/**
 * Counts one post or reply. Throws rate_limited with the next allowed time when the member has reached the
 * daily limit. Uses steady time, so that a clock change has no effect. Call it in the transaction of the
 * post.
 */
export function spendPost(core: Core, caller: Caller, builderId: string): void {
  const max = core.policy.quotaPosts;
  if (max === undefined || !hasQuotas(caller)) return;
  const waitMs = spendInDay(core, builderId, "posts", { n: 1, max });
  if (waitMs > 0) throw refuseFor("posts_over_quota", waitMs, { max });
}

/**
 * Counts `n` items of a kind and returns 0. If the total would exceed `max` within a day, counts nothing and
 * returns the wait in ms. Deleted items still count. Uses steady time, so that a clock change has no effect.
 * Checks no permission. Call it in the transaction that stores the items.
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

/** Returns the wait in ms until `n` more items are allowed, 0 when they are allowed now. Counts nothing. */
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
    // This span stops counting a day after its end.
    if (counted > max - n) return span.endsAt + DAY - now;
  }
  return 0;
}

const QUOTA_BY_KIND = {
  endpoints: { setting: "quotaEndpoints", code: "endpoints_over_quota", unit: 1 },
  filters: { setting: "quotaFilters", code: "filters_over_quota", unit: 1 },
  // The limit is stored in bytes and shown in megabytes.
  media: { setting: "quotaMedia", code: "media_over_quota", unit: 1_000_000 },
} as const;

/**
 * Throws conflict when a member has reached the limit of a kind. `count` is called only if the kind is
 * limited. Call it in the transaction that adds the item.
 */
export function refuseOverQuota(
  core: Core,
  caller: BuilderCaller,
  kind: keyof typeof QUOTA_BY_KIND,
  count: () => number,
): void {
  const { setting, code, unit } = QUOTA_BY_KIND[kind];
  const max = core.policy[setting];
  if (max !== undefined && hasQuotas(caller) && count() >= max) throw refuse(code, { max: max / unit });
}
