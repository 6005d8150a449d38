import { Type } from "@sinclair/typebox";
import type { Caller } from "../core/identity/access/caller.ts";
import { isoTime } from "../core/ground/clock.ts";
import type { Core } from "../core/ground/core.ts";
import {
  createPost,
  FeedFilter,
  getPost,
  listFeed,
  type Post,
  PostDraft,
  readFeedFilter,
  ReplyDraft,
} from "../core/community/feed/feed.ts";
import { likedAmong, likePost, unlikePost } from "../core/community/feed/likes.ts";
import { deletePost } from "../core/community/feed/removal.ts";
import { listReplies, replyTo } from "../core/community/feed/replies.ts";
import { operation } from "./operation.ts";
import { pageParameters, PageOf, pageRequest, presentPage } from "./page.ts";
import { Person } from "./parts.ts";

const created = {
  id: Type.String({ examples: ["post_01kafzq8e5f2r8v0j3n6s1t4wx"] }),
  author: Person,
  text: Type.String({ description: "Markdown, as it was sent." }),
  tags: Type.Array(Type.String()),
  created_at: Type.String({ format: "date-time" }),
};
const metrics = Type.Object({ likes: Type.Integer(), replies: Type.Integer() });
const parentId = Type.Union([Type.String(), Type.Null()], {
  description: "The post that it replies to; null for a post of the feed.",
});

const CreatedPost = Type.Object(created, { $id: "CreatedPost" });
const FeedPost = Type.Object({ ...created, metrics }, { $id: "Post" });
const CreatedReply = Type.Object({ ...created, parent_id: Type.String() }, { $id: "CreatedReply" });
const PostDetail = Type.Object(
  {
    ...created,
    metrics,
    parent_id: parentId,
    liked: Type.Boolean({ description: "Whether you like it." }),
    hidden: Type.Boolean({
      description: "Whether moderators hide it: then only its author and they are shown it.",
    }),
  },
  { $id: "PostDetail" },
);
const Liking = Type.Object({ liked: Type.Boolean(), likes: Type.Integer() }, { $id: "Liking" });

const FeedQuery = Type.Object({ ...pageParameters, ...FeedFilter.properties });

const examplePost = {
  id: "post_01kafzq8e5f2r8v0j3n6s1t4wx",
  author: { username: "ada", name: "Ada Okafor" },
  text: "# Shipped\n\nThe first release of our **queue** is out.",
  tags: ["rust", "shipped"],
  created_at: "2026-11-20T09:30:00.000Z",
};
const exampleReply = {
  id: "post_01kafzxgy2e8h9q4c7m5d3b6rk",
  author: { username: "bo", name: "Bo Lindqvist" },
  text: "Congratulations! Does it keep the order?",
  tags: [],
  created_at: "2026-11-20T09:34:12.000Z",
  parent_id: examplePost.id,
};
const exampleDetail = {
  ...examplePost,
  metrics: { likes: 12, replies: 3 },
  parent_id: null,
  liked: true,
  hidden: false,
};

const param = { name: "id", description: "The identifier of a post or reply.", example: examplePost.id };

