import type { Core } from "../../base/core.ts";

/** What is only ever added to, so that what is new stands behind what was read. */
export type Log = "events" | "messages" | "attempts" | "posts" | "notifications";

/** How far a log was read: up to this row. The id finds the place again where rows were numbered anew. */
export interface Place {
  row: number;
  id: string;
}

/** The last row of a log; row 0 for an empty one. */
export function selectEnd(core: Core, log: Log): Place {
  return (
    core.db.prepare<Place>(`SELECT rowid AS row, id FROM ${log} ORDER BY rowid DESC LIMIT 1`).get() ?? {
      row: 0,
      id: "",
    }
  );
}

/** The row with that id, or where it is gone, the last one made before it. */
export function selectPlace(core: Core, log: Log, id: string): Place {
  const found = core.db
    .prepare<Place>(`SELECT rowid AS row, id FROM ${log} WHERE id <= ? ORDER BY id DESC LIMIT 1`)
    .get(id);
  return { row: found?.row ?? 0, id };
}

/** A slice of a log: whatever its rows are about, so that a slice costs the same for everybody. */
const SLICE = "SELECT rowid AS row, * FROM";
const BEHIND = "WHERE rowid > ? ORDER BY rowid LIMIT ?";

export interface LiveEventRow extends Place {
  /** Null where the event is not for this listener. */
  body: string | null;
}

/** The events behind a place, with the bodies of one type: public ones, or those of one builder. */
export function selectNewEvents(
  core: Core,
  place: Place,
  { type, builderId }: { type: string; builderId: string | null },
  limit: number,
): LiveEventRow[] {
  return core.db
    .prepare<LiveEventRow>(
      `SELECT row, id, CASE WHEN type = ? AND builder_id IS ? AND workspace_id IS NULL THEN body END AS body
       FROM (${SLICE} events ${BEHIND})`,
    )
    .all(type, builderId, place.row, limit);
}

export interface LiveMessageRow extends Place {
  isTheirs: 0 | 1;
}

/** The messages behind a place, and whether somebody sent them to this builder. */
export function selectNewMessages(
  core: Core,
  place: Place,
  builderId: string,
  limit: number,
): LiveMessageRow[] {
  return core.db
    .prepare<LiveMessageRow>(
      `SELECT row, id, sender_id <> ? AND EXISTS (
                SELECT 1 FROM thread_members WHERE thread_id = fresh.thread_id AND builder_id = ?) AS isTheirs
       FROM (${SLICE} messages ${BEHIND}) fresh`,
    )
    .all(builderId, builderId, place.row, limit);
}

export interface LiveNotificationRow extends Place {
  isTheirs: 0 | 1;
}

/** The notifications behind a place, and whether each is for this builder. */
export function selectNewNotifications(
  core: Core,
  place: Place,
  builderId: string,
  limit: number,
): LiveNotificationRow[] {
  return core.db
    .prepare<LiveNotificationRow>(
      `SELECT row, id, builder_id = ? AS isTheirs FROM (${SLICE} notifications ${BEHIND})`,
    )
    .all(builderId, place.row, limit);
}

export interface LiveReplyRow extends Place {
  isMeant: 0 | 1;
}

/** The posts behind a place, and whether each is a reply: to this post, where one is named. */
export function selectNewReplies(
  core: Core,
  place: Place,
  postId: string | null,
  limit: number,
): LiveReplyRow[] {
  return core.db
    .prepare<LiveReplyRow>(
      `SELECT row, id, parent_id IS NOT NULL AND ifnull(?, parent_id) IN (parent_id, answered_id) AS isMeant
       FROM (${SLICE} posts ${BEHIND})`,
    )
    .all(postId, place.row, limit);
}

export interface LiveAttemptRow extends Place {
  /** The delivery that this attempt settled; null where it settled none of this workspace. */
  deliveryId: string | null;
}

/** The attempts behind a place, with the deliveries that they settled. */
export function selectNewAttempts(
  core: Core,
  place: Place,
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
       FROM (${SLICE} attempts ${BEHIND}) fresh`,
    )
    .all(workspaceId, place.row, limit);
}
