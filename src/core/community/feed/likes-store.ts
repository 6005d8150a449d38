import type { Core } from "../../base/core.ts";
import { likes } from "../../base/db/schema.ts";

/** Stores a like. Returns false if the like already existed. */
export function insertLike(core: Core, postId: string, builderId: string, likedAt: number): boolean {
  return core.db.insertNew(likes, { postId, builderId, likedAt });
}

/** Deletes a like. Returns false if the like did not exist. */
export function deleteLike(core: Core, postId: string, builderId: string): boolean {
  return (
    core.db.prepare("DELETE FROM likes WHERE post_id = ? AND builder_id = ?").run(postId, builderId).changes >
    0
  );
}

/** Changes the like count in the post's row, so that reading a feed needs no other table. */
export function addLikes(core: Core, postId: string, change: 1 | -1): void {
  core.db.prepare("UPDATE posts SET likes = likes + ? WHERE id = ?").run(change, postId);
}

export function selectLiked(core: Core, builderId: string, postIds: readonly string[]): string[] {
  return core.db
    .prepare<{ id: string }>(
      `SELECT l.post_id AS id FROM json_each(?) wanted CROSS JOIN likes l ON l.post_id = wanted.value
       WHERE l.builder_id = ?`,
    )
    .all(JSON.stringify(postIds), builderId)
    .map(({ id }) => id);
}

export interface ReaderMarks {
  id: string;
  liked: 0 | 1;
  bookmarked: 0 | 1;
}

/** Selects, for each post, whether a builder likes the post and has bookmarked it. */
export function selectReaderMarks(core: Core, builderId: string, postIds: readonly string[]): ReaderMarks[] {
  return core.db
    .prepare<ReaderMarks>(
      `SELECT wanted.value AS id,
              EXISTS (SELECT 1 FROM likes WHERE post_id = wanted.value AND builder_id = ?) AS liked,
              EXISTS (SELECT 1 FROM bookmarks WHERE builder_id = ? AND post_id = wanted.value) AS bookmarked
       FROM json_each(?) wanted`,
    )
    .all(builderId, builderId, JSON.stringify(postIds));
}

/** Selects some of a builder's likes, each with the author of the liked post. */
export function selectLikesBy(
  core: Core,
  builderId: string,
  limit: number,
): { postId: string; authorId: string }[] {
  return core.db
    .prepare<{ postId: string; authorId: string }>(
      `SELECT l.post_id AS postId, p.author_id AS authorId
       FROM likes l INDEXED BY likes_by_builder CROSS JOIN posts p ON p.id = l.post_id
       WHERE l.builder_id = ? LIMIT ?`,
    )
    .all(builderId, limit);
}

/**
 * Deletes at most `limit` likes of a post that is being deleted, without updating the like count. Returns the
 * number of deleted rows.
 */
export function deleteSomeLikes(core: Core, postId: string, limit: number): number {
  return core.db
    .prepare(
      `DELETE FROM likes WHERE post_id = ? AND builder_id IN (SELECT builder_id FROM likes WHERE post_id = ? LIMIT ?)`,
    )
    .run(postId, postId, limit).changes;
}
