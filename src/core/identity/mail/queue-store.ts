import type { Core } from "../../ground/core.ts";
import { mails } from "../../ground/db/schema-reach.ts";

export type MailRow = typeof mails.$inferSelect;

export function countMails(core: Core): number {
  return core.db.prepare<{ count: number }>("SELECT count(*) AS count FROM mails").get()?.count ?? 0;
}

/** Its number; undefined where one with the same name waits already. */
export function insertMail(core: Core, row: typeof mails.$inferInsert): number | undefined {
  const isThere = core.db
    .prepare<{ seq: number }>("SELECT seq FROM mails WHERE message_id = ?")
    .get(row.messageId);
  return isThere ? undefined : core.db.insert(mails, row);
}

export function putMailToken(core: Core, seq: number, token: Buffer): void {
  core.db.patch(mails, { seq }, { token });
}

export function selectDueMails(core: Core, now: number, running: readonly number[], most: number): MailRow[] {
  return core.db
    .prepare<MailRow>(
      `SELECT seq, builder_id AS builderId, kind, address, token, group_id AS groupId, after_place AS afterPlace,
              up_to_place AS upToPlace, message_id AS messageId, created_at AS createdAt, due_at AS dueAt,
              ends_at AS endsAt, attempts
       FROM mails WHERE due_at <= ? AND seq NOT IN (SELECT value FROM json_each(?)) ORDER BY due_at, seq LIMIT ?`,
    )
    .all(now, JSON.stringify(running), most);
}

export function nextMailDue(core: Core, running: readonly number[]): number | undefined {
  return core.db
    .prepare<{ dueAt: number }>(
      `SELECT due_at AS dueAt FROM mails WHERE seq NOT IN (SELECT value FROM json_each(?))
       ORDER BY due_at, seq LIMIT 1`,
    )
    .get(JSON.stringify(running))?.dueAt;
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
