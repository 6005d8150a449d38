import { type Caller, requireBuilder } from "../../identity/access/caller.ts";
import { MINUTE } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { findNewest, findVisit, insertVisit, updateVisit, type VisitRow } from "./visits-store.ts";

/*
 * Tracks which feed posts are new since a member's last visit (docs/contract.md#4.20). A visit is a series of
 * requests for the first page of the feed, each within half an hour of the previous request. Posts that
 * existed at the end of a visit are not new at the next visit.
 */

const VISIT_GAP_MS = 30 * MINUTE;
/** Shortest time between two writes of a visit's progress. */
const WRITE_INTERVAL_MS = 5 * MINUTE;

/** The state of a caller's visit. */
export interface VisitState {
  /**
   * The last post that the caller had seen when the current visit began. Newer posts are new to the caller.
   * Undefined at the first visit.
   */
  lastSeen: string | undefined;
  /** Whether `storeVisit` must be called for the caller. */
  isDue: boolean;
}

/** Returns the state of the caller's visit. Needs `feed:read`. */
export function visitState(core: Core, caller: Caller): VisitState {
  const { builderId } = requireBuilder(caller, "feed:read");
  const now = core.clock.now();
  const visit = findVisit(core, builderId);
  if (visit === undefined) return { lastSeen: undefined, isDue: true };
  const lastSeen = visit.lookedAt + VISIT_GAP_MS <= now ? visit.newestId : visit.beforeId;
  return { lastSeen: lastSeen || undefined, isDue: !isFresh(visit, now) };
}

/**
 * Records that the caller has requested the first page of the feed. Starts a new visit or extends the current
 * visit. Needs `feed:read`.
 */
export function storeVisit(core: Core, caller: Caller): void {
  const { builderId } = requireBuilder(caller, "feed:read");
  core.db.transact(() => {
    const now = core.clock.now();
    const visit = findVisit(core, builderId);
    const newestId = findNewest(core);
    if (!visit) insertVisit(core, { builderId, beforeId: "", newestId, lookedAt: now });
    else if (!isFresh(visit, now)) {
      const isNew = visit.lookedAt + VISIT_GAP_MS <= now;
      const beforeId = isNew ? visit.newestId : visit.beforeId;
      // `newestId` never decreases, even if the newest post has been hidden since.
      updateVisit(core, builderId, { beforeId, newestId: max(newestId, visit.newestId), lookedAt: now });
    }
  });
}

/**
 * Whether a visit was stored recently. If the stored time is in the future, the clock was set back, and the
 * visit does not count as recent.
 */
function isFresh({ lookedAt }: VisitRow, now: number): boolean {
  return lookedAt <= now && now < lookedAt + WRITE_INTERVAL_MS;
}

function max(one: string, other: string): string {
  return one > other ? one : other;
}
