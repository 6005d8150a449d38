import type { Core } from "../../base/core.ts";
import { appealSessions } from "../../base/db/schema-moderation.ts";
import type { Language } from "../../base/locales.ts";

/** A suspended member whose browser has an appeal session. */
export interface AppellantRow {
  builderId: string;
  username: string;
  name: string;
  language: Language | null;
  endsAt: number;
}

export function insertAppealSession(core: Core, row: typeof appealSessions.$inferInsert): void {
  core.db.insert(appealSessions, row);
}

/**
 * Finds a session that has not ended. Its member must still be suspended, and the session must be newer than
 * the suspension.
 */
export function findAppellant(
  core: Core,
  hash: Buffer,
  now: number,
  lifetimeMs: number,
): AppellantRow | undefined {
  return core.db
    .prepare<AppellantRow>(
      `SELECT b.id AS builderId, b.username, b.name, b.language, s.ends_at AS endsAt
       FROM appeal_sessions s CROSS JOIN builders b ON b.id = s.builder_id
       WHERE s.hash = ? AND s.ends_at > ? AND b.removed_at IS NULL
         AND b.suspended_at IS NOT NULL AND b.suspended_at <= s.ends_at - ?`,
    )
    .get(hash, now, lifetimeMs);
}

export function deleteAppealSession(core: Core, hash: Buffer): void {
  core.db.prepare("DELETE FROM appeal_sessions WHERE hash = ?").run(hash);
}

/** Deletes the sessions of a builder except the `kept` that end last. */
export function deleteAppealSessionsBeyond(core: Core, builderId: string, kept: number): void {
  core.db
    .prepare(
      `DELETE FROM appeal_sessions WHERE hash IN
         (SELECT hash FROM appeal_sessions WHERE builder_id = ? ORDER BY ends_at DESC LIMIT -1 OFFSET ?)`,
    )
    .run(builderId, kept);
}

/** Deletes a batch of ended sessions. Returns how many it deleted. */
export function pruneAppealSessions(core: Core, now: number, limit: number): number {
  return core.db
    .prepare(
      `DELETE FROM appeal_sessions WHERE hash IN
         (SELECT hash FROM appeal_sessions WHERE ends_at <= ? LIMIT ?)`,
    )
    .run(now, limit).changes;
}
