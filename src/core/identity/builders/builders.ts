import { type Static, Type } from "@sinclair/typebox";
import { ROLES } from "../access/roles.ts";
import { Choice, Text } from "../../ground/check.ts";
import type { Core } from "../../ground/core.ts";
import { refuse } from "../../ground/errors.ts";
import {
  anyBuilder,
  findBuilder,
  findRenamed,
  hasWorkingAdmin,
  insertBuilder,
  isFormerUsername,
} from "./builders-store.ts";
import { foldUsername, isReserved, refuseReserved, Username } from "./username.ts";

export {
  type BuilderRow,
  findBuilder,
  findStanding,
  selectLanguage,
  lastRenamedAt,
  renameBuilder,
  updateRole,
  updateSuspension,
} from "./builders-store.ts";

export const BuilderDraft = Type.Object({
  username: Username,
  name: Text({ max: 100, visible: true, line: true }),
  role: Choice(ROLES),
});
export type BuilderDraft = Static<typeof BuilderDraft>;

/**
 * Makes a builder with a personal workspace and returns their id. Asks no right: what calls it has. Throws
 * unprocessable for a reserved username, conflict for a taken one.
 */
export function addBuilder(
  core: Core,
  draft: BuilderDraft,
  { isVouchedFor }: { isVouchedFor: boolean },
): string {
  return core.db.transact(() => {
    refuseUsername(core, draft.username);
    const createdAt = core.clock.now();
    const id = core.makeId("builder", createdAt);
    insertBuilder(core, {
      ...draft,
      id,
      workspaceId: core.makeId("ws", createdAt),
      bio: "",
      createdAt,
      isVouched: isVouchedFor,
    });
    return id;
  });
}

/**
 * Throws unprocessable for a reserved username, conflict for one that is taken, or was before, by anybody but
 * `builderId`.
 */
export function refuseUsername(core: Core, username: string, builderId?: string): void {
  refuseReserved(username);
  const owner = findBuilder(core, username);
  if (owner === undefined ? isFormerUsername(core, username) : owner.id !== builderId)
    throw refuse("username_taken");
}

/**
 * The username of now for a handle in any case: one that its builder has given up leads to the one they have.
 * A word that is nobody's stays as it is.
 */
export function handleOf(core: Core, handle: string): string {
  const username = foldUsername(handle);
  return findRenamed(core, username) ?? username;
}

/** Whether a new builder could have that name, which has the form of one. */
export function isFreeUsername(core: Core, username: string): boolean {
  return !isReserved(username) && !findBuilder(core, username) && !isFormerUsername(core, username);
}

/** An admin who is suspended runs nothing. Throws conflict where no other is left. */
export function refuseNobody(core: Core, username: string): void {
  if (!hasWorkingAdmin(core)) throw refuse("admin_last", { username });
}

/** Whether anybody lives here yet. */
export function hasBuilders(core: Core): boolean {
  return anyBuilder(core);
}
