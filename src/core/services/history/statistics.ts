import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { type Caller, requireAdmin } from "../../identity/access/caller.ts";
import { type Day, listDays } from "./history.ts";
import { findCountedTo, type CreatedCounts } from "./history-store.ts";
import { WEEK, weekOf } from "./weeks.ts";
import { countMembers, findFirstDay, selectWeeks } from "./weeks-store.ts";

/** Figures of a week, from Monday (UTC). The current week is incomplete. Null means not counted. */
export type Week = { [Figure in keyof CreatedCounts]: number | null } & {
  startsAt: number;
  /** Distinct builders who used a session, a token or an app. */
  active: number | null;
  /** Active builders who joined in the week before. */
  returned: number | null;
};

export interface Statistics {
  /** Number of builders, without deleted accounts. */
  members: number;
  /** Midnight (UTC) of the first counted day; null if none is counted. */
  since: number | null;
  /** Time up to which the weeks are counted; null if nothing is counted. */
  countedTo: number | null;
  /** One entry per week, oldest first. */
  weeks: Week[];
}

const SHOWN_WEEKS = 26;

const SUMMED_FIGURES = ["signUps", "posts", "replies", "jobs", "prompts", "acknowledged", "failed"] as const;

/** Returns the figures of the last weeks, as sums of their days. Only for admins. */
export function listStatistics(core: Core, caller: Caller): Statistics {
  requireAdmin(caller);
  const thisWeek = weekOf(core.clock.now());
  const first = thisWeek - (SHOWN_WEEKS - 1) * WEEK;
  const days = listDays(core, caller, Math.floor((core.clock.now() - first) / DAY) + 1);
  const counted = new Map(selectWeeks(core, first).map((row) => [row.startsAt, row]));
  const since = findFirstDay(core);
  const weeks = Array.from({ length: SHOWN_WEEKS }, (_, index) => {
    const startsAt = first + index * WEEK;
    const { active = null, returned = null } = counted.get(startsAt) ?? {};
    const isKnown = since !== null && since < startsAt + WEEK;
    const own = days.filter((day) => weekOf(day.startsAt) === startsAt);
    return { startsAt, active, returned, ...sumOf(own, isKnown) };
  });
  return { members: countMembers(core), since, countedTo: findCountedTo(core), weeks };
}

function sumOf(days: readonly Day[], isKnown: boolean): { [Figure in keyof CreatedCounts]: number | null } {
  const sums = SUMMED_FIGURES.map((name) => [
    name,
    isKnown ? days.reduce((sum, day) => sum + day[name], 0) : null,
  ]);
  return Object.fromEntries(sums) as { [Figure in keyof CreatedCounts]: number | null };
}
