import type { Tier } from "../core/ground/limits.ts";
import type { Caller } from "../core/identity/access/caller.ts";
import type { ProxyList } from "./address.ts";
import type { Visit } from "./visit.ts";

/** A way into the program: everything whose path begins with `prefix`. */
export interface Door {
  prefix: string;
  /** False for health and metrics: they answer when the limits and the database do not. */
  isCounted: boolean;
  /** Who asks, for a door whose visitors show something else than a bearer token: the pages have a session, apps a secret. */
  identify?(visit: Visit): Caller | undefined | Promise<Caller | undefined>;
  handle(visit: Visit): Response | Promise<Response>;
  /** How this door tells a refusal; without it, as docs/contract.md#1.14 shows it. */
  refuse?(visit: Visit, thrown: unknown): Response;
  /** Ends what would go on for ever, so that the server can stop. */
  stop?(): void;
}

export interface HttpRules {
  trustedProxies: ProxyList;
  corsOrigins: readonly string[];
  enterprise: Tier;
}
