import type { Core } from "../../base/core.ts";
import { type webhookSecrets } from "../../base/db/schema-delivery.ts";

/**
 * A signing secret. The secret with the highest `number` is the newest. A secret signs until `endsAt`, which
 * is null for the newest secret.
 */
export type SecretRow = typeof webhookSecrets.$inferSelect;

/**
 * Selects the secrets of many endpoints that sign at `now`, in one statement, newest first for each endpoint.
 */
export function selectLivingSecrets(core: Core, endpointIds: readonly string[], now: number): SecretRow[] {
  return core.db
    .prepare<SecretRow>(
      `SELECT s.endpoint_id AS endpointId, s.number, s.sealed, s.ends_at AS endsAt
       FROM json_each(?) wanted CROSS JOIN webhook_secrets s ON s.endpoint_id = wanted.value
       WHERE s.ends_at IS NULL OR s.ends_at > ?`,
    )
    .all(JSON.stringify(endpointIds), now)
    .sort((a, b) => b.number - a.number);
}

export function insertSecret(core: Core, endpointId: string, sealed: Buffer): void {
  core.db
    .prepare(
      `INSERT INTO webhook_secrets (endpoint_id, number, sealed)
       VALUES (?, (SELECT coalesce(max(number), 0) + 1 FROM webhook_secrets WHERE endpoint_id = ?), ?)`,
    )
    .run(endpointId, endpointId, sealed);
}

/** Sets the end of the newest secret. */
export function endNewestSecret(core: Core, endpointId: string, endsAt: number): void {
  core.db
    .prepare("UPDATE webhook_secrets SET ends_at = ? WHERE endpoint_id = ? AND ends_at IS NULL")
    .run(endsAt, endpointId);
}

/** Deletes at most `limit` secrets that ended before `now`. Returns the number of deleted rows. */
export function deleteEndedSecrets(core: Core, now: number, limit: number): number {
  return core.db
    .prepare(
      `DELETE FROM webhook_secrets WHERE (endpoint_id, number) IN
         (SELECT endpoint_id, number FROM webhook_secrets WHERE ends_at IS NOT NULL AND ends_at <= ?
          ORDER BY ends_at LIMIT ?)`,
    )
    .run(now, limit).changes;
}
