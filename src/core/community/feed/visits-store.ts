import type { Core } from "../../base/core.ts";
import { feedVisits } from "../../base/db/schema.ts";

export interface VisitRow {
  beforeId: string;
  newestId: string;
  lookedAt: number;
}

export function findVisit(core: Core, builderId: string): VisitRow | undefined {
  return core.db
    .prepare<VisitRow>(
      `SELECT before_id AS beforeId, newest_id AS newestId, looked_at AS lookedAt
       FROM feed_visits WHERE builder_id = ?`,
    )
    .get(builderId);
}

export function insertVisit(core: Core, row: typeof feedVisits.$inferInsert): void {
  core.db.insert(feedVisits, row);
}

export function updateVisit(core: Core, builderId: string, row: VisitRow): void {
  core.db.patch(feedVisits, { builderId }, row);
}

/** Returns the id of the newest feed post, or '' for an empty feed. */
export function findNewest(core: Core): string {
  return (
    core.db
      .prepare<{ id: string }>(
        `SELECT id FROM posts INDEXED BY posts_feed
         WHERE parent_id IS NULL AND hidden_at IS NULL AND id < 'post_~' ORDER BY id DESC LIMIT 1`,
      )
      .get()?.id ?? ""
  );
}
