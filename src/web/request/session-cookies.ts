import { DEVICE_MAX_MS } from "../../core/identity/accounts/devices.ts";
import { SESSION_MAX_MS, type SignedIn, type SignInOrigin } from "../../core/identity/accounts/sessions.ts";
import { DAY, SECOND } from "../../core/base/clock.ts";
import { cookieJar, dropCookie, readCookie, setCookie } from "./cookies.ts";
import type { Notice, PageContext, Redirect } from "./route.ts";

/** Returns the origin of a sign-in: client IP address, browser and device cookie. */
export function signInOriginOf({ core, context }: PageContext): SignInOrigin {
  const { headers } = context.request;
  const device = readCookie(headers.get("cookie"), cookieJar(core.origin).device);
  return { address: context.address(), agent: headers.get("user-agent") ?? "", device };
}

/** Returns the cookies of a new session. */
export function sessionCookies({ core }: PageContext, { secret, device }: SignedIn): string[] {
  const jar = cookieJar(core.origin);
  return [
    setCookie(jar, "session", secret, SESSION_MAX_MS / SECOND),
    setCookie(jar, "device", device, DEVICE_MAX_MS / SECOND),
    dropCookie(jar, "visitor"),
  ];
}

/** Redirects with the cookies of a new session. Deletes the cookie that the guest's forms were bound to. */
export function redirectSignedIn(ctx: PageContext, signedIn: SignedIn, to: string, notice: Notice): Redirect {
  return { to, notice, cookies: sessionCookies(ctx, signedIn) };
}

/** How long an application, and then the decision on it, is kept, in seconds. */
const APPLICANT_SECONDS = (60 * DAY) / SECOND;

/** Redirects an applicant to the page that shows the state of their application. */
export function redirectApplicant({ core }: PageContext, secret: string, notice?: Notice): Redirect {
  const cookies = [setCookie(cookieJar(core.origin), "applicant", secret, APPLICANT_SECONDS)];
  return { to: "/sign-up/waiting", cookies, ...(notice ? { notice } : {}) };
}

/** Returns the secret of this browser's application. Empty if there is none. */
export function applicantSecretOf({ core, context }: PageContext): string {
  return readCookie(context.request.headers.get("cookie"), cookieJar(core.origin).applicant) ?? "";
}

/** Redirects after an application was withdrawn. */
export function redirectWithdrawn({ core }: PageContext, to: string, notice: Notice): Redirect {
  return { to, notice, cookies: [dropCookie(cookieJar(core.origin), "applicant")] };
}

/** Redirects without a session. */
export function redirectSignedOut({ core }: PageContext, to: string, notice: Notice): Redirect {
  return { to, notice, cookies: [dropCookie(cookieJar(core.origin), "session")] };
}
