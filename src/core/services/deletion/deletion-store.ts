import type { Core } from "../../base/core.ts";
import { formerUsernames } from "../../base/db/schema.ts";

/**
 * Marks an account as deleted. The member cannot sign in, the account's tokens and grants stop working, and
 * the name is no longer shown. The account's row is kept because other rows refer to it. The row gets a
 * username that nobody can register.
 */
export function markRemoved(
  core: Core,
  { id, username }: { id: string; username: string },
  now: number,
): void {
  const { db } = core;
  // The row may exist already, because `guildhall demo` can fill a database again with the same usernames.
  db.insertNew(formerUsernames, { username, removedAt: now });
  // Earlier usernames stay reserved but no longer redirect to the account.
  db.patch(formerUsernames, { builderId: id }, { builderId: null });
  db.prepare(
    `UPDATE builders SET removed_at = ?, suspended_at = coalesce(suspended_at, ?), role = 'member',
            username = '-' || substr(id, 9), name = 'Deleted account', bio = '' WHERE id = ?`,
  ).run(now, now, id);
  // Links that the builder created are deleted now. Deleting the account would only set their `created_by` to
  // null, and links without a creator belong to the operator.
  db.prepare("DELETE FROM links WHERE created_by = ?").run(id);
  for (const few of [
    "directory",
    "sessions",
    "passwords",
    "passkeys",
    "links",
    "profile_details",
    "projects",
    "job_filters",
    "notification_settings",
  ])
    db.prepare(`DELETE FROM ${few} WHERE builder_id = ?`).run(id);
}

/** Selects the decisions about a builder whose appeals wait. */
export function selectWaitingAppeals(core: Core, builderId: string): string[] {
  return core.db
    .prepare<{ id: string }>(
      `SELECT a.decision_id AS id FROM decisions d CROSS JOIN appeals a ON a.decision_id = d.id
       WHERE d.builder_id = ? AND a.decided_at IS NULL`,
    )
    .all(builderId)
    .map(({ id }) => id);
}

/** Returns the id of a builder's personal workspace. */
export function findPersonal(core: Core, builderId: string): string {
  const sql = "SELECT id FROM workspaces WHERE owner_id = ?";
  return core.db.prepare<{ id: string }>(sql).get(builderId)?.id ?? "";
}

/** Finds a deleted account whose rows can be deleted now. Skips accounts that wait to be erased. */
export function selectRemoved(core: Core): string | undefined {
  return core.db
    .prepare<{ id: string }>(
      `SELECT id FROM builders WHERE removed_at IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM pending_deletions WHERE builder_id = builders.id) ORDER BY id LIMIT 1`,
    )
    .get()?.id;
}

/**
 * Statements that delete rows of large tables: a builder may have many such rows, and no count includes these
 * rows. The last parameter is the row limit; all other parameters are the builder's id. A table that is not
 * listed here has few rows of a builder. These few rows are deleted or detached with the builder's row (ON
 * DELETE).
 */
