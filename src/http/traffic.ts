import { CoreError } from "../core/base/errors.ts";
import { type Digest, observe } from "../core/base/digest.ts";
import type { RequestContext } from "./context.ts";
import type { HttpMetrics } from "./metrics.ts";

export interface Traffic {
  /** A request started. */
  started(): void;
  /** A request was answered with this status. */
  answered(context: RequestContext, status: number, ms: number): void;
  /** Another node answers the request. */
  forwarded(): void;
  /** Part of the request was refused or failed. */
  refused(context: RequestContext, thrown: unknown): void;
  /** Credentials were wrong without a refusal. */
  denied(by: string): void;
}

const METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

const FAULT = "fault_of_ours";

/** Kind of credentials by the code of a failed sign-in. */
const FAILED_BY: Readonly<Partial<Record<string, string>>> = {
  sign_in_wrong: "password",
  passkey_wrong: "passkey",
  link_broken: "link",
};

/** Counters with the same labels. */
interface Counted {
  requests: { value: number };
  requestsOfTier: { value: number };
  bytes: { value: number };
  seconds: Digest;
}

/** Other sites cannot make a browser send a bearer token, so the client itself sent the wrong token. */
function tokenIn({ request }: RequestContext): "token" | undefined {
  return /^bearer /i.test(request.headers.get("authorization") ?? "") ? "token" : undefined;
}

export function createTraffic(metrics: HttpMetrics): Traffic {
  const inFlight = metrics.number("guildhall_http_requests_in_flight");
  // Creates the counter with 0, because a rate needs a first value before an increase.
  metrics.number("guildhall_refusals_total", FAULT);
  /** Cache of counters, so that each request needs one lookup. */
  const known = new Map<string, Counted>();

  function countedOf(context: RequestContext, status: number): Counted {
    const { transportName: way, route, method, caller, isRead, isWaiting } = context;
    const group = `${Math.floor(status / 100)}xx`;
    const tier = caller?.tier ?? "anonymous";
    const kind = isWaiting ? "wait" : isRead ? "read" : "write";
    // Clients may send any method, so unknown methods share the label `other`.
    const verb = METHODS.has(method) ? method : "other";
    const key = `${way} ${route} ${verb} ${group} ${tier} ${kind}`;
    let counted = known.get(key);
    if (!counted) {
      counted = {
        requests: metrics.number("guildhall_http_requests_total", way, route, verb, group),
        requestsOfTier: metrics.number("guildhall_http_requests_by_tier_total", tier, group),
        bytes: metrics.number("guildhall_http_answer_bytes_total", way),
        seconds: metrics.digest("guildhall_http_request_seconds", way, kind),
      };
      known.set(key, counted);
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
