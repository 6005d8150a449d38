import type { Facets } from "./query.ts";
import type { JobFacts, FilterCriteria } from "./match-reasons.ts";
import type { FilterTerm } from "./indexed-text.ts";

/**
 * The reverse index: under which keys a filter is stored, and which keys a job has. Every job that a filter
 * matches has one of the filter's anchors among its keys, so a job looks at the filters under its keys and at
 * no others.
 *
 * There are three kinds of keys: a combination of facets, in which what is left open is empty; a word; and a
 * beginning of up to three letters.
 */

/** A filter stands under all combinations of what it asks for, and «any of» multiplies them. */
const ANCHORS_MAX = 48;
const BEGINNING_MAX = 3;

/** One way to store a filter, and the search that tells how many jobs would have its keys. */
export interface FilterKeys {
  keys: string[];
  facets: Facets;
  term?: FilterTerm;
}

/**
 * The ways to store a filter, those first that are rarer where nothing is known: long words, facets,
 * beginnings.
 */
export function filterKeyChoices(wishes: FilterCriteria): FilterKeys[] {
  const whole = new Set<string>();
  const beginnings = new Set<string>();
  for (const { words, isPrefix } of wishes.terms) {
    words.forEach((word, i) => {
      if (isPrefix && i === words.length - 1) beginnings.add(beginning(word, BEGINNING_MAX));
      else whole.add(word);
    });
  }
  return [
    ...longestFirst(whole).map((word) => ({
      keys: [wordKey(word)],
      facets: {},
      term: { words: [word], isPrefix: false },
    })),
    { keys: facetAnchors(wishes), facets: wishes },
    ...longestFirst(beginnings).map((word) => ({
      keys: [beginningKey(word)],
      facets: {},
      term: { words: [word], isPrefix: true },
    })),
  ];
}

/** Every key that a filter which matches this job can stand under, in the order of their letters. */
export function keysOfJob(job: JobFacts): string[] {
  const keys = new Set<string>();
  const stacks = ["", ...job.stack];
  const places = ["", remoteValue(job.remote), ...(job.city === null ? [] : [cityValue(job.city)])];
  for (const stack of stacks) {
    for (const place of places) {
      for (const seniority of ["", job.seniority]) {
        for (const currency of ["", job.salary.currency]) {
          keys.add(facetKey(stack, place, seniority, currency));
        }
      }
    }
  }
  for (const word of job.words.sorted) {
    keys.add(wordKey(word));
    for (let letters = 1; letters <= BEGINNING_MAX; letters++)
      keys.add(beginningKey(beginning(word, letters)));
  }
  return [...keys].sort();
}

function facetAnchors({ stack, city, remote, seniority, salary }: FilterCriteria): string[] {
  const stacks = anyOf(stack);
  const places = anyOf([
    ...(city === undefined ? [] : [cityValue(city)]),
    // A city alone is rarer than «not remote».
    ...(remote === true || (remote === false && city === undefined) ? [remoteValue(remote)] : []),
  ]);
  const levels = anyOf(seniority);
  const isMany = stacks.length * places.length * levels.length > ANCHORS_MAX;
  const keys: string[] = [];
  for (const one of stacks) {
    for (const place of places) {
      for (const level of isMany ? [""] : levels) {
        keys.push(facetKey(one, place, level, salary?.currency ?? ""));
      }
    }
  }
  return keys;
}

/** Nothing asked is one open place in the combination. */
function anyOf(values: readonly string[] = []): string[] {
  return values.length === 0 ? [""] : [...new Set(values)];
}

// A slug, a level and a currency hold no bar, and words stand alone.
function facetKey(stack: string, place: string, seniority: string, currency: string): string {
  return `f|${stack}|${place}|${seniority}|${currency}`;
}

function cityValue(slug: string): string {
  return `in ${slug}`;
}

function remoteValue(isRemote: boolean): string {
  return isRemote ? "remote" : "on site";
}

function wordKey(word: string): string {
  return `w|${word}`;
}

function beginningKey(letters: string): string {
  return `b|${letters}`;
}

function beginning(word: string, letters: number): string {
  return word.length <= letters ? word : [...word].slice(0, letters).join("");
}

function longestFirst(words: Iterable<string>): string[] {
  return [...words].sort((a, b) => b.length - a.length);
}
