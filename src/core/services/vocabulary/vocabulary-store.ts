import type { Core } from "../../base/core.ts";

/** Selects the tags of the newest posts on the feed, as JSON. */
export function selectTags(core: Core, limit: number): string[] {
  return core.db
    .prepare<{ tags: string }>(
      `SELECT tags FROM posts INDEXED BY posts_feed
       WHERE parent_id IS NULL AND hidden_at IS NULL AND id < ? ORDER BY id DESC LIMIT ?`,
    )
    .all("post_~", limit)
    .map(({ tags }) => tags);
}

/** Selects the cities and stacks of the newest jobs on the board; stacks are JSON. */
export function selectJobValues(
  core: Core,
  postedAfter: number,
  limit: number,
): { city: string | null; stack: string }[] {
  return core.db
    .prepare<{ city: string | null; stack: string }>(
      `SELECT city, stack FROM jobs INDEXED BY jobs_on_board
       WHERE on_board = 1 AND seq <= ? AND posted_at > ? ORDER BY seq DESC LIMIT ?`,
    )
    .all(Number.MAX_SAFE_INTEGER, postedAfter, limit);
}

/** Selects the models and categories of the best prompts. */
export function selectPromptValues(core: Core, limit: number): { model: string; category: string }[] {
  return core.db
    .prepare<{ model: string; category: string }>(
      `SELECT model, category FROM prompts INDEXED BY prompts_by_rank
       WHERE hidden_at IS NULL AND rank <= ? ORDER BY rank DESC, id DESC LIMIT ?`,
    )
    .all(Number.MAX_SAFE_INTEGER, limit);
}

/** Selects tags with this prefix, in order. Each tag costs one search of the index, and not one per post. */
export function selectTagsFrom(core: Core, prefix: string, limit: number): string[] {
  const next = core.db.prepare<{ tag: string }>(
    "SELECT tag FROM post_tags WHERE tag >= ? AND tag < ? ORDER BY tag LIMIT 1",
  );
  const found: string[] = [];
  for (let from = prefix; found.length < limit;) {
    // `~` sorts after all characters of a slug, and a blank before all.
    const row = next.get(from, `${prefix}~`);
    if (!row) break;
    found.push(row.tag);
    from = `${row.tag} `;
  }
  return found;
}
