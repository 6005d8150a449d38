import { isSecureOrigin } from "./secure-origin.ts";

/**
 * Lifetime of the version cookie, in seconds. A follower lags by seconds or minutes, never by a day. The
 * privacy page of a community with several nodes names the cookie.
 */
export const VERSION_COOKIE_SECONDS = 24 * 3600;

/** Returns the name of the cookie in which a browser keeps the version that it has seen. */
export function versionCookieName(origin: string): string {
  return `${isSecureOrigin(origin) ? "__Host-" : ""}guildhall-version`;
}
