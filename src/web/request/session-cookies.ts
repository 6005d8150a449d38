import type { SignedIn, SignInOrigin } from "../../core/identity/accounts/sessions.ts";
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
  return [setCookie(jar, "session", secret), setCookie(jar, "device", device), dropCookie(jar, "visitor")];
}

/** Redirects with the cookies of a new session. Deletes the cookie that the guest's forms were bound to. */
export function redirectSignedIn(ctx: PageContext, signedIn: SignedIn, to: string, notice: Notice): Redirect {
  return { to, notice, cookies: sessionCookies(ctx, signedIn) };
}

/** Redirects an applicant to the page that shows the state of their application. */
export function redirectApplicant({ core }: PageContext, secret: string, notice?: Notice): Redirect {
  const cookies = [setCookie(cookieJar(core.origin), "applicant", secret)];
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

/** Redirects a suspended member to the page that shows the decision. */
export function redirectSuspended({ core }: PageContext, secret: string): Redirect {
  return {
    to: "/suspended",
    cookies: [setCookie(cookieJar(core.origin), "appeal", secret)],
  };
}

/** Returns the secret of this browser's appeal session. Empty if there is none. */
export function appealSecretOf({ core, context }: PageContext): string {
  return readCookie(context.request.headers.get("cookie"), cookieJar(core.origin).appeal) ?? "";
}

/** Redirects after an appeal session was ended. */
export function redirectAppealEnded({ core }: PageContext): Redirect {
  return { to: "/", notice: "signed-out", cookies: [dropCookie(cookieJar(core.origin), "appeal")] };
}
