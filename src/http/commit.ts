import type { Caller } from "../core/identity/access/caller.ts";
import type { Core } from "../core/base/core.ts";
import { unauthorized } from "../core/base/errors.ts";
import { refuseInMaintenance } from "../core/identity/maintenance/maintenance.ts";
import { inTrace } from "../core/outbox/events/trace.ts";
import type { RequestContext } from "./context.ts";

/**
 * Runs a write in one transaction, as whoever asks is known inside of it: what a request waited for before,
 * its body or the address of a name, may have taken as long as losing every right. Resolves when it is on
 * disk. Throws unauthorized where the credentials work no more, unavailable in maintenance.
 */
export async function commitAs<Result>(
  core: Core,
  context: RequestContext,
  write: (caller: Caller) => Result,
): Promise<Result> {
  // The signature of an app's token is checked before: inside, nothing can be waited for.
  await context.verify();
  return core.db.write(() => {
    const caller = context.callerNow();
    if (!caller || caller instanceof Promise) throw unauthorized();
    refuseInMaintenance(core, caller);
    return inTrace(core, context.traceparent, () => write(caller));
  });
}

/**
 * Whoever asks, as they are known at this moment. Throws unauthorized where their credentials work no more.
 */
export async function currentCaller(context: RequestContext): Promise<Caller> {
  const caller = await context.callerNow();
  if (!caller) throw unauthorized();
  return caller;
}
