import { and, eq } from "drizzle-orm";
import type { Core } from "../core.ts";
import { idempotencyKeys } from "../db/schema-access.ts";
import type { IdempotentRequest } from "./idempotency.ts";

interface KeptAnswer {
  fingerprint: Buffer;
  answer: Buffer;
  createdAt: number;
}

export function findKey(core: Core, request: IdempotentRequest): KeptAnswer | undefined {
  return core.db.orm.select().from(idempotencyKeys).where(named(request)).get();
}

/** A key that is past its time means a new request now, and takes the place of the old one. */
export function keepAnswer(
  core: Core,
  { builderId, workspaceId, route, key }: IdempotentRequest,
  kept: KeptAnswer,
): void {
  core.db.orm
    .insert(idempotencyKeys)
    .values({ builderId, workspaceId, route, key, ...kept })
    .onConflictDoUpdate({
      target: [
        idempotencyKeys.builderId,
        idempotencyKeys.workspaceId,
        idempotencyKeys.route,
        idempotencyKeys.key,
      ],
      set: kept,
    })
    .run();
}

/** How many were deleted. */
export function deleteKeysBefore(core: Core, before: number, limit: number): number {
  return core.db
    .prepare(
      `DELETE FROM idempotency_keys WHERE rowid IN
         (SELECT rowid FROM idempotency_keys WHERE created_at <= ? ORDER BY created_at LIMIT ?)`,
    )
    .run(before, limit).changes;
}

function named({ builderId, workspaceId, route, key }: IdempotentRequest) {
  return and(
    eq(idempotencyKeys.builderId, builderId),
    eq(idempotencyKeys.workspaceId, workspaceId),
    eq(idempotencyKeys.route, route),
    eq(idempotencyKeys.key, key),
  );
}
