import type { Core } from "../../ground/core.ts";
import { invitationMails } from "../../ground/db/schema-reach.ts";

export function insertInvitationMail(core: Core, row: typeof invitationMails.$inferInsert): void {
  core.db.insert(invitationMails, row);
}

/** How many somebody sent after a moment. */
export function countSentBy(core: Core, builderId: string, after: number): number {
  const sql = "SELECT count(*) AS count FROM invitation_mails WHERE builder_id = ? AND created_at > ?";
  return core.db.prepare<{ count: number }>(sql).get(builderId, after)?.count ?? 0;
}

/** How many went to an address after a moment. */
export function countSentTo(core: Core, mark: Buffer, after: number): number {
  const sql = "SELECT count(*) AS count FROM invitation_mails WHERE mark = ? AND created_at > ?";
  return core.db.prepare<{ count: number }>(sql).get(mark, after)?.count ?? 0;
}

/** Those of before a moment, a slice at a time. How many went. */
export function pruneInvitationMails(core: Core, before: number, limit: number): number {
  return core.db
    .prepare(
      "DELETE FROM invitation_mails WHERE seq IN (SELECT seq FROM invitation_mails WHERE created_at <= ? LIMIT ?)",
    )
    .run(before, limit).changes;
}
