import { Elysia } from "elysia";
import type { RequestContext } from "./context.ts";

export interface Route {
  method: string;
  /** Path pattern, with `:name` for each path parameter. */
  path: string;
  /** Name of the route in metrics and in the log. */
  name: string;
  answer(context: RequestContext, params: Record<string, string>): Response | Promise<Response>;
}

/** Handles a request that matches no route. `why` says whether the path is unknown or malformed. */
export type HandleUnrouted = (
  context: RequestContext,
  why: "unknown" | "malformed",
) => Response | Promise<Response>;

/** State of a request during routing. Stored separately, because Elysia passes on only the request. */
interface RouteState {
  context: RequestContext;
  routes: readonly Route[];
  unrouted: HandleUnrouted;
}

const carried = new WeakMap<Request, RouteState>();

function stateOf(request: Request): RouteState {
  const found = carried.get(request);
  if (!found) throw new Error("a request came back that was never carried");
  return found;
}

/** Compiled Elysia apps by their list of routes. Compiling is slow, and tests create many cores. */
const apps = new Map<string, Pick<Elysia, "fetch">>();

/**
 * Creates a router. Elysia is used only to find the route and its path parameters
 * (docs/adr/0008-elysia-only-routes.md).
 */
export function createRouter(
  routes: readonly Route[],
  unrouted: HandleUnrouted,
): (context: RequestContext) => Response | Promise<Response> {
  const addresses = routes.map(({ method, path }) => `${method} ${path}`).join("\n");
  const app = apps.get(addresses) ?? compile(routes);
  apps.set(addresses, app);
  return (context) => {
    carried.set(context.request, { context, routes, unrouted });
    return app.fetch(context.request);
  };
}

function compile(addresses: readonly Pick<Route, "method" | "path">[]): Pick<Elysia, "fetch"> {
  // With `strictPath`, `/feed/` does not match `/feed`, because the contract has no such path.
  const app = new Elysia({ strictPath: true }).onError(({ code, error, request }) => {
    const { context, unrouted } = stateOf(request);
    if (code === "NOT_FOUND") return unrouted(context, "unknown");
    // These errors are Elysia's own, for example about a path that Elysia cannot decode. The messages of
    // these errors repeat the client's text, so the messages are not shown.
    if (code === "PARSE" || code === "VALIDATION" || code === "INVALID_COOKIE_SIGNATURE")
      return unrouted(context, "malformed");
    throw error;
  });
  for (const [index, { method, path }] of addresses.entries())
    app.route(method, path, ({ request, params }) => {
      // Elysia analyses the source of this function. A call directly after `return` or `=>` would make Elysia
      // await every response, which takes 5 µs each.
      const answer = answerOf(index, request, params as Record<string, string>);
      return answer;
    });
  return app;
}

function answerOf(
  index: number,
  request: Request,
  params: Record<string, string>,
): Response | Promise<Response> {
  const { context, routes } = stateOf(request);
  const route = routes[index] as Route;
  context.route = route.name;
  return route.answer(context, params);
}
