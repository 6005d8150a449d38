import type { Core } from "../../base/core.ts";
import { parseQuery } from "../fulltext/language.ts";
import { firstWords, tokensOf } from "../fulltext/tokenizer.ts";

/**
 * A term of a search in the words of its index: all of them one after another, the last one whole or as a
 * beginning.
 */
export interface FilterTerm {
  words: string[];
  isPrefix: boolean;
}

/** The words of a job's title and description, as the search index has them. */
export interface JobText {
  /** Where each word stands: positions of the title from 0, those of the description from 2³². */
  places: ReadonlyMap<string, readonly number[]>;
  /** The same words in the order of their letters. */
  sorted: readonly string[];
}

const DESCRIPTION_FROM = 2 ** 32;

/** Reads a job as the search index does. */
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
 * Reads a query (the syntax of `q`) into words of the index. A term without any word, which no job holds, has
 * none.
 */
export function termsOfQuery(core: Core, q: string): FilterTerm[] {
  return firstWords(core, parseQuery(q)).map(({ text, isPrefix }) => ({
    words: tokensOf(core, text),
    isPrefix,
  }));
}

/** Whether a term stands in the job, and whether it does in the title. */
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
