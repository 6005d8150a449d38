import type { Core } from "../../base/core.ts";
import { arrivals, builders } from "../../base/db/schema.ts";
import type { ImportedItem, ImportedKind, Unclaimed } from "./imported.ts";

export function selectImported(
  core: Core,
  host: string,
  kind: ImportedKind,
  mark: string,
): ImportedItem | undefined {
  return core.db
    .prepare<ImportedItem>(
      `SELECT a.our_id AS ourId, b.username, a.comments FROM arrivals a LEFT JOIN builders b ON b.id = a.our_id
       WHERE a.host = ? AND a.kind = ? AND a.mark = ?`,
    )
    .get(host, kind, mark);
}

export function insertImported(core: Core, row: typeof arrivals.$inferInsert): void {
  core.db.insert(arrivals, row);
}

export function updateComments(core: Core, host: string, mark: string, comments: number): void {
  core.db.patch(arrivals, { host, kind: "article", mark }, { comments });
}

export function updateBio(core: Core, id: string, bio: string): void {
  core.db.patch(builders, { id }, { bio });
}

/** Whether the account was created for a person imported from `host`. */
export function isImportedFrom(core: Core, host: string, builderId: string): boolean {
  const sql = "SELECT 1 FROM arrivals WHERE our_id = ? AND host = ? AND kind = 'person' AND name IS NOT NULL";
  return core.db.prepare(sql).get(builderId, host) !== undefined;
}

/** Whether any account exists that was not imported from `host`. */
export function hasMembersNotImportedFrom(core: Core, host: string): boolean {
  return (
    core.db
      .prepare(
        `SELECT 1 FROM builders b WHERE b.removed_at IS NULL AND NOT EXISTS (
           SELECT 1 FROM arrivals a WHERE a.our_id = b.id AND a.host = ? AND a.kind = 'person' AND a.name IS NOT NULL)
         LIMIT 1`,
      )
      .get(host) !== undefined
  );
}

/** Returns where a builder was imported from; the first host if there are several. */
export function selectOrigin(
  core: Core,
  builderId: string,
): { host: string; name: string; isClaimed: 0 | 1 } | undefined {
  return core.db
    .prepare<{ host: string; name: string; isClaimed: 0 | 1 }>(
      `SELECT a.host, a.name,
              EXISTS (SELECT 1 FROM passwords WHERE builder_id = a.our_id) OR
              EXISTS (SELECT 1 FROM passkeys WHERE builder_id = a.our_id) AS isClaimed
       FROM arrivals a WHERE a.our_id = ? AND a.kind = 'person' AND a.name IS NOT NULL
       ORDER BY a.host, a.mark LIMIT 1`,
    )
    .get(builderId);
}

/**
 * Selects accounts that cannot sign in yet, with usernames after `after`. These are placeholders, and members
 * who were imported with a whole community.
 */
export function selectUnclaimed(core: Core, after: string, limit: number): Unclaimed[] {
  return core.db
    .prepare<Unclaimed>(
      `SELECT b.username, coalesce(min(a.host), m.host) AS host, coalesce(a.name, b.username) AS name
       FROM builders b
       LEFT JOIN arrivals a ON a.our_id = b.id AND a.kind = 'person' AND a.name IS NOT NULL
       LEFT JOIN (SELECT value ->> 'from' AS host, value ->> 'exportedAt' AS until FROM settings WHERE name = 'import') m
         ON b.created_at <= m.until
       WHERE b.username > ? AND b.suspended_at IS NULL AND (a.our_id IS NOT NULL OR m.host IS NOT NULL)
         AND NOT EXISTS (SELECT 1 FROM passwords WHERE builder_id = b.id)
         AND NOT EXISTS (SELECT 1 FROM passkeys WHERE builder_id = b.id)
       GROUP BY b.id ORDER BY b.username LIMIT ?`,
    )
    .all(after, limit);
}

/** Deletes the name that a deleted account had in another community. The record of the import is kept. */
export function forgetPerson(core: Core, builderId: string): void {
  core.db.patch(arrivals, { ourId: builderId, kind: "person" }, { ourId: null, name: null });
}
