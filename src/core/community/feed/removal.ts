import { type Caller, requireBuilder } from "../../identity/access/caller.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { forgetSubject } from "../../identity/notifications/notify.ts";
import { recordPublicEvent } from "../../outbox/events/events.ts";
import { forgetHeld } from "../holding/holding.ts";
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
import { findPost, isVisible, postPayload, unknownPost } from "./feed.ts";
import { deleteSomeBookmarks } from "./bookmarks-store.ts";
import { deleteSomeLikes } from "./likes-store.ts";
import { deleteSomeRevisions } from "./revisions-store.ts";

/**
 * Rows deleted per transaction. A batch takes a few ms, so deleting a popular post does not block other
 * writes.
 */
const BATCH = 200;

/**
 * Deletes a post or reply of the caller, hidden or not. Deletes its revisions, and the likes and replies
 * under it. If the caller deletes a reply, the answers to the reply are kept. All deleted content becomes
 * invisible at once. This call deletes the first batch of rows, and `dropRemovedPosts` deletes the other rows
 * later. Needs `feed:write`. Throws not_found. Throws forbidden for another member's post, because the post
 * is public and its existence is no secret.
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
    deleteBatch(core, id, BATCH);
  });
}

/**
 * Deletes at most `limit` rows of the posts and replies of a builder whose account is being deleted. Returns
 * the number of deleted rows. Records no event and leaves the ledger unchanged, because the ledger is deleted
 * with the account. The calling operation must check permissions. Call it in a transaction.
 */
export function dropPostsOf(core: Core, authorId: string, limit: number): number {
  let deleted = 0;
  while (deleted < limit) {
    const post = findPostOf(core, authorId);
    if (!post) break;
    if (post.removedAt === null) discard(core, post);
    deleted += deleteBatch(core, post.id, limit - deleted);
  }
  return deleted;
}

/** Deletes the remaining rows of deleted posts in batches. A periodic task calls this function. */
export async function dropRemovedPosts(core: Core): Promise<void> {
  while (await core.db.write(() => continueRemoval(core)));
}

/**
 * Hides a post or reply from everyone except its author and moderators, and from all counts. The moderation
 * code calls this function and checks permissions. `isSilent` records no event, because the removal of a
 * spammer records one for the whole account. Returns whether the post exists. Call it in a transaction.
 */
export function hidePost(core: Core, id: string, { isSilent = false } = {}): boolean {
  const post = findPost(core, id);
  if (post?.hiddenAt === null) {
    removeFromLists(core, post);
    updateHidden(core, id, core.clock.now());
    if (!isSilent) recordDeletions(core, post);
  }
  return post !== undefined;
}

/**
 * Makes a hidden post or reply public again. The moderation code calls this function and checks permissions.
 * Returns whether the post exists. Call it in a transaction.
 */
export function unhidePost(core: Core, id: string): boolean {
  const post = findPost(core, id);
  if (post !== undefined && post.hiddenAt !== null) {
    updateHidden(core, id, null);
    if (post.rootId !== null) addReply(core, post, 1);
    else {
      insertTags(core, post);
      recordPublicEvent(core, "post.updated", postPayload(core, post), id);
    }
  }
  return post !== undefined;
}

/**
 * Records `post.deleted` for a post of the feed, and nothing for a reply. Call it only for a visible post,
 * because hiding a post has already recorded `post.deleted`.
 */
function recordDeletions(core: Core, { id, rootId }: Pick<StoredPost, "id" | "rootId">): void {
  if (rootId === null) recordPublicEvent(core, "post.deleted", { post: { id } });
}

/** Makes a post invisible at once. The rows of the post are deleted later. */
function discard(core: Core, post: Omit<OwnPost, "removedAt">): void {
  if (post.hiddenAt === null) removeFromLists(core, post);
  else forgetHeld(core, post.id);
  markRemoved(core, post.id, core.clock.now());
}

/** Removes a feed post from its tags, or a reply from the reply counts. */
function removeFromLists(core: Core, post: Pick<OwnPost, "id" | "rootId" | "answeredId">): void {
  if (post.rootId === null) deleteTags(core, post.id);
  else addReply(core, post, -1);
}

/** Deletes one batch of rows of a deleted post. Returns false if no deleted post has rows left. */
function continueRemoval(core: Core): boolean {
  const id = selectRemoved(core);
  if (id !== undefined) deleteBatch(core, id, BATCH);
  return id !== undefined;
}

/**
 * Deletes up to `limit` rows of a post: its likes, bookmarks, revisions, notifications and replies, and its
 * own row last. Returns the number of deleted rows. Each call deletes at least one row, so repeated calls
 * end.
 */
function deleteBatch(core: Core, id: string, limit: number): number {
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
