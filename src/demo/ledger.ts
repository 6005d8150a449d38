import { DAY, HOUR } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { isoDay } from "../core/community/xp/calendar-days.ts";
import { MILESTONES } from "../core/community/xp/streaks.ts";
import { insertRun } from "../core/community/xp/streaks-store.ts";
import { type LedgerEntry, totalsOf } from "../core/community/xp/ledger.ts";
import { BADGES, ruleOf } from "../core/community/xp/rules.ts";
import { insertEntry, writeTotals } from "../core/community/xp/xp-store.ts";
import type { CastMember, DemoBuilder } from "./community.ts";

/**
 * Writes a demo builder's XP ledger. Each badge has an entry with its rule or award, and the remaining XP is
 * a carried-over entry. Total, level and badges are computed from the ledger, as for every builder.
 */
export function writeLedger(core: Core, builderId: string, builder: DemoBuilder): void {
  writeEntries(core, builderId, ledgerOf(builder, builderId));
}

/**
 * Writes the ledger and the streaks of a member with a hand-written profile. Each day of the current streak
 * and of the run before it has an entry. The current streak ends on the day before the hand-written part.
 */
export function writeDailyLedger(
  core: Core,
  builderId: string,
  builder: DemoBuilder,
  { streak, earlier, from }: CastMember,
): void {
  const runs = [
    { days: earlier, firstDay: from - streak - GAP_DAYS - earlier },
    { days: streak, firstDay: from - streak },
  ].filter(({ days }) => days > 0);
  const isEarned = new Set<string>(
    BADGES.filter(({ rule }) => rule.startsWith("streak.")).map(({ badge }) => badge),
  );
  const badges = builder.badges.filter((badge) => !isEarned.has(badge));
  const days = runs.flatMap(({ firstDay, days: count }) =>
    Array.from({ length: count }, (_, nth) => entriesOfDay(firstDay, nth + 1)).flat(),
  );
  const before = { ...builder, badges, xp: Math.max(0, builder.xp - sumOf(days)) };
  writeEntries(core, builderId, [...ledgerOf(before, builderId), ...days]);
  for (const { firstDay, days: count } of runs)
    insertRun(core, builderId, { firstDay, lastDay: firstDay + count - 1, days: count });
}

/** Days without activity between two runs. */
const GAP_DAYS = 3;

/** Returns the entries of day `nth` of a run, like `markActive`. */
function entriesOfDay(firstDay: number, nth: number): LedgerEntry[] {
  const day = firstDay + nth - 1;
  const entry = { cause: "earned" as const, createdAt: day * DAY + 8 * HOUR };
  const rule = MILESTONES.find((each) => each === nth);
  return [
    ...(nth > 1
      ? [
          {
            ...entry,
            rule: "streak.day" as const,
            subjectId: isoDay(day),
            points: ruleOf("streak.day").points,
          },
        ]
      : []),
    ...(rule === undefined
      ? []
      : [
          {
            ...entry,
            rule: `streak.${rule}` as const,
            subjectId: isoDay(firstDay),
            points: ruleOf(`streak.${rule}`).points,
          },
        ]),
  ];
}

function sumOf(entries: readonly LedgerEntry[]): number {
  return entries.reduce((sum, { points }) => sum + points, 0);
}

function writeEntries(core: Core, builderId: string, entries: readonly LedgerEntry[]): void {
  for (const entry of entries) {
    insertEntry(core, {
      ...entry,
      builderId,
      id: core.makeId("xp", entry.createdAt),
      giverId: "",
      day: Math.floor(entry.createdAt / DAY),
    });
  }
  writeTotals(core, builderId, totalsOf(entries));
}

function ledgerOf({ badges, xp, joinedAt }: DemoBuilder, builderId: string): LedgerEntry[] {
  let left = xp;
  const honours = badges.map((badge, nth): LedgerEntry => {
    const createdAt = joinedAt + nth * DAY;
    const entry = { cause: "earned" as const, createdAt };
    const earned = BADGES.find((one) => one.badge === badge && one.times === 1);
    const points = earned ? ruleOf(earned.rule).points : 0;
    if (!earned || points > left) return { ...entry, rule: "badge.given", subjectId: badge, points: 0 };
    left -= points;
    return { ...entry, rule: earned.rule, subjectId: isoDay(Math.floor(createdAt / DAY)), points };
  });
  if (left === 0) return honours;
  const carried = { rule: "carried" as const, subjectId: builderId, cause: "earned" as const, points: left };
  return [{ ...carried, createdAt: joinedAt }, ...honours];
}

/** Writes the builder's streak, which ends on the day before `midnight`. */
export function writeStreak(core: Core, builderId: string, days: number, midnight: number): void {
  const lastDay = midnight / DAY - 1;
  if (days > 0) insertRun(core, builderId, { firstDay: lastDay - days + 1, lastDay, days });
}
