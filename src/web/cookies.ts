import { createHash } from "node:crypto";
import { isSecureOrigin } from "../http/secure-origin.ts";

/**
 * The site's two cookies: the session, and for a visitor without one a random value that their forms are tied to. With
 * `__Host-` a browser keeps them for this host alone (RFC 6265bis §4.1.3.2); it asks for Secure, and so for https. A site on plain http can
 * only have the bare names.
 */
export interface CookieJar {
  session: string;
  visitor: string;
  attributes: string;
}

export function cookieJar(origin: string): CookieJar {
  const isSecure = isSecureOrigin(origin);
  const prefix = isSecure ? "__Host-" : "";
  return {
    session: `${prefix}guildhall`,
    visitor: `${prefix}guildhall-visitor`,
    attributes: `Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`,
  };
}

/**
 * The value of a cookie. Of two with the same name neither is believed. Only blanks are left away around a name: with another white space
 * before it, which `trim` would take for nothing, a browser lets a sibling site plant what looks like `__Host-` (U+00A0 is one byte here).
 */
export function readCookie(header: string | null, name: string): string | undefined {
  const values = (header ?? "")
    .split(";")
    .map((pair) => pair.replace(/^ +| +$/g, ""))
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 && /^[A-Za-z0-9_-]{20,100}$/.test(values[0] ?? "") ? values[0] : undefined;
}

export function setCookie(
  jar: CookieJar,
  name: "session" | "visitor",
  value: string,
  maxAgeSeconds: number,
): string {
  return `${jar[name]}=${value}; ${jar.attributes}; Max-Age=${maxAgeSeconds}`;
}

export function dropCookie(jar: CookieJar, name: "session" | "visitor"): string {
  return setCookie(jar, name, "", 0);
}

/**
 * What a form of this browser carries. Made from the cookie, so nothing is stored: another site knows neither, and the
 * database holds only another hash of the session.
 */
export function formTokenOf(cookieValue: string): string {
  return createHash("sha256").update(`guildhall form ${cookieValue}`).digest("base64url");
}
