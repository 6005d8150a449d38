import type { Logger } from "pino";
import type { Caller } from "../core/identity/access/caller.ts";
import type { Core } from "../core/ground/core.ts";
import { CoreError, refuse, refuseFor } from "../core/ground/errors.ts";
import type { Charge, Tier } from "../core/ground/limits.ts";
import { clientKey, type ProxyList } from "./address.ts";
import { noContent, NOT_KEPT, refusal } from "./answer.ts";
import { inCoding } from "./coding.ts";
import { strictTransport } from "./secure-origin.ts";
import { createMeter } from "./meter.ts";
import type { HttpMetrics } from "./metrics.ts";
import { logFailure, logRequest, looksSecret } from "./request-log.ts";
import { readTarget, routable } from "./target.ts";
import type { Visit } from "./visit.ts";

/** A way into the program: everything whose path begins with `prefix`. */
export interface Door {
  prefix: string;
  /** False for health and metrics: they answer when the limits and the database do not. */
  isCounted: boolean;
  /** Who asks, for a door whose visitors show something else than a bearer token: the pages have a session, apps a secret. */
  identify?(visit: Visit): Caller | undefined | Promise<Caller | undefined>;
  handle(visit: Visit): Response | Promise<Response>;
  /** How this door tells a refusal; without it, as docs/contract.md#1.14 shows it. */
  refuse?(visit: Visit, thrown: unknown): Response;
  /** Ends what would go on for ever, so that the server can stop. */
  stop?(): void;
}

export interface HttpRules {
  trustedProxies: ProxyList;
  corsOrigins: readonly string[];
  enterprise: Tier;
}

/** What the preflight alone may do with a visit. */
interface Opened {
  /** From now on this door tells the refusals. */
  enterBy(door: Door): void;
}

export type Handler = (
  request: Request,
  peer: () => string,
  /** Lets the connection be silent for so many seconds; nothing where there is none. */
  keepOpen?: (seconds: number) => void,
) => Response | Promise<Response>;

const EXPOSED_HEADERS =
  "X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, ETag, Link, Location, Idempotency-Replayed, Preference-Applied, WWW-Authenticate";
const ALLOWED_HEADERS =
  "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, X-GraphQL-Event-Stream-Token, X-Request-Id";

/**
 * What stands before every door, in this order: request id, target, credentials, rate limit, the door itself.
 * Whatever is thrown on the way is caught once, and every answer, refusals too, carries the request id and
 * the rate headers (docs/contract.md#1.13, docs/contract.md#3.3).
 */
