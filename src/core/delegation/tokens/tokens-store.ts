import type { Core } from "../../base/core.ts";
import { tokens } from "../../base/db/schema-access.ts";
import type { Role } from "../../identity/access/roles.ts";
import { conditionOf, type WorkspaceFilter } from "../../identity/members/members.ts";
import { storeGrantUse } from "../grants/grants.ts";
import type { CredentialUse } from "../../identity/access/credential-uses.ts";

export interface LiveToken {
  id: string;
  builderId: string;
  username: string;
  workspaceId: string;
  scopes: string;
  tier: TokenRow["tier"];
  expiresAt: number | null;
  role: Role;
}

export type TokenRow = Omit<typeof tokens.$inferSelect, "hash" | "builderId">;

/**
 * Finds a token that works: it is not revoked, and its builder is not suspended and still a member of its
 * workspace. Runs on most requests.
 */
export function findLiveToken(core: Core, hash: Uint8Array): LiveToken | undefined {
  return core.db
    .prepare<LiveToken>(
      `SELECT t.id, t.builder_id AS builderId, b.username, t.workspace_id AS workspaceId,
              t.scopes, t.tier, t.expires_at AS expiresAt, b.role
       FROM tokens t
       JOIN builders b ON b.id = t.builder_id
       JOIN workspace_members m ON m.workspace_id = t.workspace_id AND m.builder_id = t.builder_id
       WHERE t.hash = ? AND t.revoked_at IS NULL AND b.suspended_at IS NULL`,
    )
    .get(hash);
}

export function insertToken(core: Core, row: typeof tokens.$inferInsert): void {
  core.db.insert(tokens, row);
}

export function listTokenRows(core: Core, builderId: string): (TokenRow & { workspaceName: string })[] {
  return core.db
    .prepare<TokenRow & { workspaceName: string }>(
      `SELECT t.id, t.name, t.scopes, t.used_scopes AS usedScopes, t.tier, t.workspace_id AS workspaceId,
              w.name AS workspaceName, t.created_at AS createdAt, t.expires_at AS expiresAt,
              t.last_used_at AS lastUsedAt, t.revoked_at AS revokedAt
       FROM tokens t CROSS JOIN workspaces w ON w.id = t.workspace_id
       WHERE t.builder_id = ? ORDER BY t.id DESC`,
    )
    .all(builderId);
}

/** Selects the tokens that work now, newest first. */
export function selectLiveTokens(
  core: Core,
  builderId: string,
  now: number,
): { name: string; createdAt: number }[] {
  return core.db
    .prepare<{ name: string; createdAt: number }>(
      `SELECT name, created_at AS createdAt FROM tokens
       WHERE builder_id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?) ORDER BY id DESC`,
    )
    .all(builderId, now);
}

export function countLiveTokens(core: Core, builderId: string, now: number): number {
  return (
    core.db
      .prepare<{ live: number }>(
        `SELECT count(*) AS live FROM tokens
         WHERE builder_id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`,
      )
      .get(builderId, now)?.live ?? 0
  );
}

/** Deletes all but the newest `keep` revoked or expired tokens of a builder. */
export function dropDeadTokens(core: Core, builderId: string, now: number, keep: number): void {
  core.db
    .prepare(
      `DELETE FROM tokens WHERE id IN
         (SELECT id FROM tokens WHERE builder_id = ? AND (revoked_at IS NOT NULL OR expires_at <= ?)
          ORDER BY id DESC LIMIT -1 OFFSET ?)`,
    )
    .run(builderId, now, keep);
}

/** Revokes a token and returns it. Returns undefined if the token is unknown or already revoked. */
export function revokeTokenRow(
  core: Core,
  where: ({ id: string } | { hash: Buffer }) & { builderId: string | null },
  now: number,
): { id: string; name: string; builderId: string } | undefined {
  const column = "id" in where ? "id" : "hash";
  const ownerCondition = where.builderId === null ? "" : "AND builder_id = ?";
  return core.db
    .prepare<{ id: string; name: string; builderId: string }>(
      `UPDATE tokens SET revoked_at = ? WHERE ${column} = ? AND revoked_at IS NULL ${ownerCondition}
       RETURNING id, name, builder_id AS builderId`,
    )
    .get(now, "id" in where ? where.id : where.hash, ...(where.builderId === null ? [] : [where.builderId]));
}

/**
 * Merges uses of tokens into the stored values. Keeps the later time of use and the scopes of both, because
 * another process may have stored other uses of the same tokens.
 */
export function storeTokenUses(core: Core, uses: ReadonlyMap<string, CredentialUse>): void {
  const find = core.db.prepare<{ usedScopes: string }>(
    "SELECT used_scopes AS usedScopes FROM tokens WHERE id = ?",
  );
  const update = core.db.prepare(
    "UPDATE tokens SET last_used_at = max(coalesce(last_used_at, 0), ?), used_scopes = ? WHERE id = ?",
  );
  for (const [id, { at, scopes }] of uses) {
    if (id.startsWith("grant_")) {
      storeGrantUse(core, id, at);
      continue;
    }
    const known = splitScopes(find.get(id)?.usedScopes ?? "");
    update.run(at, [...new Set([...known, ...scopes])].join(" "), id);
  }
}

/** Splits a space-separated list: `a b` becomes `["a", "b"]`. */
export function splitScopes(text: string): string[] {
  return text === "" ? [] : text.split(" ");
}

/**
 * Revokes all matching tokens and returns their number. Expired tokens are included, because they would work
 * again if the clock stepped back.
 */
export function revokeTokensOf(core: Core, filter: WorkspaceFilter, now: number): number {
  const { where, values } = conditionOf(filter);
  return core.db
    .prepare(`UPDATE tokens SET revoked_at = ? WHERE ${where} AND revoked_at IS NULL`)
    .run(now, ...values).changes;
}
