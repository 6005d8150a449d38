import type { Db } from "../../base/db/open.ts";

/**
 * Counts of endpoints that are not removed. `failing` counts enabled endpoints that have been failing since
 * `before` or earlier. `off` counts endpoints that the server disabled.
 */
export interface EndpointCounts {
  all: number;
  on: number;
  failing: number;
  off: number;
}

export function countEndpoints(db: Db, before: number): EndpointCounts {
  return (
    db
      .prepare<EndpointCounts>(
        `SELECT count(*) AS "all", coalesce(sum(disabled_at IS NULL), 0) AS "on",
                coalesce(sum(disabled_at IS NULL AND failing_since <= ?), 0) AS failing,
                coalesce(sum(disabled_reason IN ('gone', 'failing_for_days', 'moved')), 0) AS off
         FROM webhook_endpoints WHERE removed_at IS NULL`,
      )
      .get(before) ?? { all: 0, on: 0, failing: 0, off: 0 }
  );
}

/**
 * Work of one kind that has been unfinished for too long: number of rows, and when the oldest row was
 * started.
 */
export interface Unfinished {
  what: "account" | "post" | "prompt" | "workspace" | "endpoint" | "event" | "job";
  rows: number;
  since: number;
}

export function selectUnfinished(db: Db, before: number): Unfinished[] {
  return db
    .prepare<Unfinished>(
      `WITH begun (what, since) AS (
         SELECT 'account', removed_at FROM builders b WHERE removed_at IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM pending_deletions WHERE builder_id = b.id AND state = 'hidden')
         UNION ALL SELECT 'post', removed_at FROM posts WHERE removed_at > 0
         UNION ALL SELECT 'prompt', removed_at FROM prompts WHERE removed_at > 0
         UNION ALL SELECT 'workspace', removed_at FROM workspaces WHERE removed_at IS NOT NULL
         UNION ALL SELECT 'endpoint', removed_at FROM webhook_endpoints WHERE removed_at IS NOT NULL
         UNION ALL SELECT 'event', e.created_at FROM fan_outs f CROSS JOIN events e ON e.id = f.event_id
         UNION ALL SELECT 'job', j.posted_at FROM job_matchings m CROSS JOIN jobs j ON j.id = m.job_id
       )
       SELECT what, count(*) AS rows, min(since) AS since FROM begun WHERE since <= ? GROUP BY what ORDER BY what`,
    )
    .all(before);
}
