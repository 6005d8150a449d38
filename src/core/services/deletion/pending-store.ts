import type { Core } from "../../base/core.ts";
import { builders, directory, formerUsernames } from "../../base/db/schema.ts";
import { pendingDeletions } from "../../base/db/schema-deletion.ts";

type Row = typeof pendingDeletions.$inferSelect;
export type PendingRow = Omit<Row, "former"> & {
  /** JSON array of the member's former usernames. */
  former: string;
};

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
