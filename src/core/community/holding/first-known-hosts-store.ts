import type { Core } from "../../base/core.ts";

export interface WrittenText {
  id: string;
  authorId: string;
  text: string;
  createdAt: number;
}

/** Selects visible posts and replies after `afterId`, oldest first. */
export function selectTextsAfter(core: Core, afterId: string, limit: number): WrittenText[] {
  return core.db
    .prepare<WrittenText>(
      `SELECT id, author_id AS authorId, text, created_at AS createdAt FROM posts
       WHERE id > ? AND hidden_at IS NULL AND removed_at IS NULL ORDER BY id LIMIT ?`,
    )
    .all(afterId, limit);
}
