import type { Core } from "../core.ts";
import { idempotencyKeys } from "../db/schema-access.ts";
import type { IdempotentRequest } from "./idempotency.ts";

type KeptAnswer = Pick<typeof idempotencyKeys.$inferSelect, "fingerprint" | "answer" | "createdAt">;

export function findKey(core: Core, request: IdempotentRequest): KeptAnswer | undefined {
  const { builderId, workspaceId, route, key } = request;
  return core.db
    .prepare<KeptAnswer>(
      `SELECT fingerprint, answer, created_at AS createdAt FROM idempotency_keys
       WHERE builder_id = ? AND workspace_id = ? AND route = ? AND "key" = ?`,
    )
    .get(builderId, workspaceId, route, key);
}

/** Stores the response for a key. Replaces the row of an expired key. */
export function storeAnswer(
  core: Core,
  { builderId, workspaceId, route, key }: IdempotentRequest,
  kept: KeptAnswer,
): void {
  core.db.upsert(idempotencyKeys, { builderId, workspaceId, route, key, ...kept });
}

/** Deletes at most `limit` expired keys and returns their number. */
export function deleteKeysBefore(core: Core, before: number, limit: number): number {
  return core.db
    .prepare(
      `DELETE FROM idempotency_keys WHERE rowid IN
         (SELECT rowid FROM idempotency_keys WHERE created_at <= ? ORDER BY created_at LIMIT ?)`,
    )
    .run(before, limit).changes;
}
