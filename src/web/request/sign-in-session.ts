import { DEVICE_MAX_MS } from "../../core/identity/accounts/devices.ts";
import { SESSION_MAX_MS, type SignedIn, type Whence } from "../../core/identity/accounts/sessions.ts";
import { SECOND } from "../../core/ground/clock.ts";
import { cookieJar, dropCookie, readCookie, setCookie } from "./cookies.ts";
import type { Notice, PageAsk, Redirect } from "./route.ts";

/** Where whoever sends this form sits. */
export function whence({ core, context }: PageAsk): Whence {
  const { headers } = context.request;
  const device = readCookie(headers.get("cookie"), cookieJar(core.origin).device);
  return { address: context.address(), agent: headers.get("user-agent") ?? "", device };
}

/**
 * Sends somebody on with the cookie of their new session. What their earlier forms were tied to ends with it.
 */
export function enter({ core }: PageAsk, { secret, device }: SignedIn, to: string, notice: Notice): Redirect {
  const jar = cookieJar(core.origin);
  return {
    to,
    notice,
    cookies: [
      setCookie(jar, "session", secret, SESSION_MAX_MS / SECOND),
      setCookie(jar, "device", device, DEVICE_MAX_MS / SECOND),
      dropCookie(jar, "visitor"),
    ],
  };
}

/** Sends somebody on without a session. */
export function leave({ core }: PageAsk, to: string, notice: Notice): Redirect {
  return { to, notice, cookies: [dropCookie(cookieJar(core.origin), "session")] };
}
