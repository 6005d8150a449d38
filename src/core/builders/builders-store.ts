import { and, eq } from "drizzle-orm";
import type { Core } from "../core.ts";
import { builders, workspaceMembers, workspaces } from "../db/schema.ts";

export interface BuilderRow {
  id: string;
  username: string;
  isAdmin: boolean;
  /** Their personal workspace. */
  workspaceId: string;
}

export interface NewBuilder {
  id: string;
  workspaceId: string;
  username: string;
  name: string;
  bio: string;
  xp: number;
  streakDays: number;
  isAdmin: boolean;
  createdAt: number;
}

export function findBuilder(core: Core, username: string): BuilderRow | undefined {
  return core.db.orm
    .select({
      id: builders.id,
      username: builders.username,
      isAdmin: builders.isAdmin,
      workspaceId: workspaces.id,
    })
    .from(builders)
    .innerJoin(workspaces, eq(workspaces.ownerId, builders.id))
    .where(eq(builders.username, username))
    .get();
}

/** A builder and the personal workspace that every builder has. */
export function insertBuilder(core: Core, row: NewBuilder): void {
  const { id, workspaceId, username, createdAt } = row;
  core.db.orm.insert(builders).values(row).run();
  core.db.orm.insert(workspaces).values({ id: workspaceId, name: username, ownerId: id, createdAt }).run();
  core.db.orm
    .insert(workspaceMembers)
    .values({ workspaceId, builderId: id, role: "owner", joinedAt: createdAt })
    .run();
}

export function isMember(core: Core, builderId: string, workspaceId: string): boolean {
  return (
    core.db.orm
      .select({ role: workspaceMembers.role })
      .from(workspaceMembers)
      .where(and(eq(workspaceMembers.workspaceId, workspaceId), eq(workspaceMembers.builderId, builderId)))
      .get() !== undefined
  );
}

export function updateSuspension(core: Core, builderId: string, suspendedAt: number | null): void {
  core.db.orm.update(builders).set({ suspendedAt }).where(eq(builders.id, builderId)).run();
}

export function anyBuilder(core: Core): boolean {
  return core.db.orm.select({ id: builders.id }).from(builders).limit(1).get() !== undefined;
}
