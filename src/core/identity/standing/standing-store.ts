import type { Core } from "../../base/core.ts";
import { type RESTRICTION_KINDS, restrictions } from "../../base/db/schema-moderation.ts";

export type RestrictionKind = (typeof RESTRICTION_KINDS)[number];
export type Restriction = Omit<typeof restrictions.$inferSelect, "builderId" | "kind">;

export function findRestriction(
  core: Core,
  builderId: string,
  kind: RestrictionKind,
): Restriction | undefined {
  return core.db
    .prepare<Restriction>(
      "SELECT until, decision_id AS decisionId FROM restrictions WHERE builder_id = ? AND kind = ?",
    )
    .get(builderId, kind);
}

export function putRestriction(core: Core, row: typeof restrictions.$inferInsert): void {
  core.db.upsert(restrictions, row);
}

export function deleteRestriction(core: Core, builderId: string, kind: RestrictionKind): void {
  core.db.prepare("DELETE FROM restrictions WHERE builder_id = ? AND kind = ?").run(builderId, kind);
}

/** Selects restrictions whose end has passed, the earliest first. */
export function selectEnded(
  core: Core,
  now: number,
  limit: number,
): { builderId: string; kind: RestrictionKind }[] {
  return core.db
    .prepare<{ builderId: string; kind: RestrictionKind }>(
      `SELECT builder_id AS builderId, kind FROM restrictions INDEXED BY restrictions_by_until
       WHERE until IS NOT NULL AND until <= ? ORDER BY until LIMIT ?`,
    )
    .all(now, limit);
}
