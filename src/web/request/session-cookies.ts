import { DEVICE_MAX_MS } from "../../core/identity/accounts/devices.ts";
import { SESSION_MAX_MS, type SignedIn, type Whence } from "../../core/identity/accounts/sessions.ts";
import { DAY, SECOND } from "../../core/base/clock.ts";
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

/** So long an application waits, and so long its answer is there. */
const APPLICANT_SECONDS = (60 * DAY) / SECOND;

/** Sends somebody who asks to be let in to where they see how that stands. */
export function seat({ core }: PageAsk, secret: string, notice?: Notice): Redirect {
  const cookies = [setCookie(cookieJar(core.origin), "applicant", secret, APPLICANT_SECONDS)];
  return { to: "/sign-up/waiting", cookies, ...(notice ? { notice } : {}) };
}

/** By what this browser sees how it stands; empty where it cannot. */
export function seatOf({ core, context }: PageAsk): string {
  return readCookie(context.request.headers.get("cookie"), cookieJar(core.origin).applicant) ?? "";
}

/** Sends somebody on who took it back. */
export function unseat({ core }: PageAsk, to: string, notice: Notice): Redirect {
  return { to, notice, cookies: [dropCookie(cookieJar(core.origin), "applicant")] };
}

/** Sends somebody on without a session. */
export function leave({ core }: PageAsk, to: string, notice: Notice): Redirect {
  return { to, notice, cookies: [dropCookie(cookieJar(core.origin), "session")] };
}
