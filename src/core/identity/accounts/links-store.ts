import type { Core } from "../../base/core.ts";
import { links } from "../../base/db/schema-access.ts";
import type { Link, LinkPurpose } from "./links.ts";

const COLUMNS =
  "id, purpose, builder_id AS builderId, workspace_id AS workspaceId, created_by AS createdBy, created_at AS createdAt, expires_at AS expiresAt, label, uses, used";

export function insertLink(core: Core, row: Link & { hash: Buffer }): void {
  core.db.insert(links, row);
}

/** Finds a link that is neither used up nor expired. */
export function findOpenLink(core: Core, purpose: LinkPurpose, hash: Buffer, now: number): Link | undefined {
  return core.db
    .prepare<Link>(
      `SELECT ${COLUMNS} FROM links WHERE hash = ? AND purpose = ? AND used_at IS NULL AND expires_at > ?`,
    )
    .get(hash, purpose, now);
}

/**
 * Uses an open link once and returns the link. Checks and uses the link in one statement, so that two
 * concurrent requests cannot both get the last use.
 */
export function markUsed(core: Core, purpose: LinkPurpose, hash: Buffer, now: number): Link | undefined {
  return core.db
    .prepare<Link>(
      `UPDATE links SET used = used + 1, used_at = CASE WHEN used + 1 >= uses THEN ? END
       WHERE hash = ? AND purpose = ? AND used_at IS NULL AND expires_at > ?
       RETURNING ${COLUMNS}`,
    )
    .get(now, hash, purpose, now);
}

/** Selects the open links into a workspace, newest first. */
export function selectWorkspaceLinks(core: Core, workspaceId: string, now: number): Link[] {
  return core.db
    .prepare<Link>(
      `SELECT ${COLUMNS} FROM links
       WHERE workspace_id = ? AND used_at IS NULL AND expires_at > ? ORDER BY id DESC`,
    )
    .all(workspaceId, now);
}

/** Deletes an open link into a workspace. Returns whether the link existed. */
export function deleteWorkspaceLink(core: Core, workspaceId: string, id: string): boolean {
  return (
    core.db
      .prepare("DELETE FROM links WHERE id = ? AND workspace_id = ? AND used_at IS NULL")
      .run(id, workspaceId).changes === 1
  );
}

/** Deletes a batch of links that expired before a time. Returns how many it deleted. */
export function pruneLinks(core: Core, before: number, limit: number): number {
  return core.db
    .prepare("DELETE FROM links WHERE id IN (SELECT id FROM links WHERE expires_at < ? LIMIT ?)")
    .run(before, limit).changes;
}

/** Selects the open links of a purpose, newest first. */
export function selectOpenLinks(core: Core, purpose: LinkPurpose, now: number): Link[] {
  return core.db
    .prepare<Link>(
      `SELECT ${COLUMNS} FROM links
       WHERE purpose = ? AND used_at IS NULL AND expires_at > ? ORDER BY id DESC`,
    )
    .all(purpose, now);
}

/** Deletes a link if it is unused. Returns whether an unused link existed. */
export function deleteUnusedLink(core: Core, purpose: LinkPurpose, id: string): boolean {
  return (
    core.db.prepare("DELETE FROM links WHERE id = ? AND purpose = ? AND used_at IS NULL").run(id, purpose)
      .changes === 1
  );
}

export function deleteUnusedLinks(core: Core, purpose: LinkPurpose): void {
  core.db.prepare("DELETE FROM links WHERE purpose = ? AND used_at IS NULL").run(purpose);
}

export function deleteUnusedRecoveries(core: Core, builderId: string): void {
  core.db
    .prepare("DELETE FROM links WHERE builder_id = ? AND purpose = 'recovery' AND used_at IS NULL")
    .run(builderId);
}

/** Selects the open links that a builder made or that give access to the builder's account, newest first. */
export function selectLinksOf(core: Core, builderId: string, now: number): Link[] {
  return core.db
    .prepare<Link>(
      `SELECT ${COLUMNS} FROM links
       WHERE (created_by = @builderId OR builder_id = @builderId) AND used_at IS NULL AND expires_at > @now
       ORDER BY id DESC`,
    )
    .all({ builderId, now });
}

/**
 * Deletes the unused links that a builder made or that give access to the builder's account. Returns how many
 * it deleted.
 */
export function deleteLinksOf(core: Core, builderId: string): number {
  const own = core.db.prepare("DELETE FROM links WHERE created_by = ? AND used_at IS NULL").run(builderId);
  const into = core.db.prepare("DELETE FROM links WHERE builder_id = ? AND used_at IS NULL").run(builderId);
  return own.changes + into.changes;
}

/** Deletes all links into a workspace, used or not. */
export function deleteLinksInto(core: Core, workspaceId: string): void {
  core.db.prepare("DELETE FROM links WHERE workspace_id = ?").run(workspaceId);
}
