import SchemaBuilder from "@pothos/core";
import RelayPlugin from "@pothos/plugin-relay";
import { GraphQLError, Kind } from "graphql";
import { isoTime } from "../core/base/clock.ts";
import { parseTimestamp } from "../core/base/timestamp.ts";
import { type Connection, COUNT_MAX } from "./connection.ts";
import type { GraphContext } from "./context.ts";
import { LIMITS } from "./limits.ts";
import { typeOfId } from "./nodes.ts";

const PAGE_SIZE = "If you give neither `first` nor `last`, you get 20.";

/** The Pothos builder with our scalars and options. Domain types are added in src/graphql/schema/. */
export const builder = new SchemaBuilder<{
  Context: GraphContext;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: { list: false; items: false };
  DefaultNodeNullability: false;
  Scalars: {
    /**
     * An output value is a number in the core's format, ms since the epoch. An input value is a text, which
     * the core validates.
     */
    DateTime: { Input: string; Output: number };
    JSON: { Input: never; Output: unknown };
    ID: { Input: string; Output: string };
  };
}>({
  plugins: [RelayPlugin],
  defaultFieldNullability: false,
  relay: {
    clientMutationId: "optional",
    cursorType: "String",
    encodeGlobalID: (_typename, id) => String(id),
    decodeGlobalID: (id) => ({ typename: typeOfId(id) ?? "", id }),
    idFieldOptions: { description: "The identifier. REST uses the same one." },
    // Pothos' `node` and `nodes` fields are switched off. Our own fields return null for ids that are unknown
    // or not visible (schema/node.ts).
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    nodeTypeOptions: {
      description:
        "An object with an `id`. No two objects have the same identifier. If REST also returns the object, its identifier is the same there.",
      resolveType: (value) => typeOfId((value as { id: string }).id),
    },
    nodesOnConnection: { description: "The nodes of this page, without cursors." },
    edgesFieldOptions: {
      nullable: { list: false, items: false },
      description: "The nodes of this page, each with its cursor.",
    },
    nodeFieldOptions: { nullable: false, description: "The object at this position of the list." },
    cursorFieldOptions: {
      description:
        "The position of this node in the list. Send it as `after` or `before`, or as `cursor` in REST.",
    },
    pageInfoFieldOptions: { description: "The position of this page in the list." },
    pageInfoTypeOptions: { description: "The position of a page in its list (Relay Cursor Connections)." },
    hasNextPageFieldOptions: { description: "Whether there are nodes after this page." },
    hasPreviousPageFieldOptions: { description: "Whether there are nodes before this page." },
    startCursorFieldOptions: { description: "The cursor of the first edge. `null` if the page is empty." },
    endCursorFieldOptions: { description: "The cursor of the last edge. `null` if the page is empty." },
    firstArgOptions: {
      description: `How many nodes to return (0 to 100), counted from the start or from the cursor \`after\`. ${PAGE_SIZE}`,
    },
    afterArgOptions: { description: "A cursor from this list. You get only nodes after this position." },
    lastArgOptions: {
      description: `How many nodes to return (0 to 100), counted back from the end or from the cursor \`before\`. ${PAGE_SIZE}`,
    },
    beforeArgOptions: { description: "A cursor from this list. You get only nodes before this position." },
    mutationInputArgOptions: { description: "The arguments of this mutation, as one object." },
    clientMutationIdInputOptions: { description: "Any text you choose. The payload returns the same text." },
    clientMutationIdFieldOptions: { description: "The `clientMutationId` that you sent in the input." },
  },
});

const COUNT_LIMITS = `Counting stops at ${COUNT_MAX.list.toLocaleString("en-US")}, or at ${COUNT_MAX.listOfNode} for a list inside another object`;

builder.globalConnectionFields((t) => ({
  totalCount: t.int({
    description: `The number of nodes in the whole list. ${COUNT_LIMITS}. See \`isTotalExact\`.`,
    resolve: async (connection) => (await (connection as unknown as Connection<unknown>).total()).count,
  }),
  isTotalExact: t.boolean({
    description: "Whether `totalCount` covers the whole list. `false` if counting stopped before the end.",
    resolve: async (connection) => (await (connection as unknown as Connection<unknown>).total()).isExact,
  }),
}));

builder.scalarType("DateTime", {
  description:
    "A point in time. The API returns UTC with milliseconds, such as `2026-11-20T09:30:00.000Z`. Input can use any time zone, such as `2026-11-20T10:30:00+01:00`.",
  specifiedByURL: "https://www.rfc-editor.org/rfc/rfc3339",
  serialize: (at) => isoTime(at),
  parseValue: timestampText,
  parseLiteral: (literal) => timestampText(literal.kind === Kind.STRING ? literal.value : undefined),
});

function timestampText(value: unknown): string {
  if (typeof value === "string" && parseTimestamp(value) !== undefined) return value;
  throw new GraphQLError(
    "A DateTime must be an ISO 8601 timestamp with a time zone, such as 2026-11-20T09:30:00Z.",
  );
}

builder.scalarType("JSON", {
  description: "Any JSON value, as in REST.",
  serialize: (value) => value,
  parseValue: () => {
    throw new GraphQLError("The JSON type is not accepted as input.");
  },
});

const COST_DESCRIPTION = `Cost: an object costs 1. A value costs 0.1, or more if it can be long. A list costs 10, plus the cost of one node times the page size. A mutation costs ${LIMITS.mutationCost}.`;

builder.queryType({ description: `All queries. ${COST_DESCRIPTION}` });
builder.mutationType({
  description: "All mutations. Each mutation has the name of the REST operation that does the same.",
});
builder.subscriptionType({
  description:
    "Live updates, sent as server-sent events. An interrupted stream resumes with `Last-Event-ID` or `after`. The last events before the interruption may be sent again.",
});
