import type { RateTier } from "../core/base/limits.ts";
import type { Caller } from "../core/identity/access/caller.ts";
import type { LogAddress, ProxyList } from "./address.ts";
import type { RequestContext, TransportName } from "./context.ts";

/** A transport: handles all paths under `prefix`. */
export interface Transport {
  prefix: string;
  /** Name in metrics and log. */
  way: Exclude<TransportName, "none">;
  /** False for health and metrics, which must work without rate limits and without the database. */
  isCounted: boolean;
  /** Whether a path is free, like a static file. Its caller is not authenticated (docs/contract.md#3.5). */
  isFree?(path: string): boolean;
  /** Authenticates callers that do not use bearer tokens: sessions on pages, secrets of apps. */
  identify?(context: RequestContext): Caller | undefined | Promise<Caller | undefined>;
  /**
   * Whether a request changes data. Only admins may send such requests in maintenance mode. Default: every
   * request that is not a read.
   */
  mayChange?(context: RequestContext): boolean;
  /**
   * Whether pages of public apps may read the responses (docs/contract.md#1.17). Never if the transport reads
   * cookies.
   */
  isOpenToApps?(context: RequestContext): boolean;
  handle(context: RequestContext): Response | Promise<Response>;
  /** Formats a refusal. The default is the form of docs/contract.md#1.14. */
  refuse?(context: RequestContext, thrown: unknown): Response | Promise<Response>;
  /** Ends endless responses, so that the server can stop. */
  stop?(): void;
}

/** Current HTTP settings. Read them at each use, because a reload changes them. */
export interface HttpRules {
  trustedProxies: ProxyList;
  corsOrigins: readonly string[];
  enterprise: RateTier;
  logAddress: LogAddress;
}
