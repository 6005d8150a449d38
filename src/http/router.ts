import { Elysia } from "elysia";
import type { RequestContext } from "./context.ts";

/** A route and its handler. */
export interface Route {
  method: string;
  /** With `:name` for each path parameter. */
  path: string;
  /** What metrics and log call it. */
  name: string;
  answer(context: RequestContext, params: Record<string, string>): Response | Promise<Response>;
}

/** Answers a request that no route takes: its address is `unknown`, or `malformed`. */
export type Unrouted = (
  context: RequestContext,
  why: "unknown" | "malformed",
) => Response | Promise<Response>;

/** A request on its way through Elysia, which passes on the request alone. */
interface Carried {
  context: RequestContext;
  routes: readonly Route[];
  unrouted: Unrouted;
}

const carried = new WeakMap<Request, Carried>();

function carriedBy(request: Request): Carried {
  const found = carried.get(request);
  if (!found) throw new Error("a request came back that was never carried");
  return found;
}

/**
 * One app for all equal lists of addresses: compiling it takes longer than most tests, which make many cores.
 */
const apps = new Map<string, Pick<Elysia, "fetch">>();

/** Elysia finds the route and its path parameters (docs/adr/0008-elysia-only-routes.md). */
export function createRouter(
  routes: readonly Route[],
  unrouted: Unrouted,
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
  // Strict: `/feed/` is not an address of the contract.
  const app = new Elysia({ strictPath: true }).onError(({ code, error, request }) => {
    const { context, unrouted } = carriedBy(request);
    if (code === "NOT_FOUND") return unrouted(context, "unknown");
    // Elysia's own refusals (a path it cannot decode, say) carry a message that repeats what was sent.
    if (code === "PARSE" || code === "VALIDATION" || code === "INVALID_COOKIE_SIGNATURE")
      return unrouted(context, "malformed");
    throw error;
  });
  for (const [index, { method, path }] of addresses.entries())
    app.route(method, path, ({ request, params }) => {
      // Elysia reads this text: a call behind `return` or `=>` would make it await every answer, 5 µs each.
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
  const { context, routes } = carriedBy(request);
  const route = routes[index] as Route;
  context.route = route.name;
  return route.answer(context, params);
}
