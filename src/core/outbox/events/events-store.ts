import type { Core } from "../../base/core.ts";
import { deliveries, events } from "../../base/db/schema-delivery.ts";
import { OWNER_HAS_ACCESS, ownerMayRead } from "./owner-access.ts";
import { type AnyEventType, CATALOGUE, type EventKind } from "./catalogue.ts";
import { IS_LISTED, EVENT_COLUMNS, type EventRowWithText } from "./subjects.ts";

/** An event of the log with the current text of its subject. */
export interface StoredEvent extends EventRowWithText {
  id: string;
  type: AnyEventType;
}

export function insertEvent(core: Core, row: typeof events.$inferInsert): void {
  core.db.insert(events, row);
}

/** An event that is being queued for its subscribers. */
export interface FanOut {
  id: string;
  type: string;
  createdAt: number;
  /** The only builder who may receive the event. Null for events that are not private. */
  builderId: string | null;
  /** The only workspace that may receive the event. Null for events that belong to no workspace. */
  workspaceId: string | null;
  /** The last endpoint for which a delivery was inserted. An empty string at the start. */
  afterEndpoint: string;
  /**
   * The last endpoint that existed when the event fired. Endpoints are compared by id and not by time,
   * because the clock may have been set back.
   */
  untilEndpoint: string;
}

/**
 * Returns the next endpoints that an event is queued for, ordered by id. These endpoints existed, were
 * subscribed and were enabled when the event fired. Leaves out an endpoint of an app if the app may not read
 * the event now. Clients of such an endpoint can read the event with `listEvents`.
 */
export function selectSubscribers(core: Core, event: FanOut, limit: number): string[] {
  return event.builderId === null
    ? selectSubscribed(core, event, limit)
    : selectPrivate(core, event, event.builderId, limit);
}

/** Selects subscribed endpoints of all workspaces, or of the event's workspace. */
function selectSubscribed(core: Core, event: FanOut, limit: number): string[] {
  const { workspaceId } = event;
  return core.db
    .prepare<{ endpointId: string }>(
      `SELECT s.endpoint_id AS endpointId
       FROM webhook_subscriptions s
       CROSS JOIN webhook_endpoints w ON w.id = s.endpoint_id
       CROSS JOIN workspaces o ON o.id = w.workspace_id
       LEFT JOIN builders b ON b.id = o.owner_id
       WHERE s.type = ? AND s.endpoint_id > ? AND s.endpoint_id <= ? ${workspaceId === null ? "" : "AND w.workspace_id = ?"}
         AND (w.disabled_at IS NULL OR w.disabled_at > ?)
         AND (b.suspended_at IS NULL OR b.suspended_at > ?) AND ${OWNER_HAS_ACCESS} AND ${ownerMayRead("s.type")}
       ORDER BY s.endpoint_id LIMIT ?`,
    )
    .all(
      ...[event.type, event.afterEndpoint, event.untilEndpoint],
      ...(workspaceId === null ? [] : [workspaceId]),
      ...[event.createdAt, event.createdAt, limit],
    )
    .map((row) => row.endpointId);
}

/**
 * Selects the endpoints of a private event: the endpoints that the builder registered in workspaces that the
 * builder owns.
 */
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
         AND (b.suspended_at IS NULL OR b.suspended_at > ?) AND ${OWNER_HAS_ACCESS} AND ${ownerMayRead("s.type")}
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

