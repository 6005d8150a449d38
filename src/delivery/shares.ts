/** How many attempts run at once, in all and for one host name. */
export const RUNNING_MAX = 1024;
const HOST_MAX = RUNNING_MAX / 4;
/** How many for one endpoint: it begins with a few, earns more by acknowledging, and has one left when it fails. */
const WINDOW = { first: 2, max: 32 };

/** Who may have how many of the places. */
export interface Shares {
  /** How many more attempts may begin now for an endpoint at this address. */
  roomOf(endpointId: string, url: string): number;
  begun(endpointId: string, url: string): void;
  ended(endpointId: string, url: string, isAcknowledged: boolean): void;
  /** How many run now. */
  running(): number;
}

/**
 * Keeps the places of those that hang from those that do not: a window for each endpoint, a quarter of all places for each host
 * name (endpoints of many workspaces may point at one), and the second half of all for endpoints that have few.
 */
export function createShares(): Shares {
  const endpoints = new Map<string, { running: number; window: number }>();
  const hosts = new Map<string, number>();
  let running = 0;

  function count(url: string, change: 1 | -1): void {
    const host = hostOf(url);
    const now = (hosts.get(host) ?? 0) + change;
    if (now > 0) hosts.set(host, now);
    else hosts.delete(host);
    running += change;
  }

  return {
    roomOf(endpointId, url) {
      const endpoint = endpoints.get(endpointId);
      const window = endpoint?.window ?? WINDOW.first;
      const isCrowded = running >= RUNNING_MAX / 2;
      const own = (isCrowded ? Math.min(window, WINDOW.first) : window) - (endpoint?.running ?? 0);
      return Math.min(own, HOST_MAX - (hosts.get(hostOf(url)) ?? 0));
    },
    begun(endpointId, url) {
      const endpoint = endpoints.get(endpointId) ?? { running: 0, window: WINDOW.first };
      endpoint.running++;
      endpoints.set(endpointId, endpoint);
      count(url, 1);
    },
    ended(endpointId, url, isAcknowledged) {
      count(url, -1);
      const endpoint = endpoints.get(endpointId);
      if (!endpoint) return;
      endpoint.running--;
      endpoint.window = isAcknowledged ? Math.min(endpoint.window + 1, WINDOW.max) : 1;
    },
    running: () => running,
  };
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? "";
}
