import { refuse } from "../../base/errors.ts";

const LENGTH_MAX = 2048;
const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);
/**
 * A host that is safe to write into a content security policy (`redirectSource`). Other URL hosts may contain
 * `*`, `;` or `,`, which have a special meaning in a policy.
 */
const SAFE_HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;
/** Query parameters of an authorization response. A redirect URI must not contain them. */
const RESPONSE_PARAMETERS = ["code", "state", "iss", "error", "error_description", "error_uri"];

/**
 * Throws unprocessable unless `text` is an allowed redirect URI. Allowed are:
 * - https
 * - http on loopback (RFC 8252 §7.3)
 * - a private scheme that contains a dot, for mobile apps (RFC 8252 §7.1)
 *
 * Redirect URIs are later compared as exact strings (RFC 9700 §2.1), so only the normalized spelling is
 * accepted.
 */
export function checkRedirect(text: string): void {
  const parsed = text.length <= LENGTH_MAX && /^[\x21-\x7e]+$/.test(text) ? URL.parse(text) : null;
  if (!parsed || !(parsed.href === text || parsed.href === `${text}/`)) throw refuse("redirect_spelling");
  if (text.includes("#") || text.includes("\\")) throw refuse("redirect_with_fragment");
  if (parsed.username !== "" || parsed.password !== "") throw refuse("redirect_with_credentials");
  if (RESPONSE_PARAMETERS.some((name) => parsed.searchParams.has(name)))
    throw refuse("redirect_with_answer", { names: RESPONSE_PARAMETERS });
  if (/^https?:/.test(text) && !SAFE_HOST.test(parsed.hostname)) throw refuse("redirect_host");
  refuseScheme(parsed);
}

function refuseScheme({ protocol, hostname }: URL): void {
  const isLoopback = LOOPBACK.has(hostname);
  if (protocol === "https:") {
    if (isLoopback) throw refuse("redirect_loopback_plain");
    return;
  }
  if (protocol === "http:") {
    if (!isLoopback) throw refuse("redirect_not_https");
    return;
  }
  if (!protocol.includes(".")) throw refuse("redirect_scheme");
}

/**
 * Whether other apps on the same device could receive this redirect. The URI then does not prove which app
 * receives the redirect. Any program on the device can claim a loopback port or a private scheme (RFC 8252
 * §8.6).
 */
export function isNativeRedirect(text: string): boolean {
  return !text.startsWith("https://");
}

/**
 * Returns the origin of a redirect URI (RFC 6454 §4). The port is omitted for loopback addresses, where every
 * port is allowed. Returns undefined for a private scheme, because no web page has such an origin.
 */
export function redirectOrigin(text: string): string | undefined {
  const { protocol, hostname, origin } = new URL(text);
  if (protocol === "https:") return origin;
  return protocol === "http:" ? `http://${hostname}` : undefined;
}

/** Returns the part of a redirect URI that a person can recognize: the host, or the private scheme. */
export function redirectHost(text: string): string {
  const { protocol, host } = new URL(text);
  return protocol === "https:" || protocol === "http:" ? host : protocol.slice(0, -1);
}

/**
 * Returns the redirect URI as a source of a content security policy: its origin, or only its scheme. For an
 * IPv6 address, only the scheme is returned, because a policy cannot express IPv6 addresses (CSP 3 §2.3.1,
 * `host-char`).
 */
export function redirectSource(text: string): string {
  const { protocol, hostname, origin } = new URL(text);
  const isNamed = (protocol === "https:" || protocol === "http:") && !hostname.startsWith("[");
  return isNamed ? origin : protocol;
}
