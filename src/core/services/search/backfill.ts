import { indexPost } from "../../community/feed/feed.ts";
import { selectUnindexed } from "../../community/fulltext/fulltext.ts";
import { indexPrompt } from "../../community/prompts/prompts.ts";
import type { Core } from "../../base/core.ts";

/** Items per transaction. The transaction takes a few milliseconds. */
const BATCH = 50;

/**
 * Indexes posts and prompts that were written before the search index existed, newest first, in batches
 * (docs/contract.md#4.19). Runs periodically. If nothing is missing, it only runs one query per index.
 */
export async function backfillSearch(core: Core): Promise<void> {
  while (await core.db.write(() => indexBatch(core)));
}

/** Indexes a batch and returns whether there was any work. Call it in a transaction. */
export function indexBatch(core: Core): boolean {
  const posts = selectUnindexed(core, "post_search", BATCH);
  for (const id of posts) indexPost(core, id);
  const prompts = posts.length > 0 ? [] : selectUnindexed(core, "prompt_search", BATCH);
  for (const id of prompts) indexPrompt(core, id);
  return posts.length + prompts.length > 0;
}
