import type { Role } from "../../identity/access/roles.ts";
import { conditionOf, type WorkspaceFilter } from "../../identity/members/members.ts";
import { APP_IS_ACTIVE } from "../../identity/members/active-app.ts";
import type { Core } from "../../base/core.ts";
import { grants } from "../../base/db/schema-access.ts";

export type GrantRow = Omit<typeof grants.$inferSelect, "revokedAt">;

export interface ConnectedRow extends GrantRow {
  appName: string;
  homepage: string | null;
  appScopes: string;
  maker: string;
  /** 1 if the maker is a shared workspace. */
  isWorkspace: number;
  workspaceName: string;
  /** 1 if the app is active. */
  isAppActive: 0 | 1;
}

/** The builder and app that act with a token of this grant. */
export interface ActingRow {
  id: string;
  builderId: string;
  username: string;
  role: Role;
  workspaceId: string;
  appId: string;
  /**
   * The builder granted `scopes`, and the app registered `appScopes`. A token may use only scopes that are in
   * both lists.
   */
  scopes: string;
  appScopes: string;
  rateSustained: number | null;
  rateBurst: number | null;
}

const COLUMNS = `g.id, g.builder_id AS builderId, g.app_id AS appId, g.workspace_id AS workspaceId, g.scopes,
  g.created_at AS createdAt, g.last_used_at AS lastUsedAt`;

/**
 * A grant works if it is not revoked, its app is active, and its builder is not suspended and still a member
 * of the workspace.
 */
const ACTING = `FROM grants g
  CROSS JOIN apps a ON a.id = g.app_id
  CROSS JOIN builders b ON b.id = g.builder_id
  CROSS JOIN workspace_members m ON m.workspace_id = g.workspace_id AND m.builder_id = g.builder_id
  CROSS JOIN workspaces w ON w.id = g.workspace_id
  WHERE g.id = ? AND g.revoked_at IS NULL AND b.suspended_at IS NULL AND w.removed_at IS NULL
    AND ${APP_IS_ACTIVE}`;

/**
 * Finds the builder and app that act with a token. Returns undefined if the grant does not work, or if the
 * token or its family is revoked. Runs on most requests.
 */
export function findActing(
  core: Core,
  grantId: string,
  token: { jti: string; family: string },
): ActingRow | undefined {
  return core.db
    .prepare<ActingRow>(
      `SELECT g.id, b.id AS builderId, b.username, b.role, g.workspace_id AS workspaceId,
              a.id AS appId, g.scopes, a.scopes AS appScopes, a.rate_sustained AS rateSustained,
              a.rate_burst AS rateBurst
       ${ACTING} AND NOT EXISTS (SELECT 1 FROM revoked_tokens r WHERE r.id IN (?, ?))`,
    )
    .get(grantId, token.jti, token.family);
}

export function findLiveGrant(core: Core, grantId: string, family: string): GrantRow | undefined {
  return core.db
    .prepare<GrantRow>(
      `SELECT ${COLUMNS} ${ACTING} AND NOT EXISTS (SELECT 1 FROM revoked_tokens r WHERE r.id = ?)`,
    )
    .get(grantId, family);
}

export function findGrantOf(core: Core, builderId: string, appId: string): GrantRow | undefined {
  return core.db
    .prepare<GrantRow>(
      `SELECT ${COLUMNS} FROM grants g WHERE g.builder_id = ? AND g.app_id = ? AND g.revoked_at IS NULL`,
    )
    .get(builderId, appId);
}

export function insertGrant(core: Core, row: typeof grants.$inferInsert): void {
  core.db.insert(grants, row);
}

export function updateGrantScopes(core: Core, id: string, scopes: string): void {
  core.db.patch(grants, { id }, { scopes });
}

export function selectConnected(core: Core, builderId: string): ConnectedRow[] {
  return core.db
    .prepare<ConnectedRow>(
      `SELECT ${COLUMNS}, a.name AS appName, a.homepage, a.scopes AS appScopes, ${APP_IS_ACTIVE} AS isAppActive,
              coalesce(o.username, aw.name) AS maker, o.id IS NULL AS isWorkspace, w.name AS workspaceName
       FROM grants g
       CROSS JOIN apps a ON a.id = g.app_id
       CROSS JOIN workspaces w ON w.id = g.workspace_id
       CROSS JOIN workspaces aw ON aw.id = a.workspace_id
       LEFT JOIN builders o ON o.id = aw.owner_id
       WHERE g.builder_id = ? AND g.revoked_at IS NULL ORDER BY g.id DESC`,
    )
    .all(builderId);
}

/** Revokes a live grant and returns the name of its app. Returns undefined if no live grant matches. */
export function revokeGrantRow(core: Core, id: string, builderId: string, now: number): string | undefined {
  const row = core.db
    .prepare<{ name: string }>(
      `SELECT a.name FROM grants g CROSS JOIN apps a ON a.id = g.app_id
       WHERE g.id = ? AND g.builder_id = ? AND g.revoked_at IS NULL`,
    )
    .get(id, builderId);
  if (row) core.db.patch(grants, { id }, { revokedAt: now });
  return row?.name;
}

/**
 * Deletes at most `limit` grants that were revoked before `before`, and their dependent rows. Returns the
 * number of deleted grants.
 */
export function pruneGrants(core: Core, before: number, limit: number): number {
  return core.db
    .prepare("DELETE FROM grants WHERE id IN (SELECT id FROM grants WHERE revoked_at < ? LIMIT ?)")
    .run(before, limit).changes;
}

/**
 * Revokes all matching grants and returns their number. The OAuth records (codes and refresh tokens) of these
 * grants no longer work and are deleted when they expire.
 */
export function revokeGrantsOf(core: Core, filter: WorkspaceFilter, now: number): number {
  const { where, values } = conditionOf(filter);
  return core.db
    .prepare(`UPDATE grants SET revoked_at = ? WHERE ${where} AND revoked_at IS NULL`)
    .run(now, ...values).changes;
}

/** Stores when a grant was last used. If another process has stored a later time, the later time is kept. */
export function storeGrantUse(core: Core, id: string, at: number): void {
  core.db
    .prepare("UPDATE grants SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?")
    .run(at, id);
}
