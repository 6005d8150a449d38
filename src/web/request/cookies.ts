import { createHash } from "node:crypto";
import { readCookie as read } from "../../http/cookie.ts";
import { isSecureOrigin } from "../../http/secure-origin.ts";

/**
 * The site's six cookies: the session; for a visitor without one a random value that their forms are tied to;
 * the mark of a browser that somebody has signed in with before, which stays when they sign out; that of who
 * asked to be let in; for a moment what was just done; and the language of whoever has chosen one. With
 * `__Host-` a browser keeps them for this host alone (RFC 6265bis §4.1.3.2); it asks for Secure, and so for
 * https. A site on plain http can only have the bare names.
 */
export interface CookieJar {
  session: string;
  visitor: string;
  device: string;
  /** The cookie of an applicant. It shows the state of their application, and nothing else. */
  applicant: string;
  /**
   * What the next page begins with: its words come from this browser's own act, and not from an address that
   * somebody made up.
   */
  notice: string;
  language: string;
  attributes: string;
}

type CookieName = "session" | "visitor" | "device" | "applicant" | "notice" | "language";

export function cookieJar(origin: string): CookieJar {
  const isSecure = isSecureOrigin(origin);
  const prefix = isSecure ? "__Host-" : "";
  return {
    session: `${prefix}guildhall`,
    visitor: `${prefix}guildhall-visitor`,
    device: `${prefix}guildhall-device`,
    applicant: `${prefix}guildhall-applicant`,
    notice: `${prefix}guildhall-notice`,
    language: `${prefix}guildhall-language`,
    attributes: `Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`,
  };
}

/** The value of one of ours that is a secret or a mark. */
export function readCookie(header: string | null, name: string): string | undefined {
  return read(header, name, /^[A-Za-z0-9_-]{20,100}$/);
}

/** The language that this browser was told to be answered in, if any. */
export function readLanguage(header: string | null, name: string): string | undefined {
  return read(header, name, /^[a-z]{2}$/);
}

export function setCookie(jar: CookieJar, name: CookieName, value: string, maxAgeSeconds: number): string {
  return `${jar[name]}=${value}; ${jar.attributes}; Max-Age=${maxAgeSeconds}`;
}

export function dropCookie(jar: CookieJar, name: CookieName): string {
  return setCookie(jar, name, "", 0);
}

/** The value of the notice cookie for this key. */
export function noticeMark(key: string): string {
  return createHash("sha256").update(`guildhall notice ${key}`).digest("base64url");
}

/**
 * What a form of this browser carries. Made from the cookie, so nothing is stored: another site knows
 * neither, and the database holds only another hash of the session.
 */
export function formTokenOf(cookieValue: string): Buffer {
  return createHash("sha256").update(`guildhall form ${cookieValue}`).digest();
}

/**
 * The same as it stands in one page, in another spelling each time: pages are compressed, and how long they
 * come out would tell, guess by guess, a text that stays the same (BREACH). `mask` is as long as the token,
 * and random.
 */
export function maskToken(token: Uint8Array, mask: Uint8Array): string {
  return Buffer.concat([mask, token.map((byte, i) => byte ^ (mask[i] ?? 0))]).toString("base64url");
}

/** Undefined for what `maskToken` does not write. */
export function unmaskToken(text: string): Uint8Array | undefined {
  if (!/^[\w-]{86}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64url");
  return bytes.subarray(32).map((byte, i) => byte ^ (bytes[i] ?? 0));
}
