import { type Caller, requireScope } from "../../identity/access/caller.ts";
import type { Core } from "../../base/core.ts";
import { expiryLine } from "../../community/jobs/expiry.ts";
import { selectJobWords, selectPromptWords, selectTags } from "./vocabulary-store.ts";

/*
 * The words that things can be filtered by, with how often they are used: what somebody would choose from.
 * They are counted where it costs the same however large the community is, among the newest or best of each
 * list.
 */

/** So many things are looked at, and so many words are given at most. */
export const VOCABULARY = { things: 2_000, words: 100 } as const;

/** A word, and how many of the things that were looked at have it. */
export interface WordInUse {
  name: string;
  count: number;
}

/** Tags of the newest posts on the feed, the most used first. Needs `feed:read`. */
export function tagsInUse(core: Core, caller: Caller): WordInUse[] {
  requireScope(caller, "feed:read");
  return mostUsed(selectTags(core, VOCABULARY.things).flatMap((tags) => JSON.parse(tags) as string[]));
}

/** Stacks of the newest jobs on the board, the most used first. Needs `jobs:read`. */
export function stacksInUse(core: Core, caller: Caller): WordInUse[] {
  return mostUsed(jobWords(core, caller).flatMap(({ stack }) => JSON.parse(stack) as string[]));
}

/** Cities of the newest jobs on the board, the most used first. Needs `jobs:read`. */
export function citiesInUse(core: Core, caller: Caller): WordInUse[] {
  return mostUsed(jobWords(core, caller).flatMap(({ city }) => city ?? []));
}

/** Models of the best prompts, the most used first. Needs `prompts:read`. */
export function modelsInUse(core: Core, caller: Caller): WordInUse[] {
  return mostUsed(promptWords(core, caller).map(({ model }) => model));
}

/** Categories of the best prompts, the most used first. Needs `prompts:read`. */
export function categoriesInUse(core: Core, caller: Caller): WordInUse[] {
  return mostUsed(promptWords(core, caller).map(({ category }) => category));
}

function jobWords(core: Core, caller: Caller) {
  requireScope(caller, "jobs:read");
  return selectJobWords(core, expiryLine(core.clock.now()), VOCABULARY.things);
}

function promptWords(core: Core, caller: Caller) {
  requireScope(caller, "prompts:read");
  return selectPromptWords(core, VOCABULARY.things);
}

function mostUsed(words: readonly string[]): WordInUse[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
    .slice(0, VOCABULARY.words);
}
