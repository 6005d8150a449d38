import ipaddr from "ipaddr.js";
import type { TargetRules } from "../../base/core.ts";
import { type CoreError, refuse } from "../../base/errors.ts";

/** A URL that has passed `checkTarget`. Only such URLs can be registered. */
export type CheckedUrl = string & { readonly checked: true };

const PORT_MIN = 1024;
/**
 * Refused ports above `PORT_MIN`. Well-known internal services use these ports and might react to a POST
 * request.
 */
const REFUSED_PORTS: ReadonlySet<number> = new Set([
  2049, 2375, 2379, 2380, 3306, 4190, 5432, 5984, 6000, 6379, 6443, 6665, 6666, 6667, 6668, 6669, 6697, 9200,
  10250, 11211, 27017,
]);

/**
 * Suffixes of names that are never public. Some suffixes are reserved (RFC 2606, 6761, 6762, 7686, 8375,
 * 9476). The other suffixes are not top-level domains of the public DNS. Kubernetes (`name.namespace.svc`),
 * Consul and Docker networks use some of them.
 */
const LOCAL_SUFFIXES = [
  ".localhost",
  ".local",
  ".internal",
  ".home.arpa",
  ".localdomain",
  ".lan",
  ".intranet",
  ".corp",
  ".home",
  ".onion",
  ".test",
  ".invalid",
  ".example",
  ".alt",
  ".private",
  ".svc",
  ".consul",
  ".docker",
];

/** The connection target of a delivery: checked IP addresses, never the host name. */
export interface Target {
  url: URL;
  /** Host name of the URL, without brackets and trailing dot. */
  hostname: string;
  /** Whether the URL has a host name. False for an IP address. */
  isName: boolean;
  addresses: string[];
}

/**
 * Rejects a webhook URL that is not https, or whose host is or resolves to a private IP address. A request to
 * a private address could reach services that only this machine can reach. Accepts a name that does not exist
 * yet, because every attempt checks again. Rejects a name whose name servers do not respond
 * (docs/contract.md#6.3). Throws unprocessable.
 */
export async function checkTarget(rules: TargetRules, url: string): Promise<CheckedUrl> {
  const { all, passed: allowed, isSilent } = await resolveAddresses(rules, url);
  if (isSilent) throw silentServers();
  if (allowed.length < all.length) throw refusedHost();
  // Normalizes the URL, so that a receiver cannot be registered twice. The fragment is removed, because a
  // request never includes it.
  const plain = new URL(url);
  plain.hash = "";
  plain.hostname = plain.hostname.replace(/\.$/, "");
  return plain.href as CheckedUrl;
}

/**
 * Resolves the host name and checks which IP addresses an attempt may connect to. The check is repeated
 * because the name may have changed since registration. Throws unprocessable if no IP address is allowed.
 */
export async function resolveTarget(rules: TargetRules, url: string): Promise<Target> {
  const { hostname, all, passed, isSilent } = await resolveAddresses(rules, url);
  if (isSilent) throw silentServers();
  if (all.length === 0) throw refuse("host_unknown");
  if (passed.length === 0) throw refusedHost();
  return {
    url: new URL(url),
    hostname,
    isName: parseAddress(hostname) === undefined,
    addresses: passed.map((address) => address.toString()),
  };
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

async function resolveAddresses(
  rules: TargetRules,
  url: string,
): Promise<{ hostname: string; all: Address[]; passed: Address[]; isSilent: boolean }> {
  const { hostname, isAllowed, isLocal } = checkForm(rules, url);
  const literal = parseAddress(hostname);
  const found = literal ? [hostname] : await rules.resolve(hostname);
  const isSilent = found === "silent";
  const all = isSilent ? [] : found.flatMap((text) => parseAddress(text) ?? []);
  const passed = all.filter(
    (address) =>
      isAllowed || (isPublicAddress(address) && !isLocal) || isAllowedAddress(rules.allow, address),
  );
  if (isLocal && passed.length === 0) throw refusedHost();
  return { hostname, all, passed, isSilent };
}

/**
 * Checks the URL without a DNS lookup. Rejects a local name unless the operator allows IP addresses or CIDR
 * blocks. `lookUp` then accepts only these IP addresses for the name.
 */
function checkForm(
  rules: TargetRules,
  url: string,
): { hostname: string; isAllowed: boolean; isLocal: boolean } {
  // Rejects URLs with white space, control characters or backslashes, because the URL parser drops or
  // converts them.
  if (/[\s\p{Cc}\\]/u.test(url) || !URL.canParse(url)) throw refuse("url_malformed");
  const parsed = new URL(url);
  if (parsed.protocol !== "https:") throw refuse("url_not_https");
  if (parsed.username !== "" || parsed.password !== "") {
    throw refuse("url_with_credentials");
  }
  const hostname = parsed.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (rules.allow.includes(hostname)) return { hostname, isAllowed: true, isLocal: false };
  const port = parsed.port === "" ? 443 : Number(parsed.port);
  const isAllowed = isAllowedAddress(rules.allow, parseAddress(hostname));
  if (!isAllowed && port !== 443 && (port < PORT_MIN || REFUSED_PORTS.has(port))) {
    throw refuse("url_port_refused", { min: String(PORT_MIN) });
  }
  const isName = parseAddress(hostname) === undefined;
  if (isName && !isHostName(hostname)) throw refuse("url_malformed");
  const isLocal = isName && isLocalName(hostname);
  if (isLocal && !rules.allow.some(isNetwork)) throw refusedHost();
  return { hostname, isAllowed, isLocal };
}

function isLocalName(hostname: string): boolean {
  return !hostname.includes(".") || LOCAL_SUFFIXES.some((suffix) => hostname.endsWith(suffix));
}

/** Whether an entry of the operator's list is an IP address or CIDR block instead of a name. */
function isNetwork(entry: string): boolean {
  return ipaddr.isValid(entry) || ipaddr.isValidCIDR(entry);
}

const NAME_MAX = 253;

/**
 * Whether a name has valid DNS syntax (RFC 1035 §2.3.4, RFC 1123 §2.1). Underscores are accepted, because
 * some real host names contain them.
 */
function isHostName(name: string): boolean {
  return (
    name.length <= NAME_MAX &&
    name.split(".").every((label) => /^(?!-)[^.]{1,63}$/.test(label) && !label.endsWith("-"))
  );
}

/**
 * Whether an IP address is public. For IPv6, only addresses in 2000::/3 are public. Loopback, private,
 * link-local, translated and IPv4-compatible addresses are therefore not public, even if `range()` returns
 * unicast for them.
 */
function isPublicAddress(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const isOpen = address instanceof ipaddr.IPv4 || address.match(GLOBAL_V6);
  return isOpen && address.range() === "unicast";
}

const GLOBAL_V6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Parses an IP address as the URL parser returns it. If an IPv6 address contains an IPv4 address, returns the
 * IPv4 address. Returns undefined for a name.
 */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

function isAllowedAddress(allow: readonly string[], address: ipaddr.IPv4 | ipaddr.IPv6 | undefined): boolean {
  if (!address) return false;
  return allow.some((entry) => {
    if (!ipaddr.isValidCIDR(entry))
      return ipaddr.isValid(entry) && ipaddr.process(entry).toString() === address.toString();
    const [network, bits] = ipaddr.parseCIDR(entry);
    return network.kind() === address.kind() && address.match(network, bits);
  });
}

function silentServers(): CoreError {
  return refuse("host_silent");
}

function refusedHost(): CoreError {
  return refuse("url_private");
}
