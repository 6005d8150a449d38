import type { Core } from "../../base/core.ts";
import { invited } from "../../base/db/schema-access.ts";

export function insertInvited(core: Core, row: typeof invited.$inferInsert): void {
  core.db.insert(invited, row);
}

/**
 * Returns who invited a builder. The username of the inviter is null for the operator and for a deleted
 * account.
 */
export function findInvited(
  core: Core,
  builderId: string,
): { invitedBy: string | null; label: string } | undefined {
  return core.db
    .prepare<{ invitedBy: string | null; label: string }>(
      `SELECT b.username AS invitedBy, i.label
       FROM invited i LEFT JOIN builders b ON b.id = i.invited_by AND b.removed_at IS NULL
       WHERE i.builder_id = ?`,
    )
    .get(builderId);
}
