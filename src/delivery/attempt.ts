import { SECOND } from "../core/base/clock.ts";
import { CoreError } from "../core/base/errors.ts";
import type { Claim, Outcome } from "../core/outbox/deliveries/deliveries.ts";
import { type Failure, type FailureCode, isFailureCode } from "../core/outbox/deliveries/failures.ts";
import { resolveTarget, type Target } from "../core/outbox/webhooks/target.ts";
import {
  bodyStart,
  codeOf,
  firstAnswer,
  isRefused,
  isReset,
  isUnreachable,
  isUntrusted,
  NO_PROXY,
  withAbort,
} from "./outgoing-http.ts";
import { signatureHeaders } from "./signature.ts";
import type { TargetRules } from "../core/base/core.ts";

export interface AttemptRules {
  targets: TargetRules;
  /** Longest time from the connection request to the status line of the response, in ms. */
  timeoutMs: number;
  /** CA certificates in PEM, trusted in addition to the system's authorities. */
  ca?: string | undefined;
  userAgent: string;
}

/** Makes one POST request and returns its outcome. Never throws. */
export type Attempt = (claim: Claim) => Promise<Outcome>;

/**
 * Maximum time since the last response of a connection that is reused, in ms. An older connection may be dead
 * without this server having noticed.
 */
const REUSE_WITHIN_MS = 5 * SECOND;
/**
 * Fraction of the attempt timeout. Endpoints that respond within this time keep their connection. Reuse saves
 * little for slower endpoints.
 */
const LOOKUP_PART = 1 / 8;

export function createAttempt(rules: AttemptRules): Attempt {
  const quickMs = rules.timeoutMs * LOOKUP_PART;
  const targets = createTargets();
  const answeredAt = new Map<string, number>();
  /** Ids of endpoints whose certificate is signed by the operator's own authority. */
  const ownTrust = new Set<string>();

  return async function attempt(claim) {
    if (claim.secrets.length === 0) return { durationMs: 0, failure: { code: "secret_unreadable" } };
    const from = performance.now();
    let signal = AbortSignal.timeout(rules.timeoutMs);
    const elapsed = (): number => performance.now() - from;
    try {
      let target = targets.of(claim.url);
      if (!target) {
        target = await withAbort(signal, resolveTarget(rules.targets, claim.url));
        targets.keep(claim.url, target);
        signal = AbortSignal.timeout(rules.timeoutMs);
      }
      const checked = target;
      const answer = await firstAnswer(checked, (address) => {
        const isFresh = elapsed() + from - (answeredAt.get(claim.endpointId) ?? -Infinity) < REUSE_WITHIN_MS;
        return send(claim, checked, address, isFresh);
      });
      const durationMs = elapsed();
      if (durationMs < quickMs) answeredAt.set(claim.endpointId, performance.now());
      else answeredAt.delete(claim.endpointId);
      return {
        status: answer.status,
        durationMs,
        failure: refusalOf(answer),
        answer: await bodyStart(answer),
      };
    } catch (thrown) {
      answeredAt.delete(claim.endpointId);
      return { durationMs: elapsed(), failure: failureOf(thrown, signal, rules.timeoutMs, claim.url) };
    }

    function send(claim: Claim, target: Target, address: string, reuse: boolean): Promise<Response> {
      const { host, pathname, search } = target.url;
      const port = target.url.port || "443";
      const request = (keepalive: boolean, withOwnTrust: boolean): Promise<Response> =>
        fetch(`https://${address.includes(":") ? `[${address}]` : address}:${port}${pathname}${search}`, {
          method: "POST",
          headers: {
            host,
            "content-type": "application/json",
            "user-agent": rules.userAgent,
            accept: "*/*",
            "accept-encoding": "identity",
            ...(claim.traceparent === undefined ? {} : { traceparent: claim.traceparent }),
            ...signatureHeaders({ ...claim, seconds: Math.floor(claim.startedAt / 1000) }),
          },
          body: claim.body,
          redirect: "manual",
          decompress: false,
          keepalive,
          signal,
          proxy: NO_PROXY,
          tls: {
            // The certificate is always verified. Without this option, NODE_TLS_REJECT_UNAUTHORIZED in the
            // environment decides.
            rejectUnauthorized: true,
            ...(target.isName ? { serverName: target.hostname } : {}),
            ...(withOwnTrust && rules.ca !== undefined ? { ca: rules.ca } : {}),
          },
        });
      const isOwn = ownTrust.has(claim.endpointId);
      const first = reuse
        ? request(true, isOwn).catch((error: unknown) => {
            // Retries only if the connection was reset. A receiver that is silent may still read the first
            // request, and a retry would then deliver the event twice.
            if (signal.aborted || !isReset(error)) throw error;
            return request(false, isOwn);
          })
        : request(false, isOwn);
      return first.catch(async (error: unknown) => {
        if (signal.aborted) throw error;
        if (rules.ca === undefined || !isUntrusted(error)) throw error;
        // Tries the system's authorities first, then the operator's. Passing both lists of authorities at
        // once costs 100 µs per request.
        const answer = await request(false, !isOwn);
        if (isOwn) ownTrust.delete(claim.endpointId);
        else ownTrust.add(claim.endpointId);
        return answer;
      });
    }
  };
}

