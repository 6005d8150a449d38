import type { Core } from "../../base/core.ts";

/** The indexes of full text that a question of people is asked of. */
export type FullText = "job_search" | "post_search" | "prompt_search";

/**
 * The first word of an index that is `from` or comes behind it in the order of bytes, also of what was
 * deleted a moment ago. A look at the index where the word would stand: its list is not read.
 */
export function selectWordFrom(core: Core, index: FullText, from: string): string | undefined {
  core.db
    .prepare(
      `CREATE VIRTUAL TABLE IF NOT EXISTS temp.${index}_words USING fts5vocab (main, ${index}, instance)`,
    )
    .run();
  return core.db
    .prepare<{ word: string }>(`SELECT term AS word FROM temp.${index}_words WHERE term >= ? LIMIT 1`)
    .get(from)?.word;
}
