import { type Static, Type } from "@sinclair/typebox";
import { type Caller, requireScope } from "../access/caller.ts";
import { Text } from "../check.ts";
import type { Core } from "../core.ts";
import { conflict, notFound } from "../errors.ts";
import { anyBuilder, findBuilder, insertBuilder, updateSuspension } from "./builders-store.ts";
import { refuseReserved, Username } from "./username.ts";

export const BuilderDraft = Type.Object({
  username: Username,
  name: Text({ max: 100, visible: true, line: true }),
  isAdmin: Type.Boolean(),
});
export type BuilderDraft = Static<typeof BuilderDraft>;

/**
 * Makes a builder with a personal workspace and returns their id. Needs `admin`; people come in through `signUp`.
 * Throws forbidden, unprocessable for a reserved username, conflict for a taken one.
 */
export function createBuilder(core: Core, caller: Caller, draft: BuilderDraft): string {
  requireScope(caller, "admin");
  return addBuilder(core, draft);
}

/** The same for whoever has shown the right to come in by other means, such as an invitation. */
export function addBuilder(core: Core, draft: BuilderDraft): string {
  refuseReserved(draft.username);
  return core.db.transact(() => {
    if (findBuilder(core, draft.username))
      throw conflict(`The username ${draft.username} is taken; choose another.`);
    const createdAt = core.clock.now();
    const id = core.makeId("builder", createdAt);
    insertBuilder(core, {
      ...draft,
      id,
      workspaceId: core.makeId("ws", createdAt),
      bio: "",
      xp: 0,
      streakDays: 0,
      createdAt,
    });
    return id;
  });
}

/** Locks a builder out, or lets them in again: their very next request obeys, by whatever credentials. Needs `admin`. Throws forbidden, not_found. */
export function setSuspended(core: Core, caller: Caller, username: string, suspended: boolean): void {
  requireScope(caller, "admin");
  core.db.transact(() => {
    const builder = findBuilder(core, username);
    if (!builder) throw notFound(`There is no builder called ${username}.`);
    updateSuspension(core, builder.id, suspended ? core.clock.now() : null);
  });
}

/** Whether anybody lives here yet. */
export function hasBuilders(core: Core): boolean {
  return anyBuilder(core);
}
