import type { LedgerEntry } from "../../community/xp/ledger.ts";
import type { Db } from "../../base/db/open.ts";
import { builderBadges, builders } from "../../base/db/schema.ts";

/** A builder, and what is stored beside their ledger. */
export interface Kept {
  id: string;
  xp: number;
  level: number;
  /** A list of names, as JSON. */
  badges: string;
  /** What `xp_days` says, as JSON: rule, day, points, times of each. */
  days: string;
  /** How many days were ever added to a row of them. */
  furtherDays: number;
}

const KEPT = `b.id, b.xp, b.level,
  (SELECT json_group_array(badge) FROM builder_badges WHERE builder_id = b.id) AS badges,
  (SELECT json_group_array(json_array(rule, day, points, times)) FROM xp_days WHERE builder_id = b.id) AS days,
  (SELECT coalesce(sum(days - 1), 0) FROM streaks WHERE builder_id = b.id) AS furtherDays`;

/** The next builders behind one, with what is kept of them and all of their ledgers: of one moment. */
export function selectKept(db: Db, after: string, limit: number): (Kept & { entries: Entry[] })[] {
  const rows = db
    .prepare<Kept & { entries: string }>(
      `SELECT ${KEPT}, ${ENTRIES} FROM (SELECT * FROM builders WHERE id > ? ORDER BY id LIMIT ?) b
       WHERE b.removed_at IS NULL ORDER BY b.id`,
    )
    .all(after, limit);
  return rows.map(unpacked);
}

export function findKept(db: Db, id: string): (Kept & { entries: Entry[] }) | undefined {
  const row = db
    .prepare<Kept & { entries: string }>(
      `SELECT ${KEPT}, ${ENTRIES} FROM builders b WHERE b.id = ? AND b.removed_at IS NULL`,
    )
    .get(id);
  return row && unpacked(row);
}

/** The last of the next builders, whatever their standing; undefined where there is none. */
export function endOfBuilders(db: Db, after: string, limit: number): string | undefined {
  return (
    db
      .prepare<{ last: string | null }>(
        "SELECT max(id) AS last FROM (SELECT id FROM builders WHERE id > ? ORDER BY id LIMIT ?)",
      )
      .get(after, limit)?.last ?? undefined
  );
}

export function countBuilders(db: Db): number {
  return db.prepare<{ n: number }>("SELECT count(*) AS n FROM builders").get()?.n ?? 0;
}

export type Entry = LedgerEntry & { day: number };

const ENTRIES = `(SELECT json_group_array(json_array(rule, subject_id, cause, points, created_at, day) ORDER BY seq)
   FROM xp_entries WHERE builder_id = b.id) AS entries`;

type Packed = [LedgerEntry["rule"], string, LedgerEntry["cause"], number, number, number];

function unpacked({ entries, ...kept }: Kept & { entries: string }): Kept & { entries: Entry[] } {
  const list = (JSON.parse(entries) as Packed[]).map(([rule, subjectId, cause, points, createdAt, day]) => ({
    rule,
    subjectId,
    cause,
    points,
    createdAt,
    day,
  }));
  return { ...kept, entries: list };
}

export function writeKept(
  db: Db,
  builderId: string,
  { xp, level, badges }: { xp: number; level: number; badges: ReadonlyMap<string, number> },
): void {
  db.patch(builders, { id: builderId }, { xp, level });
  for (const [badge, earnedAt] of badges) db.insertNew(builderBadges, { builderId, badge, earnedAt });
}

/** As `insertEntry` adds each entry to its day. */
export function sumUpDaysOf(db: Db, builderId: string): void {
  db.prepare("DELETE FROM xp_days WHERE builder_id = ?").run(builderId);
  db.prepare(
    `INSERT INTO xp_days (builder_id, rule, day, points, times)
     SELECT builder_id, rule, day, sum(points), sum(sign(points)) FROM xp_entries
     WHERE builder_id = ? GROUP BY builder_id, rule, day`,
  ).run(builderId);
}
