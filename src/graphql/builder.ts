import SchemaBuilder from "@pothos/core";
import RelayPlugin from "@pothos/plugin-relay";
import { GraphQLError, Kind } from "graphql";
import { isoTime } from "../core/base/clock.ts";
import { parseTimestamp } from "../core/base/timestamp.ts";
import { type Connection, COUNT_MAX } from "./connection.ts";
import type { GraphContext } from "./context.ts";
import { LIMITS } from "./limits.ts";
import { typeOfId } from "./nodes.ts";

const PAGE_SIZE = "0 to 100, 20 where neither this nor its counterpart is given.";

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
    idFieldOptions: { description: "Its identifier, the same as in REST." },
    // Our own answer null for what is unknown or somebody else's; see schema/node.ts.
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    nodeTypeOptions: {
      description:
        "Something with an identifier of its own: the same as in REST where that has one, and unique in the whole graph.",
      resolveType: (value) => typeOfId((value as { id: string }).id),
    },
    nodesOnConnection: { description: "The same without their cursors." },
    edgesFieldOptions: {
      nullable: { list: false, items: false },
      description: "The nodes of this page, each with its cursor.",
    },
    nodeFieldOptions: { nullable: false, description: "What stands at this place of the list." },
    cursorFieldOptions: {
      description: "Names this place: for `after` and `before`, and for REST's `cursor`.",
    },
    pageInfoFieldOptions: { description: "Where this page stands in the list." },
    pageInfoTypeOptions: { description: "Where a page stands in its list (Relay Cursor Connections)." },
    hasNextPageFieldOptions: { description: "Whether more follows." },
    hasPreviousPageFieldOptions: { description: "Whether something stands before." },
    startCursorFieldOptions: { description: "The cursor of the first edge; null where the page is empty." },
    endCursorFieldOptions: { description: "The cursor of the last edge; null where the page is empty." },
    firstArgOptions: { description: `Nodes from the beginning, or after \`after\`: ${PAGE_SIZE}` },
    afterArgOptions: { description: "A cursor of this list: the page begins behind it." },
    lastArgOptions: { description: `Nodes from the end, or before \`before\`: ${PAGE_SIZE}` },
    beforeArgOptions: { description: "A cursor of this list: the page ends before it." },
    mutationInputArgOptions: { description: "What it needs." },
    clientMutationIdInputOptions: { description: "Any text of yours; comes back with the answer." },
    clientMutationIdFieldOptions: { description: "The text that came with the input." },
  },
});

const HOW_FAR = `Counted up to ${COUNT_MAX.list.toLocaleString("en-US")}, and of a list that hangs on a node of another list up to ${COUNT_MAX.listOfNode}`;

builder.globalConnectionFields((t) => ({
  totalCount: t.int({
    description: `How many there are, whatever the page. ${HOW_FAR}: see \`isTotalExact\`.`,
    resolve: async (connection) => (await (connection as unknown as Connection<unknown>).total()).count,
  }),
  isTotalExact: t.boolean({
    description: "Whether `totalCount` is all; false where counting ended before the list did.",
    resolve: async (connection) => (await (connection as unknown as Connection<unknown>).total()).isExact,
  }),
}));

builder.scalarType("DateTime", {
  description:
    "A moment. Given out in UTC with milliseconds, `2026-11-20T09:30:00.000Z`; taken in any zone, `2026-11-20T10:30:00+01:00`.",
  specifiedByURL: "https://www.rfc-editor.org/rfc/rfc3339",
  serialize: (at) => isoTime(at),
  parseValue: timestampText,
  parseLiteral: (literal) => timestampText(literal.kind === Kind.STRING ? literal.value : undefined),
});

function timestampText(value: unknown): string {
  if (typeof value === "string" && parseTimestamp(value) !== undefined) return value;
  throw new GraphQLError("A DateTime is a timestamp of ISO 8601 with a zone, such as 2026-11-20T09:30:00Z.");
}

builder.scalarType("JSON", {
  description: "Any JSON value, as REST shows it.",
  serialize: (value) => value,
  parseValue: () => {
    throw new GraphQLError("JSON is only ever given out.");
  },
});

const ABOUT = `Costs: an object costs 1, a value a tenth of it or more where it may be long, a list as many times its nodes as its page is long, a mutation ${LIMITS.mutationCost}.`;

builder.queryType({ description: `What can be read. ${ABOUT}` });
builder.mutationType({
  description: "What can be changed: one mutation for each writing operation of REST, under its name.",
});
builder.subscriptionType({
  description:
    "What is told as it happens, over server-sent events. A stream that broke off goes on where it ended, with `Last-Event-ID` or `after`; what was told right before may be told once more.",
});
