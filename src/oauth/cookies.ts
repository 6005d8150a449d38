import { isSecureOrigin } from "../http/secure-origin.ts";

/**
 * Two short-lived cookies tie an authorization to the browser that began it. The third never leaves the
 * program.
 */
export interface CookieNames {
  session: string;
  interaction: string;
  resume: string;
}

/** They have paths of their own, so `__Host-` is not for them; `__Secure-` is (RFC 6265bis §4.1.3.1). */
export function cookieNames(origin: string): CookieNames {
  const prefix = isSecureOrigin(origin) ? "__Secure-" : "";
  return {
    session: "guildhall-oauth-session",
    interaction: `${prefix}guildhall-oauth`,
    resume: `${prefix}guildhall-oauth-resume`,
  };
}

/**
 * The request's cookies with the library's session put in for whoever has signed in, and none that was sent.
 */
export function withSession(
  header: string | null,
  { session }: CookieNames,
  key: string | undefined,
): string {
  const sent = (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair !== "" && !pair.startsWith(`${session}=`) && !pair.startsWith(`${session}.sig=`));
  return [...sent, ...(key === undefined ? [] : [`${session}=${key}`])].join("; ");
}

/**
 * The library's cookies as they go out: without its session, and only over what the site itself is served on.
 */
export function outgoingCookies(
  cookies: readonly string[],
  { session }: CookieNames,
  origin: string,
): string[] {
  return cookies
    .filter((cookie) => !cookie.startsWith(`${session}=`) && !cookie.startsWith(`${session}.sig=`))
    .map((cookie) => (isSecureOrigin(origin) && !/;\s*secure/i.test(cookie) ? `${cookie}; Secure` : cookie));
}
