import { DAY } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { isoDay } from "../core/community/xp/calendar-days.ts";
import { insertRun } from "../core/community/xp/streaks-store.ts";
import { type LedgerEntry, totalsOf } from "../core/community/xp/ledger.ts";
import { BADGES, ruleOf } from "../core/community/xp/rules.ts";
import { insertEntry, writeTotals } from "../core/community/xp/xp-store.ts";
import type { DemoBuilder } from "./community.ts";

/**
 * Writes a demo builder's XP ledger. Each badge has an entry with its rule or award, and the remaining XP is
 * a carried-over entry. Total, level and badges are computed from the ledger, as for every builder.
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
