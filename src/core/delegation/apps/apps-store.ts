import type { Core } from "../../base/core.ts";
import { apps } from "../../base/db/schema-access.ts";
import { descending, type PageRequest } from "../../base/page.ts";
import { APP_IS_ACTIVE } from "../../identity/members/active-app.ts";
import type { SigningAlg } from "../oauth/keys.ts";
import type { AppKind } from "./app.ts";

export interface AppRow {
  id: string;
  workspaceId: string;
  workspaceName: string;
  /** Username of the workspace's owner if the workspace is personal; null otherwise. */
  workspaceOwner: string | null;
  createdBy: string | null;
  name: string;
  homepage: string | null;
  kind: AppKind;
  secretHash: Buffer | null;
  previousHash: Buffer | null;
  previousUntil: number | null;
  /** JSON array of strings. */
  redirectUris: string;
  scopes: string;
  idTokenAlg: SigningAlg;
  rateSustained: number | null;
  rateBurst: number | null;
  createdAt: number;
  suspendedAt: number | null;
  suspendedReason: string | null;
  /** 1 if the app is active: neither suspended nor orphaned. */
  isActive: 0 | 1;
}

const SELECT = `SELECT a.id, a.workspace_id AS workspaceId, w.name AS workspaceName, o.username AS workspaceOwner,
    a.created_by AS createdBy, a.name, a.homepage, a.kind, a.secret_hash AS secretHash,
    a.previous_hash AS previousHash, a.previous_until AS previousUntil, a.redirect_uris AS redirectUris,
    a.scopes, a.id_token_alg AS idTokenAlg, a.rate_sustained AS rateSustained, a.rate_burst AS rateBurst, a.created_at AS createdAt,
    a.suspended_at AS suspendedAt, a.suspended_reason AS suspendedReason, ${APP_IS_ACTIVE} AS isActive
  FROM apps a CROSS JOIN workspaces w ON w.id = a.workspace_id LEFT JOIN builders o ON o.id = w.owner_id`;

export function findAppRow(core: Core, id: string): AppRow | undefined {
  return core.db.prepare<AppRow>(`${SELECT} WHERE a.id = ? AND w.removed_at IS NULL`).get(id);
}

export function selectApps(core: Core, workspaceId: string): AppRow[] {
  return core.db.prepare<AppRow>(`${SELECT} WHERE a.workspace_id = ? ORDER BY a.id DESC`).all(workspaceId);
}

/** Selects a page of the apps of all workspaces. */
export function selectAllApps(core: Core, request: PageRequest, key: string): AppRow[] {
  const { beyond, order } = descending(request);
  return core.db
    .prepare<AppRow>(`${SELECT} WHERE a.id ${beyond} ? ORDER BY a.id ${order} LIMIT ?`)
    .all(key, request.limit + 1);
}

/** Redirect URIs, as JSON, of all active public apps. */
export function selectPublicRedirects(core: Core): Pick<AppRow, "redirectUris">[] {
  return core.db
    .prepare<Pick<AppRow, "redirectUris">>(
      `SELECT a.redirect_uris AS redirectUris FROM apps a WHERE a.kind = 'public' AND ${APP_IS_ACTIVE}`,
    )
    .all();
}

export function countApps(core: Core, workspaceId: string): number {
  return (
    core.db
      .prepare<{ apps: number }>("SELECT count(*) AS apps FROM apps WHERE workspace_id = ?")
      .get(workspaceId)?.apps ?? 0
  );
}

export function insertApp(core: Core, row: typeof apps.$inferInsert): void {
  core.db.insert(apps, row);
}

export function updateApp(core: Core, id: string, change: Partial<typeof apps.$inferInsert>): void {
  core.db.patch(apps, { id }, change);
}

export function deleteApp(core: Core, id: string): void {
  core.db.prepare("DELETE FROM apps WHERE id = ?").run(id);
}

/** Suspends all apps of a workspace in one statement. Their tokens stop working immediately. */
export function suspendAppsOf(core: Core, workspaceId: string, reason: string): void {
  core.db
    .prepare(
      `UPDATE apps SET suspended_at = ?, suspended_reason = ? WHERE workspace_id = ? AND suspended_at IS NULL`,
    )
    .run(core.clock.now(), reason, workspaceId);
}
