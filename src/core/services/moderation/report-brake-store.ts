import type { Core } from "../../base/core.ts";

/**
 * Counts the members with an open report about a subject who are not new, limited or suspended. Members who
 * were vouched for and members with a role are not new.
 */
export function countTrusted(
  core: Core,
  subjectId: string,
  { joinedBefore, now }: { joinedBefore: number; now: number },
): number {
  return (
    core.db
      .prepare<{ n: number }>(
        `SELECT count(*) AS n FROM reports r CROSS JOIN builders b ON b.id = r.reporter_id
         WHERE r.subject_id = ? AND r.settled_at IS NULL AND b.suspended_at IS NULL AND b.removed_at IS NULL
           AND (b.is_vouched = 1 OR b.role <> 'member' OR b.created_at <= ?)
           AND NOT EXISTS (SELECT 1 FROM restrictions WHERE builder_id = b.id AND kind = 'limited'
                             AND (until IS NULL OR until > ?))`,
      )
      .get(subjectId, joinedBefore, now)?.n ?? 0
  );
}

/** Whether there is a decision about the content itself, in force or undone, or about the reports. */
export function hasDecisionAbout(core: Core, subjectId: string): boolean {
  const row = core.db
    .prepare<{ found: number }>(
      `SELECT 1 AS found FROM decisions INDEXED BY decisions_by_subject
       WHERE subject_id = ? AND act IN ('hide', 'restore', 'approve', 'dismiss') LIMIT 1`,
    )
    .get(subjectId);
  return row !== undefined;
}
