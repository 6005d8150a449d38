import type { Caller } from "../core/identity/access/caller.ts";
import type { FollowerVerdict } from "./cluster-gate.ts";

/** Names of the transports. `none` is for requests that no transport handles. */
export type TransportName = "rest" | "graphql" | "oauth" | "pages" | "ops" | "none";

/** Route name of a request that matches no route. */
export const UNKNOWN_ROUTE = "unknown";

/** One request, with the results of the preflight (`preflight.ts`). */
export interface RequestContext {
  /** The request as the router needs it. See `routableRequest`. */
  request: Request;
  readonly requestId: string;
  /** The request's `traceparent` header (W3C Trace Context). `undefined` without a valid header. */
  readonly traceparent: string | undefined;
  /** Public base URL of the site. */
  readonly origin: string;
  /** HTTP method. GET for a HEAD request. */
  readonly method: string;
  /**
   * Whether the method is HEAD. Bun does not report when a HEAD client disconnects, so a HEAD request must
   * not wait for anything.
   */
  readonly isHead: boolean;
  /** Whether the request changes nothing. Transports whose POST requests may only read set this field. */
  isRead: boolean;
  /** Whether the client waits for new data (long polling). */
  isWaiting: boolean;
  /** Length of the response body in bytes, once known. 0 for a stream. */
  answerBytes: number;
  /** Path as sent, still encoded. Always begins with a slash. */
  path: string;
  /** Query string, still encoded. Empty without a query. */
  query: string;
  /** Name of the transport that handles the request. */
  readonly transportName: TransportName;
  /**
   * Name of the matched route: an operation's id or a page's pattern, never a value from the client.
   * `unknown` before routing and without a match.
   */
  route: string;
  /** The caller. `undefined` without valid credentials. */
  caller: Caller | undefined;
  /**
   * Whether another node signed the request (docs/contract.md#12.28). The node either forwards a client's
   * request or sends its own request.
   */
  isSignedByNode: boolean;
  /** Whether the other node sends its own request, and not a client's. */
  isOfNode: boolean;
  /**
   * State shared with the follower that received the request. `undefined` on a node that is not a follower.
   */
  readonly verdict: FollowerVerdict | undefined;
  /** The `Authorization` header. Read once per request, because Bun copies a header at each read. */
  readonly authorization: string | null;
  /** Whether the request has an `Authorization` header. */
  readonly hasCredentials: boolean;
  /** Returns the IP address of the other end of the connection. */
  peer(): string;
  /** Allows the connection to be silent for this many seconds, because the response is slow. */
  keepOpen(seconds: number): void;
  /**
   * Returns the IP address for rate limits. Behind trusted proxies this is the client's address. IPv6
   * addresses are shortened to their /64.
   */
  address(): string;
  /** Headers of every response to this request. */
  readonly headers: Record<string, string>;
  /**
   * Takes `extra` more tokens from the bucket that paid for the request, and updates the rate headers. Needed
   * for requests that cost more than one token. `extra` may be 0. Throws rate_limited.
   */
  charge(extra: number): Allowance;
  /**
   * Charges `caller` for this request, and refunds the client's IP address that was charged before the caller
   * was known. If this method throws rate_limited, the address remains charged.
   */
  chargeCaller(caller: Caller): void;
  /**
   * Authenticates the credentials again. Returns `undefined` if the credentials were revoked or have expired,
   * or if the builder is suspended.
   */
  callerNow(): Caller | undefined | Promise<Caller | undefined>;
  /**
   * Verifies the signature of the credentials, if they were not verified recently. Returns `undefined` if the
   * caller does not need to wait.
   */
  verify(): Promise<unknown> | undefined;
  /**
   * Counts an error that the transport returns inside a response. Logs the error if it is not a refusal. Each
   * error is counted only once.
   */
  report(thrown: unknown): void;
  /**
   * Counts wrong credentials in a request that is answered without a refusal. `by` is the kind of
   * credentials, such as `token`.
   */
  denied(by: string): void;
  /**
   * Kind of the wrong credentials in this request, such as `password`. `undefined` if no credentials were
   * wrong.
   */
  failedBy: string | undefined;
  /**
   * Returns the response for any thrown error. A refusal determines the status. Any other error is logged,
   * and the response has no details.
   */
  refuse(thrown: unknown): Response | Promise<Response>;
}

/** Remaining rate limit of a caller. */
export interface Allowance {
  remaining: number;
  /** When the bucket is full again, in ms since the Unix epoch. */
  resetAt: number;
}
