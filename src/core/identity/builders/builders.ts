import { type Static, Type } from "@sinclair/typebox";
import { type Caller, requireAdmin, requireScope } from "../access/caller.ts";
import { lockOut } from "../../delegation/securing/securing.ts";
import { requireFresh, requireFreshSession } from "../accounts/sessions.ts";
import { recordBy } from "../audit/audit.ts";
import { Text } from "../../ground/check.ts";
import { DAY } from "../../ground/clock.ts";
import type { Core } from "../../ground/core.ts";
import { refuse } from "../../ground/errors.ts";
import {
  anyBuilder,
  findBuilder,
  hasWorkingAdmin,
  insertBuilder,
  isFormerUsername,
  updateAdmin,
  updateSuspension,
} from "./builders-store.ts";
import { refuseReserved, Username } from "./username.ts";

export const BuilderDraft = Type.Object({
  username: Username,
  name: Text({ max: 100, visible: true, line: true }),
  isAdmin: Type.Boolean(),
});
export type BuilderDraft = Static<typeof BuilderDraft>;

/**
 * Makes a builder with a personal workspace and returns their id. Needs `admin`, and of a person that they signed in a moment ago; people
 * come in through `signUp`.
 * Throws forbidden, unprocessable for a reserved username, conflict for a taken one.
 */
export function createBuilder(core: Core, caller: Caller, draft: BuilderDraft): string {
  requireScope(caller, "admin");
  requireFreshSession(core, caller);
  return core.db.transact(() => {
    const id = addBuilder(core, draft, { isVouchedFor: caller.means === "operator" });
    recordBy(core, caller, "account.created", id);
    if (draft.isAdmin) recordBy(core, caller, "admin.given", id);
    return id;
  });
}

/** For so long somebody whom no operator brought in is new here: see `refuseManyStarts`. */
const NEWCOMER_MS = 7 * DAY;

/** The same for whoever has shown the right to come in by other means, such as an invitation. */
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
      newcomerUntil: isVouchedFor || draft.isAdmin ? null : createdAt + NEWCOMER_MS,
    });
    return id;
  });
}

/** Throws unprocessable for a reserved username, conflict for a taken one. */
export function refuseUsername(core: Core, username: string): void {
  refuseReserved(username);
  if (findBuilder(core, username) || isFormerUsername(core, username)) throw refuse("username_taken");
}

/**
 * Locks a builder out, or lets them in again: their very next request obeys, by whatever credentials, and so do the apps that nobody
 * else answers for. What gave access is ended (docs/contract.md 9.2): let in again they sign in, and nothing else of theirs works.
 * Needs `admin`, and of a person that they signed in a moment ago. Throws forbidden, not_found, conflict for oneself and for
 * the last admin who may come in, whom only the operator locks out.
 */
export function setSuspended(core: Core, caller: Caller, username: string, suspended: boolean): void {
  requireScope(caller, "admin");
  requireFreshSession(core, caller);
  core.db.transact(() => {
    const builder = findBuilder(core, username);
    if (!builder) throw refuse("builder_unknown");
    if (builder.id === caller.builderId) throw refuse("own_suspension");
    const ended = suspended ? lockOut(core, builder.id) : {};
    updateSuspension(core, builder.id, suspended ? core.clock.now() : null);
    // Two admins who suspend each other at once would leave nobody.
    if (suspended && builder.isAdmin && caller.means !== "operator") refuseNobody(core, username);
    recordBy(core, caller, suspended ? "builder.suspended" : "builder.restored", builder.id, { ...ended });
  });
}

/**
 * Gives a builder the right to run the community, or takes it; their very next request obeys. For admins, who signed in a moment ago, and
 * the operator. Throws
 * forbidden, not_found, conflict where nobody who may come in would be left with it.
 */
export function setAdmin(core: Core, caller: Caller, username: string, isAdmin: boolean): void {
  requireAdmin(caller);
  requireFresh(core, caller);
  core.db.transact(() => {
    const builder = findBuilder(core, username);
    if (!builder) throw refuse("builder_unknown");
    if (builder.isAdmin === isAdmin) return;
    updateAdmin(core, builder.id, isAdmin);
    if (!isAdmin) refuseNobody(core, username);
    recordBy(core, caller, isAdmin ? "admin.given" : "admin.taken", builder.id);
  });
}

/** An admin who is suspended runs nothing. Throws conflict where no other is left. */
export function refuseNobody(core: Core, username: string): void {
  if (!hasWorkingAdmin(core)) throw refuse("admin_last", { username });
}

/** Whether anybody lives here yet. */
export function hasBuilders(core: Core): boolean {
  return anyBuilder(core);
}
