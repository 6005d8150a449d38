import { type Static, Type } from "@sinclair/typebox";
import { type Caller, requireBuilder, requireScope } from "../../identity/access/caller.ts";
import { notify, withdrawNotification } from "../../identity/notifications/notify.ts";
import type { Core } from "../../base/core.ts";
import { award, withdrawXp } from "../xp/xp.ts";
import { isVisible, type Post, publicPost, unknownPost } from "./feed.ts";
import { selectReadPost } from "./feed-store.ts";
import {
  addLikes,
  deleteLike,
  insertLike,
  selectLiked,
  selectLikesBy,
  selectReaderMarks,
} from "./likes-store.ts";

export const LikingView = Type.Object(
  {
    liked: Type.Boolean({ description: "Whether you like the post now.", examples: [true] }),
    likes: Type.Integer({ description: "The number of likes.", examples: [12] }),
  },
  { $id: "Liking" },
);
export type Liking = Static<typeof LikingView>;

/** Likes a post or reply as the caller. Idempotent. Needs `feed:write`. Throws not_found. */
export function likePost(core: Core, caller: Caller, postId: string): Liking {
  const { builderId } = requireBuilder(caller, "feed:write");
  return core.db.transact(() => {
    const post = publicPost(core, postId);
    if (!insertLike(core, postId, builderId, core.clock.now())) return likingOf(post, true, 0);
    addLikes(core, postId, 1);
    award(core, post.authorId, "like.received", postId, builderId);
    notify(core, { to: post.authorId, kind: "like", by: builderId, subject: { type: "post", id: postId } });
    return likingOf(post, true, 1);
  });
}

/** Removes the caller's like, if any. Needs `feed:write`. Throws not_found. */
export function unlikePost(core: Core, caller: Caller, postId: string): Liking {
  const { builderId } = requireBuilder(caller, "feed:write");
  return core.db.transact(() => {
    const post = publicPost(core, postId);
    const isGone = removeLike(core, { postId, authorId: post.authorId }, builderId);
    return likingOf(post, false, isGone ? -1 : 0);
  });
}

/**
 * Removes at most `limit` likes of a builder whose account is being deleted. Each removal has the same
 * effects as `unlikePost`. Returns the number of removed likes. The calling operation must check permissions.
 * Call it in a transaction.
 */
export function deleteLikesOf(core: Core, builderId: string, limit: number): number {
  return selectLikesBy(core, builderId, limit).filter((like) => removeLike(core, like, builderId)).length;
}

/** Returns whether the like existed. */
function removeLike(core: Core, like: { postId: string; authorId: string }, builderId: string): boolean {
  const { postId, authorId } = like;
  if (!deleteLike(core, postId, builderId)) return false;
  addLikes(core, postId, -1);
  withdrawXp(core, authorId, "like.received", postId, builderId);
  withdrawNotification(core, { kind: "like", by: builderId, subject: { type: "post", id: postId } });
  return true;
}

/**
 * Returns which of the posts the caller likes, with one query. The set is empty for a caller that is not a
 * builder. Needs `feed:read`.
 */
export function likedAmong(core: Core, caller: Caller, postIds: readonly string[]): ReadonlySet<string> {
  requireScope(caller, "feed:read");
  if (caller.builderId === null || postIds.length === 0) return new Set();
  return new Set(selectLiked(core, caller.builderId, postIds));
}

/**
 * Adds three values to each post: whether the reader likes the post, has bookmarked the post, and sees the
 * post although it is hidden. Uses one query for all posts. Needs `feed:read`.
 */
export function readerViewsOf<Read extends Post>(core: Core, caller: Caller, posts: readonly Read[]) {
  requireScope(caller, "feed:read");
  const ids = posts.map(({ id }) => id);
  const { builderId } = caller;
  const rows = builderId === null || ids.length === 0 ? [] : selectReaderMarks(core, builderId, ids);
  const marks = new Map(rows.map((row) => [row.id, row]));
  return posts.map((post) => ({
    ...post,
    liked: marks.get(post.id)?.liked === 1,
    bookmarked: marks.get(post.id)?.bookmarked === 1,
    hidden: post.hiddenAt !== null,
  }));
}

/** Returns the same as `getPost` and `readerViewsOf` with one query. Needs `feed:read`. Throws not_found. */
export function getReadPost(core: Core, caller: Caller, id: string) {
  requireScope(caller, "feed:read");
  const post = selectReadPost(core, id, caller.builderId);
  if (!post || !isVisible(caller, post)) throw unknownPost();
  return Object.assign(post, { hidden: post.hiddenAt !== null });
}

function likingOf(post: Post, liked: boolean, change: number): Liking {
  return { liked, likes: post.metrics.likes + change };
}
