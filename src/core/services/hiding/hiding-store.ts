import type { Core } from "../../base/core.ts";
import { threadMembers } from "../../base/db/schema.ts";
import { hiddenByDeletion } from "../../base/db/schema-deletion.ts";
import { hiddenByRemoval } from "../../base/db/schema-moderation.ts";

export type HiddenKind = (typeof hiddenByDeletion.$inferSelect)["kind"];

/**
 * Why all content of an account is hidden: the account waits to be erased (`services/deletion`), or was
 * removed as a spammer (`services/moderation`).
 */
export type HidingCause = "deletion" | "removal";

/** The tables with the content that each cause has hidden. */
const TABLES = { deletion: hiddenByDeletion, removal: hiddenByRemoval } as const;
const NAMES = { deletion: "hidden_by_deletion", removal: "hidden_by_removal" } as const;

/** Content that a moderator restored since the removal began stays restored. */
const NOT_RESTORED = `AND id NOT IN (
    SELECT d.subject_id FROM spam_removals r CROSS JOIN decisions d ON d.builder_id = r.builder_id AND d.id > r.decision_id
    WHERE r.builder_id = ? AND d.act IN ('restore', 'approve') AND d.undone_at IS NULL)`;

/**
 * SQL by cause and kind that selects at most `limit` ids of a builder's content that other members can see.
 */
const VISIBLE: Readonly<Record<HidingCause, Readonly<Record<HiddenKind, string>>>> = {
  deletion: {
    // The NOT EXISTS excludes replies under a post that is being deleted, because `hidePost` does not change
    // such replies. Otherwise the same replies would be selected again and again.
    post: `SELECT id FROM posts WHERE author_id = ? AND hidden_at IS NULL
             AND NOT EXISTS (SELECT 1 FROM hidden_by_deletion WHERE subject_id = id) LIMIT ?`,
    prompt: "SELECT id FROM prompts WHERE author_id = ? AND hidden_at IS NULL LIMIT ?",
    // Jobs for a company with other members are not hidden, because they are kept without their author
    // (`dropJobsOf`).
    job: `SELECT j.id FROM jobs j INDEXED BY jobs_by_publisher CROSS JOIN companies c ON c.id = j.company_id
          WHERE j.published_by = ? AND j.hidden_at IS NULL AND c.made_by IS j.published_by
            AND NOT EXISTS (SELECT 1 FROM workspace_members
                            WHERE workspace_id = c.workspace_id AND builder_id <> j.published_by) LIMIT ?`,
    thread: "SELECT thread_id AS id FROM thread_members WHERE builder_id = ? LIMIT ?",
  },
  removal: {
    post: `SELECT id FROM posts WHERE author_id = ? AND hidden_at IS NULL
             AND NOT EXISTS (SELECT 1 FROM hidden_by_removal WHERE subject_id = id) ${NOT_RESTORED} LIMIT ?`,
    prompt: `SELECT id FROM prompts WHERE author_id = ? AND hidden_at IS NULL ${NOT_RESTORED} LIMIT ?`,
    job: `SELECT id FROM jobs INDEXED BY jobs_by_publisher
          WHERE published_by = ? AND hidden_at IS NULL ${NOT_RESTORED} LIMIT ?`,
    thread: "SELECT thread_id AS id FROM thread_members WHERE builder_id = ? LIMIT ?",
  },
};

export function selectVisible(
  core: Core,
  cause: HidingCause,
  kind: HiddenKind,
  builderId: string,
  limit: number,
): string[] {
  const sql = VISIBLE[cause][kind];
  // The last parameter is the limit; all other parameters are the builder's id.
  const ids = Array.from({ length: sql.split("?").length - 2 }, () => builderId);
  return core.db
    .prepare<{ id: string }>(sql)
    .all(...ids, limit)
    .map(({ id }) => id);
}

