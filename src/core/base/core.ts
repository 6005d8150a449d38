import type { KeyObject } from "node:crypto";
import type { Clock } from "./clock.ts";
import type { Db } from "./db/open.ts";
import { idCounts, idMaker, type MakeId } from "./ids.ts";
import type { Random } from "./random.ts";
import type { SealedSecrets } from "./sealed-secrets.ts";

/**
 * The dependencies of every operation, and its first parameter. Contains no request data and no environment
 * variables.
 */
export interface Core {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  /** Makes an RSA key pair for signing. Defaults to Node's generator, which takes tenths of a second. */
  readonly makeRsaKey?: () => Promise<KeyObject>;
  readonly makeId: MakeId;
  readonly secrets: SealedSecrets;
  /**
   * Public origin such as `https://guild.example`, without a trailing slash. Links in events start with it.
   */
  readonly origin: string;
  /** The hosts that webhooks may call, and the resolver for host names. */
  readonly targets: TargetRules;
  readonly policy: Policy;
  /** Signals that a delivery may be due. Without a delivery thread, nothing listens. */
  readonly wake: () => void;
  /** Adds a listener for `wake` and returns the function that removes it. */
  readonly onWake: (listener: () => void) => () => void;
  /**
   * Returns the in-memory state of a module for this core. `make` creates the state on first use and
   * identifies it.
   */
  readonly memory: <Kept>(make: (core: Core) => Kept) => Kept;
}

/**
 * Settings of the operator. Read them where they are used and keep no copy: a reload changes them
 * (docs/contract.md#12.16).
 */
export interface Policy {
  /** Name of the community until an admin sets one (docs/contract.md#12.22). */
  readonly name?: string | undefined;
  /**
   * People who may create an account, until an admin changes the setting: anyone, people with an invitation,
   * or nobody.
   */
  readonly signup: "open" | "invite" | "closed";
  /**
   * Retention of audit log entries. When omitted, a default applies. The same holds for the next two fields.
   */
  readonly retentionAuditMs?: number | undefined;
  /** Lifetime of an unused session. */
  readonly retentionSessionsMs?: number | undefined;
  /** Retention of notifications. */
  readonly retentionNotificationsMs?: number | undefined;
  /** Sender address of mail. Undefined when this server sends no mail. */
  readonly mailFrom?: string | undefined;
  /** Most posts and replies per member in 24 hours. Undefined means no limit. */
  readonly quotaPosts?: number | undefined;
  /** Most webhook endpoints per member, in all workspaces together. */
  readonly quotaEndpoints?: number | undefined;
  /** Maximum number of saved job filters per member. */
  readonly quotaFilters?: number | undefined;
  /** Maximum size of all pictures of a member, in bytes. */
  readonly quotaMedia?: number | undefined;
  /** Maximum size of all pictures, in bytes. */
  readonly mediaMax?: number | undefined;
}

/**
 * Result of a DNS lookup: all addresses of the name, none when the name does not exist, or `silent` on a
 * timeout.
 */
export type LookupResult = string[] | "silent";
/** Looks up a host name. Injected so that tests control the result. */
export type ResolveHost = (host: string) => Promise<LookupResult>;

/** The hosts that webhooks may call. `allow` lists the host names and CIDRs that may be private. */
export interface TargetRules {
  resolve: ResolveHost;
  allow: readonly string[];
}

/**
 * Creates a core. `ids` are the ID counters of another core on the same database in this process. When
 * omitted, the core uses counters of its own.
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
