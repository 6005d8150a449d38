import type { Db } from "../../base/db/open.ts";

/** Returns the newest time among events, audit entries and posts; undefined if there are none. */
export function selectNewest(db: Db): number | undefined {
  const { at } = db
    .prepare<{ at: number | null }>(
      `SELECT max(at) AS at FROM (
         SELECT * FROM (SELECT created_at AS at FROM events ORDER BY id DESC LIMIT 1)
         UNION ALL SELECT * FROM (SELECT created_at FROM audit_entries ORDER BY id DESC LIMIT 1)
         UNION ALL SELECT * FROM (SELECT created_at FROM posts ORDER BY id DESC LIMIT 1)
       )`,
    )
    .get() as { at: number | null };
  return at ?? undefined;
}