export const feedOperations = [
  operation({
    id: "listFeed",
    method: "GET",
    path: "/feed",
    group: "Feed",
    summary: "List public feed posts, newest first",
    description:
      "Replies are not in the feed. A tag or builder that nobody knows gives an empty page. Posts published while you page through neither shift nor repeat anything.",
    scope: "feed:read",
    query: FeedQuery,
    answer: {
      status: 200,
      description: "One page of the feed",
      schema: PageOf("PostPage", FeedPost),
      example: { data: [{ ...examplePost, metrics: exampleDetail.metrics }], next: null },
    },
    refusals: [400],
    handle: ({ core, caller, query }) =>
      presentPage(listFeed(core, caller, readFeedFilter(query), pageRequest(query)), (post) => ({
        ...presentPost(post),
        metrics: post.metrics,
      })),
  }),
  operation({
    id: "createPost",
    method: "POST",
    path: "/feed",
    group: "Feed",
    summary: "Publish a post as yourself",
    description: "Fires `post.created`. The post is on disk when the answer arrives.",
    scope: "feed:write",
    body: PostDraft,
    answer: { status: 201, description: "The post", schema: CreatedPost, example: examplePost },
    refusals: [400, 409, 422],
    handle: ({ core, caller, body, commit }) =>
      commit(() => {
        const post = createPost(core, caller, body);
        return { status: 201, body: presentPost(post), headers: { location: `/v1/feed/${post.id}` } };
      }),
  }),
  operation({
    id: "getPost",
    method: "GET",
    path: "/feed/{id}",
    group: "Feed",
    summary: "Retrieve a post or reply",
    description:
      "One that moderators hide is a 404, and the replies to it with it, but for its author and for them.",
    scope: "feed:read",
    param,
    answer: { status: 200, description: "The post", schema: PostDetail, example: exampleDetail },
    refusals: [404],
    handle: ({ core, caller, id }) => {
      const post = getPost(core, caller, id);
      return { status: 200, body: presenter(core, caller, [post])(post) };
    },
  }),
  operation({
    id: "deletePost",
    method: "DELETE",
    path: "/feed/{id}",
    group: "Feed",
    summary: "Delete a post or reply of your own",
    description: "Its likes and replies go with it. 403 for somebody else's.",
    scope: "feed:write",
    param,
    answer: { status: 204, description: "It is gone" },
    refusals: [404],
    handle: ({ core, caller, id, commit }) =>
      commit(() => {
        deletePost(core, caller, id);
        return { status: 204 };
      }),
  }),
  operation({
    id: "listReplies",
    method: "GET",
    path: "/feed/{id}/replies",
    group: "Feed",
    summary: "List the replies to a post, oldest first",
    description: "A conversation is one level deep: a reply has no replies of its own.",
    scope: "feed:read",
    param: { ...param, description: "The post's identifier." },
    query: Type.Object(pageParameters),
    answer: {
      status: 200,
      description: "One page of the conversation",
      schema: PageOf("ReplyPage", PostDetail),
      example: {
        data: [{ ...exampleReply, metrics: { likes: 1, replies: 0 }, liked: false, hidden: false }],
        next: null,
      },
    },
    refusals: [400, 404],
    handle: ({ core, caller, id, query }) => {
      const page = listReplies(core, caller, id, pageRequest(query));
      return presentPage(page, presenter(core, caller, page.nodes));
    },
  }),
  operation({
    id: "replyToPost",
    method: "POST",
    path: "/feed/{id}/replies",
    group: "Feed",
    summary: "Reply to a post as yourself",
    description:
      "A reply to a reply joins the conversation that it is in: `parent_id` names the post. Fires no event, as a reply is not on the feed.",
    scope: "feed:write",
    param,
    body: ReplyDraft,
    answer: { status: 201, description: "The reply", schema: CreatedReply, example: exampleReply },
    refusals: [400, 404, 409, 422],
    handle: ({ core, caller, id, body, commit }) =>
      commit(() => {
        const reply = replyTo(core, caller, id, body);
        return {
          status: 201,
          body: { ...presentPost(reply), parent_id: reply.parentId },
          headers: { location: `/v1/feed/${reply.id}` },
        };
      }),
  }),
  operation({
    id: "likePost",
    method: "PUT",
    path: "/feed/{id}/like",
    group: "Feed",
    summary: "Like a post or reply",
    description: "Once however often it is asked.",
    scope: "feed:write",
    param,
    answer: {
      status: 200,
      description: "That you like it, and how many do",
      schema: Liking,
      example: { liked: true, likes: 12 },
    },
    refusals: [404],
    handle: ({ core, caller, id, commit }) =>
      commit(() => ({ status: 200, body: likePost(core, caller, id) })),
  }),
  operation({
    id: "unlikePost",
    method: "DELETE",
    path: "/feed/{id}/like",
    group: "Feed",
    summary: "Take a like back",
    description: "Once however often it is asked.",
    scope: "feed:write",
    param,
    answer: {
      status: 200,
      description: "That you do not like it, and how many do",
      schema: Liking,
      example: { liked: false, likes: 11 },
    },
    refusals: [404],
    handle: ({ core, caller, id, commit }) =>
      commit(() => ({ status: 200, body: unlikePost(core, caller, id) })),
  }),
];

/** A post as POST answers it; the feed adds `metrics` (§2). */
function presentPost(post: Post) {
  return {
    id: post.id,
    author: post.author,
    text: post.text,
    tags: post.tags,
    created_at: isoTime(post.createdAt),
  };
}

/** Presents each of these posts whole. Whether the caller likes them is one look for all. */
function presenter(core: Core, caller: Caller, posts: readonly Post[]): (post: Post) => unknown {
  const liked = likedAmong(
    core,
    caller,
    posts.map(({ id }) => id),
  );
  return (post) => ({
    ...presentPost(post),
    metrics: post.metrics,
    parent_id: post.parentId,
    liked: liked.has(post.id),
    hidden: post.hiddenAt !== null,
  });
}
