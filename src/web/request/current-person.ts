import { sessionOf } from "../../core/identity/accounts/sessions.ts";
import type { Core } from "../../core/base/core.ts";
import type { RequestContext } from "../../http/context.ts";
import { cookieJar, readCookie } from "./cookies.ts";
import type { Person } from "./route.ts";

/** Returns the person whose session cookie the request carries, in their current state. */
export function currentPerson(core: Core, context: RequestContext): Person | undefined {
  const secret = readCookie(context.request.headers.get("cookie"), cookieJar(core.origin).session);
  const found = secret === undefined ? undefined : sessionOf(core, secret, context.address());
  return found && { ...found, signedInAt: found.session.createdAt };
}
