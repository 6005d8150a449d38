import { unauthorized } from "../core/base/errors.ts";
import type { GraphContext } from "./context.ts";

/** Asks again who the caller is, after a wait that may have ended their rights. Throws unauthorized. */
export async function recheckCaller(context: GraphContext): Promise<void> {
  const now = await context.http.callerNow();
  if (!now) throw unauthorized();
  context.caller = now;
}
