import type { Core } from "../../base/core.ts";
import { feedAddresses } from "../../base/db/schema-channels.ts";

export function findFeedAddress(
  core: Core,
  builderId: string,
): { sealed: Buffer; createdAt: number } | undefined {
  return core.db
    .prepare<{ sealed: Buffer; createdAt: number }>(
      "SELECT sealed, created_at AS createdAt FROM feed_addresses WHERE builder_id = ?",
    )
    .get(builderId);
}

export function findFeedOwner(core: Core, hash: Buffer): string | undefined {
  const sql = "SELECT builder_id AS builderId FROM feed_addresses WHERE hash = ?";
  return core.db.prepare<{ builderId: string }>(sql).get(hash)?.builderId;
}

export function putFeedAddress(core: Core, row: typeof feedAddresses.$inferInsert): void {
  core.db.upsert(feedAddresses, row);
}

/** Deletes a member's feed address. Returns whether the member had a feed address. */
export function deleteFeedAddress(core: Core, builderId: string): boolean {
  return core.db.prepare("DELETE FROM feed_addresses WHERE builder_id = ?").run(builderId).changes > 0;
}
