import { createHash } from "node:crypto";
import { DAY, MINUTE, SECOND } from "../../core/base/clock.ts";
import { APPEAL_SESSION_MS } from "../../core/identity/accounts/appeal-sessions.ts";
import { DEVICE_MAX_MS } from "../../core/identity/accounts/devices.ts";
import { SESSION_MAX_MS } from "../../core/identity/accounts/sessions.ts";
import { APPLICATION_LIFETIME_MS } from "../../core/identity/applications/applications.ts";
import { readCookie as read } from "../../http/cookie.ts";
import { isSecureOrigin } from "../../http/secure-origin.ts";

/**
 * The names and attributes of the site's seven cookies.
 * - `session`: the session of a member
 * - `visitor`: a random value that a guest's forms are bound to
 * - `device`: marks a browser that has signed in before, and survives sign-out
 * - `applicant`: the secret of an applicant
 * - `appeal`: the appeal session of a suspended member
 * - `notice`: the notice for the next page, for a minute
 * - `language`: the language that was chosen in this browser
 *
 * The prefix `__Host-` limits a cookie to this host (RFC 6265bis §4.1.3.2). The prefix requires `Secure` and
 * so https. A site on plain http uses the bare names.
 */
export interface CookieJar {
  session: string;
  visitor: string;
  device: string;
  /** This secret only shows the state of an application. */
  applicant: string;
  /** This secret only opens the page `/suspended`. */
  appeal: string;
  /**
   * The notice that the next page shows. The cookie proves that this browser caused the notice. A URL could
   * not prove it.
   */
  notice: string;
  language: string;
  attributes: string;
}

export type CookieName = Exclude<keyof CookieJar, "attributes">;

/** How long a browser keeps each cookie, in seconds. The privacy page lists them (docs/contract.md#12.41). */
export const COOKIE_SECONDS: Readonly<Record<CookieName, number>> = {
  session: SESSION_MAX_MS / SECOND,
  // Forms are bound to this cookie. A form that is left open overnight still works.
  visitor: (7 * DAY) / SECOND,
  device: DEVICE_MAX_MS / SECOND,
  // An application is kept this long, and then the decision on it.
  applicant: (2 * APPLICATION_LIFETIME_MS) / SECOND,
  appeal: APPEAL_SESSION_MS / SECOND,
  notice: MINUTE / SECOND,
  language: (365 * DAY) / SECOND,
};

export function cookieJar(origin: string): CookieJar {
  const isSecure = isSecureOrigin(origin);
  const prefix = isSecure ? "__Host-" : "";
  return {
    session: `${prefix}guildhall`,
    visitor: `${prefix}guildhall-visitor`,
    device: `${prefix}guildhall-device`,
    applicant: `${prefix}guildhall-applicant`,
    appeal: `${prefix}guildhall-appeal`,
    notice: `${prefix}guildhall-notice`,
    language: `${prefix}guildhall-language`,
    attributes: `Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`,
  };
}

/** Reads a cookie with a secret or a random value. */
export function readCookie(header: string | null, name: string): string | undefined {
  return read(header, name, /^[A-Za-z0-9_-]{20,100}$/);
}

/** Reads the language that was chosen in this browser. */
export function readLanguage(header: string | null, name: string): string | undefined {
  return read(header, name, /^[a-z]{2}$/);
}

export function setCookie(
  jar: CookieJar,
  name: CookieName,
  value: string,
  maxAgeSeconds = COOKIE_SECONDS[name],
): string {
  return `${jar[name]}=${value}; ${jar.attributes}; Max-Age=${maxAgeSeconds}`;
}

export function dropCookie(jar: CookieJar, name: CookieName): string {
  return setCookie(jar, name, "", 0);
}

/** Returns the value of the notice cookie for a notice. */
export function noticeValue(key: string): string {
  return createHash("sha256").update(`guildhall notice ${key}`).digest("base64url");
}

/**
 * Returns the token for forms of this browser. It is derived from the cookie, so nothing is stored. Other
 * sites do not know the cookie, and the database only has another hash of the session.
 */
export function formTokenOf(cookieValue: string): Buffer {
  return createHash("sha256").update(`guildhall form ${cookieValue}`).digest();
}

/**
 * Masks the token with a new random `mask` of the same length for each page. Otherwise the size of compressed
 * pages would reveal the token guess by guess (BREACH).
 */
export function maskToken(token: Uint8Array, mask: Uint8Array): string {
  return Buffer.concat([mask, token.map((byte, i) => byte ^ (mask[i] ?? 0))]).toString("base64url");
}

/** Returns the token. Undefined for text that `maskToken` does not write. */
export function unmaskToken(text: string): Uint8Array | undefined {
  if (!/^[\w-]{86}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64url");
  return bytes.subarray(32).map((byte, i) => byte ^ (bytes[i] ?? 0));
}
