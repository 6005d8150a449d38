import type { Core } from "../../ground/core.ts";

/** Counts one in a span. */
export function addToSpan(core: Core, builderId: string, endsAt: number): void {
  core.db
    .prepare(
      `INSERT INTO quota_spans (builder_id, ends_at, posts) VALUES (?, ?, 1)
       ON CONFLICT (builder_id, ends_at) DO UPDATE SET posts = posts + 1`,
    )
    .run(builderId, endsAt);
}

/** What a builder's spans hold that end after a moment, the newest first. */
export function selectSpans(
  core: Core,
  builderId: string,
  after: number,
): { endsAt: number; posts: number }[] {
  return core.db
    .prepare<{ endsAt: number; posts: number }>(
      `SELECT ends_at AS endsAt, posts FROM quota_spans
       WHERE builder_id = ? AND ends_at > ? ORDER BY ends_at DESC`,
    )
    .all(builderId, after);
}

export function deleteSpans(core: Core, builderId: string, upTo: number): void {
  core.db.prepare("DELETE FROM quota_spans WHERE builder_id = ? AND ends_at <= ?").run(builderId, upTo);
}
