import {
  type Found,
  FOUND_KINDS,
  FoundView,
  getFound,
  searchEverything,
  SearchQuery,
} from "../../core/services/search/search.ts";
import { builder } from "../builder.ts";
import { type ConnectionArgs, listed } from "../connection.ts";
import { enumOf, fieldsOf, readFilter } from "../inputs.ts";
import { nodeOf } from "../nodes.ts";
import { derivedNode } from "./derived.ts";
import { connectionOf } from "./refs.ts";

enumOf("SearchKind", FOUND_KINDS, "What can be found.", {
  post: "A post, or a reply.",
  job: "A job on the board.",
  prompt: "A prompt, in its current version.",
  builder: "A builder of the directory.",
});

const FoundRef = derivedNode<Found>("SearchResult", FoundView, {
  description: "Something that was found.",
  kind: "fnd",
  // The snippet depends on the question: that of another one is another result.
  partsOf: ({ q, nodeId }) => [q, nodeId],
  many: (core, caller, parts) =>
    [...Map.groupBy(parts, ([q]) => q)].flatMap(([q, of]) =>
      getFound(
        core,
        caller,
        q,
        of.map(([, id]) => id),
      ),
    ),
  fields: (t) => ({
    node: t.field({
      type: builder.nodeInterfaceRef(),
      nullable: true,
      description: "The thing itself.",
      resolve: ({ nodeId }, _, context) => nodeOf(context, nodeId),
    }),
  }),
});
const FoundConnection = connectionOf(FoundRef, "SearchResult", "what was found");

builder.queryFields((t) => ({
  search: t.field({
    type: FoundConnection,
    nullable: true,
    description:
      "Posts with their replies, jobs, prompts and builders, by words, phrases, beginnings, `tag:`, `author:`, `before:` and `after:`. With a `kind` page by page, by the scope of its own list; without one the first three of each that you may read, in one page.",
    args: { ...t.arg.connectionArgs(), ...fieldsOf(t.arg, SearchQuery, "Search") },
    resolve: (_root, args, { core, caller }) =>
      listed(args as ConnectionArgs, (request) =>
        searchEverything(core, caller, readFilter(SearchQuery, args), request),
      ),
  }),
}));
