import { Type } from "@sinclair/typebox";
import {
  createPost,
  FeedFilter,
  getPost,
  listFeedInBrief,
  PostDraft,
  PostView,
  ReaderView,
  readFeedFilter,
  ReplyDraft,
} from "../core/community/feed/feed.ts";
import { readerViewsOf, likePost, LikingView, unlikePost } from "../core/community/feed/likes.ts";
import { deletePost } from "../core/community/feed/removal.ts";
import { listReplies, replyTo } from "../core/community/feed/replies.ts";
import { editPost, listRevisions, PostChange, RevisionView } from "../core/community/feed/revisions.ts";
import { withNodes } from "../core/base/page.ts";
import { pickFields, mergeViews } from "../core/base/view.ts";
import { area, list, read, write } from "./operation.ts";

// What the specification shows gains no field (docs/contract.md#1.1): so these are named field by field.
const CreatedPost = pickFields("CreatedPost", PostView, ["id", "author", "text", "tags", "createdAt"]);
const CreatedReply = Type.Object(
  {
    ...CreatedPost.properties,
    parentId: Type.String({ description: "What it answers.", examples: ["post_01kafzq8e5f2r8v0j3n6s1t4wx"] }),
    rootId: Type.String({
      description: "The post of the feed whose conversation it is in.",
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
/** To whom may write, and perhaps not read: so it does not say whether they like it. */
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
  description: "The identifier of a post or reply.",
  example: "post_01kafzq8e5f2r8v0j3n6s1t4wx",
};

export const feedOperations = area("Feed", {
  listFeed: list({
    at: "GET /feed",
    summary: "List public feed posts, newest first",
    description:
      "Replies are not in the feed. A tag or builder that nobody knows gives an empty page. Posts published while you page through neither shift nor repeat anything.",
    scope: "feed:read",
    filter: FeedFilter,
    view: FeedPost,
    page: "PostPage",
    gives: "One page of the feed",
    run: ({ core, caller, filter, page }) => listFeedInBrief(core, caller, readFeedFilter(filter), page),
  }),
  createPost: write({
    at: "POST /feed",
    summary: "Publish a post as yourself",
    description: "Fires `post.created`. The post is on disk when the answer arrives.",
    scope: "feed:write",
    effect: "makes",
    draft: PostDraft,
    view: CreatedPost,
    gives: "The post",
    run: ({ core, caller, draft }) => createPost(core, caller, draft),
    place: ({ id }) => `/feed/${id}`,
  }),
  getPost: read({
    at: "GET /feed/{id}",
    summary: "Retrieve a post or reply",
    description:
      "One that moderators hide is not there, and the replies to it with it, but for its author and for them.",
    scope: "feed:read",
    param,
    view: PostDetail,
    gives: "The post",
    run: ({ core, caller, id }) => readerViewsOf(core, caller, [getPost(core, caller, id)])[0] as never,
  }),
  editPost: write({
    at: "PATCH /feed/{id}",
    summary: "Edit a post or reply of your own",
    description:
      "What you leave out stays. What it said before stays among its revisions; an edit that changes nothing is none. Fires `post.updated` for a post that stands on the feed. A reply has no tags. Ten edits an hour and a hundred in all for each post; each counts as a post where the operator bounds how many one may publish.",
    restDescription:
      "403 for somebody else's; 409 where `revision` is not the current one any more, and for the hundred and first edit.",
    scope: "feed:write",
    effect: "changes",
    param,
    draft: PostChange,
    view: EditedPost,
    example: edited,
    refusals: [409],
    gives: "The post as it is now",
    run: ({ core, caller, id, draft }) => editPost(core, caller, id, draft),
  }),
  deletePost: write({
    at: "DELETE /feed/{id}",
    summary: "Delete a post or reply of your own",
    description: "Its likes and replies go with it.",
    restDescription: "403 for somebody else's.",
    scope: "feed:write",
    effect: "removes",
    param,
    gives: "It is gone",
    run: ({ core, caller, id }) => deletePost(core, caller, id),
  }),
  listRevisions: list({
    at: "GET /feed/{id}/revisions",
    summary: "List what a post or reply has said, newest first",
    description:
      "The first is what it says now. Whoever may read the post may read them; one that was never edited has one.",
    scope: "feed:read",
    param,
    view: RevisionView,
    page: "RevisionPage",
    gives: "One page of revisions",
    run: ({ core, caller, id, page }) => listRevisions(core, caller, id, page),
  }),
  listReplies: list({
    at: "GET /feed/{id}/replies",
    summary: "List the replies to a post or reply, oldest first",
    description:
      "Of a post of the feed all that was said under it, at whatever depth: `parent_id` tells what each answers. Of a reply what answers it.",
    scope: "feed:read",
    param,
    view: PostDetail,
    page: "ReplyPage",
    example: exampleReply,
    gives: "One page of the conversation",
    run({ core, caller, id, page: request }) {
      const page = listReplies(core, caller, id, request);
      return withNodes(page, readerViewsOf(core, caller, page.nodes));
    },
  }),
  replyToPost: write({
    at: "POST /feed/{id}/replies",
    summary: "Reply to a post or reply as yourself",
    description:
      "A reply to a reply joins the conversation that it is in. Fires no event, as a reply is not on the feed.",
    restDescription: "`parent_id` names what it answers, `root_id` the post of the feed above it.",
    scope: "feed:write",
    effect: "makes",
    param,
    draft: ReplyDraft,
    view: CreatedReply,
    example: exampleReply,
    gives: "The reply",
    run: ({ core, caller, id, draft }) => replyTo(core, caller, id, draft),
    place: ({ id }) => `/feed/${id}`,
  }),
  likePost: write({
    at: "PUT /feed/{id}/like",
    summary: "Like a post or reply",
    description: "Once however often it is asked.",
    scope: "feed:write",
    effect: "changes",
    param,
    view: LikingView,
    gives: "That you like it, and how many do",
    run: ({ core, caller, id }) => likePost(core, caller, id),
  }),
  unlikePost: write({
    at: "DELETE /feed/{id}/like",
    summary: "Take a like back",
    description: "Once however often it is asked.",
    scope: "feed:write",
    effect: "changes",
    param,
    view: LikingView,
    example: { liked: false, likes: 11 },
    gives: "That you do not like it, and how many do",
    run: ({ core, caller, id }) => unlikePost(core, caller, id),
  }),
});
