import type { Core } from "../../base/core.ts";
import { descending, type PageRequest } from "../../base/page.ts";
import type { SubjectType } from "../../identity/notifications/kinds.ts";

/** The notifications that the caller may read. */
export interface Readable {
  builderId: string;
  kinds: readonly string[];
  subjects: readonly string[];
  /**
   * Workspace of the caller's token. A token may read only notifications about endpoints of this workspace.
   * Null for a member in a session, because the member sees the endpoints of all their workspaces.
   */
  workspaceId: string | null;
}

export interface NotificationRow {
  place: number;
  id: string;
  kind: string;
  subjectType: string;
  subjectId: string;
  /** Current username of a builder, the workspace of an endpoint, or the only open case. */
  subjectName: string | null;
  about: string;
  createdAt: number;
  readAt: number | null;
  count: number;
  /** JSON array of actors, newest first. */
  actors: string;
}

/** Maximum number of named actors. */
const NAMED = 10;

/** SQL condition: the actor `a` is not suspended, and the recipient has not blocked the actor. */
const ACTOR_IS_VISIBLE = `(a.suspended_at IS NULL AND NOT EXISTS (
        SELECT 1 FROM blocks WHERE builder_id = n.builder_id AND blocked_id = a.id))`;

/** SQL for the visible facts `f` of a notification `n`: facts without an actor or with a visible actor. */
const FACTS = `notification_facts f LEFT JOIN builders a ON a.id = f.actor_id
    WHERE f.group_id = n.group_id AND (f.actor_id IS NULL OR ${ACTOR_IS_VISIBLE})`;

/**
 * SQL condition by subject type: the recipient of `n` may see the subject. Deleted subjects are invisible.
 * Hidden subjects are visible only to their author. Threads and subjects of a workspace are visible only to
 * their members.
 */
const VISIBLE_SUBJECT: Readonly<Record<SubjectType, string>> = {
  post: `EXISTS (
      SELECT 1 FROM posts p LEFT JOIN posts parent ON parent.id = p.parent_id
      WHERE p.id = n.subject_id AND p.removed_at IS NULL AND parent.removed_at IS NULL
        AND (p.hidden_at IS NULL OR p.author_id = n.builder_id)
        AND (parent.hidden_at IS NULL OR parent.author_id = n.builder_id))`,
  prompt: `EXISTS (
      SELECT 1 FROM prompts p WHERE p.id = n.subject_id AND p.removed_at IS NULL
        AND (p.hidden_at IS NULL OR p.author_id = n.builder_id))`,
  job: `EXISTS (
      SELECT 1 FROM jobs j WHERE j.id = n.subject_id AND (j.hidden_at IS NULL OR j.published_by = n.builder_id))`,
  builder: `EXISTS (SELECT 1 FROM builders b WHERE b.id = n.subject_id AND b.removed_at IS NULL)`,
  thread: `EXISTS (
      SELECT 1 FROM thread_members m WHERE m.thread_id = n.subject_id AND m.builder_id = n.builder_id)`,
  endpoint: `EXISTS (
      SELECT 1 FROM webhook_endpoints w CROSS JOIN workspace_members m ON m.workspace_id = w.workspace_id
      WHERE w.id = n.subject_id AND w.removed_at IS NULL AND m.builder_id = n.builder_id
        AND w.workspace_id = ifnull(?, w.workspace_id))`,
  workspace: `EXISTS (
      SELECT 1 FROM workspace_members m WHERE m.workspace_id = n.subject_id AND m.builder_id = n.builder_id)`,
  report: `EXISTS (
      SELECT 1 FROM reports r WHERE r.id = n.subject_id AND r.reporter_id = n.builder_id)`,
  decision: `EXISTS (
      SELECT 1 FROM decisions d WHERE d.id = n.subject_id AND d.builder_id = n.builder_id)`,
  session: "1",
  mail: "1",
  access: "1",
  reports: "1",
  appeals: "1",
  applications: "1",
  members: "1",
  sign_ups: "1",
  backups: "1",
};
const SUBJECT_IS_VISIBLE = `CASE n.subject_type ${Object.entries(VISIBLE_SUBJECT)
  .map(([type, isSeen]) => `WHEN '${type}' THEN ${isSeen}`)
  .join(" ")} END`;

