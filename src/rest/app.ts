import { Elysia } from "elysia";
import type { Core } from "../core/base/core.ts";
import { refuse } from "../core/base/errors.ts";
import { type Asset, asset, assetAnswer } from "../http/asset.ts";
import { createListeners, type Listeners } from "../http/listeners.ts";
import type { Transport } from "../http/transport.ts";
import { createCarrier } from "../http/context.ts";
import { OPERATIONS } from "../operations/index.ts";
import { OPEN } from "../operations/open.ts";
import { addressOf } from "../operations/operation.ts";
import { openApiDocument } from "./openapi.ts";
import { type Performer, performerOf, viewWriterOf } from "./perform.ts";

const DOCUMENT = "/v1/openapi.json";

/**
 * The REST transport: Elysia finds the operation and its path parameter; what it throws becomes the error
 * body (docs/contract.md#1.14).
 */
export function restTransport(
  core: Core,
  version: string,
  listeners: Listeners = createListeners(core),
): Transport {
  const { carry, contextOf } = createCarrier();
  // Strict: `/feed/` is not an address of the contract.
  const app = new Elysia({ strictPath: true }).onError(({ code, error, request }) => {
    const isUnknownRoute = code === "NOT_FOUND";
    // Elysia's own refusals (a path it cannot decode, say) carry a message that repeats what was sent.
    const isElysias = code === "PARSE" || code === "VALIDATION" || code === "INVALID_COOKIE_SIGNATURE";
    if (isUnknownRoute) return contextOf(request).refuse(refuse("nothing_under_v1"));
    if (isElysias) return contextOf(request).refuse(refuse("request_malformed"));
    throw error;
  });
  for (const op of OPERATIONS) {
    const { method, path } = addressOf(op);
    const reading = OPERATIONS.find(({ at }) => at === `GET ${path}`);
    const isRead = reading?.kind !== "write" && reading?.kind !== "upload";
    // Made for its first request: most of a start would go into what nobody asks for yet.
    let perform: Performer | undefined;
    app.route(method, `/v1${path.replace(/\{(\w+)\}/g, ":$1")}`, ({ request, params }) => {
      // Elysia reads this text: a call behind `return` or `=>` would make it await every answer, 5 µs each.
      perform ??= performerOf(core, op, isRead ? reading : undefined, listeners);
      const answer = perform(contextOf(request, op.id), params as Record<string, string>);
      return answer;
    });
  }
  for (const op of OPEN) {
    const { path } = addressOf(op);
    const tell = viewWriterOf(core, op);
    app.get(`/v1${path}`, ({ request }) => {
      const answer = tell(contextOf(request, op.id));
      return answer;
    });
  }
  let document: Asset | undefined;
  app.get(DOCUMENT, ({ request }) => {
    document ??= asset(
      DOCUMENT,
      "application/json; charset=utf-8",
      JSON.stringify(openApiDocument(OPERATIONS, core.origin, version)),
    );
    const answer = assetAnswer(contextOf(request, DOCUMENT), document, "public, max-age=300");
    return answer;
  });
  return {
    prefix: "/v1",
    way: "rest",
    isCounted: true,
    isOpenToApps: () => true,
    handle: (context) => app.fetch(carry(context)),
    stop: listeners.stop,
  };
}