const LARGE_TABLES: readonly string[] = [
  "DELETE FROM xp_entries WHERE seq IN (SELECT seq FROM xp_entries WHERE builder_id = ? LIMIT ?)",
  `DELETE FROM xp_days WHERE builder_id = ? AND (rule, day) IN
     (SELECT rule, day FROM xp_days WHERE builder_id = ? LIMIT ?)`,
  `DELETE FROM job_matches WHERE builder_id = ? AND job_id IN
     (SELECT job_id FROM job_matches WHERE builder_id = ? LIMIT ?)`,
  `DELETE FROM blocks WHERE builder_id = ? AND blocked_id IN
     (SELECT blocked_id FROM blocks WHERE builder_id = ? LIMIT ?)`,
  `DELETE FROM blocks WHERE blocked_id = ? AND builder_id IN
     (SELECT builder_id FROM blocks WHERE blocked_id = ? LIMIT ?)`,
  `DELETE FROM follows WHERE follower_id = ? AND followed_id IN
     (SELECT followed_id FROM follows WHERE follower_id = ? LIMIT ?)`,
  `DELETE FROM follows WHERE followed_id = ? AND follower_id IN
     (SELECT follower_id FROM follows WHERE followed_id = ? LIMIT ?)`,
  `DELETE FROM followed_tags WHERE builder_id = ? AND tag IN
     (SELECT tag FROM followed_tags WHERE builder_id = ? LIMIT ?)`,
  `DELETE FROM bookmarks WHERE builder_id = ? AND post_id IN
     (SELECT post_id FROM bookmarks WHERE builder_id = ? LIMIT ?)`,
  `DELETE FROM mentions WHERE (subject_id, name) IN
     (SELECT subject_id, name FROM mentions WHERE builder_id = ? LIMIT ?)`,
  `DELETE FROM oauth_records WHERE (model, id_hash) IN
     (SELECT r.model, r.id_hash FROM grants g CROSS JOIN oauth_records r ON r.grant_id = g.id
      WHERE g.builder_id = ? LIMIT ?)`,
  ...["grants", "tokens", "idempotency_keys"].map(
    (table) =>
      `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE builder_id = ? LIMIT ?)`,
  ),
  // Deletes facts about what the builder did, facts of the builder's notifications, and facts of
  // notifications about the builder. A notification is deleted with its last fact.
  `DELETE FROM notification_facts WHERE (group_id, fact) IN
     (SELECT group_id, fact FROM notification_facts WHERE actor_id = ? LIMIT ?)`,
  ...["builder_id", "subject_id"].map(
    (column) => `DELETE FROM notification_facts WHERE (group_id, fact) IN
     (SELECT f.group_id, f.fact FROM notifications n CROSS JOIN notification_facts f ON f.group_id = n.group_id
      WHERE n.${column} = ? LIMIT ?)`,
  ),
  `DELETE FROM hidden_by_deletion WHERE subject_id IN
     (SELECT subject_id FROM hidden_by_deletion WHERE builder_id = ? LIMIT ?)`,
  `DELETE FROM hidden_by_removal WHERE subject_id IN
     (SELECT subject_id FROM hidden_by_removal WHERE builder_id = ? LIMIT ?)`,
  "DELETE FROM media WHERE id IN (SELECT id FROM media WHERE builder_id = ? LIMIT ?)",
  "DELETE FROM reports WHERE id IN (SELECT id FROM reports WHERE reporter_id = ? LIMIT ?)",
  "UPDATE reports SET settled_by = NULL WHERE id IN (SELECT id FROM reports WHERE settled_by = ? LIMIT ?)",
  "DELETE FROM case_notes WHERE id IN (SELECT id FROM case_notes WHERE author_id = ? LIMIT ?)",
  // A case about the account or about deleted content is kept only as long as it has reports.
  `DELETE FROM cases WHERE id IN (SELECT k.id FROM cases k WHERE k.builder_id = ?
     AND NOT EXISTS (SELECT 1 FROM reports WHERE subject_id = k.subject_id)
     AND NOT EXISTS (SELECT 1 FROM stranger_reports WHERE subject_id = k.subject_id) LIMIT ?)`,
  "UPDATE cases SET builder_id = NULL WHERE id IN (SELECT id FROM cases WHERE builder_id = ? LIMIT ?)",
  "UPDATE cases SET taken_by = NULL WHERE id IN (SELECT id FROM cases WHERE taken_by = ? LIMIT ?)",
  "DELETE FROM held WHERE subject_id IN (SELECT subject_id FROM held WHERE builder_id = ? LIMIT ?)",
  `DELETE FROM newcomer_texts WHERE builder_id = ? AND digest IN
     (SELECT digest FROM newcomer_texts WHERE builder_id = ? LIMIT ?)`,
  // Appeals, restrictions and locks are deleted with their decision.
  "DELETE FROM decisions WHERE id IN (SELECT id FROM decisions WHERE builder_id = ? LIMIT ?)",
  `UPDATE decisions SET moderator_id = NULL WHERE id IN
     (SELECT id FROM decisions WHERE moderator_id = ? LIMIT ?)`,
  "UPDATE decisions SET undone_by = NULL WHERE id IN (SELECT id FROM decisions WHERE undone_by = ? LIMIT ?)",
  `UPDATE appeals SET decided_by = NULL WHERE decision_id IN
     (SELECT decision_id FROM appeals WHERE decided_by = ? LIMIT ?)`,
  "DELETE FROM audit_entries WHERE id IN (SELECT id FROM audit_entries WHERE subject_id = ? LIMIT ?)",
  `UPDATE audit_entries SET actor_id = NULL WHERE id IN
     (SELECT id FROM audit_entries WHERE actor_id = ? LIMIT ?)`,
];

/**
 * Runs the statements of `LARGE_TABLES` until `limit` rows are deleted or changed. Returns the number of
 * these rows.
 */
export function deleteFromHeaps(core: Core, builderId: string, limit: number): number {
  let left = limit;
  for (const sql of LARGE_TABLES) {
    const parameters = sql.split("?").length - 1;
    const ids = Array.from({ length: parameters - 1 }, () => builderId);
    left -= core.db.prepare(sql).run(...ids, left).changes;
    if (left <= 0) break;
  }
  return limit - left;
}

/** Deletes a builder's private events, including their pending deliveries. */
export function deletePrivateEvents(core: Core, builderId: string, limit: number): number {
  return core.db
    .prepare("DELETE FROM events WHERE id IN (SELECT id FROM events WHERE builder_id = ? LIMIT ?)")
    .run(builderId, limit).changes;
}

export function deleteBuilderRow(core: Core, id: string): void {
  core.db.prepare("DELETE FROM builders WHERE id = ?").run(id);
}
