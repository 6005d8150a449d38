import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Networks whose `X-Forwarded-For` is believed. */
export type ProxyList = readonly [Address, number][];

/** Throws where an entry is no address and no CIDR. */
export function parseProxies(entries: readonly string[]): ProxyList {
  return entries.map((entry) => {
    if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
    // The library would read 1.2.3 as 1.2.0.3: an operator who writes that has left a part out.
    if (!ipaddr.IPv4.isValidFourPartDecimal(entry) && !ipaddr.IPv6.isValid(entry))
      throw new Error("no address");
    const address = ipaddr.process(entry);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  });
}

/** How the log writes addresses: not at all, as a network (/24, or /48 for IPv6), or in full. */
export const LOG_ADDRESS = ["off", "short", "whole"] as const;
export type LogAddress = (typeof LOG_ADDRESS)[number];

/**
 * Who asks. Behind trusted proxies it is the last hop that is not one of them: what stands before it in
 * `X-Forwarded-For` was written by the client and proves nothing. Undefined where the connection has none.
 */
function visitorOf(peer: string, forwardedFor: string | null, proxies: ProxyList): Address | undefined {
  let address = parse(peer);
  const hops = forwardedFor === null || proxies.length === 0 ? [] : forwardedFor.split(",").reverse();
  for (const hop of hops) {
    if (!address || !isProxy(address, proxies)) break;
    const named = parse(hop.trim());
    // A hop that is no address ends the walk: what stands before it could be the client's.
    if (!named) break;
    address = named;
  }
  return address;
}

/**
 * The address that a request without credentials is counted under: IPv4 as it is (also inside IPv6), IPv6 by
 * its /64, as one household or host holds a whole one.
 */
export function clientKey(peer: string, forwardedFor: string | null, proxies: ProxyList): string {
  const address = visitorOf(peer, forwardedFor, proxies);
  if (!address) return "unknown";
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${partsOf(address, 4).join(":")}::/64`;
}

/** The visitor's whole address; empty where there is none. */
export function visitorAddress(peer: string, forwardedFor: string | null, proxies: ProxyList): string {
  return visitorOf(peer, forwardedFor, proxies)?.toString() ?? "";
}

/** The visitor's address for the log; undefined if it must not be logged or is unknown. */
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
  // Made of its parts: a zone, such as %eth0, is nothing of the address.
  const parts = whole ? partsOf(address, 8) : [...partsOf(address, 3), "0", "0", "0", "0", "0"];
  return ipaddr.IPv6.parse(parts.join(":")).toRFC5952String() + (whole ? "" : "/48");
}

/** Whether what this peer says of where a request came from is believed. */
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
