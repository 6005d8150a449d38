import { type Caller, requireScope } from "../../identity/access/caller.ts";
import type { Core } from "../../base/core.ts";
import type { Page, PageRequest } from "../../base/page.ts";
import { searchPage } from "../fulltext/fulltext.ts";
import { selectPostsAt, selectTitlesAt } from "./feed-store.ts";
import type { Post } from "./feed.ts";

/**
 * Searches the public posts and replies (docs/contract.md#4.19). Results are ranked like jobs in the job
 * search. Needs `feed:read`. Throws bad_request for a cursor of another search, and for paging backwards from
 * the end of a very large result.
 */
export function searchPosts(core: Core, caller: Caller, q: string, request: PageRequest): Page<Post> {
  requireScope(caller, "feed:read");
  const kind = {
    index: "post_search",
    titlesOf: (rowNumbers: readonly number[]) => selectTitlesAt(core, rowNumbers),
    read: (rowNumbers: readonly number[]) => selectPostsAt(core, rowNumbers),
  } as const;
  return searchPage(core, kind, q, request);
}
