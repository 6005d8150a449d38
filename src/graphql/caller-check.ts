import { unauthorized } from "../core/base/errors.ts";
import type { GraphContext } from "./context.ts";

/**
 * Authenticates the caller again after a wait, because the caller's rights may have ended. Throws
 * unauthorized.
 */
export async function recheckCaller(context: GraphContext): Promise<void> {
  const now = await context.http.callerNow();
  if (!now) throw unauthorized();
  context.caller = now;
}
