import type { Logger } from "pino";
import type { Core } from "../core/ground/core.ts";
import { refuse } from "../core/ground/errors.ts";
import { inCoding } from "./coding.ts";
import { allowOrigin, answerPreflight, isCorsPreflight } from "./cors.ts";
import type { Door, HttpRules } from "./door.ts";
import { createMetering } from "./metering.ts";
import type { HttpMetrics } from "./metrics.ts";
import { createOpening, type Opened } from "./opening.ts";
import { logRequest } from "./request-log.ts";
import { readTarget, routable } from "./target.ts";
import type { Visit } from "./visit.ts";

export type Handler = (
  request: Request,
  peer: () => string,
  /** Lets the connection be silent for so many seconds; nothing where there is none. */
  keepOpen?: (seconds: number) => void,
) => Response | Promise<Response>;

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
  const metering = createMetering(core, rules);
  const open = createOpening(core, log, metering);

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

  function enter(visit: Opened): Response | Promise<Response> {
    const { request } = visit;
    const target = readTarget(request);
    const door = target && doors.find(({ prefix }) => isUnder(target.path, prefix));
    if (door) visit.enterBy(door);
    if (target) Object.assign(visit, target, { request: routable(request, target, visit.method) });
    const isPreflight = allowOrigin(visit, rules.corsOrigins) && isCorsPreflight(request);
    const goOn = (): Response | Promise<Response> => {
      if (isPreflight) return answerPreflight(visit);
      if (!target) throw refuse("target_malformed");
      if (!door) throw refuse("nothing_here");
      return door.handle(visit);
    };
    const metered = (door?.isCounted ?? true) ? metering.begin(visit, isPreflight, door) : undefined;
    return metered ? metered.then(goOn) : goOn();
  }

  function close(visit: Visit, startedAt: number, answer: Response): Response {
    const ms = core.clock.elapsed() - startedAt;
    metrics.observe(visit.method, answer.status, ms);
    logRequest(log, visit, answer.status, ms);
    return answer;
  }
}

function isUnder(path: string, prefix: string): boolean {
  return path === prefix || (path.startsWith(prefix) && path[prefix.length] === "/");
}
