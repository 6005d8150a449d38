import type { Core } from "../../base/core.ts";
import { builders } from "../../base/db/schema.ts";

/** Returns the join time of a member who has no role and was not vouched for; undefined for all others. */
export function findUnvouched(core: Core, builderId: string): number | undefined {
  return core.db
    .prepare<{ createdAt: number }>(
      "SELECT created_at AS createdAt FROM builders WHERE id = ? AND is_vouched = 0 AND role = 'member'",
    )
    .get(builderId)?.createdAt;
}

export function updateVouched(core: Core, builderId: string): void {
  core.db.patch(builders, { id: builderId }, { isVouched: true });
}
