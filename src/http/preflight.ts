import type { Logger } from "pino";
import { authenticate } from "../core/access/access.ts";
import type { Caller } from "../core/access/caller.ts";
import type { Core } from "../core/core.ts";
import { CoreError, badRequest, notFound } from "../core/errors.ts";
import { type Charge, createLimiter, refillMs, type Tier, TIERS, type TierName } from "../core/limits.ts";
import { clientKey, type ProxyList } from "./address.ts";
import { noContent, refusal } from "./answer.ts";
import type { HttpMetrics } from "./metrics.ts";
import { readTarget, routable, type Target } from "./target.ts";
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
 * What stands before every door, in this order: request id, target, credentials, rate limit, the door itself, and one
 * catch around all of it. Every answer, refusals too, carries the request id and the rate headers (§7, §8).
 */
export function createHandler(
  core: Core,
  doors: readonly Door[],
  rules: HttpRules,
  log: Logger,
  metrics: HttpMetrics,
): Handler {
  const tiers: Readonly<Record<TierName, Tier>> = { ...TIERS, enterprise: rules.enterprise };
  const slowestRefill = Math.max(...Object.values(tiers).map(refillMs));
  const callers = createLimiter(core.clock.elapsed, slowestRefill);
  const strangers = createLimiter(core.clock.elapsed, slowestRefill);
  const guesses = createLimiter(core.clock.elapsed, slowestRefill);

  return function handle(request, peer) {
    const startedAt = core.clock.elapsed();
    const requestId = readRequestId(request.headers.get("x-request-id"));
    const method = request.method === "HEAD" ? "GET" : request.method;
    const target = readTarget(request);
    const door = target && doors.find(({ prefix }) => isUnder(target.path, prefix));

    const authorization = request.headers.get("authorization");
    let address: string | undefined;
    const addressOf = (): string =>
      (address ??= clientKey(peer(), request.headers.get("x-forwarded-for"), rules.trustedProxies));
    const isCounted = door?.isCounted ?? true;
    let caller: Caller | undefined;
    let failure: { thrown: unknown } | undefined;
    try {
      caller = isCounted ? callerOf(authorization, addressOf) : undefined;
    } catch (thrown) {
      // A database that is broken must not cost the answer its headers: it is told below, with all of them.
      failure = { thrown };
    }

    const headers: Record<string, string> = {
      "x-request-id": requestId,
      "x-content-type-options": "nosniff",
      // What depends on the caller is nobody else's; the few answers that do not say so themselves.
      "cache-control": "private, no-store",
    };
    allowOrigin(headers, request.headers.get("origin"));
    const visit: Visit = {
      request: target ? routable(request, target, method) : request,
      requestId,
      method,
      path: target?.path ?? "",
      query: target?.query ?? "",
      caller,
      hasCredentials: authorization !== null,
      peer,
      headers,
      refuse(thrown) {
        if (!(thrown instanceof CoreError)) logFailure(log, requestId, thrown);
        return refusal(visit, thrown);
      },
    };

    const isPreflight = method === "OPTIONS" && headers["access-control-allow-origin"] !== undefined;
    if (isCounted) {
      const taken = caller
        ? callers.charge(`${caller.builderId} ${caller.tier}`, tiers[caller.tier])
        : strangers.charge(addressOf(), tiers.anonymous, isPreflight ? 0 : 1);
      showRate(headers, taken, tiers[caller?.tier ?? "anonymous"]);
      if (!taken.allowed && !isPreflight) return finish(tooMany(visit, taken));
    }
    if (isPreflight) return finish(answerPreflight(visit));

    try {
      if (failure) throw failure.thrown;
      const answer = enter(visit, target, door);
      return answer instanceof Promise ? answer.catch(visit.refuse).then(finish) : finish(answer);
    } catch (thrown) {
      return finish(visit.refuse(thrown));
    }

    function finish(answer: Response): Response {
      const ms = core.clock.elapsed() - startedAt;
      metrics.observe(method, answer.status, ms);
      logRequest(log, visit, answer.status, ms);
      // Bun leaves the body of an answer to HEAD away, and keeps its length (RFC 9110 §9.3.2).
      return answer;
    }
  };

  /** A well-formed token that nobody has is a guess: guesses have a bucket of their own, looked at before the database. */
  function callerOf(authorization: string | null, addressOf: () => string): Caller | undefined {
    const token = authorization === null ? undefined : bearerToken(authorization);
    if (token === undefined) return undefined;
    let wasLookedUp = false;
    const caller = authenticate(core, token, () => {
      wasLookedUp = guesses.charge(addressOf(), tiers.anonymous, 0).remaining > 0;
      return wasLookedUp;
    });
    if (!caller && wasLookedUp) guesses.charge(addressOf(), tiers.anonymous);
    return caller;
  }

  function showRate(headers: Record<string, string>, taken: Charge, tier: Tier): void {
    headers["x-ratelimit-limit"] = String(tier.burst);
    headers["x-ratelimit-remaining"] = String(taken.remaining);
    headers["x-ratelimit-reset"] = String(Math.ceil((core.clock.now() + taken.fullInMs) / 1000));
  }

  function allowOrigin(headers: Record<string, string>, origin: string | null): void {
    if (rules.corsOrigins.length === 0) return;
    headers["vary"] = "origin";
    if (origin === null || !rules.corsOrigins.includes(origin)) return;
    headers["access-control-allow-origin"] = origin;
    headers["access-control-expose-headers"] = EXPOSED_HEADERS;
  }
}

