import { Elysia } from "elysia";
import type { RequestContext } from "./context.ts";

export interface Route {
  method: string;
  /** Has `:name` for each path parameter. */
  path: string;
  /** Name in metrics and log. */
  name: string;
  answer(context: RequestContext, params: Record<string, string>): Response | Promise<Response>;
}

/** Handles a request without a matching route. Its path is `unknown` or `malformed`. */
export type HandleUnrouted = (
  context: RequestContext,
  why: "unknown" | "malformed",
) => Response | Promise<Response>;

/** State of a request during routing. Elysia passes on only the request itself. */
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

/** One compiled app per list of routes, because compiling is slow and tests create many cores. */
const apps = new Map<string, Pick<Elysia, "fetch">>();

/** Creates a router. Elysia finds the route and its path parameters (docs/adr/0008-elysia-only-routes.md). */
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
  // Strict: `/feed/` is not a path of the contract.
  const app = new Elysia({ strictPath: true }).onError(({ code, error, request }) => {
    const { context, unrouted } = stateOf(request);
    if (code === "NOT_FOUND") return unrouted(context, "unknown");
    // Elysia's own errors, for example about a path it cannot decode, repeat the client's text.
    if (code === "PARSE" || code === "VALIDATION" || code === "INVALID_COOKIE_SIGNATURE")
      return unrouted(context, "malformed");
    throw error;
  });
  for (const [index, { method, path }] of addresses.entries())
    app.route(method, path, ({ request, params }) => {
      // Elysia analyses this function's source. A call after `return` or `=>` would make it await every
      // response, at 5 µs each.
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
