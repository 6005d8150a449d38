import type { Core } from "../../base/core.ts";

/** The full-text indexes that members can search. */
export type FullText = "job_search" | "post_search" | "prompt_search";

/**
 * Returns the first word of an index that is equal to `from` or sorts after it in byte order. The word may
 * belong to a row that was just deleted. The lookup does not read the rows that contain the word.
 */
export function selectNextWord(core: Core, index: FullText, from: string): string | undefined {
  core.db
    .prepare(
      `CREATE VIRTUAL TABLE IF NOT EXISTS temp.${index}_words USING fts5vocab (main, ${index}, instance)`,
    )
    .run();
  return core.db
    .prepare<{ word: string }>(`SELECT term AS word FROM temp.${index}_words WHERE term >= ? LIMIT 1`)
    .get(from)?.word;
}
