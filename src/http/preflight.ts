import type { Logger } from "pino";
import type { Core } from "../core/base/core.ts";
import { isAppOrigin } from "../core/delegation/apps/origins.ts";
import { refuseFenced } from "../core/base/db/lead.ts";
import { refuse } from "../core/base/errors.ts";
import { refuseInMaintenance } from "../core/identity/maintenance/maintenance.ts";
import { isTrusted } from "./address.ts";
import { compressed } from "./compression.ts";
import { allowOrigin, answerPreflight, isCorsPreflight } from "./cors.ts";
import type { Transport, HttpRules } from "./transport.ts";
import { gateRefusal, type ClusterGate, type FollowerVerdict } from "./cluster-gate.ts";
import { createRateLimiting } from "./rate-limiting.ts";
import type { HttpMetrics } from "./metrics.ts";
import { createContextFactory, type OpenedRequest } from "./request-context.ts";
import { logRequest } from "./request-log.ts";
import { createTraffic } from "./traffic.ts";
import { readTarget, routableRequest } from "./target.ts";
import type { RequestContext } from "./context.ts";

export type Handler = (
  request: Request,
  peer: () => string,
  /** Allows the connection to be silent for this many seconds. By default does nothing. */
  keepOpen?: (seconds: number) => void,
  /** Set by a follower. The follower forwards requests that its database copy cannot answer. */
  verdict?: FollowerVerdict,
) => Response | Promise<Response>;

/**
 * Creates the handler of all requests. Steps in order: request id, cluster gate, target, credentials, rate
 * limit, maintenance mode, transport. One place catches all errors. Every response has the request id and the
 * rate headers (docs/contract.md#1.13, docs/contract.md#3.3).
 */
export function createHandler(
  core: Core,
  transports: readonly Transport[],
  rules: HttpRules,
  log: Logger,
  metrics: HttpMetrics,
  gate?: ClusterGate,
): Handler {
  const metering = createRateLimiting(core, rules);
  const traffic = createTraffic(metrics);
  const invalidForwards = metrics.number("guildhall_http_forwarded_unbelieved_total");
  const open = createContextFactory(core, log, metering, traffic, gate);

  return function handle(request, peer, keepOpen = () => {}, verdict = undefined) {
    const startedAt = core.clock.elapsed();
    traffic.started();
    const context = open(request, peer, keepOpen, verdict);
    try {
      const answer = enter(context);
      return answer instanceof Promise
        ? answer.catch(context.refuse).then((given) => send(context, startedAt, given))
        : send(context, startedAt, answer);
    } catch (thrown) {
      const refused = context.refuse(thrown);
      return refused instanceof Promise
        ? refused.then((given) => send(context, startedAt, given))
        : send(context, startedAt, refused);
    }
  };

  function send(context: RequestContext, startedAt: number, answer: Response): Response | Promise<Response> {
    const coded = compressed(context, answer);
    return coded instanceof Promise
      ? coded.catch(context.refuse).then((given) => close(context, startedAt, given))
      : close(context, startedAt, coded);
  }

  function enter(context: OpenedRequest): Response | Promise<Response> {
    const { request } = context;
    const barred = gateRefusal(gate, context);
    if (request.headers.has("x-forwarded-for") && !isTrusted(context.peer(), rules.trustedProxies))
      invalidForwards.value++;
    const target = readTarget(request);
    const transport = target && transports.find(({ prefix }) => isUnder(target.path, prefix));
    if (transport) context.setTransport(transport);
    if (target) {
      context.path = target.path;
      context.query = target.query;
      context.request = routableRequest(request, target, context.method);
    }
    const forApps = transport?.isOpenToApps?.(context) ? isApps : undefined;
    const isPreflight = allowOrigin(context, rules.corsOrigins, forApps) && isCorsPreflight(request);
    const handleRequest = (): Response | Promise<Response> => {
      if (barred) throw barred.thrown;
      if (isPreflight) {
        context.route = "preflight";
        return answerPreflight(context);
      }
      if (!target) throw refuse("target_malformed");
      if (!transport) throw refuse("nothing_here");
      // Refuses the request if this node no longer leads. The data of this node may be older than the data
      // that a client has read from the new leader.
      if (transport.isCounted) refuseFenced(core.db);
      if (transport.mayChange?.(context) ?? !context.isRead) refuseInMaintenance(core, context.caller);
      return transport.handle(context);
    };
    context.address = metering.addressOf(context);
    const isFree = target !== undefined && transport?.isFree?.(target.path) === true;
    const metered =
      (transport?.isCounted ?? true)
        ? metering.begin(context, isPreflight || isFree, barred || isFree ? NO_AUTHENTICATION : transport)
        : undefined;
    return metered ? metered.then(handleRequest) : handleRequest();
  }

  /**
   * Whether an origin belongs to an app. If the database does not respond, returns false. The request itself
   * then reports the error, with its rate headers.
   */
  function isApps(origin: string): boolean {
    try {
      return isAppOrigin(core, origin);
    } catch {
      return false;
    }
  }

  function close(context: RequestContext, startedAt: number, answer: Response): Response {
    if (context.verdict?.mustForward) {
      traffic.forwarded();
      return answer;
    }
    gate?.leave(context, answer);
    const ms = core.clock.elapsed() - startedAt;
    traffic.answered(context, answer.status, ms);
    logRequest(log, rules, context, answer.status, ms);
    return answer;
  }
}

/**
 * Replaces the transport for requests without authentication: requests that are refused anyway, and static
 * files.
 */
const NO_AUTHENTICATION = { identify: () => undefined };

function isUnder(path: string, prefix: string): boolean {
  return path === prefix || (path.startsWith(prefix) && path[prefix.length] === "/");
}
