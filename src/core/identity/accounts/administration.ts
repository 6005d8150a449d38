import { type Caller, requireAdmin, requireScope } from "../access/caller.ts";
import { isAtLeast } from "../access/roles.ts";
import { recordBy } from "../audit/audit.ts";
import {
  addBuilder,
  type BuilderDraft,
  findBuilder,
  refuseNobody,
  updateRole,
} from "../builders/builders.ts";
import { notifyAdmins } from "../notifications/notify.ts";
import type { Core } from "../../ground/core.ts";
import { refuse } from "../../ground/errors.ts";
import { requireFresh, requireFreshSession } from "./sessions.ts";

/**
 * Makes a builder with a personal workspace and returns their id. Needs `admin`, and of a person that they
 * signed in a moment ago; people come in through `signUp`. Throws forbidden, unprocessable for a reserved
 * username, conflict for a taken one.
 */
export function createBuilder(core: Core, caller: Caller, draft: BuilderDraft): string {
  requireScope(caller, "admin");
  requireFreshSession(core, caller);
  return core.db.transact(() => {
    const id = addBuilder(core, draft, { isVouchedFor: caller.means === "operator" });
    recordBy(core, caller, "account.created", id);
    if (draft.role !== "member") recordBy(core, caller, "role.given", id, { from: "member", to: draft.role });
    // What the operator makes, often many at once, is no news to those who run the place with them.
    if (caller.means !== "operator") tellOfMember(core, id);
    return id;
  });
}

/** Tells everybody who runs the community of somebody new. Call it in the transaction of who comes. */
export function tellOfMember(core: Core, id: string): void {
  notifyAdmins(core, { kind: "member_joined", by: id, subject: { type: "builder", id } });
}

/**
 * Gives a builder the right to run the community, or takes it; their very next request obeys. For admins, who
 * signed in a moment ago, and the operator. Throws forbidden, not_found, conflict where nobody who may come
 * in would be left with it.
 */
export function setAdmin(core: Core, caller: Caller, username: string, isAdmin: boolean): void {
  requireAdmin(caller);
  requireFresh(core, caller);
  core.db.transact(() => {
    const builder = findBuilder(core, username);
    if (!builder) throw refuse("builder_unknown");
    if (isAtLeast(builder.role, "admin") === isAdmin) return;
    const to = isAdmin ? "admin" : "member";
    updateRole(core, builder.id, to);
    if (!isAdmin) refuseNobody(core, username);
    recordBy(core, caller, "role.given", builder.id, { from: builder.role, to });
  });
}
