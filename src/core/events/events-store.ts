import type { Core } from "../core.ts";
import type { events } from "../db/schema-delivery.ts";
import type { StoredEvent } from "./events.ts";

export function insertEvent(core: Core, row: typeof events.$inferInsert): void {
  core.db
    .prepare(
      "INSERT INTO events (id, type, body, workspace_id, builder_id, created_at) VALUES (?, ?, ?, ?, ?, ?)",
    )
    .run(row.id, row.type, row.body, row.workspaceId ?? null, row.builderId ?? null, row.createdAt);
}

/** An event on its way to its subscribers. */
export interface FanOut {
  id: string;
  type: string;
  createdAt: number;
  /** The one builder whom it is for; null for a public fact. */
  builderId: string | null;
  /** The last endpoint that has its delivery; "" where none has. */
  afterEndpoint: string;
  /** The last endpoint that was there when it fired. Told by ids and not by moments: the machine's clock may have been set back. */
  untilEndpoint: string;
}

/**
 * The next endpoints that get an event, in the order of their ids: those that were there, subscribed and on when it fired.
 * One that was off gets nothing new; the pull twin serves it afterwards.
 */
export function selectSubscribers(core: Core, event: FanOut, limit: number): string[] {
  return event.builderId === null
    ? selectPublic(core, event, limit)
    : selectPrivate(core, event, event.builderId, limit);
}

function selectPublic(core: Core, event: FanOut, limit: number): string[] {
  return core.db
    .prepare<{ endpointId: string }>(
      `SELECT s.endpoint_id AS endpointId
       FROM webhook_subscriptions s
       CROSS JOIN webhook_endpoints w ON w.id = s.endpoint_id
       CROSS JOIN workspaces o ON o.id = w.workspace_id
       LEFT JOIN builders b ON b.id = o.owner_id
       WHERE s.type = ? AND s.endpoint_id > ? AND s.endpoint_id <= ?
         AND (w.disabled_at IS NULL OR w.disabled_at > ?)
         AND (b.suspended_at IS NULL OR b.suspended_at > ?)
       ORDER BY s.endpoint_id LIMIT ?`,
    )
    .all(event.type, event.afterEndpoint, event.untilEndpoint, event.createdAt, event.createdAt, limit)
    .map((row) => row.endpointId);
}

/** Of a private event: those that the builder has registered, in the workspaces that they own. */
function selectPrivate(core: Core, event: FanOut, builderId: string, limit: number): string[] {
  return core.db
    .prepare<{ endpointId: string }>(
      `SELECT w.id AS endpointId
       FROM workspace_members m
       CROSS JOIN builders b ON b.id = m.builder_id
       CROSS JOIN webhook_endpoints w ON w.workspace_id = m.workspace_id
       CROSS JOIN webhook_subscriptions s ON s.type = ? AND s.endpoint_id = w.id
       WHERE m.builder_id = ? AND m.role = 'owner' AND w.created_by = b.id AND w.id > ? AND w.id <= ?
         AND (w.disabled_at IS NULL OR w.disabled_at > ?)
         AND (b.suspended_at IS NULL OR b.suspended_at > ?)
       ORDER BY w.id LIMIT ?`,
    )
    .all(
      event.type,
      builderId,
      event.afterEndpoint,
      event.untilEndpoint,
      event.createdAt,
      event.createdAt,
      limit,
    )
    .map((row) => row.endpointId);
}

/** The oldest event that is still on its way; undefined where none is. */
export function selectFanOut(core: Core): FanOut | undefined {
  return core.db
    .prepare<FanOut>(
      `SELECT f.event_id AS id, f.after_endpoint AS afterEndpoint, f.until_endpoint AS untilEndpoint, e.type, e.created_at AS createdAt,
              e.builder_id AS builderId
       FROM fan_outs f CROSS JOIN events e ON e.id = f.event_id
       ORDER BY f.event_id LIMIT 1`,
    )
    .get();
}

export function saveFanOut(core: Core, eventId: string, afterEndpoint: string): void {
  core.db
    .prepare(
      `INSERT INTO fan_outs (event_id, after_endpoint, until_endpoint)
       VALUES (?, ?, (SELECT max(id) FROM webhook_endpoints))
       ON CONFLICT (event_id) DO UPDATE SET after_endpoint = excluded.after_endpoint`,
    )
    .run(eventId, afterEndpoint);
}

export function deleteFanOut(core: Core, eventId: string): void {
  core.db.prepare("DELETE FROM fan_outs WHERE event_id = ?").run(eventId);
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

/** Who reads: what is private to them is shown only in a workspace that they own. */
export interface Reader {
  workspaceId: string;
  builderId: string;
}

/** Which part of the events, both ends left out, and from which end. */
export interface EventRange {
  above: string;
  below: string;
  order: "ASC" | "DESC";
  limit: number;
}

/** Public events, those of the reader's workspace and their own private ones, oldest first or the other way: three walks of indexes, merged. */
export function selectEvents(core: Core, reader: Reader, range: EventRange): StoredEvent[] {
  const { workspaceId, builderId } = reader;
  const { above, below, order, limit } = range;
  const walk = (index: string, whose: string): string =>
    `SELECT * FROM (SELECT id, body FROM events INDEXED BY ${index} WHERE ${whose} AND id > ? AND id < ? ORDER BY id ${order} LIMIT ?)`;
  const walks = [
    walk("events_of_workspace", "workspace_id IS NULL AND builder_id IS NULL"),
    walk("events_of_workspace", "workspace_id = ? AND builder_id IS NULL"),
    walk(
      "events_of_builder",
      `builder_id = ? AND EXISTS (SELECT 1 FROM workspace_members
                                  WHERE workspace_id = ? AND builder_id = ? AND role = 'owner')`,
    ),
  ];
  return core.db
    .prepare<StoredEvent>(`${walks.join(" UNION ALL ")} ORDER BY id ${order} LIMIT ?`)
    .all(
      ...[above, below, limit],
      ...[workspaceId, above, below, limit],
      ...[builderId, workspaceId, builderId, above, below, limit],
      limit,
    );
}

/** Those of some events that the reader may see, in one statement and any order. */
export function selectEventsById(
  core: Core,
  { workspaceId, builderId }: Reader,
  ids: readonly string[],
): StoredEvent[] {
  return core.db
    .prepare<StoredEvent>(
      `SELECT e.id, e.body FROM json_each(?) wanted CROSS JOIN events e ON e.id = wanted.value
       WHERE (e.workspace_id IS NULL OR e.workspace_id = ?)
         AND (e.builder_id IS NULL OR (e.builder_id = ? AND EXISTS (
           SELECT 1 FROM workspace_members WHERE workspace_id = ? AND builder_id = ? AND role = 'owner')))`,
    )
    .all(JSON.stringify(ids), workspaceId, builderId, workspaceId, builderId);
}
