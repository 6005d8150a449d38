import type { Role } from "../access/roles.ts";
import type { Core } from "../../base/core.ts";
import { notificationFacts, notifications } from "../../base/db/schema-notifications.ts";
import type { NotificationKind, Reach } from "./kinds.ts";

/** Returns what `notify` must know about the recipient; undefined for an unknown ID. */
export function findReceiver(
  core: Core,
  { to, kind, by }: { to: string; kind: NotificationKind; by: string },
): { role: Role; isDeaf: boolean; reach: Reach | null } | undefined {
  const row = core.db
    .prepare<{ role: Role; isDeaf: number; reach: Reach | null }>(
      `SELECT b.role,
              b.suspended_at IS NOT NULL
                OR EXISTS (SELECT 1 FROM blocks WHERE builder_id = b.id AND blocked_id = ?) AS isDeaf,
              (SELECT reach FROM notification_settings WHERE builder_id = b.id AND kind = ?) AS reach
       FROM builders b WHERE b.id = ?`,
    )
    .get(by, kind, to);
  return row && { ...row, isDeaf: row.isDeaf === 1 };
}

/** Selects the members with a role who are not suspended. */
export function selectTeamFor(core: Core): string[] {
  return core.db
    .prepare<{ id: string }>(
      `SELECT id FROM builders
       WHERE role <> 'member' AND suspended_at IS NULL AND id > ''`,
    )
    .all()
    .map(({ id }) => id);
}

/** Finds the group that the next event about a subject joins: unread and not full. */
export function findOpenGroup(
  core: Core,
  { to, kind, subjectId }: { to: string; kind: NotificationKind; subjectId: string },
  max: number,
): { place: number; groupId: string; noted: number } | undefined {
  return core.db
    .prepare<{ place: number; groupId: string; noted: number }>(
      `SELECT place, group_id AS groupId, noted FROM notifications
       WHERE subject_id = ? AND kind = ? AND builder_id = ? AND read_at IS NULL AND noted < ?
       ORDER BY place DESC LIMIT 1`,
    )
    .get(subjectId, kind, to, max);
}

/** Returns the time of the member's `nth` newest notification about a subject; undefined when fewer exist. */
export function findNotifiedAt(
  core: Core,
  { to, kind, subjectId }: { to: string; kind: NotificationKind; subjectId: string },
  nth: number,
): number | undefined {
  return core.db
    .prepare<{ createdAt: number }>(
      `SELECT created_at AS createdAt FROM notifications
       WHERE subject_id = ? AND kind = ? AND builder_id = ? ORDER BY place DESC LIMIT 1 OFFSET ?`,
    )
    .get(subjectId, kind, to, nth - 1)?.createdAt;
}

/** Inserts a notification. Returns its position. */
export function insertNotification(core: Core, row: typeof notifications.$inferInsert): number {
  return core.db.insert(notifications, row);
}

/** Deletes the old row of a group after the group was inserted again at its new position. */
export function moveGroup(core: Core, fromPlace: number): void {
  core.db.prepare("DELETE FROM notifications WHERE place = ?").run(fromPlace);
}

/** Stores an event. A repeated event becomes the newest of its group. */
export function insertFact(core: Core, row: typeof notificationFacts.$inferInsert): void {
  core.db.upsert(notificationFacts, row);
}

/** Keeps only a builder's newest notifications of a kind. */
export function deleteBeyond(core: Core, builderId: string, kind: NotificationKind, kept: number): void {
  core.db
    .prepare(
      `DELETE FROM notifications WHERE builder_id = ? AND kind = ? AND place <=
         (SELECT place FROM notifications WHERE builder_id = ? AND kind = ?
          ORDER BY place DESC LIMIT 1 OFFSET ?)`,
    )
    .run(builderId, kind, builderId, kind, kept);
}

/** Deletes an event for all recipients. A trigger deletes a notification with its last event. */
export function deleteFact(
  core: Core,
  {
    kind,
    subjectId,
    to,
    fact,
  }: { kind: NotificationKind; subjectId: string; to?: string | undefined; fact: string },
): void {
  core.db
    .prepare(
      `DELETE FROM notification_facts WHERE fact = ? AND group_id IN
         (SELECT group_id FROM notifications WHERE subject_id = ? AND kind = ? AND builder_id = ifnull(?, builder_id))`,
    )
    .run(fact, subjectId, kind, to ?? null);
}

export function deleteOfSubject(
  core: Core,
  { kind, subjectId, to }: { kind: NotificationKind; subjectId: string; to?: string | undefined },
): void {
  core.db
    .prepare(
      "DELETE FROM notifications WHERE subject_id = ? AND kind = ? AND builder_id = ifnull(?, builder_id)",
    )
    .run(subjectId, kind, to ?? null);
}

/** Deletes events about a subject, at most `limit`. Returns how many it deleted. */
export function deleteSomeFacts(core: Core, subjectId: string, limit: number): number {
  return core.db
    .prepare(
      `DELETE FROM notification_facts WHERE (group_id, fact) IN
         (SELECT f.group_id, f.fact
          FROM notifications n CROSS JOIN notification_facts f ON f.group_id = n.group_id
          WHERE n.subject_id = ? LIMIT ?)`,
    )
    .run(subjectId, limit).changes;
}
