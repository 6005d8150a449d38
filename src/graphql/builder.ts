import SchemaBuilder from "@pothos/core";
import RelayPlugin from "@pothos/plugin-relay";
import { GraphQLError, Kind } from "graphql";
import { isoTime } from "../core/base/clock.ts";
import { parseTimestamp } from "../core/base/timestamp.ts";
import { type Connection, COUNT_MAX } from "./connection.ts";
import type { GraphContext } from "./context.ts";
import { LIMITS } from "./limits.ts";
import { typeOfId } from "./nodes.ts";

const PAGE_SIZE = "0 to 100, or 20 if you give neither `first` nor `last`.";

/** The builder and its plugin; it defines no type of the domain. */
export const builder = new SchemaBuilder<{
  Context: GraphContext;
  DefaultFieldNullability: false;
  DefaultEdgesNullability: { list: false; items: false };
  DefaultNodeNullability: false;
  Scalars: {
    /**
     * Given out from the core's own form, milliseconds since the epoch; taken as the text that the core's
     * rules check.
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
    idFieldOptions: { description: "The identifier, the same as in REST." },
    // Our own answer null for what is unknown or somebody else's; see schema/node.ts.
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    nodeTypeOptions: {
      description:
        "An object with an `id`. Identifiers are unique in the whole graph, and the same as in REST where REST has them.",
      resolveType: (value) => typeOfId((value as { id: string }).id),
    },
    nodesOnConnection: { description: "The nodes of this page, without cursors." },
    edgesFieldOptions: {
      nullable: { list: false, items: false },
      description: "The nodes of this page, each with its cursor.",
    },
    nodeFieldOptions: { nullable: false, description: "The node." },
    cursorFieldOptions: {
      description: "The position of this node in the list, for `after`, `before`, and REST's `cursor`.",
    },
    pageInfoFieldOptions: { description: "The position of this page in the list." },
    pageInfoTypeOptions: { description: "The position of a page in its list (Relay Cursor Connections)." },
    hasNextPageFieldOptions: { description: "Whether there are nodes after this page." },
    hasPreviousPageFieldOptions: { description: "Whether there are nodes before this page." },
    startCursorFieldOptions: { description: "The cursor of the first edge. `null` if the page is empty." },
    endCursorFieldOptions: { description: "The cursor of the last edge. `null` if the page is empty." },
    firstArgOptions: {
      description: `The number of nodes to return from the start of the list, or just after the cursor in \`after\`: ${PAGE_SIZE}`,
    },
    afterArgOptions: { description: "A cursor of this list. The page starts after it." },
    lastArgOptions: {
      description: `The number of nodes to return from the end of the list, or just before the cursor in \`before\`: ${PAGE_SIZE}`,
    },
    beforeArgOptions: { description: "A cursor of this list. The page ends before it." },
    mutationInputArgOptions: { description: "The input." },
    clientMutationIdInputOptions: { description: "Any text. It is returned in the payload." },
    clientMutationIdFieldOptions: { description: "The text that you sent in the input." },
  },
});

const HOW_FAR = `Counted up to ${COUNT_MAX.list.toLocaleString("en-US")}, and up to ${COUNT_MAX.listOfNode} in a list within another list`;

builder.globalConnectionFields((t) => ({
  totalCount: t.int({
    description: `The number of nodes in the whole list. ${HOW_FAR}. See \`isTotalExact\`.`,
    resolve: async (connection) => (await (connection as unknown as Connection<unknown>).total()).count,
  }),
  isTotalExact: t.boolean({
    description: "Whether `totalCount` covers the whole list. `false` if counting stopped earlier.",
    resolve: async (connection) => (await (connection as unknown as Connection<unknown>).total()).isExact,
  }),
}));

builder.scalarType("DateTime", {
  description:
    "A point in time. Returned in UTC with milliseconds, `2026-11-20T09:30:00.000Z`. Accepted in any time zone, `2026-11-20T10:30:00+01:00`.",
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

const ABOUT = `Cost: an object costs 1. A value costs 0.1, or more if it can be long. A list costs its nodes times the page size. A mutation costs ${LIMITS.mutationCost}.`;

builder.queryType({ description: `All queries. ${ABOUT}` });
builder.mutationType({
  description: "All mutations: one for each writing operation of REST, with the same name.",
});
builder.subscriptionType({
  description:
    "Live updates, sent as server-sent events. An interrupted stream resumes with `Last-Event-ID` or `after`. The last events before the interruption may be sent again.",
});
