import type { Core } from "../core/base/core.ts";
import { refuse } from "../core/base/errors.ts";
import { type Asset, asset, assetAnswer } from "../http/asset.ts";
import { createListeners, type Listeners } from "../http/listeners.ts";
import { createRouter, type Route } from "../http/router.ts";
import type { Transport } from "../http/transport.ts";
import { OPERATIONS } from "../operations/index.ts";
import { OPEN } from "../operations/open.ts";
import { addressOf, type Operation } from "../operations/operation.ts";
import { openApiDocument } from "./openapi.ts";
import { type Performer, performerOf, viewWriterOf } from "./perform.ts";

const DOCUMENT = "/v1/openapi.json";

/** Read operations by method and path. */
const READS = new Map(
  OPERATIONS.flatMap((op) => (op.kind === "write" || op.kind === "upload" ? [] : [[op.route as string, op]])),
);

/** Creates the REST transport. Thrown errors become the error body (docs/contract.md#1.14). */
export function restTransport(
  core: Core,
  version: string,
  listeners: Listeners = createListeners(core),
): Transport {
  let document: Asset | undefined;
  const routes: Route[] = [
    ...OPERATIONS.map((op) => routeOf(core, op, listeners)),
    ...OPEN.map((op): Route => {
      const { method, path } = addressOf(op);
      return { method, path: `/v1${path}`, name: op.id, answer: viewWriterOf(core, op) };
    }),
    {
      method: "GET",
      path: DOCUMENT,
      name: DOCUMENT,
      answer(context) {
        document ??= asset(
          DOCUMENT,
          "application/json; charset=utf-8",
          JSON.stringify(openApiDocument(OPERATIONS, core.origin, version)),
        );
        return assetAnswer(context, document, "public, max-age=300");
      },
    },
  ];
  return {
    prefix: "/v1",
    transportName: "rest",
    isCounted: true,
    isOpenToApps: () => true,
    handle: createRouter(routes, (context, why) =>
      context.refuse(refuse(why === "unknown" ? "nothing_under_v1" : "request_malformed")),
    ),
    stop: listeners.stop,
  };
}

function routeOf(core: Core, op: Operation, listeners: Listeners): Route {
  const { method, path } = addressOf(op);
  // Created on the first request: creating all performers would dominate the startup time.
  let perform: Performer | undefined;
  return {
    method,
    path: `/v1${path.replace(/\{(\w+)\}/g, ":$1")}`,
    name: op.id,
    answer(context, params) {
      perform ??= performerOf(core, op, READS.get(`GET ${path}`), listeners);
      return perform(context, params);
    },
  };
}
