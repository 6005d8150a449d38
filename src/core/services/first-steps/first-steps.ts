import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { lastIdAt } from "../../base/ids.ts";
import { type Caller, requirePerson } from "../../identity/access/caller.ts";
import { communitySettingsOf } from "../../identity/community-settings/community-settings.ts";
import { findSteps, updateSteps } from "./first-steps-store.ts";

/*
 * Three steps for whoever set the community up, and three for everybody who is new (docs/contract.md#9.18):
 * done is what the database says, and nothing else.
 */

/** For so long after somebody came they are shown what to begin with. */
const SHOWN_MS = 30 * DAY;

const OF_OWNERS = ["community", "invite", "post"] as const;
const OF_MEMBERS = ["profile", "welcome", "hello"] as const;
export type Step = (typeof OF_OWNERS | typeof OF_MEMBERS)[number];

export interface FirstStep {
  step: Step;
  isDone: boolean;
}

/**
 * The caller's steps; undefined for who has done them all, has put them away or came long ago. When somebody
 * came is told by their id: for most it costs no statement. Asks no scope: it is of the caller alone.
 */
export function firstSteps(core: Core, { builderId, role }: Caller): FirstStep[] | undefined {
  if (builderId === null || builderId <= lastIdAt("builder", core.clock.now() - SHOWN_MS)) return undefined;
  const found = findSteps(core, builderId);
  if (!found) return undefined;
  const own: readonly Step[] = role === "owner" ? OF_OWNERS : OF_MEMBERS;
  const steps = own.map((step) => ({ step, isDone: found[step] === 1 }));
  return steps.every(({ isDone }) => isDone) ? undefined : steps;
}

/** Puts the caller's steps away for good. For a person. */
export function hideSteps(core: Core, caller: Caller): void {
  const { builderId } = requirePerson(caller);
  core.db.transact(() => updateSteps(core, builderId, { hasPutStepsAway: true }));
}

/**
 * Notes that the caller goes to what the community has newcomers read, and returns where that is: the post
 * that it has chosen, or what it says of itself. For a person.
 */
export function goToWelcome(core: Core, caller: Caller): string {
  const { builderId } = requirePerson(caller);
  core.db.transact(() => updateSteps(core, builderId, { hasReadWelcome: true }));
  const { newcomerPost, rules } = communitySettingsOf(core);
  if (newcomerPost !== "") return `/posts/${newcomerPost}`;
  return rules === "" ? "/about" : "/about#rules";
}
