import type { Core } from "../../base/core.ts";
import { workspaceMembers, workspaces } from "../../base/db/schema-access.ts";
import type { Member, Role } from "./members.ts";

/**
 * Renames a builder's personal workspace after a change of username, if the workspace still has the old name.
 */
export function renamePersonal(core: Core, id: string, { from, to }: { from: string; to: string }): void {
  core.db.patch(workspaces, { id, name: from }, { name: to });
}

export function isWorkspace(core: Core, id: string): boolean {
  return (
    core.db.prepare("SELECT 1 FROM workspaces WHERE id = ? AND removed_at IS NULL").get(id) !== undefined
  );
}

export function insertWorkspace(core: Core, row: typeof workspaces.$inferInsert): void {
  core.db.insert(workspaces, row);
}

/** Selects the members of a workspace. The member who joined first is first. */
export function selectMembers(core: Core, workspaceId: string): Member[] {
  return core.db
    .prepare<Member>(
      `SELECT b.id AS builderId, b.username, b.name, m.role, m.joined_at AS joinedAt
       FROM workspace_members m CROSS JOIN builders b ON b.id = m.builder_id
       WHERE m.workspace_id = ? AND b.removed_at IS NULL ORDER BY m.joined_at, b.id`,
    )
    .all(workspaceId);
}

export function insertMember(core: Core, row: typeof workspaceMembers.$inferInsert): void {
  core.db.insert(workspaceMembers, row);
}

/** Returns a builder's role in a workspace; undefined for a non-member. */
export function findRole(core: Core, workspaceId: string, builderId: string): Role | undefined {
  return core.db
    .prepare<{ role: Role }>("SELECT role FROM workspace_members WHERE workspace_id = ? AND builder_id = ?")
    .get(workspaceId, builderId)?.role;
}

export function isMember(core: Core, builderId: string, workspaceId: string): boolean {
  return findRole(core, workspaceId, builderId) !== undefined;
}

/** Whether the builder is a member of the workspace and not suspended. Runs on every write by a token. */
export function isActiveMember(core: Core, builderId: string, workspaceId: string): boolean {
  return (
    core.db
      .prepare(
        `SELECT 1 FROM workspace_members m CROSS JOIN builders b ON b.id = m.builder_id
         WHERE m.workspace_id = ? AND m.builder_id = ? AND b.suspended_at IS NULL`,
      )
      .get(workspaceId, builderId) !== undefined
  );
}

/** Whether the workspace has another owner who is not suspended. */
export function hasOtherOwner(core: Core, workspaceId: string, builderId: string): boolean {
  return (
    core.db
      .prepare(
        `SELECT 1 FROM workspace_members m CROSS JOIN builders b ON b.id = m.builder_id
         WHERE m.workspace_id = ? AND m.role = 'owner' AND m.builder_id <> ? AND b.suspended_at IS NULL`,
      )
      .get(workspaceId, builderId) !== undefined
  );
}

/**
 * Returns the member who joined first, except `builderId`. Chooses a member whose account is being deleted
 * only if no other member exists.
 */
export function findSuccessor(core: Core, workspaceId: string, builderId: string): string | undefined {
  return core.db
    .prepare<{ id: string }>(
      `SELECT b.id FROM workspace_members m CROSS JOIN builders b ON b.id = m.builder_id
       WHERE m.workspace_id = ? AND m.builder_id <> ?
       ORDER BY b.removed_at IS NOT NULL, m.joined_at, b.id LIMIT 1`,
    )
    .get(workspaceId, builderId)?.id;
}

export function updateRole(core: Core, workspaceId: string, builderId: string, role: Role): void {
  core.db.patch(workspaceMembers, { workspaceId, builderId }, { role });
}

export function deleteMembers(core: Core, workspaceId: string): void {
  core.db.prepare("DELETE FROM workspace_members WHERE workspace_id = ?").run(workspaceId);
}

export function deleteMember(core: Core, workspaceId: string, builderId: string): void {
  core.db
    .prepare("DELETE FROM workspace_members WHERE workspace_id = ? AND builder_id = ?")
    .run(workspaceId, builderId);
}
