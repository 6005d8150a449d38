import { and, eq } from "drizzle-orm";
import type { Core } from "../core.ts";
import { idempotencyKeys } from "../db/schema.ts";
import type { IdempotentRequest } from "./idempotency.ts";

interface KeptAnswer {
  fingerprint: Buffer;
  answer: Buffer;
  createdAt: number;
}

export function findKey(core: Core, request: IdempotentRequest): KeptAnswer | undefined {
  return core.db.orm.select().from(idempotencyKeys).where(named(request)).get();
}

export function insertKey(core: Core, { builderId, route, key }: IdempotentRequest, kept: KeptAnswer): void {
  core.db.orm
    .insert(idempotencyKeys)
    .values({ builderId, route, key, ...kept })
    .run();
}

/** The key is past its time and means a new request now. */
export function takeOver(core: Core, request: IdempotentRequest, kept: KeptAnswer): void {
  core.db.orm.update(idempotencyKeys).set(kept).where(named(request)).run();
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

function named({ builderId, route, key }: IdempotentRequest) {
  return and(
    eq(idempotencyKeys.builderId, builderId),
    eq(idempotencyKeys.route, route),
    eq(idempotencyKeys.key, key),
  );
}
