import type { Core } from "../core/ground/core.ts";
import type { Listeners } from "../http/listeners.ts";
import type { Door } from "../http/door.ts";
import { refuseVisit } from "./refusal.ts";
import type { GraphRules } from "./rules.ts";
import type { GraphServer } from "./server.ts";

/**
 * The GraphQL door: the same callers, limits and core calls as REST. It reads no cookies, so no other site can act in anybody's name.
 * The schema is built with the first request: it takes longer than everything else that a start does, and many servers never need it.
 */
export function graphqlDoor(core: Core, rules: GraphRules, listeners: Listeners): Door {
  let opened: Promise<GraphServer> | undefined;
  async function open(): Promise<GraphServer> {
    const [{ createGraphServer }, { schema }] = await Promise.all([
      import("./server.ts"),
      import("./schema/index.ts"),
    ]);
    return createGraphServer(core, schema, rules, listeners);
  }

  return {
    prefix: "/graphql",
    isCounted: true,
    handle: async (visit) => (await (opened ??= open())).handle(visit),
    refuse: refuseVisit,
    stop: listeners.stop,
  };
}
