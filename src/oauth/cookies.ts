import { isSecureOrigin } from "../http/secure-origin.ts";

/**
 * Names of the library's cookies. `interaction` and `resume` are short-lived and bind an authorization to its
 * browser. `session` is never sent to a browser.
 */
export interface CookieNames {
  session: string;
  interaction: string;
  resume: string;
}

/**
 * Returns the names of the cookies. The cookies have their own paths, so their names can start with
 * `__Secure-` but not with `__Host-` (RFC 6265bis §4.1.3.1).
 */
export function cookieNames(origin: string): CookieNames {
  const prefix = isSecureOrigin(origin) ? "__Secure-" : "";
  return {
    session: "guildhall-oauth-session",
    interaction: `${prefix}guildhall-oauth`,
    resume: `${prefix}guildhall-oauth-resume`,
  };
}

/**
 * Returns the cookies for the library. Adds the library's session cookie for the signed-in member. Removes
 * session cookies that the client sent.
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

/** Returns the library's cookies without its session cookie. Adds `Secure` if the site uses https. */
export function outgoingCookies(
  cookies: readonly string[],
  { session }: CookieNames,
  origin: string,
): string[] {
  return cookies
    .filter((cookie) => !cookie.startsWith(`${session}=`) && !cookie.startsWith(`${session}.sig=`))
    .map((cookie) => (isSecureOrigin(origin) && !/;\s*secure/i.test(cookie) ? `${cookie}; Secure` : cookie));
}