export function createHandler(
  core: Core,
  doors: readonly Door[],
  rules: HttpRules,
  log: Logger,
  metrics: HttpMetrics,
): Handler {
  const meter = createMeter(core, rules.enterprise);
  const strict = strictTransport(core.origin);

  return function handle(request, peer, keepOpen = () => {}) {
    const startedAt = core.clock.elapsed();
    const visit = open(request, peer, keepOpen);
    try {
      const answer = enter(visit);
      return answer instanceof Promise
        ? answer.catch(visit.refuse).then((given) => send(visit, startedAt, given))
        : send(visit, startedAt, answer);
    } catch (thrown) {
      return send(visit, startedAt, visit.refuse(thrown));
    }
  };

  function send(visit: Visit, startedAt: number, answer: Response): Response | Promise<Response> {
    const coded = inCoding(visit.request, answer);
    return coded instanceof Promise
      ? coded.catch(visit.refuse).then((given) => close(visit, startedAt, given))
      : close(visit, startedAt, coded);
  }

  /** A visit that knows nothing yet but how to refuse. */
  function open(request: Request, peer: () => string, keepOpen: (seconds: number) => void): Visit & Opened {
    const requestId = readRequestId(request.headers.get("x-request-id"));
    let door: Door | undefined;
    const visit: Visit & Opened = {
      request,
      requestId,
      origin: core.origin,
      // A HEAD is a GET whose body Bun leaves away, keeping its length (RFC 9110 §9.3.2).
      method: request.method === "HEAD" ? "GET" : request.method,
      isHead: request.method === "HEAD",
      isRead: request.method === "GET" || request.method === "HEAD",
      path: "",
      query: "",
      caller: undefined,
      hasCredentials: request.headers.has("authorization"),
      peer,
      keepOpen,
      address: peer,
      headers: {
        "x-request-id": requestId,
        "x-content-type-options": "nosniff",
        ...strict,
        "cache-control": NOT_KEPT,
        // Whatever is text is compressed for who takes that.
        vary: "accept-encoding",
      },
      report(thrown) {
        if (!(thrown instanceof CoreError)) logFailure(log, requestId, thrown);
      },
      refuse(thrown) {
        visit.report(thrown);
        return (door?.refuse ?? refusal)(visit, thrown);
      },
      charge(extra) {
        const taken = meter.chargeMore(visit.caller, visit.address, extra);
        admitCharge(visit, taken);
        return { remaining: taken.remaining, resetAt: core.clock.now() + taken.fullInMs };
      },
      payAs(caller) {
        const isPaid = visit.caller === undefined;
        charge(visit, caller, visit.address, false, undefined);
        // Only now: what an app cannot pay for, its address has paid for.
        if (isPaid) meter.giveBack(visit.address);
      },
      callerNow: () => meter.callerOf(request.headers.get("authorization"), visit.address),
      verify: () => meter.verify(request.headers.get("authorization"), visit.address),
      enterBy(chosen) {
        door = chosen;
      },
    };
    return visit;
  }

  function enter(visit: Visit & Opened): Response | Promise<Response> {
    const { request } = visit;
    const target = readTarget(request);
    const door = target && doors.find(({ prefix }) => isUnder(target.path, prefix));
    if (door) visit.enterBy(door);
    if (target) Object.assign(visit, target, { request: routable(request, target, visit.method) });
    const isPreflight = allowOrigin(visit) && isCorsPreflight(request);
    const goOn = (): Response | Promise<Response> => {
      if (isPreflight) return answerPreflight(visit);
      if (!target) throw refuse("target_malformed");
      if (!door) throw refuse("nothing_here");
      return door.handle(visit);
    };
    const metered = (door?.isCounted ?? true) ? meterVisit(visit, request, isPreflight, door) : undefined;
    return metered ? metered.then(goOn) : goOn();
  }

  /**
   * Throws rate_limited. A database that is broken is told only after the rate headers are there. Gives a promise only where who
   * asks has to be waited for.
   */
  function meterVisit(
    visit: Visit,
    { headers }: Request,
    isFree: boolean,
    door: Door | undefined,
  ): Promise<void> | undefined {
    let address: string | undefined;
    const addressOf = (): string =>
      (address ??= clientKey(visit.peer(), headers.get("x-forwarded-for"), rules.trustedProxies));
    visit.address = addressOf;
    let failure: { thrown: unknown } | undefined;
    try {
      const caller = door?.identify
        ? door.identify(visit)
        : meter.callerOf(headers.get("authorization"), addressOf);
      if (caller instanceof Promise) {
        return caller.then(
          (found) => charge(visit, found, addressOf, isFree, undefined),
          (thrown: unknown) => charge(visit, undefined, addressOf, isFree || isRateLimit(thrown), { thrown }),
        );
      }
      visit.caller = caller;
    } catch (thrown) {
      failure = { thrown };
    }
    charge(visit, visit.caller, addressOf, isFree, failure);
    return undefined;
  }

  function charge(
    visit: Visit,
    caller: Caller | undefined,
    addressOf: () => string,
    isFree: boolean,
    failure: { thrown: unknown } | undefined,
  ): void {
    visit.caller = caller;
    const taken = meter.charge(visit.caller, addressOf, isFree);
    admitCharge(visit, isFree ? { ...taken, allowed: true } : taken);
    if (failure) throw failure.thrown;
  }

  /** Shows what is left, and throws rate_limited where it was not enough. */
  function admitCharge(visit: Visit, taken: Charge): void {
    meter.show(visit.headers, visit.caller, taken);
    if (!taken.allowed) throw refuseFor("too_many_requests", taken.retryInMs);
  }

  /** Whether a page of another origin may read the answer. */
  function allowOrigin({ request, headers }: Visit): boolean {
    if (rules.corsOrigins.length === 0) return false;
    headers["vary"] = "accept-encoding, origin";
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

/** What was refused unlooked at costs nothing, as any other request over the limit. */
function isRateLimit(thrown: unknown): boolean {
  return thrown instanceof CoreError && thrown.error === "rate_limited";
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

/**
 * An inbound id is kept only where it is short and of safe letters (docs/contract.md#1.13), and no secret by
 * mistake.
 */
function readRequestId(sent: string | null): string {
  const isKept = sent !== null && /^[A-Za-z0-9._-]{1,128}$/.test(sent) && !looksSecret(sent);
  return isKept ? sent : crypto.randomUUID();
}

function isUnder(path: string, prefix: string): boolean {
  return path === prefix || (path.startsWith(prefix) && path[prefix.length] === "/");
}
