import type { Core } from "../../base/core.ts";
import { likes } from "../../base/db/schema.ts";

/** Returns whether it is new. */
export function insertLike(core: Core, postId: string, builderId: string, likedAt: number): boolean {
  return core.db.insertNew(likes, { postId, builderId, likedAt });
}

/** Returns whether there was one. */
export function deleteLike(core: Core, postId: string, builderId: string): boolean {
  return (
    core.db.prepare("DELETE FROM likes WHERE post_id = ? AND builder_id = ?").run(postId, builderId).changes >
    0
  );
}

/** The count stands in the post's own row, so that a feed reads nothing else. */
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

/** Some of a builder's likes, with whose post each is of. */
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

/** How many went. For a post that is being deleted: counts nothing. */
export function deleteSomeLikes(core: Core, postId: string, limit: number): number {
  return core.db
    .prepare(
      `DELETE FROM likes WHERE post_id = ? AND builder_id IN (SELECT builder_id FROM likes WHERE post_id = ? LIMIT ?)`,
    )
    .run(postId, postId, limit).changes;
}
