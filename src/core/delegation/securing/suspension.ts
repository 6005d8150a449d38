import { type Caller, requireModerator } from "../../identity/access/caller.ts";
import { requireFreshSession } from "../../identity/accounts/sessions.ts";
import { recordBy } from "../../identity/audit/audit.ts";
import { findBuilder, refuseAccountAction, updateSuspension } from "../../identity/builders/builders.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { endAllAccess } from "./securing.ts";

/**
 * Locks a builder out, or lets them in again: their very next request obeys, by whatever credentials, and so
 * do the apps that nobody else answers for. What gave access is ended (docs/contract.md#9.2): let in again
 * they sign in, and nothing else of theirs works. For moderators, of whom a person signed in a moment ago, to
 * those below them. Throws forbidden, not_found, conflict for oneself.
 */
export function setSuspended(core: Core, caller: Caller, username: string, suspended: boolean): void {
  requireModerator(caller);
  requireFreshSession(core, caller);
  core.db.transact(() => {
    const builder = findBuilder(core, username);
    if (!builder) throw refuse("builder_unknown");
    if (builder.id === caller.builderId) throw refuse("own_suspension");
    refuseAccountAction(core, caller, "suspend", builder);
    const ended = suspended ? endAllAccess(core, builder.id) : {};
    updateSuspension(core, builder.id, suspended ? core.clock.now() : null);
    recordBy(core, caller, suspended ? "builder.suspended" : "builder.restored", builder.id, { ...ended });
  });
}
