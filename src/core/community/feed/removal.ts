import { type Caller, requireBuilder } from "../../identity/access/caller.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { forgetSubject } from "../../identity/notifications/notify.ts";
import { recordPublicEvent } from "../../outbox/events/events.ts";
import { withdrawSubject } from "../xp/xp.ts";
import { addReply, deleteTags, insertTags, type StoredPost, updateHidden } from "./feed-store.ts";
import {
  deletePostRow,
  findPostOf,
  markRemoved,
  type OwnPost,
  selectRemoved,
  selectReplyIds,
} from "./removal-store.ts";
import { findPost, isVisible, postFact, unknownPost } from "./feed.ts";
import { deleteSomeBookmarks } from "./bookmarks-store.ts";
import { deleteSomeLikes } from "./likes-store.ts";
import { deleteSomeRevisions } from "./revisions-store.ts";

/** So many rows are deleted at once, in a few ms: whoever deletes a famous post holds nobody up. */
const SLICE = 200;

/**
 * Deletes a post or reply of the caller's, a hidden one too, with its revisions and the likes and replies
 * under it; what answers a reply outlives it: from now on nobody finds any of them. Where they are many,
 * `dropRemovedPosts` deletes the rest. Needs `feed:write`. Throws not_found, and forbidden for somebody
 * else's: that it is there is no secret, as everybody may read it.
 */
export function deletePost(core: Core, caller: Caller, id: string): void {
  const { builderId } = requireBuilder(caller, "feed:write");
  core.db.transact(() => {
    const post = findPost(core, id);
    const isTheirs = post?.authorId === builderId;
    if (!post || !(isTheirs || isVisible(caller, post))) throw unknownPost();
    if (!isTheirs) throw refuse("post_not_yours");
    discard(core, post);
    if (post.hiddenAt === null) recordDeletions(core, post);
    withdrawSubject(core, id, "undone");
    deleteSlice(core, id, SLICE);
  });
}

/**
 * The same for some of the posts and replies of a builder whose account is being deleted: their ledger goes
 * with it, so nothing is withdrawn from it, and no event tells of it. Deletes at most `limit` rows and
 * returns how many. Asks no right: what calls it has. Call it in a transaction.
 */
export function dropPostsOf(core: Core, authorId: string, limit: number): number {
  let gone = 0;
  while (gone < limit) {
    const post = findPostOf(core, authorId);
    if (!post) break;
    if (post.removedAt === null) discard(core, post);
    gone += deleteSlice(core, post.id, limit - gone);
  }
  return gone;
}

/** Deletes what is left of deleted posts, a slice at a time. Called now and then. */
export async function dropRemovedPosts(core: Core): Promise<void> {
  while (await core.db.write(() => continueRemoval(core)));
}

/**
 * Hides a post or reply: nobody but its author and moderators finds it any more, and no count tells of it.
 * For moderation, which has asked the right. Returns whether there is such a post. Call it in a transaction.
 */
export function hidePost(core: Core, id: string): boolean {
  const post = findPost(core, id);
  if (post?.hiddenAt === null) {
    leaveLists(core, post);
    updateHidden(core, id, core.clock.now());
    recordDeletions(core, post);
  }
  return post !== undefined;
}

/** Takes that back. Otherwise the same. */
export function unhidePost(core: Core, id: string): boolean {
  const post = findPost(core, id);
  if (post !== undefined && post.hiddenAt !== null) {
    updateHidden(core, id, null);
    if (post.rootId !== null) addReply(core, post, 1);
    else {
      insertTags(core, post);
      recordPublicEvent(core, "post.updated", postFact(core, post), id);
    }
  }
  return post !== undefined;
}

/**
 * To who has heard of it by `post.created`: replies are not on the feed, and what was hidden has left it
 * before.
 */
function recordDeletions(core: Core, { id, rootId }: Pick<StoredPost, "id" | "rootId">): void {
  if (rootId === null) recordPublicEvent(core, "post.deleted", { post: { id } });
}

/** From now on nobody finds it. Its rows are deleted afterwards. */
function discard(core: Core, post: Omit<OwnPost, "removedAt">): void {
  if (post.hiddenAt === null) leaveLists(core, post);
  markRemoved(core, post.id, core.clock.now());
}

/** A reply is one of its post's; a post is found by its tags. */
function leaveLists(core: Core, post: Pick<OwnPost, "id" | "rootId" | "answeredId">): void {
  if (post.rootId === null) deleteTags(core, post.id);
  else addReply(core, post, -1);
}

/** Returns whether there was something to delete. */
function continueRemoval(core: Core): boolean {
  const id = selectRemoved(core);
  if (id !== undefined) deleteSlice(core, id, SLICE);
  return id !== undefined;
}

/**
 * Its likes, bookmarks, revisions, replies and notifications first, and the post itself with the last of
 * them. Each round deletes something, or the slice is used up. Returns how many rows went.
 */
function deleteSlice(core: Core, id: string, limit: number): number {
  let left = limit;
  for (const each of [...selectReplyIds(core, id, limit), id]) {
    left -= deleteSomeLikes(core, each, left);
    if (left > 0) left -= deleteSomeRevisions(core, each, left);
    if (left <= 0) break;
    left -= forgetSubject(core, each, left);
    if (left <= 0) break;
    left -= deleteSomeBookmarks(core, each, left);
    if (left <= 0) break;
    deletePostRow(core, each);
    left--;
  }
  return limit - left;
}