export function noteHidden(
  core: Core,
  cause: HidingCause,
  row: { subjectId: string; builderId: string; kind: HiddenKind; members?: string | null },
): void {
  const members = row.members === undefined || row.members === null ? null : JSON.parse(row.members);
  core.db.insert(TABLES[cause], { ...row, members });
}

/**
 * Hides a thread: removes all its members. The thread is then in no list and in no count of unread messages.
 * `showThread` adds the members again.
 */
export function hideThread(core: Core, cause: HidingCause, threadId: string): void {
  const { db } = core;
  db.prepare(
    `UPDATE ${NAMES[cause]} SET members =
       (SELECT json_group_array(json_object('threadId', thread_id, 'builderId', builder_id, 'lastId', last_id,
          'readTo', read_to, 'unread', unread, 'isRequest', is_request)) FROM thread_members WHERE thread_id = ?)
     WHERE subject_id = ?`,
  ).run(threadId, threadId);
  db.prepare("DELETE FROM thread_members WHERE thread_id = ?").run(threadId);
}

export function showThread(core: Core, threadId: string, members: string): void {
  const threadExists = core.db.prepare("SELECT 1 FROM threads WHERE id = ?").get(threadId) !== undefined;
  // The thread does not exist if its other member also deleted their account while the thread was hidden.
  if (!threadExists) return;
  const rows = JSON.parse(members) as (typeof threadMembers.$inferInsert)[];
  for (const row of rows) core.db.insert(threadMembers, row);
}

/**
 * Returns why a thread must stay hidden, although the account of one member is restored. The account of the
 * other member may also wait to be erased, or may also be removed.
 */
export function otherHider(
  core: Core,
  threadId: string,
  builderId: string,
): { cause: HidingCause; builderId: string } | undefined {
  return core.db
    .prepare<{ cause: HidingCause; builderId: string }>(
      `SELECT p.cause, p.builder_id AS builderId FROM threads t CROSS JOIN
         (SELECT 'deletion' AS cause, builder_id FROM pending_deletions WHERE state <> 'restoring'
          UNION ALL SELECT 'removal', builder_id FROM spam_removals WHERE state <> 'restoring') p
         ON p.builder_id = iif(t.low_id = ?, t.high_id, t.low_id)
       WHERE t.id = ? LIMIT 1`,
    )
    .get(builderId, threadId);
}

export interface HiddenRow {
  subjectId: string;
  kind: HiddenKind;
  members: string | null;
}

/**
 * Selects hidden subjects, threads first. Threads come first because a thread must be restored before a
 * member can write in it. The descending order of ids puts threads first, because `thr_` is the highest
 * prefix.
 */
export function selectHidden(core: Core, cause: HidingCause, builderId: string, limit: number): HiddenRow[] {
  return core.db
    .prepare<HiddenRow>(
      `SELECT subject_id AS subjectId, kind, members FROM ${NAMES[cause]}
       WHERE builder_id = ? ORDER BY subject_id DESC LIMIT ?`,
    )
    .all(builderId, limit);
}

/** Deletes the record that the cause has hidden the subject. Returns whether such a record existed. */
export function deleteHidden(core: Core, cause: HidingCause, subjectId: string): boolean {
  return core.db.prepare(`DELETE FROM ${NAMES[cause]} WHERE subject_id = ?`).run(subjectId).changes > 0;
}

/** Deletes at most `limit` records of a builder. Returns how many it deleted. */
export function deleteSomeHidden(core: Core, cause: HidingCause, builderId: string, limit: number): number {
  return core.db
    .prepare(
      `DELETE FROM ${NAMES[cause]} WHERE subject_id IN
         (SELECT subject_id FROM ${NAMES[cause]} WHERE builder_id = ? LIMIT ?)`,
    )
    .run(builderId, limit).changes;
}

/** Whether the cause has hidden a subject. */
export function isRecorded(core: Core, cause: HidingCause, subjectId: string): boolean {
  return core.db.prepare(`SELECT 1 FROM ${NAMES[cause]} WHERE subject_id = ?`).get(subjectId) !== undefined;
}
