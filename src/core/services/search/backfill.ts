import { indexPost } from "../../community/feed/feed.ts";
import { selectUnplaced } from "../../community/fulltext/fulltext.ts";
import { indexPrompt } from "../../community/prompts/prompts.ts";
import type { Core } from "../../base/core.ts";

/** So many are indexed at once, in a few ms. */
const SLICE = 50;

/**
 * Indexes what was written before there was a search of it, the newest first, a slice at a time
 * (docs/contract.md#4.19). Called now and then: where there is nothing to do, that is a look each.
 */
export async function backfillSearch(core: Core): Promise<void> {
  while (await core.db.write(() => indexSlice(core)));
}

/** Returns whether there was anything. Call it in a transaction. */
export function indexSlice(core: Core): boolean {
  const posts = selectUnplaced(core, "post_search", SLICE);
  for (const id of posts) indexPost(core, id);
  const prompts = posts.length > 0 ? [] : selectUnplaced(core, "prompt_search", SLICE);
  for (const id of prompts) indexPrompt(core, id);
  return posts.length + prompts.length > 0;
}
