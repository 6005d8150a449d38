import type { Core } from "../../base/core.ts";
import { findStanding } from "../builders/builders.ts";
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

export interface Suspension {
  /** Time of the suspension, in ms since the epoch. */
  since: number;
  /** Null for good. */
  until: number | null;
  /** Null for a suspension from before decisions were stored, and of the operator's tools. */
  decisionId: string | null;
}

/** Returns the suspension of a member; undefined if the member is not suspended. Checks no permission. */
export function suspensionOf(core: Core, builderId: string): Suspension | undefined {
  const since = findStanding(core, builderId)?.suspendedAt ?? null;
  if (since === null) return undefined;
  const { until = null, decisionId = null } = findRestriction(core, builderId, "suspended") ?? {};
  return { since, until, decisionId };
}

/** Returns restrictions whose end has passed, at most `limit`. A periodic task lifts them. */
export function endedRestrictions(core: Core, limit: number) {
  return selectEnded(core, core.clock.now(), limit);
}
