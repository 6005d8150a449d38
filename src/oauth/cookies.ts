import { isSecureOrigin } from "../http/secure-origin.ts";

/**
 * Names of the library's cookies. `interaction` and `resume` are short-lived and tie an authorization to its
 * browser. `session` never leaves the process.
 */
export interface CookieNames {
  session: string;
  interaction: string;
  resume: string;
}

/** The cookies have their own paths, so they can use `__Secure-` but not `__Host-` (RFC 6265bis §4.1.3.1). */
export function cookieNames(origin: string): CookieNames {
  const prefix = isSecureOrigin(origin) ? "__Secure-" : "";
  return {
    session: "guildhall-oauth-session",
    interaction: `${prefix}guildhall-oauth`,
    resume: `${prefix}guildhall-oauth-resume`,
  };
}

/**
 * Returns the request's cookies with the library's session of the signed-in member. Drops session cookies
 * that the client sent.
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

/** Returns the library's cookies without its session. Adds Secure if the site uses https. */
export function outgoingCookies(
  cookies: readonly string[],
  { session }: CookieNames,
  origin: string,
): string[] {
  return cookies
    .filter((cookie) => !cookie.startsWith(`${session}=`) && !cookie.startsWith(`${session}.sig=`))
    .map((cookie) => (isSecureOrigin(origin) && !/;\s*secure/i.test(cookie) ? `${cookie}; Secure` : cookie));
}