/**
 * How long a checked address is reused without a new DNS lookup, in ms. During a burst, all requests to one
 * endpoint use the address that the first request looked up.
 */
const TARGET_CACHE_MS = SECOND;
const TARGETS_MAX = 10_000;

/**
 * Cache of addresses that were recently resolved and checked. Requests connect to these addresses, never to
 * the host name.
 */
function createTargets(): { of(url: string): Target | undefined; keep(url: string, target: Target): void } {
  const cachedTargets = new Map<string, { target: Target; until: number }>();
  return {
    of(url) {
      const found = cachedTargets.get(url);
      return found && found.until > performance.now() ? found.target : undefined;
    },
    keep(url, target) {
      if (cachedTargets.size >= TARGETS_MAX) cachedTargets.clear();
      cachedTargets.set(url, { target, until: performance.now() + TARGET_CACHE_MS });
    },
  };
}

/** Returns the failure of a response. Only a 2xx status acknowledges a delivery (docs/contract.md#V6.2). */
function refusalOf({ status, headers }: Response): Failure | undefined {
  if (status >= 200 && status <= 299) return undefined;
  const isRedirect = status >= 300 && status <= 399 && headers.has("location");
  return { code: isRedirect ? "redirect" : "status", params: { status } };
}

/** Failure codes by TLS error code. The first match wins. */
const CERTIFICATE_FAULTS: readonly [code: RegExp, failure: FailureCode][] = [
  [/EXPIRED/, "tls_expired"],
  [/NOT_YET_VALID/, "tls_not_yet_valid"],
  [/ALTNAME/, "tls_wrong_name"],
  [/DEPTH_ZERO/, "tls_self_signed"],
  [/UNABLE_TO|ISSUER|SELF_SIGNED/, "tls_untrusted"],
  [/CERT|SSL|TLS/, "tls_unverified"],
];

/** Failure codes of DNS lookups, by the refusal code of the lookup. */
const LOOKUP_FAILURES: Readonly<Record<string, FailureCode>> = {
  host_unknown: "dns_not_found",
  host_silent: "dns_timeout",
};

function failureOf(thrown: unknown, signal: AbortSignal, timeoutMs: number, url: string): Failure {
  if (thrown instanceof CoreError) {
    const code = LOOKUP_FAILURES[thrown.code] ?? thrown.code;
    return isFailureCode(code) ? { code, params: thrown.params } : { code: "not_made" };
  }
  if (signal.aborted) return { code: "connection_timeout", params: { seconds: timeoutMs / 1000 } };
  const detail = codeOf(thrown) || "unknown";
  const { hostname: host, port } = new URL(url);
  const where = { host, port: port || "443" };
  if (isRefused(thrown)) return { code: "connection_refused", params: where };
  if (isUnreachable(thrown)) return { code: "connection_unreachable", params: { ...where, detail } };
  if (isReset(thrown)) return { code: "connection_reset" };
  if (detail === "EPROTO") return { code: "tls_failed", params: where };
  if (/^Malformed_HTTP|^Invalid|^Unsupported|^Unrequested/.test(detail))
    return { code: "answer_invalid", params: { detail } };
  if (detail === "ResponseHeadersTooLarge") return { code: "answer_too_large" };
  const fault = CERTIFICATE_FAULTS.find(([pattern]) => pattern.test(detail));
  return { code: fault?.[1] ?? "request_failed", params: { detail } };
}
