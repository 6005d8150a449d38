import { DAY } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { isoDay } from "../core/community/xp/calendar-days.ts";
import { insertRun } from "../core/community/xp/streaks-store.ts";
import { type LedgerEntry, totalsOf } from "../core/community/xp/ledger.ts";
import { BADGES, ruleOf } from "../core/community/xp/rules.ts";
import { insertEntry, writeStanding } from "../core/community/xp/xp-store.ts";
import type { DemoBuilder } from "./community.ts";

/**
 * What a builder of the demo has earned, as a ledger that says so: a badge by the rule that gives it, or by
 * hand, and the rest of their XP as brought along. Total, level and badges are read from it, as they are for
 * anyone.
 */
export function writeLedger(core: Core, builderId: string, builder: DemoBuilder): void {
  const entries = ledgerOf(builder, builderId);
  for (const entry of entries) {
    insertEntry(core, {
      ...entry,
      builderId,
      id: core.makeId("xp", entry.createdAt),
      giverId: "",
      day: Math.floor(entry.createdAt / DAY),
    });
  }
  writeStanding(core, builderId, totalsOf(entries));
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

/** Their last days in a row, up to the one before `midnight`. */
export function writeStreak(core: Core, builderId: string, days: number, midnight: number): void {
  const lastDay = midnight / DAY - 1;
  if (days > 0) insertRun(core, builderId, { firstDay: lastDay - days + 1, lastDay, days });
}
