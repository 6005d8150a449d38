import type { Caller } from "../core/identity/access/caller.ts";
import type { FollowerVerdict } from "./cluster-gate.ts";

/** The ways into the program: those of the transports, and `none` for what no transport takes. */
export type TransportName = "rest" | "graphql" | "oauth" | "pages" | "ops" | "none";

/** A request whose route nobody has found. */
export const UNKNOWN_ROUTE = "unknown";

/** One request on its way through a transport, with what the preflight found out. */
export interface RequestContext {
  /** The request for the router; see `routableRequest`. */
  request: Request;
  readonly requestId: string;
  /** The trace of the request (W3C Trace Context); undefined without a valid one. */
  readonly traceparent: string | undefined;
  /** The site's public address. */
  readonly origin: string;
  /** GET for a HEAD. */
  readonly method: string;
  /** Nobody is told when one goes away, so that nothing may be waited for in its name. */
  readonly isHead: boolean;
  /** Whether it changes nothing; a transport that reads by POST says so. */
  isRead: boolean;
  /** Whether it asked to be answered when there is something to tell. */
  isWaiting: boolean;
  /** The length of the answer's body, once known; 0 for a stream. */
  answerBytes: number;
  /** The path as it was sent, still encoded; always begins with a slash. */
  path: string;
  /** The query string, still encoded; empty without one. */
  query: string;
  /** The transport that took it; `none` without one. */
  readonly way: TransportName;
  /**
   * What the router found, by a name that nobody outside can choose: an operation's id, a page's pattern.
   * `unknown` for a path that leads nowhere, and until one was looked for.
   */
  route: string;
  /** Undefined for a request without valid credentials. */
  caller: Caller | undefined;
  /** Whether another node signed it: its client's request, or its own (docs/contract.md#12.28). */
  isSignedByNode: boolean;
  /** Whether that node asks for itself. */
  isOfNode: boolean;
  /** Undefined on a node that does not follow. */
  readonly verdict: FollowerVerdict | undefined;
  /** Whether an `Authorization` header came at all. */
  readonly hasCredentials: boolean;
  /** The address at the other end of the connection. */
  peer(): string;
  /** Lets the connection be silent for so many seconds, where the answer is long in coming. */
  keepOpen(seconds: number): void;
  /** The address that the visitor is counted under: behind trusted proxies the client's, IPv6 by its /64. */
  address(): string;
  /** Headers that go on whatever answer is made. */
  readonly headers: Record<string, string>;
  /**
   * Takes so many tokens more from the same bucket, for a request that turned out to cost more than one; 0
   * only looks. Puts the rate headers right. Throws rate_limited.
   */
  charge(extra: number): Allowance;
  /**
   * Lets the caller pay who turned out to stand behind a request that its address has paid for. Throws
   * rate_limited; then the address has paid.
   */
  payAs(caller: Caller): void;
  /**
   * Who the same credentials name by now: undefined when they were revoked, or have expired, or their builder
   * is suspended.
   */
  callerNow(): Caller | undefined | Promise<Caller | undefined>;
  /**
   * Checks the signature of credentials that were not seen lately; undefined where there is nothing to wait
   * for.
   */
  verify(): Promise<unknown> | undefined;
  /**
   * Counts what was thrown, and logs it where it is no refusal of ours, for a transport that tells it inside
   * of an answer. The same is counted once.
   */
  report(thrown: unknown): void;
  /** Counts credentials that were wrong, where no refusal of ours says so; `by` is what they were. */
  denied(by: string): void;
  /** The kind of the wrong credentials; undefined if none were wrong. */
  failedBy: string | undefined;
  /**
   * The answer to whatever was thrown on the way: mapped where it is ours, logged and masked where it is not.
   */
  refuse(thrown: unknown): Response | Promise<Response>;
}

/** The remaining rate of a caller. */
export interface Allowance {
  /** Whole tokens. */
  remaining: number;
  /** When the bucket is full again, in ms since the epoch. */
  resetAt: number;
}
