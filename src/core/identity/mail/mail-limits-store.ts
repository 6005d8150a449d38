import type { Core } from "../../base/core.ts";
import { type MARK_KINDS, mailMarks } from "../../base/db/schema-channels.ts";

export type MarkKind = (typeof MARK_KINDS)[number];

export function insertMark(core: Core, row: typeof mailMarks.$inferInsert): void {
  core.db.insert(mailMarks, row);
}

/** When each mail of these kinds to an address was sent, after a moment; the oldest first. */
export function selectSentTo(core: Core, mark: Buffer, kinds: readonly MarkKind[], after: number): number[] {
  return core.db
    .prepare<{ createdAt: number }>(
      `SELECT created_at AS createdAt FROM mail_marks
       WHERE mark = ? AND created_at > ? AND kind IN (SELECT value FROM json_each(?)) ORDER BY created_at`,
    )
    .all(mark, after, JSON.stringify(kinds))
    .map(({ createdAt }) => createdAt);
}

/** What a member had sent of a kind after a moment: to which address, and when; the oldest first. */
export function selectSentBy(
  core: Core,
  builderId: string,
  kind: MarkKind,
  after: number,
): { mark: Buffer; createdAt: number }[] {
  return core.db
    .prepare<{ mark: Buffer; createdAt: number }>(
      `SELECT mark, created_at AS createdAt FROM mail_marks
       WHERE builder_id = ? AND kind = ? AND created_at > ? ORDER BY created_at`,
    )
    .all(builderId, kind, after);
}

/** Deletes marks from before a moment, at most `limit`. Returns how many. */
export function pruneMarks(core: Core, before: number, limit: number): number {
  return core.db
    .prepare("DELETE FROM mail_marks WHERE seq IN (SELECT seq FROM mail_marks WHERE created_at <= ? LIMIT ?)")
    .run(before, limit).changes;
}
