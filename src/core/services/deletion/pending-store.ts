import type { Core } from "../../base/core.ts";
import { builders, directory, formerUsernames, threadMembers } from "../../base/db/schema.ts";
import { hiddenByDeletion, pendingDeletions } from "../../base/db/schema-deletion.ts";

type Row = typeof pendingDeletions.$inferSelect;
export type PendingRow = Omit<Row, "former"> & {
  /** JSON array of the member's former usernames. */
  former: string;
};
export type HiddenKind = (typeof hiddenByDeletion.$inferSelect)["kind"];

const COLUMNS = `builder_id AS builderId, username, name, bio, role, suspended_at AS suspendedAt, former,
  directory_seq AS directorySeq, deleted_by AS deletedBy, created_at AS createdAt, due_at AS dueAt, state`;

export function findPending(core: Core, username: string): PendingRow | undefined {
  return core.db
    .prepare<PendingRow>(`SELECT ${COLUMNS} FROM pending_deletions WHERE username = ?`)
    .get(username);
}

/** Selects the accounts that wait to be erased, sorted by date of erasure. */
export function selectPending(core: Core): (PendingRow & { deleter: string | null })[] {
  return core.db
    .prepare<PendingRow & { deleter: string | null }>(
      `SELECT ${COLUMNS}, (SELECT username FROM builders WHERE id = deleted_by AND removed_at IS NULL) AS deleter
       FROM pending_deletions WHERE state <> 'restoring' ORDER BY due_at`,
    )
    .all();
}

/** Finds one of the pending deletions in the given state. */
export function findInState(core: Core, state: Row["state"]): PendingRow | undefined {
  return core.db
    .prepare<PendingRow>(`SELECT ${COLUMNS} FROM pending_deletions WHERE state = ? LIMIT 1`)
    .get(state);
}

/** Finds the pending deletion that has been due longest. */
export function findDue(core: Core, now: number): PendingRow | undefined {
  return core.db
    .prepare<PendingRow>(
      `SELECT ${COLUMNS} FROM pending_deletions WHERE due_at <= ? AND state <> 'restoring'
       ORDER BY due_at LIMIT 1`,
    )
    .get(now);
}

/**
 * Hides an account that waits to be erased. First stores the columns that are overwritten when the account is
 * hidden. The member cannot sign in and the member's names are not shown. The username stays reserved, and
 * former usernames no longer redirect.
 */
export function hidePending(
  core: Core,
  { id, username }: { id: string; username: string },
  { deletedBy, dueAt }: { deletedBy: string | null; dueAt: number },
): void {
  const { db } = core;
  const now = core.clock.now();
  db.prepare(
    // Replaces the row of an earlier deletion, whose undo may still be restoring content.
    `INSERT OR REPLACE INTO pending_deletions
       (builder_id, username, name, bio, role, suspended_at, former, directory_seq, deleted_by, created_at, due_at, state)
     SELECT id, username, name, bio, role, suspended_at,
            (SELECT json_group_array(username) FROM former_usernames WHERE builder_id = b.id),
            (SELECT seq FROM directory WHERE builder_id = b.id), ?, ?, ?, 'hiding'
     FROM builders b WHERE id = ?`,
  ).run(deletedBy, now, dueAt, id);
  db.insertNew(formerUsernames, { username, removedAt: now });
  db.patch(formerUsernames, { builderId: id }, { builderId: null });
  db.prepare(
    `UPDATE builders SET removed_at = ?, suspended_at = coalesce(suspended_at, ?), role = 'member',
            username = '-' || substr(id, 9), name = 'Deleted account', bio = '' WHERE id = ?`,
  ).run(now, now, id);
  db.prepare("DELETE FROM directory WHERE builder_id = ?").run(id);
}

