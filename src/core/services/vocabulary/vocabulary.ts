import { type Caller, requireScope } from "../../identity/access/caller.ts";
import type { Core } from "../../base/core.ts";
import { expiryCutoff } from "../../community/jobs/expiry.ts";
import { selectJobValues, selectPromptValues, selectTags } from "./vocabulary-store.ts";

/*
 * Values that members can filter by (tags, stacks, cities, models), with the number of items that have them.
 * Only the newest or best items of each list are counted, so that the cost does not grow with the community.
 */

/** Maximum number of items that are counted, and of values that are returned. */
export const VOCABULARY = { itemsMax: 2_000, valuesMax: 100 } as const;

/** A value and the number of counted items that have it. */
export interface ValueInUse {
  name: string;
  count: number;
}

/** Returns the tags of the newest posts on the feed, most used first. Needs `feed:read`. */
export function tagsInUse(core: Core, caller: Caller): ValueInUse[] {
  requireScope(caller, "feed:read");
  return mostUsed(selectTags(core, VOCABULARY.itemsMax).flatMap((tags) => JSON.parse(tags) as string[]));
}

/** Returns the stacks of the newest jobs on the board, most used first. Needs `jobs:read`. */
export function stacksInUse(core: Core, caller: Caller): ValueInUse[] {
  return mostUsed(jobValues(core, caller).flatMap(({ stack }) => JSON.parse(stack) as string[]));
}

/** Returns the cities of the newest jobs on the board, most used first. Needs `jobs:read`. */
export function citiesInUse(core: Core, caller: Caller): ValueInUse[] {
  return mostUsed(jobValues(core, caller).flatMap(({ city }) => city ?? []));
}

/** Returns the models of the best prompts, most used first. Needs `prompts:read`. */
export function modelsInUse(core: Core, caller: Caller): ValueInUse[] {
  return mostUsed(promptValues(core, caller).map(({ model }) => model));
}

/** Returns the categories of the best prompts, most used first. Needs `prompts:read`. */
export function categoriesInUse(core: Core, caller: Caller): ValueInUse[] {
  return mostUsed(promptValues(core, caller).map(({ category }) => category));
}

function jobValues(core: Core, caller: Caller) {
  requireScope(caller, "jobs:read");
  return selectJobValues(core, expiryCutoff(core.clock.now()), VOCABULARY.itemsMax);
}

function promptValues(core: Core, caller: Caller) {
  requireScope(caller, "prompts:read");
  return selectPromptValues(core, VOCABULARY.itemsMax);
}

function mostUsed(values: readonly string[]): ValueInUse[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))
    .slice(0, VOCABULARY.valuesMax);
}
