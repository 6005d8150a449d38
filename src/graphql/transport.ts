import type { Core } from "../core/base/core.ts";
import type { Listeners } from "../http/listeners.ts";
import type { Transport } from "../http/transport.ts";
import { isGraphiqlFile } from "./graphiql.ts";
import { refuseRequest } from "./refusal.ts";
import type { GraphRules } from "./rules.ts";
import type { GraphServer } from "./server.ts";

/**
 * The GraphQL transport. Callers, rate limits and core operations are the same as in REST. The transport
 * reads no cookies, so a page of another site cannot act for a member. The schema is built on the first
 * request, because building takes longer than the rest of the start and many servers never need the schema.
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
    transportName: "graphql",
    isCounted: true,
    isFree: isGraphiqlFile,
    isOpenToApps: () => true,
    // The transport cannot know before parsing whether the request is a mutation. Mutations check maintenance
    // mode in their transaction (http/commit.ts).
    mayChange: () => false,
    handle: async (http) => (await (opened ??= open())).handle(http),
    refuse: refuseRequest,
    stop: listeners.stop,
  };
}
