import type { Role } from "../access/roles.ts";
import type { Core } from "../../base/core.ts";
import type { Language } from "../../base/locales.ts";
import { sessions } from "../../base/db/schema-access.ts";

export type SessionRow = Omit<typeof sessions.$inferSelect, "hash" | "builderId">;

export interface LiveSession extends SessionRow {
  builderId: string;
  username: string;
  name: string;
  role: Role;
  /** ID of the builder's personal workspace. */
  workspaceId: string;
  language: Language | null;
}

const COLUMNS =
  "s.id, s.address, s.agent, s.created_at AS createdAt, s.last_seen_at AS lastSeenAt, s.expires_at AS expiresAt";

/** Finds a session that has not expired and whose builder is not suspended. Runs on every page. */
export function findLiveSession(core: Core, hash: Buffer, now: number): LiveSession | undefined {
  return core.db
    .prepare<LiveSession>(
      `SELECT ${COLUMNS}, b.id AS builderId, b.username, b.name, b.role, w.id AS workspaceId,
              b.language
       FROM sessions s
       CROSS JOIN builders b ON b.id = s.builder_id
       CROSS JOIN workspaces w ON w.owner_id = b.id
       WHERE s.hash = ? AND s.expires_at > ? AND b.suspended_at IS NULL`,
    )
    .get(hash, now);
}

export function insertSession(core: Core, row: typeof sessions.$inferInsert): void {
  core.db.insert(sessions, row);
}

export function updateHash(core: Core, id: string, hash: Buffer): void {
  core.db.patch(sessions, { id }, { hash });
}

/** Selects the sessions of a builder, newest first. */
export function selectSessions(core: Core, builderId: string, now: number): SessionRow[] {
  return core.db
    .prepare<SessionRow>(
      `SELECT ${COLUMNS} FROM sessions s WHERE s.builder_id = ? AND s.expires_at > ? ORDER BY s.id DESC`,
    )
    .all(builderId, now);
}

export function hasSessionAt(core: Core, builderId: string, address: string, now: number): boolean {
  return (
    core.db
      .prepare("SELECT 1 FROM sessions WHERE builder_id = ? AND address = ? AND expires_at > ?")
      .get(builderId, address, now) !== undefined
  );
}

/** Deletes a session of a builder. Returns whether the session existed. */
export function deleteSession(core: Core, builderId: string, id: string): boolean {
  return (
    core.db.prepare("DELETE FROM sessions WHERE id = ? AND builder_id = ?").run(id, builderId).changes === 1
  );
}

/** Deletes the sessions of a builder except `keptId`. Returns how many it deleted. */
export function deleteSessionsBut(core: Core, builderId: string, keptId: string | null): number {
  return core.db.prepare("DELETE FROM sessions WHERE builder_id = ? AND id <> ?").run(builderId, keptId ?? "")
    .changes;
}

/** Deletes all sessions of a builder except the `kept` newest. */
export function deleteSessionsBeyond(core: Core, builderId: string, kept: number): void {
  core.db
    .prepare(
      `DELETE FROM sessions WHERE id IN
         (SELECT id FROM sessions WHERE builder_id = ? ORDER BY id DESC LIMIT -1 OFFSET ?)`,
    )
    .run(builderId, kept);
}

/**
 * Stores when sessions were seen. A session then expires `idleMs` later, but no later than `maxMs` after
 * its start.
 */
export function storeLastSeen(
  core: Core,
  seen: ReadonlyMap<string, number>,
  { idleMs, maxMs }: { idleMs: number; maxMs: number },
): void {
  const update = core.db.prepare(
    `UPDATE sessions SET last_seen_at = max(last_seen_at, ?),
            expires_at = min(created_at + ?, max(last_seen_at, ?) + ?) WHERE id = ?`,
  );
  for (const [id, at] of seen) update.run(at, maxMs, at, idleMs, id);
}

/**
 * Shortens a batch of sessions, so that each expires after `idleMs` without use. Returns how many it changed.
 */
export function shortenSessions(core: Core, idleMs: number, limit: number): number {
  return core.db
    .prepare(
      `UPDATE sessions SET expires_at = last_seen_at + @idleMs WHERE id IN
         (SELECT id FROM sessions WHERE expires_at > last_seen_at + @idleMs LIMIT @limit)`,
    )
    .run({ idleMs, limit }).changes;
}

/** Deletes a batch of expired sessions. Returns how many it deleted. */
export function pruneSessions(core: Core, now: number, limit: number): number {
  return core.db
    .prepare("DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE expires_at <= ? LIMIT ?)")
    .run(now, limit).changes;
}
