import {
  SearchResultView,
  SEARCH_SCOPES,
  searchEverything,
  SearchQuery,
} from "../core/services/search/search.ts";
import { area, list } from "./operation.ts";

export const searchOperations = area("Search", {
  searchEverything: list({
    at: "GET /search",
    summary: "Search posts, jobs, prompts and builders",
    description:
      "In the language of the job search, with `tag:`, `author:`, `before:` and `after:` beside its words. What everybody sees is found, ranked by words and recency. Without a `kind`, the answer is the first three of each kind that your scopes let you read.",
    restDescription: "403 for a `kind` without the scope of its own list. Without `kind` there is no `next`.",
    scope: "feed:read",
    orScopes: SEARCH_SCOPES.filter((scope) => scope !== "feed:read"),
    filter: SearchQuery,
    view: SearchResultView,
    page: "FoundPage",
    gives: "One page of what was found",
    run: ({ core, caller, filter, page }) => searchEverything(core, caller, filter, page),
  }),
});
