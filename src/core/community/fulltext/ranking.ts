import { DAY } from "../../base/clock.ts";

/** Time after which the recency factor of a score halves (docs/contract.md#4.6). */
const HALF_LIFE_MS = 14 * DAY;

/**
 * score = relevance × recency. Relevance is 1 if all words are in the text only, and up to 3 if all words are
 * in the title. The score depends on the item alone, so new content does not reorder the pages of a running
 * search.
 */
export function searchScore(titleHits: number, terms: number, ageMs: number): number {
  const relevance = terms === 0 ? 1 : 1 + (2 * titleHits) / terms;
  return relevance * 2 ** (-ageMs / HALF_LIFE_MS);
}
