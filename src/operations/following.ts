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

/** Nobody follows themselves. */
const other = { ...USERNAME, example: "cy" };
const tag = { name: "tag", description: "The tag's slug.", example: "rust" };
const post = {
  name: "id",
  description: "The identifier of a post or reply.",
  example: "post_01kafzq8e5f2r8v0j3n6s1t4wx",
};

export const followingOperations = area("Following", {
  followBuilder: write({
    at: "PUT /profiles/{username}/follow",
    summary: "Follow a builder",
    description: `Once however often it is asked; they are told. At most ${FOLLOWED_MAX.builders.toLocaleString("en-US")} builders. Blocking ends it, both ways.`,
    restDescription:
      "Whoever has blocked you, and one who is suspended, is 403; one whom you have blocked, and one too many, 409; yourself 422.",
    scope: "profile:write",
    effect: "changes",
    param: other,
    view: FollowingView,
    refusals: [409, 422],
    gives: "That you follow them, and how many do",
    run: ({ core, caller, id }) => followBuilder(core, caller, id),
  }),
  unfollowBuilder: write({
    at: "DELETE /profiles/{username}/follow",
    summary: "Follow a builder no more",
    description: "Once however often it is asked.",
    scope: "profile:write",
    effect: "changes",
    param: other,
    view: FollowingView,
    example: { following: false, followers: 11 },
    gives: "That you do not follow them, and how many do",
    run: ({ core, caller, id }) => unfollowBuilder(core, caller, id),
  }),
  listFollowing: list({
    at: "GET /profiles/me/following",
    summary: "List whom you follow, the latest first",
    description: "Each as their public profile. Nobody else can ask. Nobody is in it who is suspended.",
    scope: "profile:read",
    view: profileOperations.getProfile.view,
    page: "ProfilePage",
    gives: "One page of those you follow",
    run: ({ core, caller, page }) => listFollowing(core, caller, page) as never,
  }),
  followTag: write({
    at: "PUT /tags/{tag}/follow",
    summary: "Follow a tag",
    description: `Once however often it is asked, and before anybody has posted under it. At most ${FOLLOWED_MAX.tags} tags.`,
    restDescription: "What no tag can be is 404, one too many 409.",
    scope: "feed:write",
    effect: "changes",
    param: tag,
    view: TagFollowingView,
    refusals: [409],
    gives: "That you follow it",
    run: ({ core, caller, id }) => followTag(core, caller, id),
  }),
  unfollowTag: write({
    at: "DELETE /tags/{tag}/follow",
    summary: "Follow a tag no more",
    description: "Once however often it is asked.",
    scope: "feed:write",
    effect: "changes",
    param: tag,
    view: TagFollowingView,
    example: { following: false },
    gives: "That you do not follow it",
    run: ({ core, caller, id }) => unfollowTag(core, caller, id),
  }),
  listFollowedTags: list({
    at: "GET /profiles/me/followed-tags",
    summary: "List the tags that you follow, the latest first",
    scope: "feed:read",
    view: FollowedTagView,
    page: "FollowedTagPage",
    gives: "One page of the tags you follow",
    run: ({ core, caller, page }) => listFollowedTags(core, caller, page),
  }),
  bookmarkPost: write({
    at: "PUT /feed/{id}/bookmark",
    summary: "Keep a post or reply",
    description: "Once however often it is asked. Nobody else knows of it.",
    scope: "feed:write",
    effect: "changes",
    param: post,
    view: BookmarkView,
    gives: "That you keep it",
    run: ({ core, caller, id }) => bookmarkPost(core, caller, id),
  }),
  unbookmarkPost: write({
    at: "DELETE /feed/{id}/bookmark",
    summary: "Keep a post or reply no more",
    description: "Once however often it is asked.",
    scope: "feed:write",
    effect: "changes",
    param: post,
    view: BookmarkView,
    example: { bookmarked: false },
    gives: "That you do not keep it",
    run: ({ core, caller, id }) => unbookmarkPost(core, caller, id),
  }),
  listBookmarks: list({
    at: "GET /bookmarks",
    summary: "List the posts and replies that you keep, the latest kept first",
    description: "What is hidden is not among them until it is restored.",
    scope: "feed:read",
    view: feedOperations.getPost.view,
    page: "BookmarkPage",
    gives: "One page of your bookmarks",
    run({ core, caller, page: request }) {
      const page = listBookmarks(core, caller, request);
      return withNodes(page, readerViewsOf(core, caller, page.nodes)) as never;
    },
  }),
});
