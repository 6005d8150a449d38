import { type Caller, requireBuilder } from "../../identity/access/caller.ts";
import { MINUTE } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { findNewest, findVisit, insertVisit, updateVisit, type VisitRow } from "./visits-store.ts";

/*
 * What is new on the feed since somebody's last visit (docs/contract.md#4.20). A visit is made of looks at
 * the feed's beginning with less than half an hour between two of them. What was there at its end is old at
 * the next one.
 */

const BETWEEN_VISITS = 30 * MINUTE;
/** How far a visit has come is written down at most so often. */
const BETWEEN_WRITES = 5 * MINUTE;

/**
 * The last post that the caller had seen when this visit began: what is newer is new to them. Undefined at
 * their first visit. Needs `feed:read`.
 */
export function lastSeenPost(core: Core, caller: Caller): string | undefined {
  const { builderId } = requireBuilder(caller, "feed:read");
  const visit = findVisit(core, builderId);
  return (
    (visit && (visit.lookedAt + BETWEEN_VISITS <= core.clock.now() ? visit.newestId : visit.beforeId)) ||
    undefined
  );
}

/** Whether the caller's look has to be written down. Needs `feed:read`. */
export function isVisitDue(core: Core, caller: Caller): boolean {
  const visit = findVisit(core, requireBuilder(caller, "feed:read").builderId);
  return visit === undefined || !isFresh(visit, core.clock.now());
}

/**
 * Writes down that the caller looks at the feed's beginning: theirs is a new visit, or the one under way goes
 * on. Needs `feed:read`.
 */
export function noteVisit(core: Core, caller: Caller): void {
  const { builderId } = requireBuilder(caller, "feed:read");
  core.db.transact(() => {
    const now = core.clock.now();
    const visit = findVisit(core, builderId);
    const newestId = findNewest(core);
    if (!visit) insertVisit(core, { builderId, beforeId: "", newestId, lookedAt: now });
    else if (!isFresh(visit, now)) {
      const isNew = visit.lookedAt + BETWEEN_VISITS <= now;
      const beforeId = isNew ? visit.newestId : visit.beforeId;
      // A post that was hidden since is no step back.
      updateVisit(core, builderId, { beforeId, newestId: max(newestId, visit.newestId), lookedAt: now });
    }
  });
}

/** A clock that was set back makes no look of the future. */
function isFresh({ lookedAt }: VisitRow, now: number): boolean {
  return lookedAt <= now && now < lookedAt + BETWEEN_WRITES;
}

function max(one: string, other: string): string {
  return one > other ? one : other;
}
