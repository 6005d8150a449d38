import ipaddr from "ipaddr.js";

/** Networks whose `X-Forwarded-For` is believed. */
export type ProxyList = readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];

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

/**
 * The address that a request without credentials is counted under: IPv4 as it is (also inside IPv6), IPv6 by
 * its /64, as one household or host holds a whole one. Behind trusted proxies it is the last hop that is not
 * one of them: what stands before it in `X-Forwarded-For` was written by the client and proves nothing.
 */
export function clientKey(peer: string, forwardedFor: string | null, proxies: ProxyList): string {
  let address = parse(peer);
  const hops = forwardedFor === null || proxies.length === 0 ? [] : forwardedFor.split(",").reverse();
  for (const hop of hops) {
    if (!address || !isProxy(address, proxies)) break;
    const named = parse(hop.trim());
    // A hop that is no address ends the walk: what stands before it could be the client's.
    if (!named) break;
    address = named;
  }
  if (!address) return "unknown";
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}

function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

function isProxy(address: ipaddr.IPv4 | ipaddr.IPv6, proxies: ProxyList): boolean {
  return proxies.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}
