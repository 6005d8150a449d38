import { Elysia } from "elysia";
import type { Core } from "../core/ground/core.ts";
import { refuse } from "../core/ground/errors.ts";
import { refusal } from "../http/answer.ts";
import { asset, assetAnswer } from "../http/asset.ts";
import { createListeners, type Listeners } from "../http/listeners.ts";
import type { Door } from "../http/preflight.ts";
import { createCarrier } from "../http/visit.ts";
import { deliveryOperations } from "../operations/deliveries.ts";
import { eventOperations } from "../operations/events.ts";
import { feedOperations } from "../operations/feed.ts";
import { jobFilterOperations } from "../operations/job-filters.ts";
import { jobOperations } from "../operations/jobs.ts";
import { profileOperations } from "../operations/profiles.ts";
import { projectOperations } from "../operations/projects.ts";
import { promptOperations } from "../operations/prompts.ts";
import { messageOperations } from "../operations/messages.ts";
import { moderationOperations } from "../operations/moderation.ts";
import { webhookOperations } from "../operations/webhooks.ts";
import { routeOf } from "./derive.ts";
import { openApiDocument } from "./openapi.ts";
import { type Operation, perform } from "./operation.ts";

/** The contract, operation by operation. */
export const OPERATIONS: readonly Operation[] = [
  ...Object.values(feedOperations).map(routeOf),
  ...Object.values(jobOperations).map(routeOf),
  ...Object.values(jobFilterOperations).map(routeOf),
  ...Object.values(promptOperations).map(routeOf),
  ...Object.values(profileOperations).map(routeOf),
  ...Object.values(projectOperations).map(routeOf),
  ...Object.values(messageOperations).map(routeOf),
  ...Object.values(moderationOperations).map(routeOf),
  ...Object.values(webhookOperations).map(routeOf),
  ...Object.values(deliveryOperations).map(routeOf),
  ...Object.values(eventOperations).map(routeOf),
];

/**
 * The REST door: Elysia finds the operation and its path parameter; what it throws becomes the error body
 * (docs/contract.md#1.14).
 */
export function restDoor(core: Core, version: string, listeners: Listeners = createListeners(core)): Door {
  const { carry, visitOf } = createCarrier();
  // Strict: `/feed/` is not an address of the contract.
  const app = new Elysia({ strictPath: true }).onError(({ code, error, request }) => {
    const isUnknownRoute = code === "NOT_FOUND";
    // Elysia's own refusals (a path it cannot decode, say) carry a message that repeats what was sent.
    const isElysias = code === "PARSE" || code === "VALIDATION" || code === "INVALID_COOKIE_SIGNATURE";
    if (isUnknownRoute) return refusal(visitOf(request), refuse("nothing_under_v1"));
    if (isElysias) return refusal(visitOf(request), refuse("request_malformed"));
    throw error;
  });
  for (const op of OPERATIONS) {
    const reading = OPERATIONS.find(({ method, path }) => method === "GET" && path === op.path);
    app.route(op.method, `/v1${op.path.replace(/\{(\w+)\}/g, ":$1")}`, ({ request, params }) => {
      // Elysia reads this text: a call behind `return` or `=>` would make it await every answer, 5 µs each.
      const answer = perform(
        core,
        { op, reading },
        visitOf(request),
        params as Record<string, string>,
        listeners,
      );
      return answer;
    });
  }
  const document = asset(
    "/v1/openapi.json",
    "application/json; charset=utf-8",
    JSON.stringify(openApiDocument(OPERATIONS, core.origin, version)),
  );
  app.get(document.path, ({ request }) => {
    const answer = assetAnswer(visitOf(request), document, "public, max-age=300");
    return answer;
  });
  return {
    prefix: "/v1",
    isCounted: true,
    handle: (visit) => app.fetch(carry(visit)),
    stop: listeners.stop,
  };
}
