import type { Core } from "../../base/core.ts";
import type { workspaces } from "../../base/db/schema-access.ts";
import { insertMember, insertWorkspace } from "./members-store.ts";

/*
 * Membership of workspaces, as sign-in, tokens and apps need it. Operations on workspaces are in
 * `workspaces`. Nothing here checks a permission.
 */
export {
  deleteMember,
  deleteMembers,
  findSuccessor,
  findRole,
  hasOtherOwner,
  insertMember,
  isMember,
  isActiveMember,
  isWorkspace,
  renamePersonal,
  selectMembers,
  updateRole,
} from "./members-store.ts";

const ROLES = ["owner", "member"] as const;
/** Role in a workspace. Members use the workspace; owners also manage its members. */
export type Role = (typeof ROLES)[number];

export interface Member {
  builderId: string;
  username: string;
  name: string;
  role: Role;
  /** Time when the member joined, in ms since the epoch. */
  joinedAt: number;
}

/** A filter for rows of a builder, of a workspace, or of a builder in a workspace. */
export type WorkspaceFilter = { builderId: string } | { workspaceId: string; builderId?: string | undefined };

/** Returns the filter as an SQL condition for a table with both columns. */
export function conditionOf(filter: WorkspaceFilter): { where: string; values: string[] } {
  const columns = {
    workspace_id: "workspaceId" in filter ? filter.workspaceId : undefined,
    builder_id: filter.builderId,
  };
  const filters = Object.entries(columns).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  return {
    where: filters.map(({ name }) => `${name} = ?`).join(" AND "),
    values: filters.map(({ value }) => value),
  };
}

/**
 * Creates a workspace with its first owner. `ownerId` is set for a personal workspace. Call it in a
 * transaction.
 */
export function insertWorkspaceWithOwner(
  core: Core,
  workspace: typeof workspaces.$inferInsert & { createdAt: number },
  founderId: string,
): void {
  insertWorkspace(core, workspace);
  const { id, createdAt } = workspace;
  insertMember(core, { workspaceId: id, builderId: founderId, role: "owner", joinedAt: createdAt });
}
