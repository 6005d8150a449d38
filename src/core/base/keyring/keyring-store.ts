import type { Db } from "../db/open.ts";
import { formerKeys } from "../db/schema-access.ts";

export type FormerKeyRow = typeof formerKeys.$inferSelect;

/** Selects the former keys that are still valid at `now`, newest first. */
export function selectFormerKeys(db: Db, purpose: string, now: number): FormerKeyRow[] {
  return db
    .prepare<FormerKeyRow>(
      `SELECT purpose, fingerprint, sealed, ends_at AS endsAt FROM former_keys
       WHERE purpose = ? AND ends_at > ? ORDER BY ends_at DESC`,
    )
    .all(purpose, now);
}

export function insertFormerKey(db: Db, row: FormerKeyRow): void {
  db.insertNew(formerKeys, row);
}

/** Deletes the former keys that ended at or before `endedBy`. Returns how many it deleted. */
export function deleteFormerKeys(db: Db, endedBy: number): number {
  return db.prepare("DELETE FROM former_keys WHERE ends_at <= ?").run(endedBy).changes;
}
