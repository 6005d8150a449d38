import { type PostPermissions, postPermissions } from "../../core/community/feed/post-permissions.ts";
import { bookmarkedAmong } from "../../core/community/feed/bookmarks.ts";
import {
  getPost,
  getPosts,
  listFeed,
  PostView,
  ReaderView,
  readFeedFilter,
} from "../../core/community/feed/feed.ts";
import { likedAmong, type Liking, LikingView } from "../../core/community/feed/likes.ts";
import { type Picture, PictureView } from "../../core/community/media/media.ts";
import { listRepliesOf } from "../../core/community/feed/replies.ts";
import { listRevisionsOf, type Revision, RevisionView } from "../../core/community/feed/revisions.ts";
import { refuse } from "../../core/base/errors.ts";
import { descriptionOf } from "../../core/base/view.ts";
import { isInSet, nodeOf } from "../nodes.ts";
import { feedOperations } from "../../operations/feed.ts";
import type { OperationRequest } from "../../operations/operation.ts";
import { batchedConnection } from "../connection.ts";
import { mentionsHtml } from "../rendered-text.ts";
import { DELETED_PAYLOAD, mutationOf } from "../mutation.ts";
import { output, payloadOf } from "../outputs.ts";
import { queryOf } from "../query.ts";
import { BuilderRef, connectionOf, node, POST_HTML, PostConnection, PostRef } from "./refs.ts";

output("PostMetrics", PostView.properties.metrics, "The number of likes and replies of a post.");

const PictureRef = output<Picture>(
  "Picture",
  PictureView,
  "An uploaded image, re-encoded in several sizes.",
  {
    // A picture is not a node, because it has no rights of its own. The object that contains the picture
    // decides who may see it.
    out: ["id"],
    fields: (t) => ({
      media: t.string({
        description: "The identifier of the image. Its owner can use it in the `media` of a post.",
        resolve: ({ id }) => id,
      }),
    }),
  },
);
const PICTURES = "The images in `media` that the author uploaded.";

/** This type is also used for reports. */
export const RevisionRef = output<Revision>("Revision", RevisionView, "One revision of a post.", {
  // A revision is not a node, because it has no rights of its own. Anyone who may read the post may read its
  // revisions.
  out: ["id"],
  fields: (t) => ({
    revision: t.string({ description: "The identifier of the revision.", resolve: ({ id }) => id }),
    pictures: t.field({
      type: [PictureRef],
      description: PICTURES,
      resolve: ({ pictures }) => pictures ?? [],
    }),
  }),
});
const RevisionConnection = connectionOf(RevisionRef, "Revision", "revisions");

node(PostRef, {
  description: "A post in the feed, or a reply.",
  kind: "post",
  many: getPosts,
  view: PostView,
  out: ["parentId", "rootId"],
  fields: (t) => {
    /**
     * Defines a field that says whether the caller may do something with the post, such as edit it. One batch
     * checks all posts of a page.
     */
    const can = (ability: keyof PostPermissions, description: string) =>
      t.boolean({
        description,
        resolve: async ({ id }, _, { core, caller, batch }) =>
          (await batch("post abilities", id, (ids) => postPermissions(core, caller, ids)))?.[ability] ??
          false,
      });
    return {
      author: t.field({
        type: BuilderRef,
        description: "The author.",
        resolve: ({ authorId, author }) => ({ id: authorId, username: author.username, name: author.name }),
      }),
      textHtml: t.string({
        description: POST_HTML,
        resolve: ({ id, text, pictures }, _, context) => mentionsHtml(context, { id, text, pictures }),
      }),
      pictures: t.field({ type: [PictureRef], description: PICTURES, resolve: ({ pictures }) => pictures }),
      url: t.string({
        description: "The URL of the post's page.",
        resolve: ({ id }, _, { core }) => `${core.origin}/posts/${id}`,
      }),
      parent: t.field({
        type: PostRef,
        nullable: true,
        description:
          "The post or reply that this reply answers. `null` for a post in the feed, and for a reply if the answered post or reply was deleted.",
        resolve: ({ parentId }, _, context) => nodeOf(context, parentId) as never,
      }),
      root: t.field({
        type: PostRef,
        nullable: true,
        description: descriptionOf(PostView.properties.rootId),
        resolve: ({ rootId }, _, context) => nodeOf(context, rootId) as never,
      }),
      liked: t.boolean({
        description: descriptionOf(ReaderView.properties.liked),
        resolve: ({ id }, _, context) => isInSet(context, "liked", id, likedAmong),
      }),
      bookmarked: t.boolean({
        description: descriptionOf(ReaderView.properties.bookmarked),
        resolve: ({ id }, _, context) => isInSet(context, "bookmarked", id, bookmarkedAmong),
      }),
      viewerCanLike: can(
        "like",
        "Whether you may like the post. `true` if it is not hidden and your token has `feed:write`.",
      ),
      viewerCanReply: can(
        "reply",
        "Whether you may reply to the post. `true` if it is not hidden and your token has `feed:write`.",
      ),
      viewerCanEdit: can(
        "edit",
        "Whether you may edit the post. `true` if it is your post and your token has `feed:write`.",
      ),
      viewerCanDelete: can(
        "delete",
        "Whether you may delete the post. `true` if it is your post and your token has `feed:write`.",
      ),
      viewerCanModerate: can("moderate", "Whether you may hide the post and show it again."),
      hidden: t.boolean({
        description: descriptionOf(ReaderView.properties.hidden),
        resolve: ({ hiddenAt }) => hiddenAt !== null,
      }),
      revisions: t.field({
        type: RevisionConnection,
        description: "All revisions, newest first. The first revision is the current text.",
        args: t.arg.connectionArgs(),
        resolve: ({ id }, args, { core, caller, batch }) =>
          batchedConnection(batch, "revisions", id, args, (ids, request) =>
            listRevisionsOf(core, caller, ids, request),
          ),
      }),
      replies: t.field({
        type: PostConnection,
        description:
          "The replies, oldest first. For a post in the feed, you get all replies in the conversation, at any depth. For a reply, you get only the answers to that reply.",
        args: t.arg.connectionArgs(),
        resolve: ({ id }, args, { core, caller, batch }) =>
          batchedConnection(batch, "replies", id, args, (ids, request) =>
            listRepliesOf(core, caller, ids, request),
          ),
      }),
    };
  },
});

queryOf("feed", feedOperations.listFeed, PostConnection, ({ core, caller, filter, page }) =>
  listFeed(core, caller, readFeedFilter(filter), page),
);
queryOf("post", feedOperations.getPost, PostRef, ({ core, caller, id }) => getPost(core, caller, id));

const { createPost, editPost, replyToPost, deletePost, likePost, unlikePost } = feedOperations;

mutationOf(createPost, { payload: { post: { type: PostRef, description: "The post." } } });
mutationOf(editPost, { payload: { post: { type: PostRef, description: "The edited post." } } });
mutationOf(replyToPost, { payload: { post: { type: PostRef, description: "The reply." } } });
mutationOf(deletePost, DELETED_PAYLOAD);

const LIKING = {
  payload: {
    ...payloadOf(LikingView),
    post: { type: PostRef, description: "The post. Requires the `feed:read` scope." },
  },
  /**
   * The post is read only if the client selects it, because a client without permission to read posts may
   * like a post.
   */
  toPayload: (liking: Liking, { core, caller, id }: OperationRequest) => ({
    ...liking,
    get post() {
      const [post] = getPosts(core, caller, [id]);
      if (!post) throw refuse("post_unknown");
      return post;
    },
  }),
};
mutationOf(likePost, LIKING);
mutationOf(unlikePost, LIKING);
