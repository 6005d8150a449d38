import { SESSION_MAX_MS, type SignedIn, type Whence } from "../core/accounts/sessions.ts";
import { SECOND } from "../core/clock.ts";
import { cookieJar, dropCookie, setCookie } from "./cookies.ts";
import type { PageAsk, Redirect } from "./route.ts";

/** Where whoever sends this form sits. */
export function whence({ visit }: PageAsk): Whence {
  return { address: visit.address(), agent: visit.request.headers.get("user-agent") ?? "" };
}

/** Sends somebody on with the cookie of their new session. What their earlier forms were tied to ends with it. */
export function enter({ core }: PageAsk, { secret }: SignedIn, to: string, notice: string): Redirect {
  const jar = cookieJar(core.origin);
  return {
    to,
    notice,
    cookies: [setCookie(jar, "session", secret, SESSION_MAX_MS / SECOND), dropCookie(jar, "visitor")],
  };
}

/** Sends somebody on without a session. */
export function leave({ core }: PageAsk, to: string, notice: string): Redirect {
  return { to, notice, cookies: [dropCookie(cookieJar(core.origin), "session")] };
}
