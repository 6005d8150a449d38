import { expiryLine } from "../../community/jobs/expiry.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { type Caller, requireScope } from "../../identity/access/caller.ts";
import {
  type Addressed,
  findFirstPost,
  selectBuilderNames,
  selectJobNames,
  selectPostNames,
  selectPromptNames,
} from "./addresses-store.ts";

export type { Addressed } from "./addresses-store.ts";

/**
 * More than so many stand in no list: the newest do (sitemaps.org takes 50,000, and half of it is read at
 * once).
 */
const MOST = 25_000;

/** The months (UTC) since the first post, as `2026-11`, newest first. Needs `feed:read`. */
export function monthsOfPosts(core: Core, caller: Caller): string[] {
  requireScope(caller, "feed:read");
  const first = findFirstPost(core);
  if (first === null) return [];
  const months: string[] = [];
  for (let at = core.clock.now(); at >= startOf(monthOf(first)); at = startOf(monthOf(at)) - 1)
    months.push(monthOf(at));
  return months;
}

/** The posts of such a month that everybody sees. Needs `feed:read`. */
export function addressesOfPosts(core: Core, caller: Caller, month: string): Addressed[] {
  requireScope(caller, "feed:read");
  const from = startOf(month);
  // The first of the month is 31 days behind it at most, and never two months.
  return selectPostNames(core, from, startOf(monthOf(from + 31 * DAY)), MOST);
}

/** The jobs on the board. Needs `jobs:read`. */
export function addressesOfJobs(core: Core, caller: Caller): Addressed[] {
  requireScope(caller, "jobs:read");
  return selectJobNames(core, expiryLine(core.clock.now()), MOST);
}

/** The prompts that everybody sees. Needs `prompts:read`. */
export function addressesOfPrompts(core: Core, caller: Caller): Addressed[] {
  requireScope(caller, "prompts:read");
  return selectPromptNames(core, MOST);
}

/** The builders of the directory. Needs `profile:read`. */
export function addressesOfBuilders(core: Core, caller: Caller): Addressed[] {
  requireScope(caller, "profile:read");
  return selectBuilderNames(core, MOST);
}

function monthOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7);
}

function startOf(month: string): number {
  return Date.parse(`${month}-01T00:00:00Z`);
}
