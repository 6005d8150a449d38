import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Networks of trusted proxies. The server trusts the `X-Forwarded-For` header of these proxies. */
export type ProxyList = readonly [Address, number][];

/** Parses IP addresses and CIDR ranges. Throws if an entry is neither an address nor a range. */
export function parseProxies(entries: readonly string[]): ProxyList {
  return entries.map((entry) => {
    if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
    // Refuses short forms such as 1.2.3, which ipaddr.js would parse as 1.2.0.3.
    if (!ipaddr.IPv4.isValidFourPartDecimal(entry) && !ipaddr.IPv6.isValid(entry))
      throw new Error("no address");
    const address = ipaddr.process(entry);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  });
}

/** How IP addresses are logged: not at all, as a network (/24, or /48 for IPv6), or in full. */
export const LOG_ADDRESS = ["off", "short", "whole"] as const;
export type LogAddress = (typeof LOG_ADDRESS)[number];

/**
 * Returns the client's IP address. Behind trusted proxies this is the last hop that is not a trusted proxy.
 * Earlier hops in `X-Forwarded-For` come from the client and prove nothing. Returns `undefined` if the
 * connection has no address.
 */
function visitorOf(peer: string, forwardedFor: string | null, proxies: ProxyList): Address | undefined {
  let address = parse(peer);
  const hops = forwardedFor === null || proxies.length === 0 ? [] : forwardedFor.split(",").reverse();
  for (const hop of hops) {
    if (!address || !isProxy(address, proxies)) break;
    const named = parse(hop.trim());
    // Stops at a malformed hop, because the client may have written this hop and all earlier ones.
    if (!named) break;
    address = named;
  }
  return address;
}

/**
 * Returns the rate limit key of a request without credentials. Each IPv4 address has its own key, also when
 * mapped to IPv6. All IPv6 addresses of a /64 share a key, because one household or host owns a whole /64.
 */
export function clientKey(peer: string, forwardedFor: string | null, proxies: ProxyList): string {
  const address = visitorOf(peer, forwardedFor, proxies);
  if (!address) return "unknown";
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${partsOf(address, 4).join(":")}::/64`;
}

/** Returns the client's full IP address, or an empty text if the address is unknown. */
export function visitorAddress(peer: string, forwardedFor: string | null, proxies: ProxyList): string {
  return visitorOf(peer, forwardedFor, proxies)?.toString() ?? "";
}

/**
 * Returns the client's IP address for the log. Returns `undefined` if the address must not be logged or is
 * unknown.
 */
export function loggedAddress(
  setting: LogAddress,
  peer: string,
  forwardedFor: string | null,
  proxies: ProxyList,
): string | undefined {
  if (setting === "off") return undefined;
  const address = visitorOf(peer, forwardedFor, proxies);
  if (!address) return undefined;
  if (address instanceof ipaddr.IPv4)
    return setting === "whole" ? address.toString() : `${address.octets.slice(0, 3).join(".")}.0/24`;
  const whole = setting === "whole";
  // Builds the address from its parts, to remove a zone such as %eth0.
  const parts = whole ? partsOf(address, 8) : [...partsOf(address, 3), "0", "0", "0", "0", "0"];
  return ipaddr.IPv6.parse(parts.join(":")).toRFC5952String() + (whole ? "" : "/48");
}

/**
 * Whether the other end of a connection is a trusted proxy. The server trusts the `X-Forwarded-For` header of
 * such a proxy.
 */
export function isTrusted(peer: string, proxies: ProxyList): boolean {
  const address = proxies.length > 0 && parse(peer);
  return address ? isProxy(address, proxies) : false;
}

function partsOf(address: ipaddr.IPv6, count: number): string[] {
  return address.parts.slice(0, count).map((part) => part.toString(16));
}

function parse(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

function isProxy(address: Address, proxies: ProxyList): boolean {
  return proxies.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}
