import type { Core } from "../../base/core.ts";
import { mails } from "../../base/db/schema-channels.ts";
import type { QueuePosition, Waiting } from "../../base/queue-limits.ts";

export type MailRow = typeof mails.$inferSelect;

/**
 * Counts the waiting emails of a lane per recipient, member and host. Counts at most `hostMax` emails per
 * host.
 */
export function countWaitingMails(
  core: Core,
  { builderId, mark }: { builderId: string; mark: Buffer },
  lane: { host: string; urgent: number },
  hostMax: number,
): Waiting {
  return core.db
    .prepare<Waiting>(
      `SELECT (SELECT count(*) FROM mails WHERE mark = ? AND urgent = ?) AS recipient,
              (SELECT count(*) FROM mails WHERE builder_id = ? AND urgent = ?) AS member,
              (SELECT count(*) FROM (SELECT 1 FROM mails WHERE host = ? AND urgent = ? LIMIT ?)) AS host`,
    )
    .get(mark, lane.urgent, builderId, lane.urgent, lane.host, lane.urgent, hostMax) as Waiting;
}

/** Inserts an email and returns its number. Returns undefined when an email of the same name is waiting. */
export function insertMail(core: Core, row: typeof mails.$inferInsert): number | undefined {
  const isThere = core.db
    .prepare<{ seq: number }>("SELECT seq FROM mails WHERE message_id = ?")
    .get(row.messageId);
  return isThere ? undefined : core.db.insert(mails, row);
}

export function putMailToken(core: Core, seq: number, token: Buffer): void {
  core.db.patch(mails, { seq }, { token });
}

const COLUMNS = `seq, builder_id AS builderId, kind, address, token, group_id AS groupId, after_place AS afterPlace,
  up_to_place AS upToPlace, message_id AS messageId, created_at AS createdAt, due_at AS dueAt,
  ends_at AS endsAt, attempts, host, urgent, mark`;

/** The recipient and queue position of an email. */
export type DueMail = Pick<MailRow, "seq" | "dueAt" | "builderId" | "host" | "mark">;

/** Selects the due emails of a lane after a position, in order of due time. */
export function selectDueMails(
  core: Core,
  urgent: number,
  now: number,
  after: QueuePosition,
  most: number,
): DueMail[] {
  return core.db
    .prepare<DueMail>(
      `SELECT seq, due_at AS dueAt, builder_id AS builderId, host, mark FROM mails
       WHERE urgent = ? AND due_at <= ? AND (due_at, seq) > (?, ?) ORDER BY due_at, seq LIMIT ?`,
    )
    .all(urgent, now, after.dueAt, after.seq, most);
}

/**
 * Selects the oldest due email of a lane for a mailbox. An email without a mark counts as its own mailbox.
 */
export function selectNextMail(
  core: Core,
  urgent: number,
  now: number,
  { seq, mark }: Pick<MailRow, "seq" | "mark">,
): MailRow | undefined {
  return mark === null
    ? core.db
        .prepare<MailRow>(`SELECT ${COLUMNS} FROM mails WHERE seq = ? AND urgent = ? AND due_at <= ?`)
        .get(seq, urgent, now)
    : core.db
        .prepare<MailRow>(
          `SELECT ${COLUMNS} FROM mails INDEXED BY mails_by_mark
           WHERE mark = ? AND urgent = ? AND due_at <= ? ORDER BY seq LIMIT 1`,
        )
        .get(mark, urgent, now);
}

/** Returns the due time of a lane's next email that is not due yet. */
export function nextMailDue(core: Core, urgent: number, now: number): number | undefined {
  const sql = "SELECT min(due_at) AS dueAt FROM mails WHERE urgent = ? AND due_at > ?";
  return core.db.prepare<{ dueAt: number | null }>(sql).get(urgent, now)?.dueAt ?? undefined;
}

/** Whether any queued email has expired. */
export function hasEndedMails(core: Core, now: number): boolean {
  return core.db.prepare("SELECT 1 FROM mails WHERE ends_at <= ? LIMIT 1").get(now) !== undefined;
}

export function deleteEndedMails(core: Core, now: number, most: number): void {
  core.db
    .prepare("DELETE FROM mails WHERE seq IN (SELECT seq FROM mails WHERE ends_at <= ? LIMIT ?)")
    .run(now, most);
}

export function deleteMail(core: Core, seq: number): void {
  core.db.prepare("DELETE FROM mails WHERE seq = ?").run(seq);
}

export function deleteMailNamed(core: Core, messageId: string): void {
  core.db.prepare("DELETE FROM mails WHERE message_id = ?").run(messageId);
}

export function deferMail(core: Core, seq: number, dueAt: number): void {
  core.db.prepare("UPDATE mails SET due_at = ?, attempts = attempts + 1 WHERE seq = ?").run(dueAt, seq);
}

export interface WaitingMails {
  kind: string;
  urgent: number;
  waiting: number;
  oldestAt: number | null;
}

/** Counts the waiting emails per kind and lane, up to a bound, and returns when the oldest was queued. */
export function selectWaitingMails(
  { db }: Pick<Core, "db">,
  kinds: readonly string[],
  most: number,
): WaitingMails[] {
  return db
    .prepare<WaitingMails>(
      `SELECT k.value AS kind, l.value AS urgent,
              (SELECT count(*) FROM (SELECT 1 FROM mails WHERE urgent = l.value AND kind = k.value LIMIT ?)) AS waiting,
              (SELECT min(created_at) FROM mails WHERE urgent = l.value AND kind = k.value) AS oldestAt
       FROM json_each('[1, 0]') l CROSS JOIN json_each(?) k`,
    )
    .all(most, JSON.stringify(kinds));
}

export function firstMailDue({ db }: Pick<Core, "db">, urgent: number): number | null {
  const sql = "SELECT min(due_at) AS dueAt FROM mails WHERE urgent = ?";
  return db.prepare<{ dueAt: number | null }>(sql).get(urgent)?.dueAt ?? null;
}
