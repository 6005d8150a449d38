import type { Core } from "../../base/core.ts";
import { builderBadges, builders, xpEntries } from "../../base/db/schema.ts";
import { descending, type PageRequest } from "../../base/page.ts";
import type { EntryReason, LedgerEntry, LedgerTotals } from "./ledger.ts";
import type { RuleName } from "./rules.ts";

/**
 * Identifies an award by a rule, a subject and a giver. Each such award can be active only once at a time.
 * The giver is "" for the builder's own action.
 */
export interface AwardKey {
  builderId: string;
  rule: RuleName;
  subjectId: string;
  giverId: string;
}

export interface XpLedgerRow extends AwardKey {
  cause: EntryReason;
  points: number;
  day: number;
}

export interface NewEntry extends XpLedgerRow {
  id: string;
  createdAt: number;
}

/** Stores an entry and updates the daily sums of its rule. */
export function insertEntry(core: Core, entry: NewEntry): void {
  core.db.insert(xpEntries, entry);
  core.db
    .prepare(
      `INSERT INTO xp_days (builder_id, rule, day, points, times) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (builder_id, rule, day)
       DO UPDATE SET points = points + excluded.points, times = times + excluded.times`,
    )
    .run(entry.builderId, entry.rule, entry.day, entry.points, Math.sign(entry.points));
}

const COLUMNS = `builder_id AS builderId, rule, subject_id AS subjectId, giver_id AS giverId, cause, points, day`;

/** Selects all entries of one award, oldest first. `TIMES_MAX` limits the number of entries. */
export function selectAwardEntries(
  core: Core,
  { builderId, rule, subjectId, giverId }: AwardKey,
): XpLedgerRow[] {
  return core.db
    .prepare<XpLedgerRow>(
      `SELECT ${COLUMNS} FROM xp_entries
       WHERE subject_id = ? AND builder_id = ? AND rule = ? AND giver_id = ? ORDER BY seq`,
    )
    .all(subjectId, builderId, rule, giverId);
}

/** Selects all entries about a subject, grouped by award, oldest first within an award. */
export function selectSubject(core: Core, subjectId: string): XpLedgerRow[] {
  return core.db
    .prepare<XpLedgerRow>(
      `SELECT ${COLUMNS} FROM xp_entries WHERE subject_id = ? ORDER BY builder_id, rule, giver_id, seq`,
    )
    .all(subjectId);
}

/** Returns the points that a rule awarded on one day. Withdrawn points do not count. */
export function pointsOfDay(core: Core, builderId: string, rule: RuleName, day: number): number {
  return (
    core.db
      .prepare<{ points: number }>("SELECT points FROM xp_days WHERE builder_id = ? AND rule = ? AND day = ?")
      .get(builderId, rule, day)?.points ?? 0
  );
}

/** Returns how many times a rule has awarded points. Withdrawn awards do not count. */
export function countAwards(core: Core, builderId: string, rule: RuleName): number {
  return (
    core.db
      .prepare<{ times: number | null }>(
        "SELECT sum(times) AS times FROM xp_days WHERE builder_id = ? AND rule = ?",
      )
      .get(builderId, rule)?.times ?? 0
  );
}

/** Adds points to the stored total. Returns the new total and the highest level so far. */
export function addPoints(
  core: Core,
  builderId: string,
  points: number,
): { total: number; level: number } | undefined {
  return core.db
    .prepare<{ total: number; level: number }>(
      "UPDATE builders SET xp = xp + ? WHERE id = ? RETURNING xp AS total, level",
    )
    .get(points, builderId);
}

export function setLevel(core: Core, builderId: string, level: number): void {
  core.db.patch(builders, { id: builderId }, { level });
}

export function hasBadge(core: Core, builderId: string, badge: string): boolean {
  return (
    core.db
      .prepare("SELECT 1 FROM builder_badges WHERE builder_id = ? AND badge = ?")
      .get(builderId, badge) !== undefined
  );
}

/** Stores a badge. If the builder already has the badge, the badge keeps its first time. */
export function insertBadge(core: Core, builderId: string, badge: string, earnedAt: number): void {
  core.db.insertNew(builderBadges, { builderId, badge, earnedAt });
}

/** A ledger entry with the fields that are shown to the builder. */
export interface ListedEntry extends LedgerEntry {
  seq: number;
  id: string;
}

/** Selects a builder's entries, newest first, or oldest first for a backward request. */
export function selectEntries(
  core: Core,
  builderId: string,
  request: PageRequest,
  fromSeq: number | undefined,
): ListedEntry[] {
  const { beyond, order } = descending(request);
  return core.db
    .prepare<ListedEntry>(
      `SELECT seq, id, rule, subject_id AS subjectId, cause, points, created_at AS createdAt
       FROM xp_entries WHERE builder_id = ? AND seq ${beyond} ? ORDER BY seq ${order} LIMIT ?`,
    )
    .all(builderId, fromSeq ?? (request.backwards ? 0 : Number.MAX_SAFE_INTEGER), request.limit + 1);
}

/** Selects a builder's entries by id, in one statement and any order. */
export function selectEntriesById(core: Core, builderId: string, ids: readonly string[]): ListedEntry[] {
  return core.db
    .prepare<ListedEntry>(
      `SELECT e.seq, e.id, e.rule, e.subject_id AS subjectId, e.cause, e.points, e.created_at AS createdAt
       FROM json_each(?) wanted CROSS JOIN xp_entries e ON e.builder_id = ? AND e.id = wanted.value`,
    )
    .all(JSON.stringify(ids), builderId);
}

export function writeTotals(core: Core, builderId: string, { total, level, badges }: LedgerTotals): void {
  core.db.patch(builders, { id: builderId }, { xp: total, level });
  core.db.prepare("DELETE FROM builder_badges WHERE builder_id = ?").run(builderId);
  for (const [badge, earnedAt] of badges) insertBadge(core, builderId, badge, earnedAt);
}
