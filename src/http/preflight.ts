import type { Logger } from "pino";
import type { Core } from "../core/core.ts";
import { badRequest, CoreError, notFound } from "../core/errors.ts";
import type { Tier } from "../core/limits.ts";
import { clientKey, type ProxyList } from "./address.ts";
import { noContent, refusal } from "./answer.ts";
import { createMeter, rateLimited, retryAfterSeconds } from "./meter.ts";
import type { HttpMetrics } from "./metrics.ts";
import { logFailure, logRequest, looksSecret } from "./request-log.ts";
import { readTarget, routable } from "./target.ts";
import { admit, type Visit } from "./visit.ts";

/** A way into the program: everything whose path begins with `prefix`. */
export interface Door {
  prefix: string;
  /** False for health and metrics: they answer when the limits and the database do not. */
  isCounted: boolean;
  handle(visit: Visit): Response | Promise<Response>;
}

export interface HttpRules {
  trustedProxies: ProxyList;
  corsOrigins: readonly string[];
  enterprise: Tier;
}

export type Handler = (request: Request, peer: () => string) => Response | Promise<Response>;

const EXPOSED_HEADERS =
  "X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, ETag, Location, Idempotency-Replayed";
const ALLOWED_HEADERS = "Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id";

/**
 * What stands before every door, in this order: request id, target, credentials, rate limit, the door itself. Whatever is
 * thrown on the way is caught once, and every answer, refusals too, carries the request id and the rate headers (§7, §8).
 */
export function createHandler(
  core: Core,
  doors: readonly Door[],
  rules: HttpRules,
  log: Logger,
  metrics: HttpMetrics,
): Handler {
  const meter = createMeter(core, rules.enterprise);

  return function handle(request, peer) {
    const startedAt = core.clock.elapsed();
    const visit = open(request, peer);
    try {
      const answer = enter(visit);
      return answer instanceof Promise
        ? answer.catch(visit.refuse).then((given) => close(visit, startedAt, given))
        : close(visit, startedAt, answer);
    } catch (thrown) {
      return close(visit, startedAt, visit.refuse(thrown));
    }
  };

  /** A visit that knows nothing yet but how to refuse. */
  function open(request: Request, peer: () => string): Visit {
    const requestId = readRequestId(request.headers.get("x-request-id"));
    const visit: Visit = {
      request,
      requestId,
      // A HEAD is a GET whose body Bun leaves away, keeping its length (RFC 9110 §9.3.2).
      method: request.method === "HEAD" ? "GET" : request.method,
      path: "",
      query: "",
      caller: undefined,
      hasCredentials: request.headers.has("authorization"),
      peer,
      headers: {
        "x-request-id": requestId,
        "x-content-type-options": "nosniff",
        // What depends on the caller is nobody else's; the few answers that do not, say so themselves.
        "cache-control": "private, no-store",
      },
      refuse(thrown) {
        if (!(thrown instanceof CoreError)) logFailure(log, requestId, thrown);
        return refusal(visit, thrown);
      },
    };
    return visit;
  }

  function enter(visit: Visit): Response | Promise<Response> {
    const { request } = visit;
    const target = readTarget(request);
    const door = target && doors.find(({ prefix }) => isUnder(target.path, prefix));
    if (target) Object.assign(visit, target, { request: routable(request, target, visit.method) });
    const isPreflight = allowOrigin(visit) && isCorsPreflight(request);
    if (door?.isCounted ?? true) meterVisit(visit, request, isPreflight);
    if (isPreflight) return answerPreflight(visit);
    if (!target) throw badRequest("The Host header or the target of the request is malformed.");
    if (!door) throw notFound("There is nothing at this address.");
    admit(visit.request, visit);
    return door.handle(visit);
  }

  /** Throws rate_limited. A database that is broken is told only after the rate headers are there. */
  function meterVisit(visit: Visit, { headers }: Request, isFree: boolean): void {
    let address: string | undefined;
    const addressOf = (): string =>
      (address ??= clientKey(visit.peer(), headers.get("x-forwarded-for"), rules.trustedProxies));
    let failure: { thrown: unknown } | undefined;
    try {
      visit.caller = meter.callerOf(headers.get("authorization"), addressOf);
    } catch (thrown) {
      failure = { thrown };
    }
    const taken = meter.charge(visit.caller, addressOf, isFree);
    meter.show(visit.headers, visit.caller, taken);
    if (!taken.allowed && !isFree) {
      const seconds = retryAfterSeconds(taken);
      visit.headers["retry-after"] = String(seconds);
      throw rateLimited(seconds);
    }
    if (failure) throw failure.thrown;
  }

  /** Whether a page of another origin may read the answer. */
  function allowOrigin({ request, headers }: Visit): boolean {
    if (rules.corsOrigins.length === 0) return false;
    headers["vary"] = "origin";
    const origin = request.headers.get("origin");
    if (origin === null || !rules.corsOrigins.includes(origin)) return false;
    headers["access-control-allow-origin"] = origin;
    headers["access-control-expose-headers"] = EXPOSED_HEADERS;
    return true;
  }

  function close(visit: Visit, startedAt: number, answer: Response): Response {
    const ms = core.clock.elapsed() - startedAt;
    metrics.observe(visit.method, answer.status, ms);
    logRequest(log, visit, answer.status, ms);
    return answer;
  }
}

/** The browser's question before a cross-origin request (CORS protocol): answered without credentials or cost. */
function isCorsPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers.has("access-control-request-method");
}

function answerPreflight(visit: Visit): Response {
  return noContent(visit, {
    "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers": ALLOWED_HEADERS,
    "access-control-max-age": "7200",
  });
}

/** An inbound id is kept only where it is short and of safe letters (CONTRACT «Request id»), and no secret by mistake. */
function readRequestId(sent: string | null): string {
  const isKept = sent !== null && /^[A-Za-z0-9._-]{1,128}$/.test(sent) && !looksSecret(sent);
  return isKept ? sent : crypto.randomUUID();
}

function isUnder(path: string, prefix: string): boolean {
  return path === prefix || (path.startsWith(prefix) && path[prefix.length] === "/");
}
