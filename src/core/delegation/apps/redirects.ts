import { refuse } from "../../base/errors.ts";

const LENGTH_MAX = 2048;
const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);
/** URL hosts may hold `*`, `;` and `,`, which mean something else in a content policy (`redirectSource`). */
const PLAIN_HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;
/** What the answer itself says: an address must not say it already. */
const ANSWER_FIELDS = ["code", "state", "iss", "error", "error_description", "error_uri"];

/**
 * Whether an answer may be sent to an address: https; http on the same machine (RFC 8252 §7.3); or a private
 * scheme with a dot, as an app on a phone has (RFC 8252 §7.1). It is compared letter by letter later (RFC
 * 9700 §2.1), so only one spelling is taken. Throws unprocessable.
 */
export function checkRedirect(text: string): void {
  const parsed = text.length <= LENGTH_MAX && /^[\x21-\x7e]+$/.test(text) ? URL.parse(text) : null;
  if (!parsed || !(parsed.href === text || parsed.href === `${text}/`)) throw refuse("redirect_spelling");
  if (text.includes("#") || text.includes("\\")) throw refuse("redirect_with_fragment");
  if (parsed.username !== "" || parsed.password !== "") throw refuse("redirect_with_credentials");
  if (ANSWER_FIELDS.some((name) => parsed.searchParams.has(name)))
    throw refuse("redirect_with_answer", { names: ANSWER_FIELDS });
  if (/^https?:/.test(text) && !PLAIN_HOST.test(parsed.hostname)) throw refuse("redirect_host");
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
 * Whether a redirect address proves nothing of who stands behind it: any program on the device can take it
 * (RFC 8252 §8.6).
 */
export function isNativeRedirect(text: string): boolean {
  return !text.startsWith("https://");
}

/**
 * The origin of the pages at a redirect address (RFC 6454 §4), without its port on loopback, where the port
 * is free. Undefined for a private scheme: no page is there.
 */
export function redirectOrigin(text: string): string | undefined {
  const { protocol, hostname, origin } = new URL(text);
  if (protocol === "https:") return origin;
  return protocol === "http:" ? `http://${hostname}` : undefined;
}

/** How a person recognises where an answer goes: the host, or the private scheme. */
export function redirectHost(text: string): string {
  const { protocol, host } = new URL(text);
  return protocol === "https:" || protocol === "http:" ? host : protocol.slice(0, -1);
}

/**
 * The same as a browser's content policy names it, which knows no IPv6 address (CSP 3 §2.3.1, `host-char`).
 */
export function redirectSource(text: string): string {
  const { protocol, hostname, origin } = new URL(text);
  const isNamed = (protocol === "https:" || protocol === "http:") && !hostname.startsWith("[");
  return isNamed ? origin : protocol;
}
