import { type Caller, requireScope } from "../../identity/access/caller.ts";
import type { Core } from "../../base/core.ts";
import type { Page, PageRequest } from "../../base/page.ts";
import { searchPage } from "../fulltext/fulltext.ts";
import { selectPromptsAt, selectTitlesAt } from "./prompts-store.ts";
import type { RankedPrompt } from "./prompts.ts";

/**
 * Searches the current versions of public prompts (docs/contract.md#4.19). Results are ranked like jobs in
 * the job search. `tag:` matches the model or the category. Needs `prompts:read`. Throws bad_request for a
 * cursor of another search, and for paging backwards from the end of a very large result.
 */
export function searchPrompts(
  core: Core,
  caller: Caller,
  q: string,
  request: PageRequest,
): Page<RankedPrompt> {
  requireScope(caller, "prompts:read");
  const kind = {
    index: "prompt_search",
    titlesOf: (rowNumbers: readonly number[]) => selectTitlesAt(core, rowNumbers),
    read: (rowNumbers: readonly number[]) => selectPromptsAt(core, rowNumbers),
  } as const;
  return searchPage(core, kind, q, request);
}
