/**
 * Whether every browser stores Secure cookies for the site. Most browsers also store them for http on
 * localhost. Safari does not (WebKit bug 281149), so sign-in would fail in Safari.
 */
export function isSecureOrigin(origin: string): boolean {
  return new URL(origin).protocol === "https:";
}

/** HSTS header: browsers use https for this site for a year (RFC 6797). */
const STRICT = { "strict-transport-security": "max-age=31536000" };

/**
 * Returns the HSTS header for a site with https. The header does not include subdomains, because other people
 * may own the subdomains. Returns no header for `localhost`, because the header would affect other programs
 * on the machine.
 */
export function strictTransport(origin: string): Readonly<Record<string, string>> {
  const { hostname } = new URL(origin);
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  return isSecureOrigin(origin) && !isLocal ? STRICT : {};
}
