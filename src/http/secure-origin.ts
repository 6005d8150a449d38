/**
 * Whether every browser keeps Secure cookies for a site. Most of them also do for http on the same machine;
 * Safari does not (WebKit bug 281149), and nobody could sign in there.
 */
export function isSecureOrigin(origin: string): boolean {
  return new URL(origin).protocol === "https:";
}

/** A year: whoever came once by https is not led astray on plain http (RFC 6797). */
const STRICT = { "strict-transport-security": "max-age=31536000" };

/**
 * On every answer of a site that is served by https. Nothing is said of the names below it, which are not
 * ours, and not of `localhost`, where it would bind every other program of the machine.
 */
export function strictTransport(origin: string): Readonly<Record<string, string>> {
  const { hostname } = new URL(origin);
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  return isSecureOrigin(origin) && !isLocal ? STRICT : {};
}
