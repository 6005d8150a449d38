import type { Core } from "../../base/core.ts";

/** Kinds of items with a daily limit. */
export type Counted = "posts" | "pictures" | "links";

/** Adds `n` to the span that begins at `beginsAt`. `now` becomes the end of the span. */
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

/** Selects a builder's spans that end after a time, newest first. */
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
