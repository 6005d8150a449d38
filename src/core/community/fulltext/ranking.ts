import { DAY } from "../../base/clock.ts";

/** Recency halves every 14 days (docs/contract.md#4.6). */
const HALF_LIFE_MS = 14 * DAY;

/**
 * score = relevance × recency. Relevance is 1 where every word stands in the text alone, up to 3 where all
 * stand in the title. It looks at the thing alone, so that what is published meanwhile never reorders the
 * pages of a search already begun.
 */
export function searchScore(titleHits: number, terms: number, ageMs: number): number {
  const relevance = terms === 0 ? 1 : 1 + (2 * titleHits) / terms;
  return relevance * 2 ** (-ageMs / HALF_LIFE_MS);
}
