import { isSecureOrigin } from "../http/secure-origin.ts";
import type { CookieNames } from "../http/oauth-cookies.ts";

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