/** Returns the oldest event that is not yet queued for all its subscribers, if any. */
export function selectFanOut(core: Core): FanOut | undefined {
  return core.db
    .prepare<FanOut>(
      `SELECT f.event_id AS id, f.after_endpoint AS afterEndpoint, f.until_endpoint AS untilEndpoint, e.type, e.created_at AS createdAt,
              e.builder_id AS builderId, e.workspace_id AS workspaceId
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

/** Inserts a delivery that waits for its first attempt. */
export function insertDelivery(
  core: Core,
  row: { id: string; eventId: string; endpointId: string; dueAt: number; createdAt: number },
): void {
  core.db.insert(deliveries, { ...row, state: "awaiting_retry" });
}

/** A reader of events. Private events are only shown if the builder owns the workspace. */
export interface Reader {
  workspaceId: string;
  builderId: string;
  /** Event types that the reader may read. */
  types: readonly AnyEventType[];
}

/** A range of event ids with exclusive bounds, and its direction. */
export interface EventRange {
  above: string;
  below: string;
  order: "ASC" | "DESC";
  limit: number;
}

/**
 * SQL condition and parameters that select the events `e` of each audience. The columns of the condition are
 * a prefix of one index.
 */
const AUDIENCE_CONDITIONS: Readonly<
  Record<EventKind["audience"], { sql: string; values(reader: Omit<Reader, "types">): string[] }>
> = {
  public: { sql: "e.workspace_id IS NULL AND e.builder_id IS NULL", values: () => [] },
  // Such rows look like those of public events. Only readers with the scope ask for these types.
  staff: { sql: "e.workspace_id IS NULL AND e.builder_id IS NULL", values: () => [] },
  workspace: {
    sql: "e.workspace_id = ? AND e.builder_id IS NULL",
    values: ({ workspaceId }) => [workspaceId],
  },
  endpoint: {
    sql: "e.workspace_id = ? AND e.builder_id IS NULL",
    values: ({ workspaceId }) => [workspaceId],
  },
  builder: {
    sql: `e.workspace_id IS NULL AND e.builder_id = ? AND EXISTS (
            SELECT 1 FROM workspace_members WHERE workspace_id = ? AND builder_id = ? AND role = 'owner')`,
    values: ({ workspaceId, builderId }) => [builderId, workspaceId, builderId],
  },
};

/**
 * The result of reading a range. The batch contains up to `limit` events, including events that are not shown
 * in a list.
 */
export interface EventBatch {
  /** The events that are shown to the reader in a list (`IS_LISTED`). */
  listed: StoredEvent[];
  /** The last event that was read, listed or not. Undefined for an empty range. */
  lastId: string | undefined;
  /** Whether the batch contains the last event of the range. */
  isEnd: boolean;
}

/**
 * Reads the next events that a reader may read, oldest first or newest first. Merges one index range per
 * type, so a reader of a rare type does not scan other types. Reads at most `limit` events. If an event is
 * not listed, almost no data of the event is read.
 */
export function selectEvents(core: Core, reader: Reader, range: EventRange): EventBatch {
  const { above, below, order, limit } = range;
  const conditions = reader.types.map((type) => ({ type, ...AUDIENCE_CONDITIONS[CATALOGUE[type].audience] }));
  if (conditions.length === 0) return { listed: [], lastId: undefined, isEnd: true };
  // A type is one of our own constants. The type is written into the SQL text, so that SQLite can use the
  // index.
  const walks = conditions.map(
    ({ type, sql }) =>
      `SELECT * FROM (SELECT e.id FROM events e INDEXED BY events_by_audience
                      WHERE ${sql} AND e.type = '${type}' AND e.id > ? AND e.id < ? ORDER BY e.id ${order} LIMIT ?)`,
  );
  const isLast = `found.id = (SELECT ${order === "ASC" ? "max" : "min"}(id) FROM found)`;
  const rows = core.db
    .prepare<StoredEvent & { isUnlisted: 0 | 1; count: number }>(
      `WITH found AS MATERIALIZED (${walks.join(" UNION ALL ")} ORDER BY 1 ${order} LIMIT ?)
       SELECT found.id, ${EVENT_COLUMNS}, ${isLast} AND NOT ${IS_LISTED} AS isUnlisted, (SELECT count(*) FROM found) AS count
       FROM found CROSS JOIN events e ON e.id = found.id
       WHERE ${isLast} OR ${IS_LISTED} ORDER BY found.id ${order}`,
    )
    .all(...conditions.flatMap(({ values }) => [...values(reader), above, below, limit]), limit);
  const last = rows.at(-1);
  return {
    listed: last?.isUnlisted === 1 ? rows.slice(0, -1) : rows,
    lastId: last?.id,
    isEnd: (last?.count ?? 0) < limit,
  };
}

/** Selects the given events that the reader may read, in one statement and any order. */
export function selectEventsById(core: Core, reader: Reader, ids: readonly string[]): StoredEvent[] {
  const parts = [AUDIENCE_CONDITIONS.public, AUDIENCE_CONDITIONS.workspace, AUDIENCE_CONDITIONS.builder];
  return core.db
    .prepare<StoredEvent>(
      `SELECT e.id, ${EVENT_COLUMNS} FROM json_each(?) wanted CROSS JOIN events e ON e.id = wanted.value
       WHERE e.type IN (SELECT value FROM json_each(?)) AND (${parts.map(({ sql }) => `(${sql})`).join(" OR ")})`,
    )
    .all(JSON.stringify(ids), JSON.stringify(reader.types), ...parts.flatMap(({ values }) => values(reader)));
}
