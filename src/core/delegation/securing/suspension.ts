import { type Caller, requireModerator } from "../../identity/access/caller.ts";
import { requireFreshSession } from "../../identity/accounts/sessions.ts";
import type { Detail } from "../../identity/audit/audit-events.ts";
import { recordBy } from "../../identity/audit/audit.ts";
import { findBuilder, refuseAccountAction, updateSuspension } from "../../identity/builders/builders.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { endAllAccess } from "./securing.ts";

/**
 * Suspends or restores a builder. The suspension affects the next request with any credential of the builder.
 * Apps without another active owner stop working too.
 * A suspension ends everything that gives access to the account, except the password (docs/contract.md#9.2).
 * A restored builder can sign in with the password, but passkeys, sessions, tokens and connected apps are
 * lost. Allowed for moderators, on builders with a lower role. A session needs a recent sign-in. Throws
 * forbidden, not_found. Throws conflict for the caller's own account.
 */
export function setSuspended(
  core: Core,
  caller: Caller,
  username: string,
  suspended: boolean,
  detail: Detail = {},
): void {
  requireModerator(caller);
  requireFreshSession(core, caller);
  core.db.transact(() => {
    const builder = findBuilder(core, username);
    if (!builder) throw refuse("builder_unknown");
    if (builder.id === caller.builderId) throw refuse("own_suspension");
    refuseAccountAction(core, caller, "suspend", builder);
    const ended = suspended ? endAllAccess(core, builder.id) : {};
    updateSuspension(core, builder.id, suspended ? core.clock.now() : null);
    recordBy(core, caller, suspended ? "builder.suspended" : "builder.restored", builder.id, {
      ...ended,
      ...detail,
    });
  });
}
