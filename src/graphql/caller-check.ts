import { unauthorized } from "../core/base/errors.ts";
import type { GraphContext } from "./context.ts";

/**
 * Authenticates the caller a second time after a wait, because the caller's rights may have ended during the
 * wait. Throws unauthorized.
 */
export async function recheckCaller(context: GraphContext): Promise<void> {
  const now = await context.http.callerNow();
  if (!now) throw unauthorized();
  context.caller = now;
}
