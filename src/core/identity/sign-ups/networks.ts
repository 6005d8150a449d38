import ipaddr from "ipaddr.js";

/**
 * Returns the network of an address: /24 for IPv4, /48 for IPv6. An address may be the /64 of a rate limit
 * key. Returns undefined for an unknown address, such as that of a request over a Unix socket.
 */
export function networkOf(address: string): string | undefined {
  const [host = ""] = address.split("/");
  if (!ipaddr.isValid(host)) return undefined;
  const parsed = ipaddr.process(host);
  return parsed instanceof ipaddr.IPv4
    ? `${parsed.octets.slice(0, 3).join(".")}.0/24`
    : `${parsed.parts
        .slice(0, 3)
        .map((part) => part.toString(16))
        .join(":")}::/48`;
}
