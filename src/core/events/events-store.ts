import type { Core } from "../core.ts";
import { events } from "../db/schema.ts";
import type { StoredEvent } from "./events.ts";

export function insertEvent(core: Core, row: typeof events.$inferInsert): void {
  core.db.orm.insert(events).values(row).run();
}

/** A disabled endpoint gets nothing new; the pull twin and `recover` serve it afterwards. */
export function subscribedEndpoints(core: Core, type: string): string[] {
  return core.db
    .prepare<{ endpointId: string }>(
      `SELECT s.endpoint_id AS endpointId
       FROM webhook_subscriptions s CROSS JOIN webhook_endpoints w ON w.id = s.endpoint_id
       WHERE s.type = ? AND w.disabled_at IS NULL`,
    )
    .all(type)
    .map((row) => row.endpointId);
}

/** A delivery that waits for its first attempt: due at once. */
export function insertDelivery(
  core: Core,
  row: { id: string; eventId: string; endpointId: string; dueAt: number },
): void {
  core.db
    .prepare(
      `INSERT INTO deliveries (id, event_id, endpoint_id, state, due_at, created_at)
       VALUES (?, ?, ?, 'awaiting_retry', ?, ?)`,
    )
    .run(row.id, row.eventId, row.endpointId, row.dueAt, row.dueAt);
}

/** Public events and those of one workspace after `afterId`, oldest first: two walks of one index, merged. */
export function selectEvents(core: Core, workspaceId: string, afterId: string, limit: number): StoredEvent[] {
  const walk = (whose: string): string =>
    `SELECT * FROM (SELECT id, body FROM events INDEXED BY events_of_workspace
                    WHERE workspace_id ${whose} AND id > ? ORDER BY id LIMIT ?)`;
  return core.db
    .prepare<StoredEvent>(`${walk("IS NULL")} UNION ALL ${walk("= ?")} ORDER BY id LIMIT ?`)
    .all(afterId, limit, workspaceId, afterId, limit, limit);
}
