import type { Core } from "../../base/core.ts";
import { mailAddresses } from "../../base/db/schema-channels.ts";
import type { NotificationKind, Reach } from "../../identity/notifications/kinds.ts";

export interface UnqueuedNotification {
  place: number;
  id: string;
  groupId: string;
  builderId: string;
  kind: NotificationKind;
  subjectId: string;
  about: string;
  createdAt: number;
  /**
   * The recipient's setting for this kind of notification; null if the recipient has not chosen a setting.
   */
  reach: Reach | null;
}

const COLUMNS = `n.place, n.id, n.group_id AS groupId, n.builder_id AS builderId, n.kind,
  n.subject_id AS subjectId, n.about, n.created_at AS createdAt,
  (SELECT reach FROM notification_settings s WHERE s.builder_id = n.builder_id AND s.kind = n.kind) AS reach`;

/** Selects notifications of all members after a position, oldest first. */
export function selectUnqueued(core: Core, after: number, limit: number): UnqueuedNotification[] {
  return core.db
    .prepare<UnqueuedNotification>(
      `SELECT ${COLUMNS} FROM notifications n WHERE n.place > ? ORDER BY n.place LIMIT ?`,
    )
    .all(after, limit);
}

/** Selects notifications of one member in a range of positions, oldest first. */
export function selectUnqueuedOf(
  core: Core,
  builderId: string,
  { after, upTo }: { after: number; upTo: number },
  limit: number,
): UnqueuedNotification[] {
  return core.db
    .prepare<UnqueuedNotification>(
      `SELECT ${COLUMNS} FROM notifications n INDEXED BY notifications_of_builder
       WHERE n.builder_id = ? AND n.place > ? AND n.place <= ? ORDER BY n.place LIMIT ?`,
    )
    .all(builderId, after, upTo, limit);
}

export function newestPosition(core: Core): number {
  const sql = "SELECT place FROM notifications ORDER BY place DESC LIMIT 1";
  return core.db.prepare<{ place: number }>(sql).get()?.place ?? 0;
}

/**
 * Finds the newest notification of a group. The id of the notification may differ from the id of the group.
 */
export function findGroup(core: Core, groupId: string): { id: string; builderId: string } | undefined {
  return core.db
    .prepare<{ id: string; builderId: string }>(
      "SELECT id, builder_id AS builderId FROM notifications WHERE group_id = ? ORDER BY place DESC LIMIT 1",
    )
    .get(groupId);
}

export interface DueDigest {
  builderId: string;
  mails: "daily" | "weekly";
  /** When the next digest is due; null if the first digest is not planned yet. */
  digestAt: number | null;
  /** Whether the digest was postponed because a queue was full. */
  digestRetried: 0 | 1;
  digestPlace: number;
  bouncedAt: number | null;
}

const DIGEST = `builder_id AS builderId, mails, digest_at AS digestAt, digest_retried AS digestRetried,
  digest_place AS digestPlace, bounced_at AS bouncedAt`;

/**
 * Selects digests that the caller must plan or send. Selects the due digests. If no digest is due, selects
 * digests that are planned after `latest`. If no such digest exists either, selects digests that are not
 * planned yet.
 */
export function selectDueDigests(core: Core, now: number, latest: number, limit: number): DueDigest[] {
  const due = core.db
    .prepare<DueDigest>(
      `SELECT ${DIGEST} FROM mail_addresses
       WHERE digest_at IS NOT NULL AND digest_at <= ? ORDER BY digest_at LIMIT ?`,
    )
    .all(now, limit);
  if (due.length > 0) return due;
  const far = core.db
    .prepare<DueDigest>(
      `SELECT ${DIGEST} FROM mail_addresses
       WHERE digest_at IS NOT NULL AND digest_at > ? ORDER BY digest_at DESC LIMIT ?`,
    )
    .all(latest, limit);
  if (far.length > 0) return far;
  return core.db
    .prepare<DueDigest>(
      `SELECT ${DIGEST} FROM mail_addresses
       WHERE address IS NOT NULL AND digest_at IS NULL AND mails IN ('daily', 'weekly') LIMIT ?`,
    )
    .all(limit);
}

export function planDigest(core: Core, builderId: string, digestAt: number, digestPlace: number): void {
  core.db.patch(mailAddresses, { builderId }, { digestAt, digestPlace, digestRetried: 0 });
}

/**
 * Postpones a digest to another time and keeps its start position, so that it covers the same notifications.
 */
export function retryDigest(core: Core, builderId: string, digestAt: number): void {
  core.db.patch(mailAddresses, { builderId }, { digestAt, digestRetried: 1 });
}

const COUNTERS = {
  ordinary: ["mailed_count", "mailed_from"],
  urgent: ["urgent_count", "urgent_from"],
} as const;

/**
 * Counts an email about a notification. Returns whether the email exceeds the member's daily limit for
 * ordinary or urgent emails.
 */
export function countMailed(
  core: Core,
  builderId: string,
  sort: keyof typeof COUNTERS,
  now: number,
  { dayMs, most }: { dayMs: number; most: number },
): boolean {
  const [count, from] = COUNTERS[sort];
  const found = core.db
    .prepare<{ count: number }>(
      `UPDATE mail_addresses SET
         ${count} = CASE WHEN ${from} > ? - ? AND ${from} <= ? THEN ${count} + 1 ELSE 1 END,
         ${from} = CASE WHEN ${from} > ? - ? AND ${from} <= ? THEN ${from} ELSE ? END
       WHERE builder_id = ? RETURNING ${count} AS count`,
    )
    .get(now, dayMs, now, now, dayMs, now, now, builderId);
  return found === undefined || found.count > most;
}
