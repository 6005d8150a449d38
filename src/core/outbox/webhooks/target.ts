import ipaddr from "ipaddr.js";
import type { TargetRules } from "../../base/core.ts";
import { type CoreError, refuse } from "../../base/errors.ts";

/** An address that `checkTarget` has passed: the only kind that can be registered. */
export type CheckedUrl = string & { readonly checked: true };

const PORT_MIN = 1024;
/** Ports above it on which services listen that a POST could talk to by accident. */
const REFUSED_PORTS: ReadonlySet<number> = new Set([
  2049, 2375, 2379, 2380, 3306, 4190, 5432, 5984, 6000, 6379, 6443, 6665, 6666, 6667, 6668, 6669, 6697, 9200,
  10250, 11211, 27017,
]);

/**
 * Names that can never be public: reserved (RFC 2606, 6761, 6762, 7686, 8375, 9476), or used inside networks
 * of Kubernetes (`name.namespace.svc`), Consul and Docker, and no top-level domains.
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

/** Where a delivery may connect to: addresses that have been checked, never the name itself. */
export interface Target {
  url: URL;
  /** Without brackets or a dot at the end. */
  hostname: string;
  /** False where the address stands in the url itself. */
  isName: boolean;
  addresses: string[];
}

/**
 * Refuses a webhook address that is not https, or whose host is or resolves to an address inside somebody's
 * network; a request there would let a builder reach what only this machine can. A name that does not exist
 * yet is accepted, as every attempt checks again; one whose name servers are silent is not
 * (docs/contract.md#6.3). Throws unprocessable.
 */
export async function checkTarget(rules: TargetRules, url: string): Promise<CheckedUrl> {
  const { all, passed, isSilent } = await lookUp(rules, url);
  if (isSilent) throw silentServers();
  if (passed.length < all.length) throw refusedHost();
  // One spelling of each address, so that the same receiver is not registered twice; a fragment is never
  // sent.
  const plain = new URL(url);
  plain.hash = "";
  plain.hostname = plain.hostname.replace(/\.$/, "");
  return plain.href as CheckedUrl;
}

/**
 * The addresses that an attempt may connect to, looked up and checked now: what a name meant at registration
 * it may not mean today. Throws unprocessable where none is left.
 */
export async function resolveTarget(rules: TargetRules, url: string): Promise<Target> {
  const { hostname, all, passed, isSilent } = await lookUp(rules, url);
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

async function lookUp(
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
 * The part of the rule that needs no look-up. A local name is not looked up unless the operator allows
 * addresses: it may lead to those alone.
 */
function checkForm(
  rules: TargetRules,
  url: string,
): { hostname: string; isAllowed: boolean; isLocal: boolean } {
  // The parser strips tabs and turns backslashes: what it would mend is refused instead of guessed at.
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

/** An address or CIDR that the operator allows, not a name. */
function isNetwork(entry: string): boolean {
  return ipaddr.isValid(entry) || ipaddr.isValidCIDR(entry);
}

const NAME_MAX = 253;

/**
 * What a name server can be asked for (RFC 1035 §2.3.4, RFC 1123 §2.1): other names are typing errors.
 * Underscores occur.
 */
function isHostName(name: string): boolean {
  return (
    name.length <= NAME_MAX &&
    name.split(".").every((label) => /^(?!-)[^.]{1,63}$/.test(label) && !label.endsWith("-"))
  );
}

/**
 * Whether an address is on the open internet. For IPv6 only 2000::/3 is, which by itself shuts out loopback,
 * private, link-local, translated and IPv4-compatible forms, also those that `range()` takes for unicast.
 */
function isPublicAddress(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const isOpen = address instanceof ipaddr.IPv4 || address.match(GLOBAL_V6);
  return isOpen && address.range() === "unicast";
}

const GLOBAL_V6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * An address in any spelling the URL parser leaves, with IPv4 inside IPv6 taken out; undefined for a name.
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
