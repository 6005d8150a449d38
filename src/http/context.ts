import type { Caller } from "../core/identity/access/caller.ts";
import type { FollowerVerdict } from "./cluster-gate.ts";

/** Transports by name. `none` is for requests that no transport handles. */
export type TransportName = "rest" | "graphql" | "oauth" | "pages" | "ops" | "none";

/** Route name of a request without a matching route. */
export const UNKNOWN_ROUTE = "unknown";

/** One request on its way through a transport, with the results of the preflight. */
export interface RequestContext {
  /** Request for the router. See `routableRequest`. */
  request: Request;
  readonly requestId: string;
  /** Trace of the request (W3C Trace Context). `undefined` without a valid header. */
  readonly traceparent: string | undefined;
  /** Public base URL of the site. */
  readonly origin: string;
  /** GET for a HEAD request. */
  readonly method: string;
  /**
   * Whether the method is HEAD. Bun does not report when a HEAD client disconnects, so a HEAD request must
   * not wait for anything.
   */
  readonly isHead: boolean;
  /** Whether the request changes nothing. Transports that read by POST set it. */
  isRead: boolean;
  /** Whether the client asked for a response only when there is news (long polling). */
  isWaiting: boolean;
  /** Length of the response body, once known. 0 for a stream. */
  answerBytes: number;
  /** Path as sent, still encoded. Always begins with a slash. */
  path: string;
  /** Query string, still encoded. Empty without a query. */
  query: string;
  /** Name of the transport that handles the request. */
  readonly transportName: TransportName;
  /**
   * Name of the matched route: an operation's id or a page's pattern, never a value from the client.
   * `unknown` without a match, and before routing.
   */
  route: string;
  /** `undefined` without valid credentials. */
  caller: Caller | undefined;
  /**
   * Whether another node signed the request, either its client's request or its own (docs/contract.md#12.28).
   */
  isSignedByNode: boolean;
  /** Whether the other node sends the request for its own purposes. */
  isOfNode: boolean;
  /** `undefined` on a node that is not a follower. */
  readonly verdict: FollowerVerdict | undefined;
  /** Whether the request has an `Authorization` header. */
  readonly hasCredentials: boolean;
  /** Returns the address at the other end of the connection. */
  peer(): string;
  /** Allows the connection to be silent for this many seconds, for slow responses. */
  keepOpen(seconds: number): void;
  /** Returns the address for rate limits: the client's behind trusted proxies, IPv6 by its /64. */
  address(): string;
  /** Headers of every response to this request. */
  readonly headers: Record<string, string>;
  /**
   * Takes `extra` more tokens from the same bucket, for a request that costs more than one. 0 takes none.
   * Updates the rate headers. Throws rate_limited.
   */
  charge(extra: number): Allowance;
  /**
   * Charges a caller for a request that was charged to its address before the caller was known. If this
   * throws rate_limited, the address remains charged.
   */
  chargeCaller(caller: Caller): void;
  /**
   * Authenticates the credentials again. Returns `undefined` if they were revoked or have expired, or if the
   * builder is suspended.
   */
  callerNow(): Caller | undefined | Promise<Caller | undefined>;
  /**
   * Verifies the signature of credentials that were not seen recently. Returns `undefined` if no wait is
   * needed.
   */
  verify(): Promise<unknown> | undefined;
  /**
   * Counts an error that the transport returns inside a response, and logs the error if it is not a refusal.
   * The same error is counted once.
   */
  report(thrown: unknown): void;
  /** Counts wrong credentials that cause no refusal. `by` is their kind. */
  denied(by: string): void;
  /** Kind of the wrong credentials. `undefined` if none were wrong. */
  failedBy: string | undefined;
  /**
   * Returns the response for any thrown error. Refusals are mapped to their status. Other errors are logged
   * and masked.
   */
  refuse(thrown: unknown): Response | Promise<Response>;
}

/** Remaining rate limit of a caller. */
export interface Allowance {
  remaining: number;
  /** When the bucket is full again, in ms since the epoch. */
  resetAt: number;
}
