import {
  type SearchResult,
  SEARCH_KINDS,
  SearchResultView,
  getSearchResults,
} from "../../core/services/search/search.ts";
import { builder } from "../builder.ts";
import { enumOf } from "../inputs.ts";
import { nodeOf } from "../nodes.ts";
import { queryOf } from "../query.ts";
import { searchOperations } from "../../operations/search.ts";
import { derivedNode } from "./derived-node.ts";
import { connectionOf } from "./refs.ts";

enumOf("SearchKind", SEARCH_KINDS, "The kind of a search result.", {
  post: "A post or reply.",
  job: "A job on the board.",
  prompt: "The current version of a prompt.",
  builder: "A builder in the directory.",
});

const FoundRef = derivedNode<SearchResult>("SearchResult", SearchResultView, {
  description: "A search result.",
  kind: "fnd",
  // The id of a result contains the query, because the snippet depends on the query.
  partsOf: ({ q, nodeId }) => [q, nodeId],
  many: (core, caller, parts) =>
    [...Map.groupBy(parts, ([q]) => q)].flatMap(([q, of]) =>
      getSearchResults(
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
      description: "The object that was found.",
      resolve: ({ nodeId }, _, context) => nodeOf(context, nodeId),
    }),
  }),
});
const FoundConnection = connectionOf(FoundRef, "SearchResult", "search results");

queryOf("search", searchOperations.searchEverything, FoundConnection);
