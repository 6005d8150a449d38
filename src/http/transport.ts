import type { RateTier } from "../core/base/limits.ts";
import type { Caller } from "../core/identity/access/caller.ts";
import type { LogAddress, ProxyList } from "./address.ts";
import type { RequestContext, TransportName } from "./context.ts";

/** A way into the program: everything whose path begins with `prefix`. */
export interface Transport {
  prefix: string;
  /** What metrics and log call it. */
  way: Exclude<TransportName, "none">;
  /** False for health and metrics: they answer when the limits and the database do not. */
  isCounted: boolean;
  /**
   * Whether a path costs nothing, as a file of every page does: nobody is looked up for it
   * (docs/contract.md#3.5).
   */
  isFree?(path: string): boolean;
  /**
   * Who asks, for a transport whose visitors show something else than a bearer token: the pages have a
   * session, apps a secret.
   */
  identify?(context: RequestContext): Caller | undefined | Promise<Caller | undefined>;
  /**
   * Whether a request is to change anything: those of admins alone are let in while there is maintenance.
   * Where it is not said, whatever is no read.
   */
  changes?(context: RequestContext): boolean;
  /**
   * Whether pages of public apps may read its answers (docs/contract.md#1.17); never where it reads cookies.
   */
  isOpenToApps?(context: RequestContext): boolean;
  handle(context: RequestContext): Response | Promise<Response>;
  /** Writes a refusal; the default is the form of docs/contract.md#1.14. */
  refuse?(context: RequestContext, thrown: unknown): Response | Promise<Response>;
  /** Ends what would go on for ever, so that the server can stop. */
  stop?(): void;
}

/** The current HTTP settings. They are read at use, as a reload changes them. */
export interface HttpRules {
  trustedProxies: ProxyList;
  corsOrigins: readonly string[];
  enterprise: RateTier;
  logAddress: LogAddress;
}
