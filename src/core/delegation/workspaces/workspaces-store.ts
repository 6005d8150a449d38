import type { Core } from "../../base/core.ts";
import { workspaces } from "../../base/db/schema-access.ts";
import type { descending } from "../../base/page.ts";
import type { OwnWorkspace, Workspace } from "./workspaces.ts";

const COLUMNS = `w.id, w.name, w.owner_id IS NOT NULL AS isPersonal, w.created_at AS createdAt,
  (SELECT count(*) FROM workspace_members x CROSS JOIN builders b ON b.id = x.builder_id
   WHERE x.workspace_id = w.id AND b.removed_at IS NULL) AS members`;

type Row<Noun> = Omit<Noun, "isPersonal"> & { isPersonal: 0 | 1 };

/**
 * Selects the workspaces of a builder, the personal one first, then the newest. With `id`, selects only that
 * workspace.
 */
export function selectOwn(core: Core, builderId: string, id?: string): OwnWorkspace[] {
  return core.db
    .prepare<Row<OwnWorkspace>>(
      `SELECT ${COLUMNS}, m.role
       FROM workspace_members m CROSS JOIN workspaces w ON w.id = m.workspace_id
       WHERE m.builder_id = ? ${id === undefined ? "" : "AND m.workspace_id = ?"}
       ORDER BY w.owner_id IS NULL, w.id DESC`,
    )
    .all(...(id === undefined ? [builderId] : [builderId, id]))
    .map(withTruth);
}

/** Selects shared workspaces in the given order. */
export function selectShared(
  core: Core,
  { beyond, order }: ReturnType<typeof descending>,
  key: string,
  limit: number,
): Workspace[] {
  return core.db
    .prepare<Row<Workspace>>(
      `SELECT ${COLUMNS} FROM workspaces w INDEXED BY workspaces_shared
       WHERE w.owner_id IS NULL AND w.id ${beyond} ? AND w.removed_at IS NULL ORDER BY w.id ${order} LIMIT ?`,
    )
    .all(key, limit)
    .map(withTruth);
}

export function findWorkspace(core: Core, id: string): Workspace | undefined {
  const row = core.db
    .prepare<Row<Workspace>>(`SELECT ${COLUMNS} FROM workspaces w WHERE w.id = ? AND w.removed_at IS NULL`)
    .get(id);
  return row && withTruth(row);
}

function withTruth<Noun extends { isPersonal: 0 | 1 }>(row: Noun) {
  return { ...row, isPersonal: row.isPersonal === 1 };
}

export function updateName(core: Core, id: string, name: string): void {
  core.db.patch(workspaces, { id }, { name });
}

/**
 * Clears the owner and the name of a personal workspace. The workspace then no longer refers to the builder,
 * so the builder's row can be deleted before the workspace.
 */
export function clearOwner(core: Core, id: string): void {
  core.db.patch(workspaces, { id }, { ownerId: null, name: "Deleted account" });
}

/** Marks a workspace as removed. No query finds it afterwards. */
export function markRemoved(core: Core, id: string, now: number): void {
  core.db.patch(workspaces, { id }, { removedAt: now });
}

/**
 * Selects the removed workspaces that have no endpoints left. Only the rows of such workspaces can be
 * deleted.
 */
export function selectRemoved(core: Core): string[] {
  return core.db
    .prepare<{ id: string }>(
      `SELECT w.id FROM workspaces w
       WHERE w.removed_at IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM webhook_endpoints WHERE workspace_id = w.id)`,
    )
    .all()
    .map(({ id }) => id);
}

/** Tables that may hold many rows of a workspace. Their rows are deleted in batches before the workspace. */
const LARGE_TABLES = [
  "events WHERE workspace_id = ?",
  "idempotency_keys WHERE workspace_id = ?",
  "tokens WHERE workspace_id = ?",
  "grants WHERE workspace_id = ?",
  "grants WHERE app_id IN (SELECT id FROM apps WHERE workspace_id = ?)",
];

/** Deletes at most `limit` rows of each table in `LARGE_TABLES`. Returns the number of deleted rows. */
export function deleteWorkspaceBatch(core: Core, id: string, limit: number): number {
  let deleted = 0;
  for (const matching of LARGE_TABLES) {
    const [table = ""] = matching.split(" ");
    deleted += core.db
      .prepare(`DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${matching} LIMIT ?)`)
      .run(id, limit).changes;
  }
  return deleted;
}

export function deleteWorkspaceRow(core: Core, id: string): void {
  core.db.prepare("DELETE FROM workspaces WHERE id = ?").run(id);
}
