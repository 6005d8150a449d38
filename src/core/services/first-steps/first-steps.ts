import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { lastIdAt } from "../../base/ids.ts";
import { type Caller, requirePerson } from "../../identity/access/caller.ts";
import { communitySettingsOf } from "../../identity/community-settings/community-settings.ts";
import { findSteps, updateSteps } from "./first-steps-store.ts";

/*
 * The first steps of a new member: three for owners, three for other members (docs/contract.md#9.18). Whether
 * a step is completed is derived only from the database.
 */

/** How long after joining the steps are shown. */
const SHOWN_MS = 30 * DAY;

const OF_OWNERS = ["community", "invite", "post"] as const;
const OF_MEMBERS = ["profile", "welcome", "hello"] as const;
export type Step = (typeof OF_OWNERS | typeof OF_MEMBERS)[number];

export interface FirstStep {
  step: Step;
  isDone: boolean;
}

/**
 * Returns the caller's first steps. Returns undefined if all steps are completed, if the caller dismissed
 * them, or if the caller joined more than 30 days ago. Most requests need no query, because the builder's id
 * contains the time of joining. Needs no scope, because the steps concern only the caller.
 */
export function firstSteps(core: Core, { builderId, role }: Caller): FirstStep[] | undefined {
  if (builderId === null || builderId <= lastIdAt("builder", core.clock.now() - SHOWN_MS)) return undefined;
  const found = findSteps(core, builderId);
  if (!found) return undefined;
  const own: readonly Step[] = role === "owner" ? OF_OWNERS : OF_MEMBERS;
  const steps = own.map((step) => ({ step, isDone: found[step] === 1 }));
  return steps.every(({ isDone }) => isDone) ? undefined : steps;
}

/** Dismisses the caller's steps for good. Requires a session. */
export function hideSteps(core: Core, caller: Caller): void {
  const { builderId } = requirePerson(caller);
  core.db.transact(() => updateSteps(core, builderId, { hasPutStepsAway: true }));
}

/**
 * Records that the caller opens the page for newcomers, and returns its path. The page is the post that the
 * community has chosen, or the about page. Requires a session.
 */
export function openWelcome(core: Core, caller: Caller): string {
  const { builderId } = requirePerson(caller);
  core.db.transact(() => updateSteps(core, builderId, { hasReadWelcome: true }));
  const { newcomerPost, rules } = communitySettingsOf(core);
  if (newcomerPost !== "") return `/posts/${newcomerPost}`;
  return rules === "" ? "/about" : "/about#rules";
}
