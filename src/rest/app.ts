import { Elysia } from "elysia";
import type { Core } from "../core/core.ts";
import { badRequest, notFound } from "../core/errors.ts";
import { jsonText, refusal } from "../http/answer.ts";
import type { Door } from "../http/preflight.ts";
import { visitOf } from "../http/visit.ts";
import { deliveryOperations } from "./deliveries.ts";
import { feedOperations } from "./feed.ts";
import { jobFilterOperations } from "./job-filters.ts";
import { jobOperations } from "./jobs.ts";
import { messageOperations } from "./messages.ts";
import { moderationOperations } from "./moderation.ts";
import { openApiDocument } from "./openapi.ts";
import { type Operation, perform } from "./operation.ts";
import { profileOperations } from "./profiles.ts";
import { projectOperations } from "./projects.ts";
import { promptOperations } from "./prompts.ts";
import { webhookOperations } from "./webhooks.ts";

/** The contract, operation by operation. */
export const OPERATIONS: readonly Operation[] = [
  ...feedOperations,
  ...jobOperations,
  ...jobFilterOperations,
  ...promptOperations,
  ...profileOperations,
  ...projectOperations,
  ...messageOperations,
  ...moderationOperations,
  ...webhookOperations,
  ...deliveryOperations,
];

/** The REST door: Elysia finds the operation and its path parameter; what it throws becomes the error body of §7. */
export function restDoor(core: Core, version: string): Door {
  // Strict: `/feed/` is not an address of the contract.
  const app = new Elysia({ strictPath: true }).onError(({ code, error, request }) => {
    const isUnknownRoute = code === "NOT_FOUND";
    // Elysia's own refusals (a path it can not decode, say) carry a message that repeats what was sent.
    const isElysias = code === "PARSE" || code === "VALIDATION" || code === "INVALID_COOKIE_SIGNATURE";
    if (isUnknownRoute)
      return refusal(visitOf(request), notFound("There is no such address and method under /v1."));
    if (isElysias) return refusal(visitOf(request), badRequest("The request is malformed."));
    throw error;
  });
  for (const op of OPERATIONS) {
    app.route(op.method, `/v1${op.path.replace(/\{(\w+)\}/g, ":$1")}`, ({ request, params }) => {
      // Elysia reads this text: a call behind `return` or `=>` would make it await every answer, 5 µs each.
      const answer = perform(core, op, visitOf(request), params as Record<string, string>);
      return answer;
    });
  }
  const document = JSON.stringify(openApiDocument(OPERATIONS, core.origin, version));
  app.get("/v1/openapi.json", ({ request }) =>
    jsonText(visitOf(request), 200, document, { "cache-control": "public, max-age=300" }),
  );
  return { prefix: "/v1", isCounted: true, handle: ({ request }) => app.fetch(request) };
}
