import type { Core } from "../../base/core.ts";
import { notMeLinks } from "../../base/db/schema-channels.ts";

export type NotMeLinkRow = typeof notMeLinks.$inferSelect;

const COLUMNS =
  "hash, builder_id AS builderId, address, what, name, created_at AS createdAt, ends_at AS endsAt, used_at AS usedAt";

export function insertNotMeLink(core: Core, row: typeof notMeLinks.$inferInsert): void {
  core.db.insert(notMeLinks, row);
}

/** Finds a link that is valid at `now`. */
export function findNotMeLink(core: Core, hash: Buffer, now: number): NotMeLinkRow | undefined {
  return core.db
    .prepare<NotMeLinkRow>(`SELECT ${COLUMNS} FROM not_me_links WHERE hash = ? AND ends_at > ?`)
    .get(hash, now);
}

/** Selects an account's links that are valid at `now`, newest first. */
export function selectNotMeLinksOf(core: Core, builderId: string, now: number): NotMeLinkRow[] {
  return core.db
    .prepare<NotMeLinkRow>(
      `SELECT ${COLUMNS} FROM not_me_links WHERE builder_id = ? AND ends_at > ? ORDER BY ends_at DESC`,
    )
    .all(builderId, now);
}

/** Deletes an account's links. Returns how many it deleted. */
export function deleteNotMeLinksOf(core: Core, builderId: string): number {
  return core.db.prepare("DELETE FROM not_me_links WHERE builder_id = ?").run(builderId).changes;
}

/** Deletes links that ended by a time, at most `limit`. Returns how many it deleted. */
export function pruneNotMeLinks(core: Core, now: number, limit: number): number {
  return core.db
    .prepare(
      "DELETE FROM not_me_links WHERE hash IN (SELECT hash FROM not_me_links WHERE ends_at <= ? LIMIT ?)",
    )
    .run(now, limit).changes;
}
