import { type Caller, requireScope } from "../../identity/access/caller.ts";
import type { Core } from "../../base/core.ts";
import type { Page, PageRequest } from "../../base/page.ts";
import { searchPage } from "../fulltext/fulltext.ts";
import { selectPromptsAt, selectTitlesAt } from "./prompts-store.ts";
import type { RankedPrompt } from "./prompts.ts";

/**
 * The prompts that a question finds (docs/contract.md#4.19) in their current versions, ranked as jobs are;
 * `tag:` is their model or category. Needs `prompts:read`. Throws bad_request for a cursor of another search,
 * and for a walk backwards from the end of thousands.
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
    titlesOf: (places: readonly number[]) => selectTitlesAt(core, places),
    read: (places: readonly number[]) => selectPromptsAt(core, places),
  } as const;
  return searchPage(core, kind, q, request);
}
