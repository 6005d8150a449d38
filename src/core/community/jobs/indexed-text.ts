import type { Core } from "../../base/core.ts";
import { parseQuery } from "../fulltext/language.ts";
import { firstWords, tokensOf } from "../fulltext/tokenizer.ts";

/**
 * A search term as words of the index, which must follow each other. With `isPrefix` the last word is a
 * prefix.
 */
export interface FilterTerm {
  words: string[];
  isPrefix: boolean;
}

/** The words of a job's title and description, as the search index stores them. */
export interface JobText {
  /** Positions of each word. Title positions start at 0, description positions at 2³². */
  places: ReadonlyMap<string, readonly number[]>;
  /** The same words, sorted. */
  sorted: readonly string[];
}

const DESCRIPTION_FROM = 2 ** 32;

/** Tokenizes a job like the search index. */
export function indexedTextOfJob(core: Core, job: { title: string; description: string }): JobText {
  const places = new Map<string, number[]>();
  const parts = [
    [job.title, 0],
    [job.description, DESCRIPTION_FROM],
  ] as const;
  for (const [text, from] of parts) {
    for (const [i, word] of tokensOf(core, text).entries()) {
      const known = places.get(word);
      if (known) known.push(from + i);
      else places.set(word, [from + i]);
    }
  }
  return { places, sorted: [...places.keys()].sort() };
}

/**
 * Parses a query (the syntax of `q`) into words of the index. A term without a word has an empty list, which
 * no job matches.
 */
export function termsOfQuery(core: Core, q: string): FilterTerm[] {
  return firstWords(core, parseQuery(q)).map(({ text, isPrefix }) => ({
    words: tokensOf(core, text),
    isPrefix,
  }));
}

/** Returns where a term occurs in the job, preferring the title. */
export function findTerm(job: JobText, { words, isPrefix }: FilterTerm): "title" | "description" | undefined {
  const last = words.at(-1);
  if (last === undefined) return undefined;
  const ends = isPrefix
    ? wordsFrom(job, last).flatMap((word) => job.places.get(word) ?? [])
    : (job.places.get(last) ?? []);
  const before = words.slice(0, -1).map((word) => new Set(job.places.get(word)));
  const stands = ends.filter((end) => before.every((places, i) => places.has(end - before.length + i)));
  if (stands.length === 0) return undefined;
  return stands.some((position) => position < DESCRIPTION_FROM) ? "title" : "description";
}

function wordsFrom({ sorted }: JobText, beginning: string): string[] {
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
