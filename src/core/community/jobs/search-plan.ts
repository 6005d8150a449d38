import type { Core } from "../../base/core.ts";
import { searchExpression } from "../fulltext/prefixes.ts";
import type { Term } from "../fulltext/language.ts";
import { holder, type SearchTerm, toSearchTerm } from "../fulltext/tokenizer.ts";
import { type PostedRange, reachOf, selectMatches, selectTexts, type TitledMatch } from "./jobs-store.ts";

/** How a search is walked: what in the index, and what is looked for in the texts that are found there. */
export interface Plan {
  expression: string;
  told: readonly (SearchTerm | undefined)[];
}

/** How common something is, is told from so many of the newest that have it. */
const PROBE = 64;
/** Beside something that so few have, the index leaps for each job and each word to another page. */
const RARE = 2_000;
/** At least every fourth job has it: a text that has it not is seldom read for nothing. */
const COMMON = 4 * PROBE;
/** Reading a text costs as much as so many leaps. */
const TOLD_MIN = 3;
/** So many texts are read at once. */
const TEXTS = 250;

/**
 * Common words beside filters that few jobs meet are looked for in the texts of these: the index would leap for each
 * of the words to each of the jobs. All else is walked in the index. What is found is the same
 * (docs/adr/0011-job-search.md).
 */
export function planOf(core: Core, terms: readonly Term[], filters: readonly string[]): Plan {
  const parts = terms.map((term) => ({ term, expression: searchExpression(core, "job_search", term) }));
  const all = joined([...parts.map(({ expression }) => expression), ...filters]);
  if (filters.length === 0 || terms.length < TOLD_MIN || reachOf(core, joined(filters), PROBE) < RARE)
    return { expression: all, told: [] };
  const told = parts.filter(({ expression }) => reachOf(core, expression, PROBE) <= COMMON);
  if (told.length < TOLD_MIN) return { expression: all, told: [] };
  const walked = parts.filter((part) => !told.includes(part)).map(({ expression }) => expression);
  return {
    expression: joined([...walked, ...filters]),
    told: told.map(({ term }) => toSearchTerm(core, term)),
  };
}

function joined(parts: readonly string[]): string {
  return parts.join(" AND ");
}

/** The matches of a range, newest first, or oldest first where it is read upwards. */
export function matchesOf(core: Core, { expression, told }: Plan, range: PostedRange): TitledMatch[] {
  if (told.length === 0) return selectMatches(core, expression, range);
  const found: TitledMatch[] = [];
  const left = { ...range, limit: TEXTS };
  while (found.length < range.limit) {
    const some = selectTexts(core, expression, left);
    for (const { description, ...match } of some) {
      const inTitle = holder(core, match.title);
      const inText = holder(core, description);
      if (told.every((term) => inTitle(term) || inText(term))) found.push(match);
    }
    const last = some.at(-1);
    if (some.length < TEXTS || !last) break;
    if (range.isUpwards) left.lo = last.seq + 1;
    else left.hi = last.seq - 1;
  }
  return found.slice(0, range.limit);
}
