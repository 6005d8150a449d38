import {
  SearchResultView,
  SEARCH_SCOPES,
  searchEverything,
  SearchQuery,
} from "../core/services/search/search.ts";
import { area, list } from "./operation.ts";

export const searchOperations = area("Search", {
  searchEverything: list({
    route: "GET /search",
    summary: "Search posts, jobs, prompts, and builders",
    description:
      "Finds content that everyone can see, ranked by matching words and recency. The syntax of the job search works here, and also `tag:`, `author:`, `before:`, and `after:`. Without `kind`, you get the first three results of each kind that your scopes allow.",
    restDescription:
      "Returns 403 if the token lacks the scope for `kind`. Without `kind`, there is no next page.",
    scope: "feed:read",
    orScopes: SEARCH_SCOPES.filter((scope) => scope !== "feed:read"),
    filter: SearchQuery,
    view: SearchResultView,
    page: "FoundPage",
    responseDescription: "One page of results",
    run: ({ core, caller, filter, page }) => searchEverything(core, caller, filter, page),
  }),
});
