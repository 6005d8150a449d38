import type { Core } from "../src/core/base/core.ts";
import { type LedgerEntry, type LedgerTotals, totalsOf } from "../src/core/community/xp/ledger.ts";
import { rows } from "./spec/rows.ts";

/** A builder's stored totals. */
export function storedStanding(core: Core, builderId: string): LedgerTotals {
  const [builder] = rows(core, "SELECT xp AS total, level FROM builders WHERE id = ?", builderId);
  const badges = rows(core, "SELECT badge, earned_at FROM builder_badges WHERE builder_id = ?", builderId);
  return { ...builder, badges: new Map(badges.map(({ badge, earned_at }) => [badge, earned_at])) };
}

/** The totals computed from all entries of the ledger. */
export function standingByLedger(core: Core, builderId: string): LedgerTotals {
  const entries = rows(
    core,
    `SELECT rule, subject_id AS subjectId, cause, points, created_at AS createdAt
     FROM xp_entries WHERE builder_id = ? ORDER BY seq`,
    builderId,
  );
  return totalsOf(entries as LedgerEntry[]);
}

export function wrongDays(core: Core): unknown[] {
  const stored = "SELECT builder_id, rule, day, points, times FROM xp_days";
  const right = `SELECT builder_id, rule, day, sum(points), sum(sign(points))
                 FROM xp_entries GROUP BY builder_id, rule, day`;
  return rows(
    core,
    `SELECT * FROM (${right} EXCEPT ${stored}) UNION ALL SELECT * FROM (${stored} EXCEPT ${right})`,
  );
}

/** Builders whose stored totals differ from the ledger. */
export function wrongBuilders(core: Core): string[] {
  const wrong = new Set(wrongDays(core).map((day) => (day as { builder_id: string }).builder_id));
  const ids = rows(core, "SELECT id FROM builders").map(({ id }) => id as string);
  return ids.filter(
    (id) => wrong.has(id) || !Bun.deepEquals(storedStanding(core, id), standingByLedger(core, id)),
  );
}
