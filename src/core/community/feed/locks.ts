import { refuse } from "../../base/errors.ts";
import type { Core } from "../../base/core.ts";
import type { Caller } from "../../identity/access/caller.ts";
import { isAtLeast } from "../../identity/access/roles.ts";
import { findLock } from "./locks-store.ts";

export { deleteLock, findLock, putLock } from "./locks-store.ts";

/**
 * Throws forbidden if moderators have locked the thread (docs/contract.md#12.37). Members with a role may
 * still reply, to explain the decision. One indexed lookup. Call it in the transaction of the reply.
 */
export function refuseInLocked(core: Core, caller: Caller, rootId: string): void {
  if (!isAtLeast(caller.role, "moderator") && findLock(core, rootId) !== undefined)
    throw refuse("thread_locked");
}
