import { refuse } from "../../core/ground/errors.ts";
import {
  createPost,
  FeedFilter,
  getPost,
  getPosts,
  listFeed,
  PostDraft,
  readFeedFilter,
  ReplyDraft,
} from "../../core/community/feed/feed.ts";
import { type PostAbilities, postAbilities } from "../../core/community/feed/abilities.ts";
import { likedAmong, likePost, unlikePost } from "../../core/community/feed/likes.ts";
import { deletePost } from "../../core/community/feed/removal.ts";
import { listRepliesOf, replyTo } from "../../core/community/feed/replies.ts";
import { byId } from "../batch.ts";
import { builder } from "../builder.ts";
import { type ConnectionArgs, listed, pageOf } from "../connection.ts";
import { fieldsOf, readFilter } from "../inputs.ts";
import { renderedHtml } from "../made.ts";
import { mutation } from "../mutation.ts";
import { HTML, BuilderRef, node, PostConnection, PostRef } from "./refs.ts";

const Metrics = builder.objectRef<{ likes: number; replies: number }>("PostMetrics").implement({
  description: "What others made of a post.",
  fields: (t) => ({
    likes: t.exposeInt("likes", { description: "How many builders like it." }),
    replies: t.exposeInt("replies", { description: "How many replies it has." }),
  }),
});

node(PostRef, {
  description: "A post of the feed, or a reply to one.",
  fields: (t) => {
    /** Whether the caller may do something: asked for all posts of a page together. */
    const can = (ability: keyof PostAbilities, description: string) =>
      t.boolean({
        description,
        resolve: async ({ id }, _, { core, caller, batch }) =>
          (await batch("post abilities", id, (ids) => postAbilities(core, caller, ids)))?.[ability] ?? false,
      });
    return {
      author: t.field({
        type: BuilderRef,
        description: "Whose it is.",
        resolve: ({ authorId, author }) => ({ id: authorId, username: author.username, name: author.name }),
      }),
      text: t.exposeString("text", { description: "Markdown, as it was sent." }),
      textHtml: t.string({
        description: HTML,
        resolve: ({ text }, _, context) => renderedHtml(context, text),
      }),
      url: t.string({
        description: "Its page.",
        resolve: ({ id }, _, { core }) => `${core.origin}/posts/${id}`,
      }),
      tags: t.exposeStringList("tags", { description: "Tag slugs." }),
      media: t.exposeStringList("media", { description: "Addresses of images or short videos." }),
      createdAt: t.field({
        type: "DateTime",
        description: "When it was published.",
        resolve: ({ createdAt }) => createdAt,
      }),
      metrics: t.field({
        type: Metrics,
        description: "Likes and replies, counted.",
        resolve: ({ metrics }) => metrics,
      }),
      parent: t.field({
        type: PostRef,
        nullable: true,
        description: "The post that it replies to; null for a post of the feed.",
        resolve: ({ parentId }, _, { core, caller, batch }) =>
          parentId === null ? null : batch("posts", parentId, (ids) => byId(getPosts(core, caller, ids))),
      }),
      liked: t.boolean({
        description: "Whether you like it.",
        resolve: async ({ id }, _, { core, caller, batch }) =>
          (await batch(
            "liked",
            id,
            (ids) => new Map([...likedAmong(core, caller, ids)].map((one) => [one, true])),
          )) ?? false,
      }),
      viewerCanLike: can(
        "like",
        "Whether you may like it: it is there for everybody, and your token has `feed:write`.",
      ),
      viewerCanReply: can("reply", "Whether you may reply to it: likewise."),
      viewerCanDelete: can(
        "delete",
        "Whether you may delete it: it is yours, and your token has `feed:write`.",
      ),
      viewerCanModerate: can("moderate", "Whether you may hide and restore it."),
      hidden: t.boolean({
        description: "Whether moderators hide it: then only its author and they are shown it.",
        resolve: ({ hiddenAt }) => hiddenAt !== null,
      }),
      replies: t.field({
        type: PostConnection,
        description:
          "The conversation under it, oldest first. It is one level deep: a reply has no replies of its own.",
        args: t.arg.connectionArgs(),
        resolve: ({ id }, args, { core, caller, batch }) =>
          pageOf(batch, "replies", id, args, (ids, request) => listRepliesOf(core, caller, ids, request)),
      }),
    };
  },
});

builder.queryFields((t) => ({
  feed: t.field({
    type: PostConnection,
    nullable: true,
    description:
      "Public posts, newest first; replies are not in it. A tag or builder that nobody knows gives an empty list. Needs `feed:read`.",
    args: { ...t.arg.connectionArgs(), ...fieldsOf(t.arg, FeedFilter, "Feed") },
    resolve: (_root, args, { core, caller }) =>
      listed(args as ConnectionArgs, (request) =>
        listFeed(core, caller, readFeedFilter(readFilter(FeedFilter, args)), request),
      ),
  }),
  post: t.field({
    type: PostRef,
    nullable: true,
    description: "One post or reply. Needs `feed:read`. Refused as `not_found` where there is none to see.",
    args: { id: t.arg.id({ required: true, description: "Its identifier." }) },
    resolve: (_root, { id }, { core, caller }) => getPost(core, caller, id),
  }),
}));

mutation("createPost", {
  description:
    "Publishes a post as yourself; fires `post.created`. It is on disk when the answer arrives. Needs `feed:write`.",
  once: "feed:write",
  draft: PostDraft,
  payload: { post: { type: PostRef, description: "The post." } },
  run: ({ core, caller, draft, commit }) => commit(() => ({ post: createPost(core, caller, draft) })),
});

mutation("replyToPost", {
  description:
    "Replies to a post as yourself. A reply to a reply joins the conversation that it is in. Needs `feed:write`.",
  once: "feed:write",
  names: { id: "What you reply to." },
  draft: ReplyDraft,
  payload: { post: { type: PostRef, description: "The reply." } },
  run: ({ core, caller, named, draft, commit }) =>
    commit(() => ({ post: replyTo(core, caller, named.id, draft) })),
});

mutation("deletePost", {
  description: "Deletes a post or reply of your own, with its likes and replies. Needs `feed:write`.",
  names: { id: "The post or reply." },
  payload: { deletedId: { type: "ID", description: "What is gone." } },
  run: ({ core, caller, named, commit }) =>
    commit(() => {
      deletePost(core, caller, named.id);
      return { deletedId: named.id };
    }),
});

const LIKING = {
  liked: { type: "Boolean", description: "Whether you like it now." },
  likes: { type: "Int", description: "How many do." },
  post: { type: PostRef, description: "The post as it is now. Needs `feed:read`." },
};

/** The post only where it is asked for and may be seen: liking needs no right to read. */
function liking(like: typeof likePost) {
  return ({
    core,
    caller,
    named,
    commit,
  }: Parameters<Parameters<typeof mutation<object, "id">>[1]["run"]>[0]) =>
    commit(() => ({
      ...like(core, caller, named.id),
      get post() {
        const [post] = getPosts(core, caller, [named.id]);
        if (!post) throw refuse("post_unknown");
        return post;
      },
    }));
}

mutation("likePost", {
  description: "Likes a post or reply as yourself, once however often it is asked. Needs `feed:write`.",
  names: { id: "The post or reply." },
  payload: LIKING,
  run: liking(likePost),
});

mutation("unlikePost", {
  description: "Takes your like back, where there is one. Needs `feed:write`.",
  names: { id: "The post or reply." },
  payload: LIKING,
  run: liking(unlikePost),
});
