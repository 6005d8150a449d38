import type { Core } from "../../base/core.ts";
import { lockedThreads } from "../../base/db/schema-moderation.ts";

/** Returns the ID of the decision that locked the thread of a post; undefined for an open thread. */
export function findLock(core: Core, rootId: string): string | undefined {
  return core.db
    .prepare<{ decisionId: string }>("SELECT decision_id AS decisionId FROM locked_threads WHERE post_id = ?")
    .get(rootId)?.decisionId;
}

export function putLock(core: Core, row: typeof lockedThreads.$inferInsert): void {
  core.db.upsert(lockedThreads, row);
}

export function deleteLock(core: Core, rootId: string): void {
  core.db.prepare("DELETE FROM locked_threads WHERE post_id = ?").run(rootId);
}
