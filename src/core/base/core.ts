import type { KeyObject } from "node:crypto";
import type { Clock } from "./clock.ts";
import type { Db } from "./db/open.ts";
import { idCounts, idMaker, type MakeId } from "./ids.ts";
import type { Random } from "./random.ts";
import type { SealedSecrets } from "./sealed-secrets.ts";

/**
 * What every operation works with: the first parameter of each. It knows no concept, no request and no
 * environment.
 */
export interface Core {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  /**
   * Makes an RSA key pair to sign with. Node's generator unless given: it searches for tenths of a second.
   */
  readonly makeRsaKey?: () => Promise<KeyObject>;
  readonly makeId: MakeId;
  readonly secrets: SealedSecrets;
  /**
   * The public address, such as `https://guild.example`: links in events begin with it. No slash at the end.
   */
  readonly origin: string;
  /** Where webhooks may point, and how names are resolved. */
  readonly targets: TargetRules;
  /** What the operator decides of the community. */
  readonly policy: Policy;
  /** Tells that a delivery may be due. Nothing listens where nothing delivers. */
  readonly wake: () => void;
  /** Has a listener told of each `wake`, and returns what ends that. */
  readonly onWake: (listener: () => void) => () => void;
  /**
   * What a concept keeps in memory for this core, under the function that makes it when it is first asked
   * for.
   */
  readonly memory: <Kept>(make: (core: Core) => Kept) => Kept;
}

/**
 * What the operator decides of the community, as it is now: asked for where it is used and kept nowhere, as a
 * reload changes it (docs/contract.md#12.16).
 */
export interface Policy {
  /** What the community is called until it says so itself (docs/contract.md#12.22). */
  readonly name?: string | undefined;
  /** The same for who may make an account: anybody, whoever has an invitation, nobody. */
  readonly signup: "open" | "invite" | "closed";
  /** How long entries of the audit log are kept; what is usual where it is left out, as of the next one. */
  readonly retentionAuditMs?: number | undefined;
  /** How long a session lives that nobody uses. */
  readonly retentionSessionsMs?: number | undefined;
  /** How long notifications are kept. */
  readonly retentionNotificationsMs?: number | undefined;
  /** Whom mail comes from; undefined where this community sends none. */
  readonly mailFrom?: string | undefined;
  /** How many posts and replies a member may publish within 24 hours; undefined where it is not bounded. */
  readonly quotaPosts?: number | undefined;
  /** How many webhook endpoints they may have, in all workspaces together. */
  readonly quotaEndpoints?: number | undefined;
  /** How many saved job filters. */
  readonly quotaFilters?: number | undefined;
  /** How many bytes of pictures. */
  readonly quotaMedia?: number | undefined;
  /** How many bytes all pictures together may have. */
  readonly mediaMax?: number | undefined;
}

/**
 * What a look-up came to: all addresses of the name, none where it does not exist, or `silent`: its servers
 * gave no answer in time.
 */
export type LookupResult = string[] | "silent";
/** Looks a host name up. Injected, so that a test decides. */
export type ResolveHost = (host: string) => Promise<LookupResult>;

/** Where webhooks may point: `allow` holds the host names and CIDRs that the operator lets be private. */
export interface TargetRules {
  resolve: ResolveHost;
  allow: readonly string[];
}

/**
 * `ids`: the counts of another core on the same database in this program; without them this one counts for
 * itself.
 */
export function createCore(
  parts: Omit<Core, "makeId" | "wake" | "onWake" | "memory">,
  ids: SharedArrayBuffer = idCounts(),
): Core {
  const listeners = new Set<() => void>();
  const memories = new Map<(core: Core) => unknown, unknown>();
  const core: Core = {
    ...parts,
    makeId: idMaker(parts.random, ids),
    wake: () => listeners.forEach((listener) => listener()),
    onWake(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    memory<Kept>(make: (core: Core) => Kept): Kept {
      if (!memories.has(make)) memories.set(make, make(core));
      return memories.get(make) as Kept;
    },
  };
  return core;
}