/** Restores the account row. The content is restored later in batches. */
export function restoreAccount(core: Core, row: PendingRow): void {
  const { db } = core;
  const { builderId, username, name, bio, role, suspendedAt, former, directorySeq } = row;
  db.prepare("DELETE FROM former_usernames WHERE username = ?").run(username);
  db.prepare(
    `UPDATE former_usernames SET builder_id = ? WHERE username IN (SELECT value FROM json_each(?))`,
  ).run(builderId, former);
  db.patch(builders, { id: builderId }, { removedAt: null, suspendedAt, role, username, name, bio });
  db.insert(directory, { seq: directorySeq, builderId });
  putState(core, builderId, "restoring");
}

export function putState(core: Core, builderId: string, state: Row["state"]): void {
  core.db.patch(pendingDeletions, { builderId }, { state });
}

export function deletePending(core: Core, builderId: string): void {
  core.db.prepare("DELETE FROM pending_deletions WHERE builder_id = ?").run(builderId);
}

/** SQL by kind that selects at most `limit` ids of a builder's content that other members can see. */
const VISIBLE_CONTENT: Readonly<Record<HiddenKind, string>> = {
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
};

export function selectVisible(core: Core, kind: HiddenKind, builderId: string, limit: number): string[] {
  return core.db
    .prepare<{ id: string }>(VISIBLE_CONTENT[kind])
    .all(builderId, limit)
    .map(({ id }) => id);
}

export function noteHidden(
  core: Core,
  row: { subjectId: string; builderId: string; kind: HiddenKind },
): void {
  core.db.insert(hiddenByDeletion, row);
}

/**
 * Hides a thread: removes all its members. The thread is then in no list and in no count of unread messages.
 * `showThread` adds the members again.
 */
export function hideThread(core: Core, threadId: string): void {
  const { db } = core;
  db.prepare(
    `UPDATE hidden_by_deletion SET members =
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
 * Checks whether the account of a thread's other member is also waiting to be erased. If so, keeps the thread
 * hidden and assigns it to the deletion of that account. Returns whether the thread is kept hidden.
 */
export function assignToOtherDeletion(core: Core, threadId: string, builderId: string): boolean {
  const other = core.db
    .prepare<{ id: string }>(
      `SELECT p.builder_id AS id FROM threads t CROSS JOIN pending_deletions p
         ON p.builder_id = iif(t.low_id = ?, t.high_id, t.low_id)
       WHERE t.id = ? AND p.state <> 'restoring'`,
    )
    .get(builderId, threadId)?.id;
  if (other === undefined) return false;
  return core.db.patch(hiddenByDeletion, { subjectId: threadId }, { builderId: other });
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
export function selectHidden(core: Core, builderId: string, limit: number): HiddenRow[] {
  return core.db
    .prepare<HiddenRow>(
      `SELECT subject_id AS subjectId, kind, members FROM hidden_by_deletion
       WHERE builder_id = ? ORDER BY subject_id DESC LIMIT ?`,
    )
    .all(builderId, limit);
}

/** Whether a deletion has hidden this subject, or the account of its author is waiting to be erased. */
export function isHiddenByDeletion(core: Core, subjectId: string): boolean {
  return (
    core.db
      .prepare(
        `SELECT 1 FROM hidden_by_deletion WHERE subject_id = ?
         UNION ALL SELECT 1 FROM pending_deletions WHERE state <> 'restoring' AND builder_id IN (
           SELECT author_id FROM posts WHERE id = ?
           UNION ALL SELECT author_id FROM prompts WHERE id = ?
           UNION ALL SELECT published_by FROM jobs WHERE id = ?)`,
      )
      .get(subjectId, subjectId, subjectId, subjectId) !== undefined
  );
}

/** Deletes the record that the subject was hidden by a deletion. Returns whether such a record existed. */
export function deleteHidden(core: Core, subjectId: string): boolean {
  return core.db.prepare("DELETE FROM hidden_by_deletion WHERE subject_id = ?").run(subjectId).changes > 0;
}
