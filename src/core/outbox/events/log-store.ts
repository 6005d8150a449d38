import type { Core } from "../../base/core.ts";
import { eventLog } from "../../base/db/schema-delivery.ts";

export type LogEnd = Omit<typeof eventLog.$inferSelect, "one">;

export function selectLogEnd(core: Core): LogEnd {
  const end = core.db
    .prepare<LogEnd>(
      "SELECT last_id AS lastId, last_at AS lastAt, pruned_id AS prunedId FROM event_log WHERE one = 1",
    )
    .get();
  if (!end) throw new Error("the log of events has no end");
  return end;
}

export function moveLogEnd(core: Core, lastId: string, lastAt: number): void {
  core.db.patch(eventLog, { one: 1 }, { lastId, lastAt });
}

export function hasEvent(core: Core, id: string): boolean {
  return core.db.prepare("SELECT 1 FROM events WHERE id = ?").get(id) !== undefined;
}

/** Records the newest id of events that were deleted by retention. */
export function notePruned(core: Core, ids: readonly string[]): void {
  core.db
    .prepare(
      "UPDATE event_log SET pruned_id = max(pruned_id, (SELECT max(value) FROM json_each(?))) WHERE one = 1",
    )
    .run(JSON.stringify(ids));
}
