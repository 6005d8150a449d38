import type { Core } from "../../base/core.ts";
import { parseQuery } from "../fulltext/language.ts";
import { limitWords, tokensOf } from "../fulltext/tokenizer.ts";

/**
 * A search term as words of the index. A match must contain these words one after the other. With `isPrefix`
 * the last word is a prefix.
 */
export interface FilterTerm {
  words: string[];
  isPrefix: boolean;
}

/** The words of a job's title and description, as the search index stores them. */
export interface JobText {
  /** Positions of each word. Title positions start at 0, description positions at 2³². */
  positions: ReadonlyMap<string, readonly number[]>;
  /** The words in `positions`, sorted. */
  sorted: readonly string[];
}

const DESCRIPTION_FROM = 2 ** 32;

/** Tokenizes a job like the search index. */
export function indexedTextOfJob(core: Core, job: { title: string; description: string }): JobText {
  const positions = new Map<string, number[]>();
  const parts = [
    [job.title, 0],
    [job.description, DESCRIPTION_FROM],
  ] as const;
  for (const [text, from] of parts) {
    for (const [i, word] of tokensOf(core, text).entries()) {
      const known = positions.get(word);
      if (known) known.push(from + i);
      else positions.set(word, [from + i]);
    }
  }
  return { positions, sorted: [...positions.keys()].sort() };
}

/**
 * Parses a query with the syntax of `q` into words of the index. If a term has no word, its list of words is
 * empty and matches no job.
 */
export function termsOfQuery(core: Core, q: string): FilterTerm[] {
  return limitWords(core, parseQuery(q)).map(({ text, isPrefix }) => ({
    words: tokensOf(core, text),
    isPrefix,
  }));
}

/**
 * Returns where a term occurs in the job. Returns "title" if the term is in both the title and the
 * description.
 */
export function findTerm(job: JobText, { words, isPrefix }: FilterTerm): "title" | "description" | undefined {
  const last = words.at(-1);
  if (last === undefined) return undefined;
  const ends = isPrefix
    ? wordsWithPrefix(job, last).flatMap((word) => job.positions.get(word) ?? [])
    : (job.positions.get(last) ?? []);
  const before = words.slice(0, -1).map((word) => new Set(job.positions.get(word)));
  const phraseEnds = ends.filter((end) => before.every((at, i) => at.has(end - before.length + i)));
  if (phraseEnds.length === 0) return undefined;
  return phraseEnds.some((position) => position < DESCRIPTION_FROM) ? "title" : "description";
}

function wordsWithPrefix({ sorted }: JobText, beginning: string): string[] {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? "") < beginning) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (sorted[end]?.startsWith(beginning)) end++;
  return sorted.slice(low, end);
}
