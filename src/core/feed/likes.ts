import { type Caller, requireBuilder, requireScope } from "../access/caller.ts";
import type { Core } from "../core.ts";
import { award, withdraw } from "../xp/xp.ts";
import { type Post, publicPost } from "./feed.ts";
import { addLikes, deleteLike, insertLike, selectLiked } from "./likes-store.ts";

/** Whether the caller likes a post, and how many do. */
export interface Liking {
  liked: boolean;
  likes: number;
}

/** Likes a post or reply as the caller, once however often it is asked. Needs `feed:write`. Throws not_found. */
export function likePost(core: Core, caller: Caller, postId: string): Liking {
  const { builderId } = requireBuilder(caller, "feed:write");
  return core.db.transact(() => {
    const post = publicPost(core, postId);
    if (!insertLike(core, postId, builderId, core.clock.now())) return likingOf(post, true, 0);
    addLikes(core, postId, 1);
    award(core, post.authorId, "like.received", postId, builderId);
    return likingOf(post, true, 1);
  });
}

/** Takes the like back, where there is one. Otherwise the same. */
export function unlikePost(core: Core, caller: Caller, postId: string): Liking {
  const { builderId } = requireBuilder(caller, "feed:write");
  return core.db.transact(() => {
    const post = publicPost(core, postId);
    if (!deleteLike(core, postId, builderId)) return likingOf(post, false, 0);
    addLikes(core, postId, -1);
    withdraw(core, post.authorId, "like.received", postId, builderId);
    return likingOf(post, false, -1);
  });
}

/** Which of these posts the caller likes, in one look for all of them; none for one who is no builder. Needs `feed:read`. */
export function likedAmong(core: Core, caller: Caller, postIds: readonly string[]): ReadonlySet<string> {
  requireScope(caller, "feed:read");
  if (caller.builderId === null || postIds.length === 0) return new Set();
  return new Set(selectLiked(core, caller.builderId, postIds));
}

function likingOf(post: Post, liked: boolean, change: number): Liking {
  return { liked, likes: post.metrics.likes + change };
}
