import { unprocessable } from "../errors.ts";

const LENGTH_MAX = 2048;
const LOOPBACK = new Set(["127.0.0.1", "[::1]", "localhost"]);
/** URL hosts may hold `*`, `;` and `,`, which mean something else in a content policy (`redirectSource`). */
const PLAIN_HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;
/** What the answer itself says: an address must not say it already. */
const ANSWER_FIELDS = ["code", "state", "iss", "error", "error_description", "error_uri"];

/**
 * Whether an answer may be sent to an address: https; http on the same machine (RFC 8252 §7.3); or a private scheme with a
 * dot, as an app on a phone has (§7.1). It is compared letter by letter later (RFC 9700 §2.1), so only one spelling is taken.
 * Throws unprocessable.
 */
export function checkRedirect(text: string): void {
  const parsed = text.length <= LENGTH_MAX && /^[\x21-\x7e]+$/.test(text) ? URL.parse(text) : null;
  if (!parsed || !(parsed.href === text || parsed.href === `${text}/`))
    throw refused(
      "is no address in its plain spelling: lower-case scheme and host, no blanks, no default port",
    );
  if (text.includes("#") || text.includes("\\"))
    throw refused("must not have a part after `#`, or a backslash");
  if (parsed.username !== "" || parsed.password !== "")
    throw refused("must not carry a user name or password");
  if (ANSWER_FIELDS.some((name) => parsed.searchParams.has(name)))
    throw refused(`must not already carry one of ${ANSWER_FIELDS.join(", ")}`);
  if (/^https?:/.test(text) && !PLAIN_HOST.test(parsed.hostname))
    throw refused("must have a host of letters, digits, dots, hyphens and underscores");
  refuseScheme(parsed);
}

function refuseScheme({ protocol, hostname }: URL): void {
  const isLoopback = LOOPBACK.has(hostname);
  if (protocol === "https:") {
    if (isLoopback) throw refused("must use http:// on this machine, where nobody listens in between");
    return;
  }
  if (protocol === "http:") {
    if (!isLoopback) throw refused("must use https://; http:// is for 127.0.0.1, [::1] and localhost");
    return;
  }
  if (!protocol.includes("."))
    throw refused(
      "must use https://, http:// on this machine, or a scheme with a dot such as com.example.app:",
    );
}

function refused(rule: string) {
  return unprocessable(`A redirect address ${rule}.`);
}

/** Whether a redirect address proves nothing of who stands behind it: any program on the device can take it (RFC 8252 §8.6). */
export function isNativeRedirect(text: string): boolean {
  return !text.startsWith("https://");
}

/** How a person recognises where an answer goes: the host, or the private scheme. */
export function redirectHost(text: string): string {
  const { protocol, host } = new URL(text);
  return protocol === "https:" || protocol === "http:" ? host : protocol.slice(0, -1);
}

/** The same as a browser's content policy names it, which knows no IPv6 address (CSP 3 §2.3.1, `host-char`). */
export function redirectSource(text: string): string {
  const { protocol, hostname, origin } = new URL(text);
  const isNamed = (protocol === "https:" || protocol === "http:") && !hostname.startsWith("[");
  return isNamed ? origin : protocol;
}
