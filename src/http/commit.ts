import type { Caller } from "../core/identity/access/caller.ts";
import type { Core } from "../core/base/core.ts";
import { unauthorized } from "../core/base/errors.ts";
import { refuseInMaintenance } from "../core/identity/maintenance/maintenance.ts";
import { inTrace } from "../core/outbox/events/trace.ts";
import type { RequestContext } from "./context.ts";

/**
 * Runs a write in one transaction. Authenticates the caller again inside the transaction, because the
 * caller's rights may have ended while the request waited. Resolves when the write is on disk. Throws
 * unauthorized if the credentials are no longer valid, unavailable in maintenance mode.
 */
export async function commitAs<Result>(
  core: Core,
  context: RequestContext,
  write: (caller: Caller) => Result,
): Promise<Result> {
  // Verifies the signature of an app's token before the transaction, because a transaction cannot wait.
  await context.verify();
  return core.db.write(() => {
    const caller = context.callerNow();
    if (!caller || caller instanceof Promise) throw unauthorized();
    refuseInMaintenance(core, caller);
    return inTrace(core, context.traceparent, () => write(caller));
  });
}

/** Authenticates again and returns the caller. Throws unauthorized if the credentials are no longer valid. */
export async function currentCaller(context: RequestContext): Promise<Caller> {
  const caller = await context.callerNow();
  if (!caller) throw unauthorized();
  return caller;
}
