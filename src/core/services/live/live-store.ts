import type { Core } from "../../base/core.ts";

/**
 * A table to which rows are only appended. A reader that continues after the last row it read therefore
 * misses no new row.
 */
export type Log = "events" | "messages" | "attempts" | "posts" | "notifications";

/**
 * Position in a log: the row number and the id of the last row that was read. If rows were renumbered, the id
 * finds the position again.
 */
export interface LogRowPosition {
  row: number;
  id: string;
}

/** Returns the position of the last row of a log; row 0 if the log is empty. */
export function selectEnd(core: Core, log: Log): LogRowPosition {
  return (
    core.db
      .prepare<LogRowPosition>(`SELECT rowid AS row, id FROM ${log} ORDER BY rowid DESC LIMIT 1`)
      .get() ?? {
      row: 0,
      id: "",
    }
  );
}

/**
 * Returns the position of the row with this id. If the row is deleted, returns the position of the last row
 * created before it.
 */
export function selectPosition(core: Core, log: Log, id: string): LogRowPosition {
  const found = core.db
    .prepare<LogRowPosition>(`SELECT rowid AS row, id FROM ${log} WHERE id <= ? ORDER BY id DESC LIMIT 1`)
    .get(id);
  return { row: found?.row ?? 0, id };
}

/**
 * SQL that reads a batch of a log. The limit applies before any filter, so that a batch costs the same for
 * every listener.
 */
const BATCH_FROM = "SELECT rowid AS row, * FROM";
const AFTER_POSITION = "WHERE rowid > ? ORDER BY rowid LIMIT ?";

export interface LiveEventRow extends LogRowPosition {
  /** Body of the event; null if the event is not for this listener. */
  body: string | null;
}

/**
 * Selects the events after a position. A body is set only for events of `type` that are public or belong to
 * `builderId`.
 */
export function selectNewEvents(
  core: Core,
  position: LogRowPosition,
  { type, builderId }: { type: string; builderId: string | null },
  limit: number,
): LiveEventRow[] {
  return core.db
    .prepare<LiveEventRow>(
      `SELECT row, id, CASE WHEN type = ? AND builder_id IS ? AND workspace_id IS NULL THEN body END AS body
       FROM (${BATCH_FROM} events ${AFTER_POSITION})`,
    )
    .all(type, builderId, position.row, limit);
}

export interface LiveMessageRow extends LogRowPosition {
  isTheirs: 0 | 1;
}

/**
 * Selects the messages after a position. `isTheirs` is 1 if another member sent the message to this builder.
 */
export function selectNewMessages(
  core: Core,
  position: LogRowPosition,
  builderId: string,
  limit: number,
): LiveMessageRow[] {
  return core.db
    .prepare<LiveMessageRow>(
      `SELECT row, id, sender_id <> ? AND EXISTS (
                SELECT 1 FROM thread_members WHERE thread_id = fresh.thread_id AND builder_id = ?) AS isTheirs
       FROM (${BATCH_FROM} messages ${AFTER_POSITION}) fresh`,
    )
    .all(builderId, builderId, position.row, limit);
}

export interface LiveNotificationRow extends LogRowPosition {
  isTheirs: 0 | 1;
}

/** Selects the notifications after a position. `isTheirs` is 1 if the notification is for this builder. */
export function selectNewNotifications(
  core: Core,
  position: LogRowPosition,
  builderId: string,
  limit: number,
): LiveNotificationRow[] {
  return core.db
    .prepare<LiveNotificationRow>(
      `SELECT row, id, builder_id = ? AS isTheirs FROM (${BATCH_FROM} notifications ${AFTER_POSITION})`,
    )
    .all(builderId, position.row, limit);
}

export interface LiveReplyRow extends LogRowPosition {
  isMeant: 0 | 1;
}

/**
 * Selects the posts after a position. `isMeant` is 1 for a reply. With `postId`, it is 1 only for a reply to
 * that post.
 */
export function selectNewReplies(
  core: Core,
  position: LogRowPosition,
  postId: string | null,
  limit: number,
): LiveReplyRow[] {
  return core.db
    .prepare<LiveReplyRow>(
      `SELECT row, id, parent_id IS NOT NULL AND ifnull(?, parent_id) IN (parent_id, answered_id) AS isMeant
       FROM (${BATCH_FROM} posts ${AFTER_POSITION})`,
    )
    .all(postId, position.row, limit);
}

export interface LiveAttemptRow extends LogRowPosition {
  /** The delivery that this attempt settled; null if the attempt settled no delivery of this workspace. */
  deliveryId: string | null;
}

/** Selects the attempts after a position, with the deliveries that they settled. */
export function selectNewAttempts(
  core: Core,
  position: LogRowPosition,
  workspaceId: string,
  limit: number,
): LiveAttemptRow[] {
  return core.db
    .prepare<LiveAttemptRow>(
      `SELECT fresh.row, fresh.id,
              (SELECT d.id FROM deliveries d CROSS JOIN webhook_endpoints w ON w.id = d.endpoint_id
               WHERE d.id = fresh.delivery_id AND d.settled_at IS NOT NULL
                 AND w.workspace_id = ? AND w.removed_at IS NULL
                 AND NOT EXISTS (SELECT 1 FROM attempts later
                                 WHERE later.delivery_id = d.id AND later.rowid > fresh.row)) AS deliveryId
       FROM (${BATCH_FROM} attempts ${AFTER_POSITION}) fresh`,
    )
    .all(workspaceId, position.row, limit);
}
