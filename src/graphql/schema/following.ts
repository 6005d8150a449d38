import { type Bookmark, BookmarkView } from "../../core/community/feed/bookmarks.ts";
import { getPosts } from "../../core/community/feed/feed.ts";
import {
  type FollowedTag,
  FollowedTagView,
  type Following,
  FollowingView,
  getFollowedTags,
  TagFollowingView,
} from "../../core/community/following/following.ts";
import { refuse } from "../../core/base/errors.ts";
import { followingOperations } from "../../operations/following.ts";
import type { OperationRequest } from "../../operations/operation.ts";
import { mutationOf } from "../mutation.ts";
import { payloadOf } from "../outputs.ts";
import { derivedNode, namesOf } from "./derived-node.ts";
import { BuilderRef, connectionOf, PostRef } from "./refs.ts";

const FollowedTagRef = derivedNode<FollowedTag>("FollowedTag", FollowedTagView, {
  description: "A tag that you follow.",
  kind: "ftg",
  partsOf: ({ tag }, { builderId }) => [builderId ?? "", tag],
  many: (core, caller, parts) => getFollowedTags(core, caller, namesOf(parts)),
});
export const FollowedTagConnection = connectionOf(FollowedTagRef, "FollowedTag", "tags that you follow");

const FOLLOWING = {
  payload: {
    ...payloadOf(FollowingView),
    builder: {
      type: BuilderRef,
      description: "The builder. Reading the profile requires the `profile:read` scope.",
    },
  },
  toPayload: ({ builderId, following, followers }: Following) => ({
    following,
    followers,
    builder: { id: builderId },
  }),
};
const TAG_FOLLOWING = {
  payload: {
    ...payloadOf(TagFollowingView),
    tag: { type: "String", description: "The tag that you sent." },
  },
  toPayload: ({ following }: { following: boolean }, { id }: OperationRequest) => ({ following, tag: id }),
};
const BOOKMARK = {
  payload: {
    ...payloadOf(BookmarkView),
    post: { type: PostRef, description: "The post. Requires the `feed:read` scope." },
  },
  /**
   * The post is read only if the client selects it, because a client without permission to read posts may
   * save a bookmark.
   */
  toPayload: ({ bookmarked }: Bookmark, { core, caller, id }: OperationRequest) => ({
    bookmarked,
    get post() {
      const [post] = getPosts(core, caller, [id]);
      if (!post) throw refuse("post_unknown");
      return post;
    },
  }),
};

mutationOf(followingOperations.followBuilder, FOLLOWING);
mutationOf(followingOperations.unfollowBuilder, FOLLOWING);
mutationOf(followingOperations.followTag, TAG_FOLLOWING);
mutationOf(followingOperations.unfollowTag, TAG_FOLLOWING);
mutationOf(followingOperations.bookmarkPost, BOOKMARK);
mutationOf(followingOperations.unbookmarkPost, BOOKMARK);
