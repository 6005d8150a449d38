import type { Core } from "../../base/core.ts";

interface ContentCounts {
  members: number;
  posts: number;
  replies: number;
  jobs: number;
  prompts: number;
}

/** Counts visible content. The counts are read from an index, except the count of members. */
export function countContent({ db }: Pick<Core, "db">): ContentCounts {
  const counted = db
    .prepare<ContentCounts>(
      `SELECT (SELECT count(*) FROM builders WHERE suspended_at IS NULL AND removed_at IS NULL) AS members,
         (SELECT count(*) FROM posts WHERE parent_id IS NULL AND hidden_at IS NULL) AS posts,
         (SELECT count(*) FROM posts WHERE parent_id IS NOT NULL AND hidden_at IS NULL) AS replies,
         (SELECT count(*) FROM jobs WHERE on_board = 1) AS jobs,
         (SELECT count(*) FROM prompts WHERE hidden_at IS NULL) AS prompts`,
    )
    .get();
  if (!counted) throw new Error("a count is one row");
  return counted;
}
