import { CoreError } from "../core/base/errors.ts";
import { type Digest, observe } from "../core/base/digest.ts";
import type { RequestContext } from "./context.ts";
import type { HttpMetrics } from "./metrics.ts";

export interface Traffic {
  /** Counts a request that started. */
  started(): void;
  /** Counts a request that was answered with this status. */
  answered(context: RequestContext, status: number, ms: number): void;
  /** Counts a request that another node answers. */
  forwarded(): void;
  /** Counts a refusal or error in a part of a request. */
  refused(context: RequestContext, thrown: unknown): void;
  /** Counts wrong credentials in a request that is answered without a refusal. */
  denied(by: string): void;
}

const METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

const FAULT = "fault_of_ours";

/** Kinds of credentials, by the refusal code of a failed sign-in. */
const FAILED_BY: Readonly<Partial<Record<string, string>>> = {
  sign_in_wrong: "password",
  passkey_wrong: "passkey",
  link_broken: "link",
};

/** Metrics of requests with the same labels. */
interface Counted {
  transportName: string;
  verb: string;
  /** First digit of the status. */
  hundreds: number;
  tier: string;
  kind: string;
  requests: { value: number };
  requestsOfTier: { value: number };
  bytes: { value: number };
  seconds: Digest;
}

/**
 * Returns `token` if the request has a bearer token. Another site cannot make a browser send such a token, so
 * the client itself sent it.
 */
function tokenIn({ request }: RequestContext): "token" | undefined {
  return /^bearer /i.test(request.headers.get("authorization") ?? "") ? "token" : undefined;
}

export function createTraffic(metrics: HttpMetrics): Traffic {
  const inFlight = metrics.number("guildhall_http_requests_in_flight");
  // Creates the counter with 0, because Prometheus needs a first value before it can compute a rate.
  metrics.number("guildhall_refusals_total", FAULT);
  /**
   * Cache of metrics by route. A route has few entries, so comparing them is faster than building a key of
   * all labels for each request.
   */
  const known = new Map<string, Counted[]>();

  function countedOf(context: RequestContext, status: number): Counted {
    const { transportName, route, method, caller, isRead, isWaiting } = context;
    const hundreds = Math.floor(status / 100);
    const tier = caller?.tier ?? "anonymous";
    const kind = isWaiting ? "wait" : isRead ? "read" : "write";
    // Clients may send any method, so unknown methods share the label `other`.
    const verb = METHODS.has(method) ? method : "other";
    const entries = known.get(route) ?? [];
    let counted = entries.find(
      (entry) =>
        entry.hundreds === hundreds &&
        entry.tier === tier &&
        entry.kind === kind &&
        entry.verb === verb &&
        entry.transportName === transportName,
    );
    if (!counted) {
      const group = `${hundreds}xx`;
      counted = {
        transportName,
        verb,
        hundreds,
        tier,
        kind,
        requests: metrics.number("guildhall_http_requests_total", transportName, route, verb, group),
        requestsOfTier: metrics.number("guildhall_http_requests_by_tier_total", tier, group),
        bytes: metrics.number("guildhall_http_answer_bytes_total", transportName),
        seconds: metrics.digest("guildhall_http_request_seconds", transportName, kind),
      };
      known.set(route, [...entries, counted]);
    }
    return counted;
  }

  function denied(by: string): void {
    metrics.number("guildhall_sign_in_failures_total", by).value++;
  }

  return {
    started() {
      inFlight.value++;
    },
    answered(context, status, ms) {
      inFlight.value--;
      const counted = countedOf(context, status);
      counted.requests.value++;
      counted.requestsOfTier.value++;
      counted.bytes.value += context.answerBytes;
      observe(counted.seconds, ms / 1000);
    },
    forwarded() {
      inFlight.value--;
    },
    refused(context, thrown) {
      const code = thrown instanceof CoreError ? thrown.code : FAULT;
      metrics.number("guildhall_refusals_total", code).value++;
      const by = code === "credentials_invalid" ? tokenIn(context) : FAILED_BY[code];
      if (by !== undefined) context.denied(by);
    },
    denied,
  };
}
