import { type Static, Type } from "@sinclair/typebox";
import { type Caller, requireBuilder, requireScope } from "../../identity/access/caller.ts";
import type { Core } from "../../base/core.ts";
import { isId } from "../../base/ids.ts";
import { cursorKey, type CursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { deleteBookmark, insertBookmark, selectBookmarked, selectBookmarks } from "./bookmarks-store.ts";
import { getPosts, type Post, publicPost } from "./feed.ts";

export const BookmarkView = Type.Object(
  {
    bookmarked: Type.Boolean({
      description: "Whether the post is among your bookmarks now.",
      examples: [true],
    }),
  },
  { $id: "Bookmark" },
);
export type Bookmark = Static<typeof BookmarkView>;

/**
 * Bookmarks a post or reply for the caller. Idempotent. Only the caller sees the bookmark. Needs
 * `feed:write`. Throws not_found.
 */
export function bookmarkPost(core: Core, caller: Caller, postId: string): Bookmark {
  const { builderId } = requireBuilder(caller, "feed:write");
  core.db.transact(() => {
    publicPost(core, postId);
    insertBookmark(core, { builderId, postId, createdAt: core.clock.now() });
  });
  return { bookmarked: true };
}

/**
 * Removes the caller's bookmark, even if the post has been hidden since. Idempotent. Needs `feed:write`.
 * Throws not_found.
 */
export function unbookmarkPost(core: Core, caller: Caller, postId: string): Bookmark {
  const { builderId } = requireBuilder(caller, "feed:write");
  core.db.transact(() => {
    if (!deleteBookmark(core, builderId, postId)) publicPost(core, postId);
  });
  return { bookmarked: false };
}

/** A post that the caller has bookmarked. */
export interface BookmarkedPost extends Post {
  /** Time of the bookmark, in ms since the epoch. */
  bookmarkedAt: number;
}

/**
 * Returns the caller's bookmarked posts and replies. The newest bookmark is first. Leaves out hidden posts
 * until the posts are restored. Needs `feed:read`. Throws bad_request for a cursor of another list.
 */
export function listBookmarks(core: Core, caller: Caller, request: PageRequest): Page<BookmarkedPost> {
  const { builderId } = requireBuilder(caller, "feed:read");
  const scope = { list: "bookmarks", filters: { builderId } };
  const key = cursorKey(request, scope, isBookmarkKey);
  const kept = selectBookmarks(core, builderId, request, key);
  const ids = kept.map(({ id }) => id);
  const posts = new Map(getPosts(core, caller, ids).map((post) => [post.id, post]));
  const rows = kept.flatMap(({ id, createdAt }) => {
    const post = posts.get(id);
    return post ? [{ ...post, bookmarkedAt: createdAt }] : [];
  });
  return pageOf(rows, request, scope, (post) => [post.bookmarkedAt, post.id]);
}

/**
 * Returns which of the posts the caller has bookmarked, with one query. The set is empty for a caller that is
 * not a builder. Needs `feed:read`.
 */
export function bookmarkedAmong(core: Core, caller: Caller, postIds: readonly string[]): ReadonlySet<string> {
  requireScope(caller, "feed:read");
  if (caller.builderId === null || postIds.length === 0) return new Set();
  return new Set(selectBookmarked(core, caller.builderId, postIds));
}

function isBookmarkKey(key: CursorKey): key is [number, string] {
  return key.length === 2 && typeof key[0] === "number" && isId("post", key[1]);
}
