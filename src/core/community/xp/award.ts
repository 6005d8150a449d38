import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { notify } from "../../identity/notifications/notify.ts";
import { recordPublicEvent } from "../../outbox/events/events.ts";
import { badgesOf, tiersReached } from "./ledger.ts";
import { type RuleName, ruleOf, TIMES_MAX } from "./rules.ts";
import {
  addPoints,
  countAwards,
  type AwardKey,
  type XpLedgerRow,
  hasBadge,
  insertBadge,
  insertEntry,
  selectAwardEntries,
  setLevel,
  pointsOfDay,
} from "./xp-store.ts";

/**
 * Appends the points of a rule to the ledger and returns the points. Returns 0 if the points are already
 * awarded or the daily cap is reached.
 */
export function awardXp(core: Core, event: AwardKey): number {
  const { points, dailyCap, byOthers } = ruleOf(event.rule);
  if (byOthers && (event.giverId === "" || event.giverId === event.builderId)) return 0;
  const past = selectAwardEntries(core, event);
  const last = past.at(-1);
  if (last !== undefined && last.cause !== "undone") return 0;
  if (past.filter(({ cause }) => cause === "earned").length >= TIMES_MAX) return 0;
  const day = Math.floor(core.clock.now() / DAY);
  if (dailyCap !== undefined && pointsOfDay(core, event.builderId, event.rule, day) + points > dailyCap)
    return 0;
  append(core, { ...event, cause: "earned", points, day });
  return points;
}

/**
 * Appends a ledger entry and updates the stored total, level and badges. Records and notifies a new level.
 */
export function append(core: Core, entry: XpLedgerRow): void {
  const { builderId, rule, points } = entry;
  const createdAt = core.clock.now();
  insertEntry(core, { ...entry, id: core.makeId("xp", createdAt), createdAt });
  const stored = addPoints(core, builderId, points);
  if (!stored) throw new Error("there is no builder whose ledger this could be");
  if (points <= 0) return;
  levelUp(core, builderId, stored, createdAt);
  earnBadges(core, builderId, rule, createdAt);
}

/**
 * Stores and announces a new level with its badges. `builders.level` never decreases, so a level is announced
 * only once, even if the total reaches the level's threshold again.
 */
function levelUp(
  core: Core,
  builderId: string,
  { total, level }: { total: number; level: number },
  at: number,
): void {
  const tiers = tiersReached(level, total);
  const top = tiers.at(-1);
  if (top === undefined) return;
  setLevel(core, builderId, top.level);
  for (const { badge } of tiers) insertBadge(core, builderId, badge, at);
  recordPublicEvent(core, "xp.level_up", {
    user_id: builderId,
    from_level: level,
    to_level: top.level,
    badge: top.badge,
  });
  const subject = { type: "builder", id: builderId } as const;
  notify(core, { to: builderId, kind: "level_up", subject, about: `${top.level}` });
}

function earnBadges(core: Core, builderId: string, rule: RuleName, at: number): void {
  for (const { badge, times } of badgesOf(rule)) {
    if (!hasBadge(core, builderId, badge) && countAwards(core, builderId, rule) >= times) {
      insertBadge(core, builderId, badge, at);
      notify(core, {
        to: builderId,
        kind: "badge",
        subject: { type: "builder", id: builderId },
        about: badge,
      });
    }
  }
}
