import type { Core } from "../../base/core.ts";
import { bookmarks } from "../../base/db/schema.ts";
import { descending, type PageRequest } from "../../base/page.ts";

/** Inserts a bookmark. If the bookmark already exists, it keeps its time. */
export function insertBookmark(core: Core, row: typeof bookmarks.$inferInsert): void {
  core.db.insertNew(bookmarks, row);
}

/** Returns whether a bookmark existed. */
export function deleteBookmark(core: Core, builderId: string, postId: string): boolean {
  return (
    core.db.prepare("DELETE FROM bookmarks WHERE builder_id = ? AND post_id = ?").run(builderId, postId)
      .changes > 0
  );
}

export function selectBookmarked(core: Core, builderId: string, postIds: readonly string[]): string[] {
  return core.db
    .prepare<{ id: string }>(
      `SELECT m.post_id AS id FROM json_each(?) wanted
       CROSS JOIN bookmarks m ON m.builder_id = ? AND m.post_id = wanted.value`,
    )
    .all(JSON.stringify(postIds), builderId)
    .map(({ id }) => id);
}

export interface Bookmarked {
  id: string;
  /** Time of the bookmark, in ms since the epoch. */
  createdAt: number;
}

/**
 * Selects the public posts among the bookmarks, newest bookmark first, or oldest first for a backward
 * request.
 */
export function selectBookmarks(
  core: Core,
  builderId: string,
  request: PageRequest,
  from: readonly [number, string] | undefined,
): Bookmarked[] {
  const { beyond, order } = descending(request);
  const [at, id] = from ?? (request.backwards ? [-1, ""] : [Number.MAX_SAFE_INTEGER, ""]);
  return core.db
    .prepare<Bookmarked>(
      `SELECT m.post_id AS id, m.created_at AS createdAt
       FROM bookmarks m CROSS JOIN posts p ON p.id = m.post_id LEFT JOIN posts parent ON parent.id = p.parent_id
       WHERE m.builder_id = ? AND (m.created_at, m.post_id) ${beyond} (?, ?)
         AND p.hidden_at IS NULL AND parent.hidden_at IS NULL
       ORDER BY m.created_at ${order}, m.post_id ${order} LIMIT ?`,
    )
    .all(builderId, at, id, request.limit + 1);
}

/** Deletes at most `limit` bookmarks of a post that is being deleted. Returns the number of deleted rows. */
export function deleteSomeBookmarks(core: Core, postId: string, limit: number): number {
  return core.db
    .prepare(
      `DELETE FROM bookmarks WHERE post_id = ? AND builder_id IN
         (SELECT builder_id FROM bookmarks WHERE post_id = ? LIMIT ?)`,
    )
    .run(postId, postId, limit).changes;
}
