import { hostOf } from "../core/base/queue-limits.ts";

/** How many attempts run at once, in all, where the process may make as many requests. */
export const RUNNING_MAX = 1024;
/**
 * How many for one endpoint: it begins with a few, earns more by acknowledging, and has one left when it
 * fails.
 */
const WINDOW = { first: 2, max: 32 };

/** Whose attempt it is. */
export interface Slot {
  endpointId: string;
  /** Whoever's endpoint it is: many endpoints of one owner share what one owner may have. */
  ownerId: string;
  url: string;
  /** What is written down of it from before this program began: its last attempt failed. */
  isFailing?: boolean;
}

/** Who may have how many of the places. */
export interface ConcurrencyLimits {
  /** How many more attempts may begin now for an endpoint. */
  roomOf(place: Slot): number;
  begun(place: Slot): void;
  /** `undefined`: it was not made after all. */
  ended(place: Slot, isAcknowledged: boolean | undefined): void;
  /** How many run now. */
  running(): number;
  /** How many more may run. */
  free(): number;
}

/** What one endpoint may have while so much is taken. */
interface Tier {
  until: number;
  endpoint: number;
}

/**
 * Of all places. What is behind the second is kept back: for endpoints that acknowledged their last event, of
 * owners that have few places.
 */
const TIERS: readonly Tier[] = [
  { until: 1 / 2, endpoint: WINDOW.max },
  { until: 3 / 4, endpoint: 2 },
  { until: 1, endpoint: 1 },
];
const KEPT_BACK = { from: 3 / 4, owner: 1 / 128 };
/** Of what one owner has: the hanging ones of theirs leave something to the others of theirs too. */
const OWNER_TIERS: readonly Tier[] = [
  { until: 1 / 4, endpoint: WINDOW.max },
  { until: 1 / 2, endpoint: 2 },
  { until: 3 / 4, endpoint: 1 },
];
/** How much of all places endpoints may have whose last attempt failed, or of which nothing is known. */
const UNPROVEN_PART = 1 / 2;
/** The former alone: whatever fails has failed before, and leaves room to what is new. */
const FAILING_PART = 1 / 4;

/** What part of all places one host name may have, and one owner's endpoints that are not proven. */
export interface HostShares {
  host: number;
  unprovenOfOwner: number;
}

/** Endpoints and browsers come and go; more than this program ever has at once need no place in memory. */
const REMEMBERED_MAX = 20_000;
const WEBHOOK_PARTS: HostShares = { host: 1 / 4, unprovenOfOwner: 1 / 64 };

type Standing = "proven" | "unknown" | "failing";

interface Endpoint {
  running: number;
  window: number;
  standing: Standing;
  host: string;
  url: string;
}

/**
 * Keeps the places of those that hang from those that do not: a window for each endpoint, bounds for each
 * host name (endpoints of many workspaces may point at one) and for each owner, and places kept back for
 * endpoints that acknowledged lately, of owners that have few running. A thousand receivers that hang at once
 * leave the others theirs (docs/contract.md#6.10). `places`: how many there are.
 */
export function createConcurrencyLimits(
  places: number = RUNNING_MAX,
  parts: HostShares = WEBHOOK_PARTS,
): ConcurrencyLimits {
  const endpoints = new Map<string, Endpoint>();
  const hosts = createCounts();
  const owners = createCounts();
  const unprovenOfOwner = createCounts();
  let running = 0;
  const standings: Record<Standing, number> = { proven: 0, unknown: 0, failing: 0 };
  const part = (share: number): number => Math.max(1, Math.floor(places * share));

  function tierOf(tiers: readonly Tier[], taken: number): Tier | undefined {
    return tiers.find(({ until }) => taken < part(until));
  }

  function endpointOf({ endpointId, url, isFailing = false }: Slot): Endpoint {
    let endpoint = endpoints.get(endpointId);
    if (!endpoint) {
      if (endpoints.size >= REMEMBERED_MAX) forgetOneIdle();
      endpoint = {
        running: 0,
        window: isFailing ? 1 : WINDOW.first,
        standing: isFailing ? "failing" : "unknown",
        host: hostOf(url),
        url,
      };
      endpoints.set(endpointId, endpoint);
    }
    if (endpoint.url !== url && endpoint.running === 0) Object.assign(endpoint, { url, host: hostOf(url) });
    return endpoint;
  }

  /** The one that was added first: it begins like a new one if it comes back. */
  function forgetOneIdle(): void {
    for (const [id, endpoint] of endpoints)
      if (endpoint.running === 0) {
        endpoints.delete(id);
        return;
      }
  }

  /** What runs for an endpoint changes sides with it. */
  function setStanding(endpoint: Endpoint, ownerId: string, standing: Standing): void {
    if (endpoint.standing === standing) return;
    countStanding(endpoint, ownerId, -endpoint.running);
    endpoint.standing = standing;
    countStanding(endpoint, ownerId, endpoint.running);
  }

  function countStanding({ standing }: Endpoint, ownerId: string, change: number): void {
    standings[standing] += change;
    if (standing !== "proven") unprovenOfOwner.add(ownerId, change);
  }

  function count(endpoint: Endpoint, ownerId: string, change: 1 | -1): void {
    endpoint.running += change;
    running += change;
    hosts.add(endpoint.host, change);
    owners.add(ownerId, change);
    countStanding(endpoint, ownerId, change);
  }

  return {
    roomOf(place) {
      const endpoint = endpointOf(place);
      const unproven = part(UNPROVEN_PART) - standings.unknown - standings.failing;
      // A pass of the sender asks for thousands of browsers: this check comes first, as it refuses most of
      // them.
      if (endpoint.standing !== "proven" && unproven <= 0) return 0;
      const ofOwner = owners.of(place.ownerId);
      const tier = tierOf(TIERS, running);
      const ownerTier = tierOf(OWNER_TIERS, ofOwner);
      if (!tier || !ownerTier) return 0;
      const room = Math.min(
        Math.min(endpoint.window, tier.endpoint, ownerTier.endpoint) - endpoint.running,
        part(tier.until) - running,
        part(ownerTier.until) - ofOwner,
        part(parts.host) - hosts.of(endpoint.host),
      );
      if (running >= part(KEPT_BACK.from)) {
        return endpoint.standing === "proven" ? Math.min(room, part(KEPT_BACK.owner) - ofOwner) : 0;
      }
      if (endpoint.standing === "proven") return room;
      return Math.min(
        room,
        part(parts.unprovenOfOwner) - unprovenOfOwner.of(place.ownerId),
        unproven,
        endpoint.standing === "failing" ? part(FAILING_PART) - standings.failing : Infinity,
      );
    },
    begun(place) {
      count(endpointOf(place), place.ownerId, 1);
    },
    ended(place, isAcknowledged) {
      const endpoint = endpointOf(place);
      count(endpoint, place.ownerId, -1);
      if (isAcknowledged === undefined) return;
      endpoint.window = isAcknowledged ? Math.min(endpoint.window + 1, WINDOW.max) : 1;
      setStanding(endpoint, place.ownerId, isAcknowledged ? "proven" : "failing");
    },
    running: () => running,
    free: () => places - running,
  };
}

interface Counts {
  of(key: string): number;
  add(key: string, change: number): void;
}

/** Forgets whatever has none. */
function createCounts(): Counts {
  const counts = new Map<string, number>();
  return {
    of: (key) => counts.get(key) ?? 0,
    add(key, change) {
      const now = (counts.get(key) ?? 0) + change;
      if (now > 0) counts.set(key, now);
      else counts.delete(key);
    },
  };
}
