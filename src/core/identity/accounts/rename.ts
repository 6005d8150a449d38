import { Type } from "@sinclair/typebox";
import { type Caller, requireOperator, requirePerson } from "../access/caller.ts";
import { recordBy } from "../audit/audit.ts";
import {
  type BuilderRow,
  findBuilder,
  lastRenamedAt,
  refuseUsername,
  renameBuilder,
} from "../builders/builders.ts";
import { Username } from "../builders/username.ts";
import { renamePersonal } from "../members/members.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuse, refuseFor } from "../../base/errors.ts";
import { requireFresh } from "./sessions.ts";

export const UsernameDraft = Type.Object({ username: Username });

/**
 * Minimum number of days between two changes of a username. The delay lets members know whom a mentioned name
 * means.
 */
export const RENAME_DAYS = 30;

/**
 * Changes the person's username, which is also the sign-in name. The former username remains reserved.
 * Mentions of the former username, and links that contain it, still lead to the member. Needs a recent
 * sign-in. Throws forbidden, unprocessable for a reserved username, conflict for a taken username and for the
 * current one. Throws rate_limited within thirty days of the last change.
 */
export function changeUsername(core: Core, caller: Caller, to: string): void {
  const person = requirePerson(caller);
  requireFresh(core, caller);
  core.db.transact(() => {
    const last = lastRenamedAt(core, person.builderId);
    const since = last === undefined ? Infinity : core.clock.now() - last;
    if (since >= 0 && since < RENAME_DAYS * DAY)
      throw refuseFor("renamed_lately", RENAME_DAYS * DAY - since, { days: RENAME_DAYS });
    rename(core, caller, findBuilder(core, person.username), to);
  });
}

/**
 * Changes the username of any member at any time. For the operator. Throws forbidden, not_found,
 * unprocessable, conflict.
 */
export function renameAccount(core: Core, caller: Caller, username: string, to: string): void {
  requireOperator(caller);
  core.db.transact(() => rename(core, caller, findBuilder(core, username), to));
}

function rename(core: Core, caller: Caller, builder: BuilderRow | undefined, to: string): void {
  if (!builder) throw refuse("builder_unknown");
  const { id, username: from, role, workspaceId } = builder;
  if (from === to) throw refuse("username_same");
  // A member who once had the username may take it again.
  refuseUsername(core, to, { id, role });
  renameBuilder(core, builder, to, core.clock.now());
  renamePersonal(core, workspaceId, { from, to });
  recordBy(core, caller, "account.renamed", id, { from, to });
}
