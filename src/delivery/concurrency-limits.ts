import { hostOf } from "../core/base/queue-limits.ts";

/** Maximum number of concurrent delivery attempts. If Bun's request limit is lower, fewer attempts run. */
export const RUNNING_MAX = 1024;
/**
 * Maximum number of concurrent attempts per endpoint, called its window. The window grows by one with each
 * acknowledgement. A failure sets the window to one.
 */
const WINDOW = { first: 2, max: 32 };

/** The endpoint of an attempt that needs a slot. */
export interface Slot {
  endpointId: string;
  /** All endpoints of one owner share the owner's limits. */
  ownerId: string;
  url: string;
  /**
   * Whether the endpoint's last stored attempt failed. Used only for endpoints that are not in memory yet.
   */
  isFailing?: boolean;
}

/** Concurrency limits of one queue. */
export interface ConcurrencyLimits {
  /** Returns how many more attempts may start now for an endpoint. */
  freeSlotsFor(slot: Slot): number;
  start(slot: Slot): void;
  /**
   * Frees the slot of an attempt. Pass `undefined` as `isAcknowledged` if the attempt was not made after all.
   */
  finish(slot: Slot, isAcknowledged: boolean | undefined): void;
  /** Returns the number of running attempts. */
  running(): number;
  /** Returns the number of free slots. */
  free(): number;
}

/**
 * A step of a limit. The step applies while less than the fraction `until` of all slots is taken. Each
 * endpoint may then use `endpoint` slots.
 */
interface Tier {
  until: number;
  endpoint: number;
}

/**
 * Tiers by the number of all taken slots. Above the fraction `RESERVED_PART.from`, slots are reserved for
 * proven endpoints of owners with few running attempts.
 */
const TIERS: readonly Tier[] = [
  { until: 1 / 2, endpoint: WINDOW.max },
  { until: 3 / 4, endpoint: 2 },
  { until: 1, endpoint: 1 },
];
const RESERVED_PART = { from: 3 / 4, owner: 1 / 128 };
/**
 * Tiers by the number of slots that one owner has taken. The limits leave slots for the owner's other
 * endpoints if some endpoints hang.
 */
const OWNER_TIERS: readonly Tier[] = [
  { until: 1 / 4, endpoint: WINDOW.max },
  { until: 1 / 2, endpoint: 2 },
  { until: 3 / 4, endpoint: 1 },
];
/** Maximum fraction of all slots for failing and unknown endpoints together. */
const UNPROVEN_PART = 1 / 2;
/**
 * Maximum fraction of all slots for failing endpoints. Unknown endpoints use the remaining slots of
 * `UNPROVEN_PART`.
 */
const FAILING_PART = 1 / 4;

/**
 * Maximum fractions of all slots. `host`: for one host name. `unprovenOfOwner`: for the unproven endpoints of
 * one owner.
 */
export interface HostShares {
  host: number;
  unprovenOfOwner: number;
}

/** Maximum number of receivers kept in memory: endpoints of webhooks, or browsers for pushes. */
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
 * Creates limits that keep receivers that hang from taking all slots (docs/contract.md#6.10).
 * - Each endpoint has a window.
 * - Each host name has a limit, because endpoints of many workspaces may point to one host.
 * - Each owner has a limit.
 * - Some slots are reserved for endpoints whose last attempt was acknowledged. The owner of such an endpoint
 *   must have few running attempts.
 * `slotsMax` is the total number of slots.
 */
export function createConcurrencyLimits(
  slotsMax: number = RUNNING_MAX,
  parts: HostShares = WEBHOOK_PARTS,
): ConcurrencyLimits {
  const endpoints = new Map<string, Endpoint>();
  const hosts = createCounts();
  const owners = createCounts();
  const unprovenOfOwner = createCounts();
  let running = 0;
  const standings: Record<Standing, number> = { proven: 0, unknown: 0, failing: 0 };
  const part = (share: number): number => Math.max(1, Math.floor(slotsMax * share));

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

  /**
   * Removes the idle endpoint that was added first. The removed endpoint counts as a new endpoint at its next
   * attempt.
   */
  function forgetOneIdle(): void {
    for (const [id, endpoint] of endpoints)
      if (endpoint.running === 0) {
        endpoints.delete(id);
        return;
      }
  }

  /** Sets an endpoint's standing. Moves the endpoint's running attempts to the counts of the new standing. */
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
    freeSlotsFor(slot) {
      const endpoint = endpointOf(slot);
      const unproven = part(UNPROVEN_PART) - standings.unknown - standings.failing;
      // This check must be first. A pass of the sender asks for thousands of browsers, and this check rejects
      // most of these browsers cheaply.
      if (endpoint.standing !== "proven" && unproven <= 0) return 0;
      const ofOwner = owners.of(slot.ownerId);
      const tier = tierOf(TIERS, running);
      const ownerTier = tierOf(OWNER_TIERS, ofOwner);
      if (!tier || !ownerTier) return 0;
      const freeSlots = Math.min(
        Math.min(endpoint.window, tier.endpoint, ownerTier.endpoint) - endpoint.running,
        part(tier.until) - running,
        part(ownerTier.until) - ofOwner,
        part(parts.host) - hosts.of(endpoint.host),
      );
      if (running >= part(RESERVED_PART.from)) {
        return endpoint.standing === "proven" ? Math.min(freeSlots, part(RESERVED_PART.owner) - ofOwner) : 0;
      }
      if (endpoint.standing === "proven") return freeSlots;
      return Math.min(
        freeSlots,
        part(parts.unprovenOfOwner) - unprovenOfOwner.of(slot.ownerId),
        unproven,
        endpoint.standing === "failing" ? part(FAILING_PART) - standings.failing : Infinity,
      );
    },
    start(slot) {
      count(endpointOf(slot), slot.ownerId, 1);
    },
    finish(slot, isAcknowledged) {
      const endpoint = endpointOf(slot);
      count(endpoint, slot.ownerId, -1);
      if (isAcknowledged === undefined) return;
      endpoint.window = isAcknowledged ? Math.min(endpoint.window + 1, WINDOW.max) : 1;
      setStanding(endpoint, slot.ownerId, isAcknowledged ? "proven" : "failing");
    },
    running: () => running,
    free: () => slotsMax - running,
  };
}

interface Counts {
  of(key: string): number;
  add(key: string, change: number): void;
}

/** Creates counters by key. Keys with a count of 0 are deleted. */
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
