import type { Core } from "../core.ts";
import { idempotencyKeys } from "../db/schema-access.ts";
import type { IdempotentRequest } from "./idempotency.ts";

type StoredAnswer = Pick<typeof idempotencyKeys.$inferSelect, "fingerprint" | "answer" | "createdAt">;

export function findKey(core: Core, request: IdempotentRequest): StoredAnswer | undefined {
  const { builderId, workspaceId, route, key } = request;
  return core.db
    .prepare<StoredAnswer>(
      `SELECT fingerprint, answer, created_at AS createdAt FROM idempotency_keys
       WHERE builder_id = ? AND workspace_id = ? AND route = ? AND "key" = ?`,
    )
    .get(builderId, workspaceId, route, key);
}

/** Stores the response for an idempotency key. Replaces the row of an expired key. */
export function storeAnswer(
  core: Core,
  { builderId, workspaceId, route, key }: IdempotentRequest,
  kept: StoredAnswer,
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
