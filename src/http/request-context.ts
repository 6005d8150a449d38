import type { Logger } from "pino";
import type { Core } from "../core/base/core.ts";
import { CoreError } from "../core/base/errors.ts";
import { readTraceparent } from "../core/outbox/events/trace.ts";
import { NO_STORE, refusal } from "./answer.ts";
import type { ClusterGate, FollowerVerdict } from "./cluster-gate.ts";
import type { RateLimiting } from "./rate-limiting.ts";
import type { Transport } from "./transport.ts";
import { logFailure, containsSecret } from "./request-log.ts";
import type { Traffic } from "./traffic.ts";
import { strictTransport } from "./secure-origin.ts";
import { type RequestContext, UNKNOWN_ROUTE, type TransportName } from "./context.ts";

/** A context with the methods that only the preflight calls. */
export interface OpenedRequest extends RequestContext {
  transportName: TransportName;
  /** Sets the transport, which formats all refusals from now on. */
  setTransport(transport: Transport): void;
}

/** Creates a function that creates contexts. At first a context can only refuse the request. */
export function createContextFactory(
  core: Core,
  log: Logger,
  metering: RateLimiting,
  traffic: Traffic,
  gate?: ClusterGate,
) {
  const common = {
    "x-content-type-options": "nosniff",
    ...strictTransport(core.origin),
    "cache-control": NO_STORE,
    // Set on all responses, because any text response may be compressed.
    vary: "accept-encoding",
  };

  return (
    request: Request,
    connection: () => string,
    keepOpen: (seconds: number) => void,
    verdict: FollowerVerdict | undefined,
  ): OpenedRequest => {
    let known: string | undefined;
    const peer = (): string => (known ??= connection());
    // Reads the address now, for the log. If the client disconnects before the response, Bun no longer knows
    // the address.
    const { method, headers } = request;
    if (method === "POST") peer();
    const authorization = headers.get("authorization");
    const requestId = readRequestId(headers.get("x-request-id"));
    let transport: Transport | undefined;
    /** Created for the first error, because most requests have none. */
    let reported: Set<unknown> | undefined;
    const context: OpenedRequest = {
      request,
      requestId,
      traceparent: readTraceparent(headers.get("traceparent")),
      origin: core.origin,
      // Bun removes the body of a response to HEAD, but keeps its length (RFC 9110 §9.3.2).
      method: method === "HEAD" ? "GET" : method,
      isHead: method === "HEAD",
      isRead: method === "GET" || method === "HEAD",
      path: "",
      query: "",
      transportName: "none",
      route: UNKNOWN_ROUTE,
      caller: undefined,
      isSignedByNode: false,
      isOfNode: false,
      verdict,
      authorization,
      hasCredentials: authorization !== null,
      peer,
      keepOpen,
      address: peer,
      headers: { ...common, "x-request-id": requestId },
      isWaiting: false,
      answerBytes: 0,
      failedBy: undefined,
      denied(by) {
        context.failedBy = by;
        traffic.denied(by);
      },
      report(thrown) {
        if (reported?.has(thrown)) return;
        reported = (reported ?? new Set()).add(thrown);
        if (gate?.isForLeader(context, thrown)) return;
        traffic.refused(context, thrown);
        if (!(thrown instanceof CoreError)) logFailure(log, context, thrown);
      },
      refuse(thrown) {
        context.report(thrown);
        return (transport?.refuse ?? refusal)(context, thrown);
      },
      charge: (extra) => metering.charge(context, extra),
      chargeCaller: (caller) => metering.chargeCaller(context, caller),
      callerNow: () => metering.callerNow(context),
      verify: () => metering.verify(context),
      setTransport(chosen) {
        transport = chosen;
        context.transportName = chosen.transportName;
      },
    };
    return context;
  };
}

/**
 * Returns the client's request id, or a new id. The client's id must be short, must have only safe characters
 * (docs/contract.md#1.13), and must not look like a secret.
 */
function readRequestId(sent: string | null): string {
  const isKept = sent !== null && /^[A-Za-z0-9._-]{1,128}$/.test(sent) && !containsSecret(sent);
  return isKept ? sent : crypto.randomUUID();
}
