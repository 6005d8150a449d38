import type { Core } from "../../base/core.ts";
import { spamRemovals } from "../../base/db/schema-moderation.ts";

export interface RemovalRow {
  builderId: string;
  decisionId: string;
  state: "hiding" | "hidden" | "restoring";
  /** Until when the removal can be undone, in ms of steady time. */
  endsAt: number;
  /** The moderator; null for the operator. */
  moderatorId: string | null;
}

const COLUMNS = `r.builder_id AS builderId, r.decision_id AS decisionId, r.state, r.ends_at AS endsAt,
  d.moderator_id AS moderatorId`;

/** Stores a removal. Replaces an earlier one, whose undo may still be restoring content. */
export function putRemoval(core: Core, row: Omit<RemovalRow, "moderatorId">): void {
  core.db.upsert(spamRemovals, row);
}

export function findRemoval(core: Core, builderId: string): RemovalRow | undefined {
  return core.db
    .prepare<RemovalRow>(
      `SELECT ${COLUMNS} FROM spam_removals r CROSS JOIN decisions d ON d.id = r.decision_id
       WHERE r.builder_id = ?`,
    )
    .get(builderId);
}

/**
 * Finds a removal in this state. Skips accounts that are deleted or wait to be erased, because the deletion
 * hides or restores their content.
 */
export function findRemovalIn(core: Core, state: RemovalRow["state"]): RemovalRow | undefined {
  return core.db
    .prepare<RemovalRow>(
      `SELECT ${COLUMNS} FROM spam_removals r INDEXED BY spam_removals_by_state
       CROSS JOIN decisions d ON d.id = r.decision_id CROSS JOIN builders b ON b.id = r.builder_id
       WHERE r.state = ? AND b.removed_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM pending_deletions WHERE builder_id = r.builder_id)
       ORDER BY r.builder_id LIMIT 1`,
    )
    .get(state);
}

export function putRemovalState(core: Core, builderId: string, state: RemovalRow["state"]): void {
  core.db.patch(spamRemovals, { builderId }, { state });
}

export function deleteRemoval(core: Core, builderId: string): void {
  core.db.prepare("DELETE FROM spam_removals WHERE builder_id = ?").run(builderId);
}

/** Finds a finished removal that can no longer be undone. */
export function findEndedRemoval(core: Core, now: number): string | undefined {
  return core.db
    .prepare<{ builderId: string }>(
      `SELECT builder_id AS builderId FROM spam_removals
       WHERE ends_at <= ? AND state = 'hidden' ORDER BY ends_at LIMIT 1`,
    )
    .get(now)?.builderId;
}

/**
 * Deletes notifications that a builder caused at other members, at most `limit` events. Returns how many it
 * deleted.
 */
export function deleteSomeCaused(core: Core, builderId: string, limit: number): number {
  return core.db
    .prepare(
      `DELETE FROM notification_facts WHERE (group_id, fact) IN
         (SELECT group_id, fact FROM notification_facts WHERE actor_id = ? LIMIT ?)`,
    )
    .run(builderId, limit).changes;
}
