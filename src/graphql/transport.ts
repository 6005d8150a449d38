import type { Core } from "../core/base/core.ts";
import type { Listeners } from "../http/listeners.ts";
import type { Transport } from "../http/transport.ts";
import { isGraphiqlFile } from "./graphiql.ts";
import { refuseRequest } from "./refusal.ts";
import type { GraphRules } from "./rules.ts";
import type { GraphServer } from "./server.ts";

/**
 * The GraphQL transport: the same callers, limits and core calls as REST. It reads no cookies, so no other
 * site can act in anybody's name. The schema is built with the first request: it takes longer than everything
 * else that a start does, and many servers never need it.
 */
export function graphqlTransport(core: Core, rules: GraphRules, listeners: Listeners): Transport {
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
    way: "graphql",
    isCounted: true,
    isFree: isGraphiqlFile,
    isOpenToApps: () => true,
    // Whether it is a mutation shows when it is read: that asks by itself, in its transaction
    // (http/commit.ts).
    changes: () => false,
    handle: async (http) => (await (opened ??= open())).handle(http),
    refuse: refuseRequest,
    stop: listeners.stop,
  };
}