function enter(
  visit: Visit,
  target: Target | undefined,
  door: Door | undefined,
): Response | Promise<Response> {
  if (!target) throw badRequest("The Host header or the target of the request is malformed.");
  if (!door) throw notFound("There is nothing at this address.");
  admit(visit.request, visit);
  return door.handle(visit);
}

function tooMany(visit: Visit, taken: Charge): Response {
  const seconds = Math.max(1, Math.ceil(taken.retryInMs / 1000));
  visit.headers["retry-after"] = String(seconds);
  return refusal(
    visit,
    new CoreError(
      "rate_limited",
      `Too many requests; wait ${seconds} second${seconds > 1 ? "s" : ""} (Retry-After).`,
    ),
  );
}

/** The browser's question before a cross-origin request (CORS protocol): answered without credentials or cost. */
function answerPreflight(visit: Visit): Response {
  return noContent(visit, {
    "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers": ALLOWED_HEADERS,
    "access-control-max-age": "7200",
  });
}

/** Tokens and signing secrets that somebody put into an address by mistake: the log keeps none (only their prefix). */
const SECRETS = /(guild_pat_|whsec_)[0-9A-Za-z+/=_-]+/g;

function logFailure(log: Logger, requestId: string, thrown: unknown): void {
  try {
    log.error({ requestId, err: thrown }, "request failed");
  } catch {
    // A thrown thing that can not even be read must not cost the answer.
    log.error({ requestId }, "request failed with an error that can not be told");
  }
}

/** Reads are told at `debug`: at `info` the log shows what changed, what was refused and what broke. */
function logRequest(log: Logger, visit: Visit, status: number, ms: number): void {
  const level = status >= 500 ? "error" : status >= 400 || visit.method !== "GET" ? "info" : "debug";
  if (!log.isLevelEnabled(level)) return;
  log[level](
    {
      requestId: visit.requestId,
      method: visit.method,
      path: visit.path.replace(SECRETS, "$1…"),
      status,
      ms: Math.round(ms * 1000) / 1000,
      builder: visit.caller?.username,
    },
    "request",
  );
}

/** An inbound id is kept only where it is short and of safe letters (CONTRACT «Request id»). */
function readRequestId(sent: string | null): string {
  return sent !== null && /^[A-Za-z0-9._-]{1,128}$/.test(sent) ? sent : crypto.randomUUID();
}

/** RFC 6750 §2.1. The scheme's case does not matter (RFC 9110 §11.1); the token's does. */
function bearerToken(authorization: string): string | undefined {
  return /^bearer ([^\s,]+)$/i.exec(authorization)?.[1];
}

function isUnder(path: string, prefix: string): boolean {
  return path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === "/");
}
