import type { Core } from "../../base/core.ts";

export function markRemoved(core: Core, postId: string, now: number): void {
  core.db
    .prepare("UPDATE posts SET hidden_at = coalesce(hidden_at, ?), removed_at = ? WHERE id = ?")
    .run(now, now, postId);
}

/** Returns a deleted post that still has rows to delete, if any. */
export function selectRemoved(core: Core): string | undefined {
  return core.db
    .prepare<{ id: string }>("SELECT id FROM posts WHERE removed_at > 0 ORDER BY removed_at LIMIT 1")
    .get()?.id;
}

/** The columns that are needed to remove a post from tags and reply counts. */
export interface OwnPost {
  id: string;
  rootId: string | null;
  answeredId: string | null;
  hiddenAt: number | null;
  removedAt: number | null;
}

/** Finds any post or reply of a builder, in any state. */
export function findPostOf(core: Core, authorId: string): OwnPost | undefined {
  return core.db
    .prepare<OwnPost>(
      `SELECT id, parent_id AS rootId, answered_id AS answeredId, hidden_at AS hiddenAt, removed_at AS removedAt
       FROM posts WHERE author_id = ? LIMIT 1`,
    )
    .get(authorId);
}

/**
 * Selects all replies in the conversation of a feed post. The result is empty for a reply, because answers to
 * a reply are kept when the reply is deleted.
 */
export function selectReplyIds(core: Core, rootId: string, limit: number): string[] {
  return core.db
    .prepare<{ id: string }>("SELECT id FROM posts WHERE parent_id = ? LIMIT ?")
    .all(rootId, limit)
    .map(({ id }) => id);
}

/** Deletes a post's own row. Its tags are deleted with the row. */
export function deletePostRow(core: Core, postId: string): void {
  core.db.prepare("DELETE FROM posts WHERE id = ?").run(postId);
}