/**
 * SQL condition for a notification `n` that the reader may read. Its parameters are `json(kinds)`,
 * `json(subjects)`, and the workspace.
 */
const IS_READABLE = `n.kind IN (SELECT value FROM json_each(?)) AND n.subject_type IN (SELECT value FROM json_each(?))
    AND EXISTS (SELECT 1 FROM ${FACTS}) AND ${SUBJECT_IS_VISIBLE}`;

const COLUMNS = `n.place, n.id, n.kind, n.subject_type AS subjectType, n.subject_id AS subjectId, n.about,
    n.created_at AS createdAt, n.read_at AS readAt,
    CASE n.subject_type
      WHEN 'builder' THEN (SELECT username FROM builders WHERE id = n.subject_id)
      WHEN 'endpoint' THEN (SELECT workspace_id FROM webhook_endpoints WHERE id = n.subject_id)
      WHEN 'reports' THEN (SELECT CASE count(*) WHEN 1 THEN min(fact) END FROM notification_facts WHERE group_id = n.group_id) END AS subjectName,
    (SELECT count(*) FROM ${FACTS}) AS count,
    (SELECT json_group_array(json_object('id', id, 'username', username, 'name', name)) FROM (
       SELECT a.id, a.username, a.name
       FROM notification_facts f INDEXED BY notification_facts_by_place CROSS JOIN builders a ON a.id = f.actor_id
       WHERE f.group_id = n.group_id AND ${ACTOR_IS_VISIBLE} ORDER BY f.place DESC LIMIT ${NAMED})) AS actors`;

function bound({ kinds, subjects, workspaceId }: Readable): [string, string, string | null] {
  return [JSON.stringify(kinds), JSON.stringify(subjects), workspaceId];
}

/** The database index that each kind of list uses. */
const LISTS = {
  all: "notifications n INDEXED BY notifications_of_builder WHERE n.builder_id = ?",
  unread: "notifications n INDEXED BY notifications_unread WHERE n.builder_id = ? AND n.read_at IS NULL",
  kind: "notifications n INDEXED BY notifications_of_kind WHERE n.builder_id = ? AND n.kind = ?",
};

/**
 * Selects notifications newest first, one more than the limit. With `kind`, selects only that kind. With
 * `unread`, selects only unread notifications.
 */
export function selectNotifications(
  core: Core,
  reader: Readable,
  { kind, unread }: { kind?: string | undefined; unread?: boolean | undefined },
  from: number | undefined,
  request: PageRequest,
): NotificationRow[] {
  const { beyond, order } = descending(request);
  const list = kind !== undefined ? LISTS.kind : unread === true ? LISTS.unread : LISTS.all;
  const state = unread === undefined ? "" : unread ? "AND n.read_at IS NULL" : "AND n.read_at IS NOT NULL";
  return core.db
    .prepare<NotificationRow>(
      `SELECT ${COLUMNS} FROM ${list} ${state} AND n.place ${beyond} ? AND ${IS_READABLE}
       ORDER BY n.place ${order} LIMIT ?`,
    )
    .all(
      reader.builderId,
      ...(kind === undefined ? [] : [kind]),
      from ?? (request.backwards ? 0 : Number.MAX_SAFE_INTEGER),
      ...bound(reader),
      request.limit + 1,
    );
}

/**
 * Selects ids of unread notifications in a range of positions, newest first. The position `after` is
 * excluded.
 */
export function selectUnreadIds(
  core: Core,
  reader: Readable,
  { after, upTo }: { after: number; upTo: number },
  limit: number,
): string[] {
  return core.db
    .prepare<{ id: string }>(
      `SELECT n.id FROM notifications n INDEXED BY notifications_of_kind
       WHERE n.builder_id = ? AND n.place > ? AND n.place <= ? AND n.read_at IS NULL AND ${IS_READABLE}
       ORDER BY n.place DESC LIMIT ?`,
    )
    .all(reader.builderId, after, upTo, ...bound(reader), limit)
    .map(({ id }) => id);
}

