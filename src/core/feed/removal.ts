import { type Caller, requireBuilder } from "../access/caller.ts";
import type { Core } from "../core.ts";
import { forbidden } from "../errors.ts";
import { settleReports } from "../moderation/reports-store.ts";
import { withdrawSubject } from "../xp/xp.ts";
import {
  addReplies,
  deletePostRow,
  deleteTags,
  insertTags,
  markRemoved,
  selectRemoved,
  selectReplyIds,
  type StoredPost,
  updateHidden,
} from "./feed-store.ts";
import { findPost, isVisible, unknownPost } from "./feed.ts";
import { deleteSomeLikes } from "./likes-store.ts";

/** So many rows are deleted at once, in a few ms: whoever deletes a famous post holds nobody up. */
const SLICE = 200;

/**
 * Deletes a post or reply of the caller's, a hidden one too, with the likes and replies under it: from now on nobody finds any of
 * them. Where they are many, `dropRemovedPosts` deletes the rest. Needs `feed:write`. Throws not_found, and forbidden for somebody
 * else's: that it is there is no secret, as everybody may read it.
 */
export function deletePost(core: Core, caller: Caller, id: string): void {
  const { builderId } = requireBuilder(caller, "feed:write");
  core.db.transact(() => {
    const post = findPost(core, id);
    const isTheirs = post?.authorId === builderId;
    if (!post || !(isTheirs || isVisible(caller, post))) throw unknownPost();
    if (!isTheirs) throw forbidden("This post is somebody else's; you can delete only your own.");
    if (post.hiddenAt === null) leaveLists(core, post);
    markRemoved(core, id, core.clock.now());
    settleReports(core, id, { outcome: "gone", by: null });
    withdrawSubject(core, id, "undone");
    deleteSlice(core, id);
  });
}

/** Deletes what is left of deleted posts, a slice at a time. Called now and then. */
export async function dropRemovedPosts(core: Core): Promise<void> {
  while (await core.db.write(() => continueRemoval(core)));
}

/**
 * Hides a post or reply: nobody but its author and moderators finds it any more, and no count tells of it. For moderation, which has asked
 * the right. Returns whether there is such a post. Call it in a transaction.
 */
export function takeDown(core: Core, id: string): boolean {
  const post = findPost(core, id);
  if (post?.hiddenAt === null) {
    leaveLists(core, post);
    updateHidden(core, id, core.clock.now());
  }
  return post !== undefined;
}

/** Takes that back. Otherwise the same. */
export function putBack(core: Core, id: string): boolean {
  const post = findPost(core, id);
  if (post !== undefined && post.hiddenAt !== null) {
    updateHidden(core, id, null);
    if (post.parentId === null) insertTags(core, post);
    else addReplies(core, post.parentId, 1);
  }
  return post !== undefined;
}

/** A reply is one of its post's; a post is found by its tags. */
function leaveLists(core: Core, post: StoredPost): void {
  if (post.parentId === null) deleteTags(core, post.id);
  else addReplies(core, post.parentId, -1);
}

/** Returns whether there was something to delete. */
function continueRemoval(core: Core): boolean {
  const id = selectRemoved(core);
  if (id !== undefined) deleteSlice(core, id);
  return id !== undefined;
}

/** Its likes and replies first, and the post itself with the last of them. Each round deletes something, or the slice is used up. */
function deleteSlice(core: Core, id: string): void {
  let left = SLICE;
  for (const each of [...selectReplyIds(core, id, SLICE), id]) {
    left -= deleteSomeLikes(core, each, left);
    if (left <= 0) return;
    settleReports(core, each, { outcome: "gone", by: null });
    deletePostRow(core, each);
    left--;
  }
}
