import {
  BookmarkView,
  bookmarkPost,
  listBookmarks,
  unbookmarkPost,
} from "../core/community/feed/bookmarks.ts";
import { readerViewsOf } from "../core/community/feed/likes.ts";
import {
  FOLLOWED_MAX,
  FollowedTagView,
  FollowingView,
  followBuilder,
  followTag,
  listFollowedTags,
  listFollowing,
  TagFollowingView,
  unfollowBuilder,
  unfollowTag,
} from "../core/community/following/following.ts";
import { withNodes } from "../core/base/page.ts";
import { USERNAME } from "../core/identity/builders/author.ts";
import { feedOperations } from "./feed.ts";
import { area, list, write } from "./operation.ts";
import { profileOperations } from "./profiles.ts";

/** The example names another member, because members cannot follow themselves. */
const other = { ...USERNAME, example: "cy" };
const tag = { name: "tag", description: "The tag, as a slug.", example: "rust" };
const post = {
  name: "id",
  description: "The identifier of the post or reply.",
  example: "post_01kafzq8e5f2r8v0j3n6s1t4wx",
};

export const followingOperations = area("Following", {
  followBuilder: write({
    route: "PUT /profiles/{username}/follow",
    summary: "Follow a builder",
    description: `Notifies the builder. Following twice changes nothing. You can follow up to ${FOLLOWED_MAX.builders.toLocaleString("en-US")} builders. If one of you blocks the other, neither of you follows the other any more.`,
    restDescription:
      "Returns 403 if the builder has blocked you or is suspended. Returns 409 if you have blocked the builder or have reached the limit. Returns 422 if you try to follow yourself.",
    scope: "profile:write",
    effect: "changes",
    param: other,
    view: FollowingView,
    refusals: [409, 422],
    responseDescription: "Whether you follow the builder, and how many followers the builder has",
    run: ({ core, caller, id }) => followBuilder(core, caller, id),
  }),
  unfollowBuilder: write({
    route: "DELETE /profiles/{username}/follow",
    summary: "Unfollow a builder",
    description: "Unfollowing twice changes nothing.",
    scope: "profile:write",
    effect: "changes",
    param: other,
    view: FollowingView,
    example: { following: false, followers: 11 },
    responseDescription: "Whether you follow the builder, and how many followers the builder has",
    run: ({ core, caller, id }) => unfollowBuilder(core, caller, id),
  }),
  listFollowing: list({
    route: "GET /profiles/me/following",
    summary: "List the builders you follow",
    description:
      "Returns public profiles, most recently followed first. Nobody else can read this list. Suspended builders are left out.",
    scope: "profile:read",
    view: profileOperations.getProfile.view,
    page: "ProfilePage",
    responseDescription: "One page of the builders you follow",
    run: ({ core, caller, page }) => listFollowing(core, caller, page) as never,
  }),
  followTag: write({
    route: "PUT /tags/{tag}/follow",
    summary: "Follow a tag",
    description: `You can follow a tag that no post uses yet. You can follow up to ${FOLLOWED_MAX.tags} tags. Following twice changes nothing.`,
    restDescription: "Returns 404 if the tag is not a valid slug, and 409 if you have reached the limit.",
    scope: "feed:write",
    effect: "changes",
    param: tag,
    view: TagFollowingView,
    refusals: [409],
    responseDescription: "Whether you follow the tag",
    run: ({ core, caller, id }) => followTag(core, caller, id),
  }),
  unfollowTag: write({
    route: "DELETE /tags/{tag}/follow",
    summary: "Unfollow a tag",
    description: "Unfollowing twice changes nothing.",
    scope: "feed:write",
    effect: "changes",
    param: tag,
    view: TagFollowingView,
    example: { following: false },
    responseDescription: "Whether you follow the tag",
    run: ({ core, caller, id }) => unfollowTag(core, caller, id),
  }),
  listFollowedTags: list({
    route: "GET /profiles/me/followed-tags",
    summary: "List the tags you follow",
    description: "Returns tags, most recently followed first.",
    scope: "feed:read",
    view: FollowedTagView,
    page: "FollowedTagPage",
    responseDescription: "One page of the tags you follow",
    run: ({ core, caller, page }) => listFollowedTags(core, caller, page),
  }),
  bookmarkPost: write({
    route: "PUT /feed/{id}/bookmark",
    summary: "Bookmark a post or reply",
    description: "Bookmarking a post twice changes nothing. Nobody else can see your bookmarks.",
    scope: "feed:write",
    effect: "changes",
    param: post,
    view: BookmarkView,
    responseDescription: "Whether the post is among your bookmarks",
    run: ({ core, caller, id }) => bookmarkPost(core, caller, id),
  }),
  unbookmarkPost: write({
    route: "DELETE /feed/{id}/bookmark",
    summary: "Remove a bookmark",
    description: "If the post is not among your bookmarks, nothing changes.",
    scope: "feed:write",
    effect: "changes",
    param: post,
    view: BookmarkView,
    example: { bookmarked: false },
    responseDescription: "Whether the post is among your bookmarks",
    run: ({ core, caller, id }) => unbookmarkPost(core, caller, id),
  }),
  listBookmarks: list({
    route: "GET /bookmarks",
    summary: "List your bookmarks",
    description:
      "Returns posts and replies, most recently bookmarked first. Hidden posts are left out until they are shown again.",
    scope: "feed:read",
    view: feedOperations.getPost.view,
    page: "BookmarkPage",
    responseDescription: "One page of your bookmarks",
    run({ core, caller, page: request }) {
      const page = listBookmarks(core, caller, request);
      return withNodes(page, readerViewsOf(core, caller, page.nodes)) as never;
    },
  }),
});
