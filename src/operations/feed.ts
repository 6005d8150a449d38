import { Type } from "@sinclair/typebox";
import {
  createPost,
  FeedFilter,
  listFeedInBrief,
  PostDraft,
  PostView,
  ReaderView,
  readFeedFilter,
  ReplyDraft,
} from "../core/community/feed/feed.ts";
import {
  getReadPost,
  readerViewsOf,
  likePost,
  LikingView,
  unlikePost,
} from "../core/community/feed/likes.ts";
import { deletePost } from "../core/community/feed/removal.ts";
import { listReplies, replyTo } from "../core/community/feed/replies.ts";
import { editPost, listRevisions, PostChange, RevisionView } from "../core/community/feed/revisions.ts";
import { withNodes } from "../core/base/page.ts";
import { pickFields, mergeViews } from "../core/base/view.ts";
import { area, list, read, write } from "./operation.ts";

// Views of the specification must not gain fields (docs/contract.md#1.1), so each field is listed.
const CreatedPost = pickFields("CreatedPost", PostView, ["id", "author", "text", "tags", "createdAt"]);
const CreatedReply = Type.Object(
  {
    ...CreatedPost.properties,
    parentId: Type.String({
      description: "The identifier of the post or reply that this reply answers.",
      examples: ["post_01kafzq8e5f2r8v0j3n6s1t4wx"],
    }),
    rootId: Type.String({
      description: "The identifier of the post that started the conversation.",
      examples: ["post_01kafzq8e5f2r8v0j3n6s1t4wx"],
    }),
  },
  { $id: "CreatedReply" },
);
const FeedPost = Type.Object(
  { ...CreatedPost.properties, metrics: PostView.properties.metrics },
  { $id: "Post" },
);
const { media: _media, ...detail } = PostView.properties;
/**
 * Leaves out whether the caller likes the post. A token can have the scope to write without the scope to
 * read.
 */
const EditedPost = Type.Object(PostView.properties, { $id: "EditedPost" });
const PostDetail = mergeViews("PostDetail", Type.Object(detail), ReaderView);

const exampleReply = {
  text: "Congratulations! Does it keep the order?",
  tags: [],
  parent_id: "post_01kafzq8e5f2r8v0j3n6s1t4wx",
  root_id: "post_01kafzq8e5f2r8v0j3n6s1t4wx",
};
const edited = { edited_at: "2026-11-20T09:41:00.000Z", revision: "rev_01kafzrw3te8n8z5s3b2d7q9hx" };
const param = {
  name: "id",
  description: "The identifier of the post or reply.",
  example: "post_01kafzq8e5f2r8v0j3n6s1t4wx",
};

