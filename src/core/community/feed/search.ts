import { type Caller, requireScope } from "../../identity/access/caller.ts";
import type { Core } from "../../base/core.ts";
import type { Page, PageRequest } from "../../base/page.ts";
import { searchPage } from "../fulltext/fulltext.ts";
import { selectPostsAt, selectTitlesAt } from "./feed-store.ts";
import type { Post } from "./feed.ts";

/**
 * The posts and replies that a question finds (docs/contract.md#4.19), of those that everybody sees, ranked
 * as jobs are. Needs `feed:read`. Throws bad_request for a cursor of another search, and for a walk backwards
 * from the end of thousands.
 */
export function searchPosts(core: Core, caller: Caller, q: string, request: PageRequest): Page<Post> {
  requireScope(caller, "feed:read");
  const kind = {
    index: "post_search",
    titlesOf: (places: readonly number[]) => selectTitlesAt(core, places),
    read: (places: readonly number[]) => selectPostsAt(core, places),
  } as const;
  return searchPage(core, kind, q, request);
}
