/**
 * Whether every browser stores Secure cookies for the site. Most browsers also do for http on localhost.
 * Safari does not (WebKit bug 281149), and sign-in would fail there.
 */
export function isSecureOrigin(origin: string): boolean {
  return new URL(origin).protocol === "https:";
}

/** Makes browsers use https for a year (RFC 6797). */
const STRICT = { "strict-transport-security": "max-age=31536000" };

/**
 * Returns the HSTS header for a site served by https. Excludes subdomains, which are not ours. Excludes
 * `localhost`, where the header would affect other programs on the machine.
 */
export function strictTransport(origin: string): Readonly<Record<string, string>> {
  const { hostname } = new URL(origin);
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  return isSecureOrigin(origin) && !isLocal ? STRICT : {};
}
