import type { Core } from "../../base/core.ts";
import { oauthRecords, revokedTokens } from "../../base/db/schema-access.ts";

export type RecordRow = Omit<typeof oauthRecords.$inferSelect, "model" | "idHash" | "userCodeHash">;

const COLUMNS =
  "payload, grant_id AS grantId, family, consumed_at AS consumedAt, successor, expires_at AS expiresAt";

export function findRecordRow(core: Core, model: string, idHash: Buffer): RecordRow | undefined {
  return core.db
    .prepare<RecordRow>(`SELECT ${COLUMNS} FROM oauth_records WHERE model = ? AND id_hash = ?`)
    .get(model, idHash);
}

export function findRecordRowByUserCode(
  core: Core,
  userCodeHash: Buffer,
): (RecordRow & { idHash: Buffer }) | undefined {
  return core.db
    .prepare<RecordRow & { idHash: Buffer }>(
      `SELECT ${COLUMNS}, id_hash AS idHash FROM oauth_records WHERE user_code_hash = ?`,
    )
    .get(userCodeHash);
}

export type NewRecord = Omit<typeof oauthRecords.$inferSelect, "consumedAt" | "successor">;

/** Inserts or updates a record. An update keeps `consumedAt`, and keeps the user code if `row` has none. */
export function putRecordRow(core: Core, row: NewRecord): void {
  core.db.upsert(oauthRecords, { ...row, userCodeHash: row.userCodeHash ?? undefined });
}

/**
 * Marks a record as consumed. Of several concurrent callers, only one gets true. The OAuth library finds and
 * consumes a record in two steps. Another request can run between the two steps, so this check is needed.
 */
export function consumeRecordRow(
  core: Core,
  model: string,
  idHash: Buffer,
  now: number,
  successor: Buffer | null,
): boolean {
  return (
    core.db
      .prepare(
        `UPDATE oauth_records SET consumed_at = ?, successor = ?
         WHERE model = ? AND id_hash = ? AND consumed_at IS NULL`,
      )
      .run(now, successor, model, idHash).changes === 1
  );
}

export function dropRecordRow(core: Core, model: string, idHash: Buffer): void {
  core.db.prepare("DELETE FROM oauth_records WHERE model = ? AND id_hash = ?").run(model, idHash);
}

export function dropRecordsOfFamily(core: Core, family: string): number {
  return core.db.prepare("DELETE FROM oauth_records WHERE family = ?").run(family).changes;
}

export function dropRecordsOfGrant(core: Core, grantId: string): void {
  core.db.prepare("DELETE FROM oauth_records WHERE grant_id = ?").run(grantId);
}

/** Selects the device codes that a builder approved and no device has exchanged yet, with the app's name. */
export function selectDeviceCodesOf(core: Core, builderId: string, now: number): { name: string }[] {
  return core.db
    .prepare<{ name: string }>(
      `SELECT a.name
       FROM grants g
       CROSS JOIN oauth_records r ON r.grant_id = g.id
       CROSS JOIN apps a ON a.id = g.app_id
       WHERE g.builder_id = ? AND r.model = 'DeviceCode' AND r.consumed_at IS NULL AND r.expires_at > ?`,
    )
    .all(builderId, now);
}

/** Deletes the OAuth records (codes and refresh tokens) of all grants of a builder. */
export function dropRecordsOfBuilder(core: Core, builderId: string): void {
  core.db
    .prepare("DELETE FROM oauth_records WHERE grant_id IN (SELECT id FROM grants WHERE builder_id = ?)")
    .run(builderId);
}

/** Deletes at most `limit` records that expired before `before`. Returns the number of deleted rows. */
export function pruneRecordRows(core: Core, before: number, limit: number): number {
  return core.db
    .prepare(
      `DELETE FROM oauth_records WHERE (model, id_hash) IN
         (SELECT model, id_hash FROM oauth_records WHERE expires_at < ? LIMIT ?)`,
    )
    .run(before, limit).changes;
}

/**
 * Stores the id of a revoked token or token family. The row is kept until the last token that it blocks has
 * expired.
 */
export function insertRevoked(core: Core, id: string, expiresAt: number): void {
  core.db.insertNew(revokedTokens, { id, expiresAt });
}

/** Deletes at most `limit` expired entries. Returns the number of deleted rows. */
export function pruneRevoked(core: Core, now: number, limit: number): number {
  return core.db
    .prepare(
      "DELETE FROM revoked_tokens WHERE id IN (SELECT id FROM revoked_tokens WHERE expires_at < ? LIMIT ?)",
    )
    .run(now, limit).changes;
}

/**
 * Whether the app can still get new tokens under this grant. This is true as long as the app has a code or a
 * refresh token.
 */
export function hasRecordsOfGrant(core: Core, grantId: string): boolean {
  return (
    core.db
      .prepare<{ one: 1 }>("SELECT 1 AS one FROM oauth_records WHERE grant_id = ? LIMIT 1")
      .get(grantId) !== undefined
  );
}

/** Returns the builder of a grant and the name of its app, for the audit log. */
export function findGrantParties(
  core: Core,
  grantId: string,
): { builderId: string; name: string } | undefined {
  return core.db
    .prepare<{ builderId: string; name: string }>(
      `SELECT g.builder_id AS builderId, a.name FROM grants g CROSS JOIN apps a ON a.id = g.app_id
       WHERE g.id = ?`,
    )
    .get(grantId);
}
