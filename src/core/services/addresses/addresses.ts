import { expiryCutoff } from "../../community/jobs/expiry.ts";
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
 * Maximum number of entries in a sitemap. The sitemap lists only the newest pages. The limit of sitemaps.org
 * is 50,000. This limit is lower, because the entries of a sitemap are read in one query.
 */
const LISTED_MAX = 25_000;

/** Returns the months (UTC) since the first post, as `2026-11`, newest first. Needs `feed:read`. */
export function monthsOfPosts(core: Core, caller: Caller): string[] {
  requireScope(caller, "feed:read");
  const first = findFirstPost(core);
  if (first === null) return [];
  const months: string[] = [];
  for (let at = core.clock.now(); at >= startOf(monthOf(first)); at = startOf(monthOf(at)) - 1)
    months.push(monthOf(at));
  return months;
}

/** Returns the visible posts of a month, newest first. Needs `feed:read`. */
export function addressesOfPosts(core: Core, caller: Caller, month: string): Addressed[] {
  requireScope(caller, "feed:read");
  const from = startOf(month);
  // The month ends where the next month starts. The time 31 days after the first day of a month is always in
  // the next month.
  return selectPostNames(core, from, startOf(monthOf(from + 31 * DAY)), LISTED_MAX);
}

/** Returns the jobs on the board, newest first. Needs `jobs:read`. */
export function addressesOfJobs(core: Core, caller: Caller): Addressed[] {
  requireScope(caller, "jobs:read");
  return selectJobNames(core, expiryCutoff(core.clock.now()), LISTED_MAX);
}

/** Returns the visible prompts, newest first. Needs `prompts:read`. */
export function addressesOfPrompts(core: Core, caller: Caller): Addressed[] {
  requireScope(caller, "prompts:read");
  return selectPromptNames(core, LISTED_MAX);
}

/** Returns the builders of the directory, newest first. Needs `profile:read`. */
export function addressesOfBuilders(core: Core, caller: Caller): Addressed[] {
  requireScope(caller, "profile:read");
  return selectBuilderNames(core, LISTED_MAX);
}

function monthOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7);
}

function startOf(month: string): number {
  return Date.parse(`${month}-01T00:00:00Z`);
}
