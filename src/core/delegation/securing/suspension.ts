import { type Caller, requireScope } from "../../identity/access/caller.ts";
import { isAtLeast } from "../../identity/access/roles.ts";
import { requireFreshSession } from "../../identity/accounts/sessions.ts";
import { recordBy } from "../../identity/audit/audit.ts";
import { findBuilder, refuseNobody, updateSuspension } from "../../identity/builders/builders.ts";
import type { Core } from "../../ground/core.ts";
import { refuse } from "../../ground/errors.ts";
import { lockOut } from "./securing.ts";

/**
 * Locks a builder out, or lets them in again: their very next request obeys, by whatever credentials, and so
 * do the apps that nobody else answers for. What gave access is ended (docs/contract.md#9.2): let in again
 * they sign in, and nothing else of theirs works. Needs `admin`, and of a person that they signed in a moment
 * ago. Throws forbidden, not_found, conflict for oneself and for the last admin who may come in, whom only
 * the operator locks out.
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
    if (suspended && isAtLeast(builder.role, "admin") && caller.means !== "operator")
      refuseNobody(core, username);
    recordBy(core, caller, suspended ? "builder.suspended" : "builder.restored", builder.id, { ...ended });
  });
}
