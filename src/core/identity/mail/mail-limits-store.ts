import type { Core } from "../../base/core.ts";
import { type MARK_KINDS, mailMarks } from "../../base/db/schema-channels.ts";

export type MarkKind = (typeof MARK_KINDS)[number];

export function insertMark(core: Core, row: typeof mailMarks.$inferInsert): void {
  core.db.insert(mailMarks, row);
}

/** Returns when emails of these kinds were sent to an address after a time, oldest first. */
export function selectSentTo(core: Core, mark: Buffer, kinds: readonly MarkKind[], after: number): number[] {
  return core.db
    .prepare<{ createdAt: number }>(
      `SELECT created_at AS createdAt FROM mail_marks
       WHERE mark = ? AND created_at > ? AND kind IN (SELECT value FROM json_each(?)) ORDER BY created_at`,
    )
    .all(mark, after, JSON.stringify(kinds))
    .map(({ createdAt }) => createdAt);
}

/** Returns the emails of a kind that a member caused after a time: recipient and time, oldest first. */
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

/** Deletes marks from before a time, at most `limit`. Returns how many it deleted. */
export function pruneMarks(core: Core, before: number, limit: number): number {
  return core.db
    .prepare("DELETE FROM mail_marks WHERE seq IN (SELECT seq FROM mail_marks WHERE created_at <= ? LIMIT ?)")
    .run(before, limit).changes;
}