/** Selects notifications of a builder by id, in any order. */
export function selectById(core: Core, reader: Readable, ids: readonly string[]): NotificationRow[] {
  return core.db
    .prepare<NotificationRow>(
      `SELECT ${COLUMNS} FROM json_each(?) wanted CROSS JOIN notifications n ON n.id = wanted.value
       WHERE n.builder_id = ? AND ${IS_READABLE}`,
    )
    .all(JSON.stringify(ids), reader.builderId, ...bound(reader));
}

/** Counts unread notifications up to `max`. */
export function countUnreadRows(core: Core, reader: Readable, max: number): number {
  return (
    core.db
      .prepare<{ count: number }>(
        `SELECT count(*) AS count FROM (SELECT 1 FROM ${LISTS.unread} AND ${IS_READABLE} LIMIT ?)`,
      )
      .get(reader.builderId, ...bound(reader), max)?.count ?? 0
  );
}

/** Counts unread notifications up to `max`, and how many of the counted notifications are job matches. */
export function countWithMatches(
  core: Core,
  reader: Readable,
  max: number,
): { unread: number; matches: number } {
  return core.db
    .prepare<{ unread: number; matches: number }>(
      `SELECT count(*) AS unread, ifnull(sum(kind = 'job_match'), 0) AS matches
       FROM (SELECT n.kind FROM ${LISTS.unread} AND ${IS_READABLE} ORDER BY n.place DESC LIMIT ?)`,
    )
    .get(reader.builderId, ...bound(reader), max) as { unread: number; matches: number };
}

/** Marks the notifications of one subject or of one kind as read. */
export function markMatching(
  core: Core,
  builderId: string,
  of: { subjectId: string } | { kind: string },
): void {
  const sql =
    "kind" in of
      ? "UPDATE notifications SET read_at = ? WHERE builder_id = ? AND kind = ? AND read_at IS NULL"
      : "UPDATE notifications SET read_at = ? WHERE builder_id = ? AND subject_id = ? AND read_at IS NULL";
  core.db.prepare(sql).run(core.clock.now(), builderId, "kind" in of ? of.kind : of.subjectId);
}

/**
 * Returns the position of a notification. If the notification is deleted, returns the position of the
 * builder's last notification before it, or 0.
 */
export function findPosition(core: Core, builderId: string, id: string): number {
  const row = core.db
    .prepare<{ place: number }>("SELECT place FROM notifications WHERE id = ? AND builder_id = ?")
    .get(id, builderId);
  if (row) return row.place;
  return (
    core.db
      .prepare<{ place: number }>(
        `SELECT place FROM notifications INDEXED BY notifications_of_builder
         WHERE builder_id = ? AND id < ? ORDER BY place DESC LIMIT 1`,
      )
      .get(builderId, id)?.place ?? 0
  );
}

const UNREAD_OF = `UPDATE notifications SET read_at = ? WHERE builder_id = ? AND read_at IS NULL
    AND kind IN (SELECT value FROM json_each(?)) AND subject_type IN (SELECT value FROM json_each(?))`;

export function markUpTo(core: Core, { builderId, kinds, subjects }: Readable, position: number): void {
  core.db
    .prepare(`${UNREAD_OF} AND place <= ?`)
    .run(core.clock.now(), builderId, JSON.stringify(kinds), JSON.stringify(subjects), position);
}

export function markThese(
  core: Core,
  { builderId, kinds, subjects }: Readable,
  ids: readonly string[],
): void {
  core.db
    .prepare(`${UNREAD_OF} AND id IN (SELECT value FROM json_each(?))`)
    .run(core.clock.now(), builderId, JSON.stringify(kinds), JSON.stringify(subjects), JSON.stringify(ids));
}

/**
 * Reads the oldest `limit` notifications and deletes those that are older than `before`. Returns the number
 * of deleted notifications. Notifications with a future time exist if the clock was ahead. They are skipped,
 * so that they do not block the other notifications.
 */
export function pruneNotifications(core: Core, before: number, limit: number): number {
  return core.db
    .prepare(
      `DELETE FROM notifications WHERE created_at < ?
         AND place IN (SELECT place FROM notifications WHERE created_at <= ? ORDER BY place LIMIT ?)`,
    )
    .run(before, core.clock.now(), limit).changes;
}
