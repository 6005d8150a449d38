import type { Core } from "../../base/core.ts";
import type { workspaces } from "../../base/db/schema-access.ts";
import { insertMember, insertWorkspace } from "./members-store.ts";

/*
 * Who is in which workspace: what signing in, tokens and apps ask. What a workspace is, and who may change
 * it, stands above in `workspaces`. Nothing here asks a right.
 */
export {
  deleteMember,
  deleteMembers,
  findHeir,
  findRole,
  hasOtherOwner,
  insertMember,
  isMember,
  isWorkingMember,
  isWorkspace,
  renamePersonal,
  selectMembers,
  updateRole,
} from "./members-store.ts";

const ROLES = ["owner", "member"] as const;
/** A member uses the workspace; an owner also says who is in it. */
export type Role = (typeof ROLES)[number];

export interface Member {
  builderId: string;
  username: string;
  name: string;
  role: Role;
  /** Milliseconds since the epoch. */
  joinedAt: number;
}

/** What is of a builder, of everybody in a workspace, or of a builder in it. */
export type WorkspaceFilter = { builderId: string } | { workspaceId: string; builderId?: string | undefined };

/** The same as a condition of a statement over a table that has both columns. */
export function conditionOf(whose: WorkspaceFilter): { where: string; values: string[] } {
  const columns = {
    workspace_id: "workspaceId" in whose ? whose.workspaceId : undefined,
    builder_id: whose.builderId,
  };
  const asked = Object.entries(columns).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  return {
    where: asked.map(({ name }) => `${name} = ?`).join(" AND "),
    values: asked.map(({ value }) => value),
  };
}

/**
 * Makes a workspace with its first owner; `ownerId` names the builder whose personal one it is. Call it in a
 * transaction.
 */
export function foundWorkspace(
  core: Core,
  workspace: typeof workspaces.$inferInsert & { createdAt: number },
  founderId: string,
): void {
  insertWorkspace(core, workspace);
  const { id, createdAt } = workspace;
  insertMember(core, { workspaceId: id, builderId: founderId, role: "owner", joinedAt: createdAt });
}