export const feedOperations = area("Feed", {
  listFeed: list({
    route: "GET /feed",
    summary: "List posts in the feed",
    description:
      "Returns posts, newest first. Replies are not included. An unknown tag or author returns an empty page. While you page, new posts do not shift or repeat items.",
    scope: "feed:read",
    filter: FeedFilter,
    view: FeedPost,
    page: "PostPage",
    responseDescription: "One page of posts",
    run: ({ core, caller, filter, page }) => listFeedInBrief(core, caller, readFeedFilter(filter), page),
  }),
  createPost: write({
    route: "POST /feed",
    summary: "Publish a post",
    description: "Fires `post.created`. The post is on disk before the response is sent.",
    scope: "feed:write",
    effect: "creates",
    draft: PostDraft,
    view: CreatedPost,
    responseDescription: "The post",
    run: ({ core, caller, draft }) => createPost(core, caller, draft),
    locationOf: ({ id }) => `/feed/${id}`,
  }),
  getPost: read({
    route: "GET /feed/{id}",
    summary: "Retrieve a post or reply",
    description:
      "Returns the post, its metrics, and whether you have liked or bookmarked it. A hidden post and its replies are visible only to its author and the moderators.",
    restDescription: "Returns 404 for a post that you may not see.",
    scope: "feed:read",
    param,
    view: PostDetail,
    responseDescription: "The post",
    run: ({ core, caller, id }) => getReadPost(core, caller, id),
  }),
  editPost: write({
    route: "PATCH /feed/{id}",
    summary: "Edit your own post or reply",
    description:
      "Changes the fields you send and keeps the others. The previous text stays in the revisions. An edit that changes nothing creates no revision. Editing a post in the feed fires `post.updated`. A reply has no tags. You can edit a post 10 times an hour, and 100 times in total. If the operator limits how many posts a builder can publish, each edit counts as a post.",
    restDescription:
      "Returns 403 for another builder's post. Returns 409 if `revision` is not the current revision, or after 100 edits.",
    scope: "feed:write",
    effect: "changes",
    param,
    draft: PostChange,
    view: EditedPost,
    example: edited,
    refusals: [409],
    responseDescription: "The edited post",
    run: ({ core, caller, id, draft }) => editPost(core, caller, id, draft),
  }),
  deletePost: write({
    route: "DELETE /feed/{id}",
    summary: "Delete your own post or reply",
    description:
      "Deletes a post with its likes and replies. Deleting a reply keeps the answers to that reply.",
    restDescription: "Returns 403 for another builder's post.",
    scope: "feed:write",
    effect: "removes",
    param,
    responseDescription: "The post is deleted",
    run: ({ core, caller, id }) => deletePost(core, caller, id),
  }),
  listRevisions: list({
    route: "GET /feed/{id}/revisions",
    summary: "List the revisions of a post",
    description:
      "Returns every revision, newest first. The first revision is the current text. A post that was never edited has one revision. Anyone who can read the post can read its revisions.",
    scope: "feed:read",
    param,
    view: RevisionView,
    page: "RevisionPage",
    responseDescription: "One page of revisions",
    run: ({ core, caller, id, page }) => listRevisions(core, caller, id, page),
  }),
  listReplies: list({
    route: "GET /feed/{id}/replies",
    summary: "List the replies to a post",
    description:
      "Returns replies, oldest first. For a post in the feed, you get all replies in the conversation, at any depth. `parent_id` says what each reply answers. For a reply, you get only the answers to that reply.",
    scope: "feed:read",
    param,
    view: PostDetail,
    page: "ReplyPage",
    example: exampleReply,
    responseDescription: "One page of the conversation",
    run({ core, caller, id, page: request }) {
      const page = listReplies(core, caller, id, request);
      return withNodes(page, readerViewsOf(core, caller, page.nodes));
    },
  }),
  replyToPost: write({
    route: "POST /feed/{id}/replies",
    summary: "Reply to a post or reply",
    description:
      "The reply joins the conversation of the post. Replies are not in the feed and fire no event.",
    restDescription:
      "`parent_id` identifies the post or reply that you answer. `root_id` identifies the post that started the conversation.",
    scope: "feed:write",
    effect: "creates",
    param,
    draft: ReplyDraft,
    view: CreatedReply,
    example: exampleReply,
    responseDescription: "The reply",
    run: ({ core, caller, id, draft }) => replyTo(core, caller, id, draft),
    locationOf: ({ id }) => `/feed/${id}`,
  }),
  likePost: write({
    route: "PUT /feed/{id}/like",
    summary: "Like a post or reply",
    description: "Liking a post twice changes nothing.",
    scope: "feed:write",
    effect: "changes",
    param,
    view: LikingView,
    responseDescription: "Whether you like the post, and how many likes the post has",
    run: ({ core, caller, id }) => likePost(core, caller, id),
  }),
  unlikePost: write({
    route: "DELETE /feed/{id}/like",
    summary: "Remove your like",
    description: "If you do not like the post, nothing changes.",
    scope: "feed:write",
    effect: "changes",
    param,
    view: LikingView,
    example: { liked: false, likes: 11 },
    responseDescription: "Whether you like the post, and how many likes the post has",
    run: ({ core, caller, id }) => unlikePost(core, caller, id),
  }),
});
