import type { RateTier } from "../core/base/limits.ts";
import type { Caller } from "../core/identity/access/caller.ts";
import type { LogAddress, ProxyList } from "./address.ts";
import type { RequestContext, TransportName } from "./context.ts";

/** Handles all paths under `prefix`. */
export interface Transport {
  prefix: string;
  /** Name of the transport in metrics and in the log. */
  transportName: Exclude<TransportName, "none">;
  /**
   * Whether requests count against rate limits and use the database. False for health and metrics, which must
   * work without both.
   */
  isCounted: boolean;
  /**
   * Whether requests to a path are free, like requests for static files. The caller of a free request is not
   * authenticated (docs/contract.md#3.5).
   */
  isFree?(path: string): boolean;
  /** Authenticates callers without a bearer token, by a page's session or an app's secret. */
  identify?(context: RequestContext): Caller | undefined | Promise<Caller | undefined>;
  /**
   * Whether a request changes data. In maintenance mode, only admins may send such requests. By default every
   * request that is not a read changes data.
   */
  mayChange?(context: RequestContext): boolean;
  /**
   * Whether web pages of public apps may read the responses (docs/contract.md#1.17). Must be false if the
   * transport reads cookies.
   */
  isOpenToApps?(context: RequestContext): boolean;
  handle(context: RequestContext): Response | Promise<Response>;
  /** Formats a refusal. The default is the format of docs/contract.md#1.14. */
  refuse?(context: RequestContext, thrown: unknown): Response | Promise<Response>;
  /** Ends streams and other endless responses, so that the server can stop. */
  stop?(): void;
}

/** HTTP settings. Read a setting at each use, because a reload changes the settings. */
export interface HttpRules {
  trustedProxies: ProxyList;
  corsOrigins: readonly string[];
  enterprise: RateTier;
  logAddress: LogAddress;
}
