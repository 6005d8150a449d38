import type { Core } from "../../base/core.ts";
import { findRestriction, selectEnded } from "./standing-store.ts";

export {
  deleteRestriction,
  findRestriction,
  putRestriction,
  type Restriction,
  type RestrictionKind,
} from "./standing-store.ts";

/*
 * Restrictions of members by moderators (docs/contract.md#12.37). `builders.suspended_at` alone says whether
 * a member is suspended; the restriction says until when and by which decision.
 */

/**
 * Whether a member is limited now: posts wait for approval, and messages to strangers are refused. One
 * indexed lookup. Checks no permission.
 */
export function isLimited(core: Core, builderId: string): boolean {
  const row = findRestriction(core, builderId, "limited");
  return row !== undefined && (row.until === null || row.until > core.clock.now());
}

/** Returns restrictions whose end has passed, at most `limit`. A periodic task lifts them. */
export function endedRestrictions(core: Core, limit: number) {
  return selectEnded(core, core.clock.now(), limit);
}
