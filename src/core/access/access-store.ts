import { and, desc, eq, isNull } from "drizzle-orm";
import type { Core } from "../core.ts";
import { tokens } from "../db/schema.ts";

export interface LiveToken {
  id: string;
  builderId: string;
  username: string;
  workspaceId: string;
  scopes: string;
  tier: TokenRow["tier"];
  expiresAt: number | null;
  /** 1 for a builder who runs the community. */
  isAdmin: number;
}

export interface TokenRow {
  id: string;
  name: string;
  scopes: string;
  tier: "personal" | "enterprise";
  workspaceId: string;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  revokedAt: number | null;
}

/** A token that works now: not revoked, its builder not suspended and still in its workspace. Runs on most requests. */
export function findLiveToken(core: Core, hash: Uint8Array): LiveToken | undefined {
  return core.db
    .prepare<LiveToken>(
      `SELECT t.id, t.builder_id AS builderId, b.username, t.workspace_id AS workspaceId,
              t.scopes, t.tier, t.expires_at AS expiresAt, b.is_admin AS isAdmin
       FROM tokens t
       JOIN builders b ON b.id = t.builder_id
       JOIN workspace_members m ON m.workspace_id = t.workspace_id AND m.builder_id = t.builder_id
       WHERE t.hash = ? AND t.revoked_at IS NULL AND b.suspended_at IS NULL`,
    )
    .get(hash);
}

export function insertToken(core: Core, row: TokenRow & { hash: Buffer; builderId: string }): void {
  core.db.orm.insert(tokens).values(row).run();
}

/** Newest first. */
export function listTokenRows(core: Core, builderId: string): TokenRow[] {
  return core.db.orm
    .select()
    .from(tokens)
    .where(eq(tokens.builderId, builderId))
    .orderBy(desc(tokens.id))
    .all();
}

/** True when a token that was alive is now revoked. */
export function revokeTokenRow(
  core: Core,
  where: ({ id: string } | { hash: Buffer }) & { builderId: string | null },
  now: number,
): boolean {
  const named = and(
    "id" in where ? eq(tokens.id, where.id) : eq(tokens.hash, where.hash),
    where.builderId === null ? undefined : eq(tokens.builderId, where.builderId),
  );
  const revoked = core.db.orm
    .update(tokens)
    .set({ revokedAt: now })
    .where(and(named, isNull(tokens.revokedAt)))
    .run();
  return revoked.changes === 1;
}

export function storeTokenUses(core: Core, uses: ReadonlyMap<string, number>): void {
  const update = core.db.prepare(
    "UPDATE tokens SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?",
  );
  for (const [id, at] of uses) update.run(at, id);
}
