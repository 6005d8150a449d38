import type { Core } from "../../base/core.ts";

/** What is counted within a day. */
export type Counted = "posts" | "pictures" | "links";

/** Counts `n` more in the span that begins at `beginsAt`; it ends `now`, with the latest that it counts. */
export function addToSpan(
  core: Core,
  builderId: string,
  kind: Counted,
  { beginsAt, now, n }: { beginsAt: number; now: number; n: number },
): void {
  const counted = core.db
    .prepare<{ n: number }>(
      "DELETE FROM quota_spans WHERE builder_id = ? AND kind = ? AND ends_at >= ? RETURNING n",
    )
    .all(builderId, kind, beginsAt);
  core.db
    .prepare(
      `INSERT INTO quota_spans (builder_id, kind, ends_at, n) VALUES (?, ?, ?, ?)
       ON CONFLICT (builder_id, kind, ends_at) DO UPDATE SET n = n + excluded.n`,
    )
    .run(
      builderId,
      kind,
      now,
      counted.reduce((sum, span) => sum + span.n, n),
    );
}

/** What a builder's spans hold that end after a moment, the newest first. */
export function selectSpans(
  core: Core,
  builderId: string,
  kind: Counted,
  after: number,
): { endsAt: number; n: number }[] {
  return core.db
    .prepare<{ endsAt: number; n: number }>(
      `SELECT ends_at AS endsAt, n FROM quota_spans
       WHERE builder_id = ? AND kind = ? AND ends_at > ? ORDER BY ends_at DESC`,
    )
    .all(builderId, kind, after);
}

export function deleteSpans(core: Core, builderId: string, kind: Counted, upTo: number): void {
  core.db
    .prepare("DELETE FROM quota_spans WHERE builder_id = ? AND kind = ? AND ends_at <= ?")
    .run(builderId, kind, upTo);
}
