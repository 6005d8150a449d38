import type { LedgerEntry } from "../../community/xp/ledger.ts";
import type { Db } from "../../base/db/open.ts";
import { builderBadges, builders } from "../../base/db/schema.ts";
import type { Key } from "./derived-store.ts";

/** The XP ledger of a builder and the values that are derived from it. */
export interface Ledger {
  id: string;
  xp: number;
  level: number;
  badges: readonly string[];
  /** Whether `xp_days` matches the sums of the entries of each day. */
  hasSums: boolean;
  entries: readonly LedgerEntry[];
}

/** Sums of the entries of each day. Must match how `insertEntry` adds an entry to its day. */
const SUMS = `SELECT rule, day, sum(points), sum(sign(points)) FROM xp_entries
  WHERE builder_id = b.id GROUP BY rule, day`;
const DAYS = "SELECT rule, day, points, times FROM xp_days WHERE builder_id = b.id";

/** Selects ledgers and derived values in one statement, so that they are consistent. */
export function selectLedgers(db: Db, ids: readonly Key[]): Ledger[] {
  return db
    .prepare<{ id: string; xp: number; level: number; hasSums: 0 | 1; badges: string; entries: string }>(
      `SELECT b.id, b.xp, b.level,
         NOT EXISTS (${DAYS} EXCEPT ${SUMS}) AND NOT EXISTS (${SUMS} EXCEPT ${DAYS}) AS hasSums,
         (SELECT json_group_array(badge) FROM builder_badges WHERE builder_id = b.id) AS badges,
         (SELECT json_group_array(json_object('rule', rule, 'subjectId', subject_id, 'cause', cause,
            'points', points, 'createdAt', created_at) ORDER BY seq)
          FROM xp_entries WHERE builder_id = b.id) AS entries
       FROM builders b WHERE b.id IN (SELECT value FROM json_each(?)) AND b.removed_at IS NULL`,
    )
    .all(JSON.stringify(ids))
    .map(({ hasSums, badges, entries, ...row }) => ({
      ...row,
      hasSums: hasSums === 1,
      badges: JSON.parse(badges) as string[],
      entries: JSON.parse(entries) as LedgerEntry[],
    }));
}

/** Stores XP, level and badges. Badges are added but never removed. */
export function writeTotals(
  db: Db,
  builderId: string,
  { total, level, badges }: { total: number; level: number; badges: ReadonlyMap<string, number> },
): void {
  db.patch(builders, { id: builderId }, { xp: total, level });
  for (const [badge, earnedAt] of badges) db.insertNew(builderBadges, { builderId, badge, earnedAt });
}

export function writeSums(db: Db, builderId: string): void {
  db.prepare("DELETE FROM xp_days WHERE builder_id = ?").run(builderId);
  db.prepare(
    `INSERT INTO xp_days (builder_id, rule, day, points, times)
     SELECT builder_id, rule, day, sum(points), sum(sign(points)) FROM xp_entries
     WHERE builder_id = ? GROUP BY builder_id, rule, day`,
  ).run(builderId);
}

/** Counts builders whose ledger contains points for longer streaks than the stored streak. */
export function countLostStreaks(db: Db): number {
  return (
    db
      .prepare<{ n: number }>(
        `SELECT count(*) AS n FROM builders b WHERE b.removed_at IS NULL
           AND (SELECT coalesce(sum(days - 1), 0) FROM streaks WHERE builder_id = b.id)
             < (SELECT count(*) FROM xp_entries
                WHERE builder_id = b.id AND rule = 'streak.day' AND cause = 'earned')`,
      )
      .get()?.n ?? 0
  );
}
