import type { KeyObject } from "node:crypto";
import type { Clock } from "./clock.ts";
import type { Db } from "./db/open.ts";
import { idCounts, idMaker, type MakeId } from "./ids.ts";
import type { Random } from "./random.ts";
import type { SealedSecrets } from "./sealed-secrets.ts";

/**
 * The dependencies of every operation. Each operation takes the core as its first parameter. The core
 * contains no request data and no environment variables.
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
   * Public origin such as `https://guild.example`, without a trailing slash. Links in events start with this
   * origin.
   */
  readonly origin: string;
  /** The hosts that webhooks may call, and the resolver for host names. */
  readonly targets: TargetRules;
  readonly policy: Policy;
  /**
   * Reports to the listeners of `onWake` that a delivery may be due. Without a delivery thread, no listener
   * exists.
   */
  readonly wake: () => void;
  /** Adds a listener for `wake` and returns the function that removes it. */
  readonly onWake: (listener: () => void) => () => void;
  /** Records an event for the staff, for modules below the event log. Call it in a transaction. */
  readonly fireStaffEvent: FireStaffEvent;
  /**
   * Returns the in-memory state of a module for this core. `make` creates the state on first use and
   * identifies it.
   */
  readonly memory: <Kept>(make: (core: Core) => Kept) => Kept;
}

/** Payloads of the events for the staff that modules below the event log fire. */
export interface StaffEvents {
  "builder.joined": { builder: { id: string; username: string } };
  "application.created": { application: { id: string } };
}
export type FireStaffEvent = (
  core: Core,
  type: keyof StaffEvents,
  data: StaffEvents[keyof StaffEvents],
) => void;

/**
 * Settings of the operator. A reload can change them, so read a setting where you use it and keep no copy
 * (docs/contract.md#12.16).
 */
export interface Policy {
  /** Name of the community, used until an admin sets another name (docs/contract.md#12.22). */
  readonly name?: string | undefined;
  /**
   * People who may create an account: anyone, people with an invitation, or nobody. Used until an admin
   * changes the setting.
   */
  readonly signup: "open" | "invite" | "closed";
  /**
   * How long audit log entries are kept, in ms. If this field or one of the next two fields is omitted, a
   * default applies.
   */
  readonly retentionAuditMs?: number | undefined;
  /** Time after which an unused session ends, in ms. */
  readonly retentionSessionsMs?: number | undefined;
  /** How long notifications are kept, in ms. */
  readonly retentionNotificationsMs?: number | undefined;
  /** How long finished webhook deliveries and events are kept, in ms. */
  readonly retentionMs?: number | undefined;
  /** URL of the mail server, with its password. The privacy page names its host. */
  readonly smtpUrl?: string | undefined;
  /** Target of scheduled backups, and how many of each kind are kept. */
  readonly backup?: string | undefined;
  readonly backupKeep?: Readonly<Record<BackupKind, number>> | undefined;
  /** Endpoint of the storage for `s3://` URLs. */
  readonly s3Endpoint?: string | undefined;
  /** Target to which the database is replicated. */
  readonly replica?: string | undefined;
  /** URLs of the other nodes of a cluster. */
  readonly peers?: readonly string[] | undefined;
  readonly follow?: readonly string[] | undefined;
  /** How the log shows the addresses of visitors. */
  readonly logAddress?: "off" | "short" | "whole" | undefined;
  /** Sender address of mail. Undefined when this server sends no mail. */
  readonly mailFrom?: string | undefined;
  /** Maximum number of posts and replies per member in 24 hours. Undefined means no limit. */
  readonly quotaPosts?: number | undefined;
  /** Maximum number of webhook endpoints per member, in all workspaces together. */
  readonly quotaEndpoints?: number | undefined;
  /** Maximum number of saved job filters per member. */
  readonly quotaFilters?: number | undefined;
  /** Maximum total size of a member's pictures, in bytes. */
  readonly quotaMedia?: number | undefined;
  /** Maximum total size of all stored pictures, in bytes. */
  readonly mediaMax?: number | undefined;
}

export type BackupKind = "hourly" | "daily" | "weekly" | "monthly";

/**
 * Result of a DNS lookup: all IP addresses of the host name, an empty array for an unknown name, or `silent`
 * on a timeout.
 */
export type LookupResult = string[] | "silent";
/**
 * Looks up a host name in DNS. The core receives the function as a dependency, so that tests control the
 * result.
 */
export type ResolveHost = (host: string) => Promise<LookupResult>;

/**
 * Rules for the hosts that webhooks may call. `allow` contains the host names and CIDRs that webhooks may
 * call even if the IP address is private.
 */
export interface TargetRules {
  resolve: ResolveHost;
  allow: readonly string[];
}

/**
 * Creates a core. `ids` are the ID counters of another core on the same database in this process. When `ids`
 * is omitted, the core creates its own counters.
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
