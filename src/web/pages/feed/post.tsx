/** @jsxImportSource @kitajs/html */
import { type CoreError, refuse } from "../../../core/base/errors.ts";
import { getPost, getPosts, type Post, ReplyDraft } from "../../../core/community/feed/feed.ts";
import { findLock } from "../../../core/community/feed/locks.ts";
import { isAtLeast } from "../../../core/identity/access/roles.ts";
import { likePost, unlikePost } from "../../../core/community/feed/likes.ts";
import { deletePost } from "../../../core/community/feed/removal.ts";
import { listReplies, type Reply, replyTo } from "../../../core/community/feed/replies.ts";
import { openingOf, titleOf } from "../../../core/base/title.ts";
import type { Page } from "../../../core/base/page.ts";
import { readDraft, safePath } from "../../request/forms.ts";
import { Form, More } from "../../parts/parts.tsx";
import { nextAddress, PAGE_SIZE, pageRequest, readerOf } from "../../request/paging.ts";
import { formPictures, pictureIdsIn, withPictures } from "../../request/pictures.ts";
import {
  readerPage,
  type PageContext,
  type PersonContext,
  signedInPage,
  type View,
  withPictureFile,
} from "../../request/route.ts";
import { PictureFields, SentPictures } from "../../parts/pictures.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Preview, SubmitOrPreview } from "../../parts/preview.tsx";
import { hasPictureInput, PostText } from "./feed.tsx";
import { isTitled, LikeForm, PostList } from "./post-card.tsx";
import { CommunityRail } from "./rail.tsx";
import { Thread } from "./thread.tsx";

/** A post and its conversation. */
export const postPages = [
  readerPage("GET", "/posts/:id", (ctx) => postView(ctx)),
  withPictureFile(
    signedInPage("POST", "/posts/:id/replies", (ctx) => {
      // Throws for a missing post before anything of the form is stored. The error is then shown on its own
      // page.
      getPost(ctx.core, ctx.person.caller, idOf(ctx));
      return withPictures(replyView, SentPictures, async () => {
        const media = pictureIdsIn(ctx);
        const draft = readDraft(ReplyDraft, ctx.form, { media });
        const reply = await ctx.write(() => replyTo(ctx.core, ctx.person.caller, idOf(ctx), draft));
        // The conversation does not list a held reply.
        if (reply.hiddenAt !== null) return { to: `/posts/${reply.id}`, notice: "held" };
        return { to: addressInThread(ctx, reply) };
      })(ctx);
    }),
  ),
  signedInPage("POST", "/posts/:id/like", (ctx) => setLiked(ctx, likePost)),
  signedInPage("POST", "/posts/:id/unlike", (ctx) => setLiked(ctx, unlikePost)),
  signedInPage("GET", "/posts/:id/delete", (ctx) => deleteView(ctx)),
  signedInPage("POST", "/posts/:id/delete", async (ctx) => {
    const { rootId } = getPost(ctx.core, ctx.person.caller, idOf(ctx));
    await ctx.write(() => deletePost(ctx.core, ctx.person.caller, idOf(ctx)));
    return {
      to: rootId === null ? "/" : `/posts/${rootId}`,
      notice: rootId === null ? "post-deleted" : "reply-deleted",
    };
  }),
];

/** Returns the URL of a new reply on the last page of its conversation. */
function addressInThread({ core, person }: PersonContext, { id, rootId }: Reply): string {
  const request = { limit: PAGE_SIZE + 1, backwards: true };
  const { nodes, cursorOf } = listReplies(core, person.caller, rootId, request);
  const [before] = nodes.length > PAGE_SIZE ? nodes : [];
  const page = before === undefined ? "" : `?cursor=${cursorOf(before)}`;
  return `/posts/${rootId}${page}#${id}`;
}

function idOf({ params }: PageContext): string {
  return params["id"] ?? "";
}

async function setLiked(ctx: PersonContext, change: typeof likePost) {
  const { liked, likes } = await ctx.write(() => change(ctx.core, ctx.person.caller, idOf(ctx)));
  const back = safePath(ctx.form.get("back"));
  return {
    to: back,
    fragment: () => <LikeForm id={idOf(ctx)} likes={likes} isLiked={liked} ctx={ctx} back={back} />,
  };
}

/** Shows the page of the post again with an error. Throws if the post was deleted meanwhile. */
function replyView(ctx: PageContext, error?: CoreError): View {
  if (error?.error === "not_found") throw error;
  return postView(ctx, error);
}

function postView(ctx: PageContext, error?: CoreError): View {
  const post = getPost(ctx.core, readerOf(ctx), idOf(ctx));
  const title = titleOf(post.text);
  return {
    title,
    error,
    fragment: () => <ReplyForm to={post} ctx={ctx} error={undefined} isInThread />,
    sidebar: () => <CommunityRail ctx={ctx} />,
    linkPreview: {
      description: openingOf(post.text, 200),
      kind: "article",
      path: `/posts/${post.id}`,
      picture: post.pictures[0]?.url,
    },
    body: (
      <>
        {isTitled(post) ? (
          ""
        ) : (
          <h1 class="unseen" dir="auto" safe>
            {title}
          </h1>
        )}
        {post.rootId === null ? (
          <Conversation post={post} ctx={ctx} error={error} />
        ) : (
          <ReplyInThread reply={post} rootId={post.rootId} ctx={ctx} error={error} />
        )}
        <p class="part">
          <a href="/">{ctx.messages.feed.whole}</a>
        </p>
      </>
    ),
  };
}

interface Talk {
  ctx: PageContext;
  error: CoreError | undefined;
}

/** A post with its conversation. */
function Conversation({ post, ctx, error }: Talk & { post: Post }) {
  const replies = listReplies(ctx.core, readerOf(ctx), post.id, pageRequest(ctx));
  return (
    <>
      <PostList posts={[post]} ctx={ctx} hasAllActions isHead />
      <div data-talk={post.id}>
        <Replies page={replies} ctx={ctx} path={`/posts/${post.id}`} />
      </div>
      {post.hiddenAt === null ? <ReplyForm to={post} ctx={ctx} error={error} /> : ""}
    </>
  );
}

/** A reply below the root post of its conversation, with its answers and the replies after it. */
function ReplyInThread({ reply, rootId, ctx, error }: Talk & { reply: Post; rootId: string }) {
  const { core, query } = ctx;
  const reader = readerOf(ctx);
  const root = getPosts(core, reader, [rootId]);
  const first = listReplies(core, reader, rootId, { limit: 1 });
  const after = listReplies(core, reader, rootId, {
    ...pageRequest(ctx),
    cursor: query.get("cursor") ?? first.cursorOf(reply),
  });
  const messages = ctx.messages.feed.post;
  return (
    <>
      <PostList posts={root} ctx={ctx} />
      <section class="part replies" id="replies">
        <h2>{messages.aReply}</h2>
        <WholeThreadLink ctx={ctx} path={`/posts/${rootId}`} />
        <div data-talk={rootId}>
          <Thread replies={[reply, ...after.nodes]} ctx={ctx} />
          <More ctx={ctx} href={nextAddress(ctx, after, `/posts/${reply.id}`)} label={messages.more} />
        </div>
      </section>
      {reply.hiddenAt === null ? <ReplyForm to={reply} ctx={ctx} error={error} /> : ""}
    </>
  );
}

function Replies({ page, ctx, path }: { page: Page<Post>; ctx: PageContext; path: string }) {
  if (page.nodes.length === 0) return "";
  const messages = ctx.messages.feed.post;
  return (
    <section class="part replies" id="replies">
      <h2>{messages.replies}</h2>
      {ctx.query.has("cursor") ? <WholeThreadLink ctx={ctx} path={path} /> : ""}
      <Thread replies={page.nodes} ctx={ctx} />
      <More ctx={ctx} href={nextAddress(ctx, page, path)} label={messages.more} />
    </section>
  );
}

function WholeThreadLink({ ctx, path }: { ctx: PageContext; path: string }) {
  return (
    <p class="hint">
      <a href={`${path}#replies`}>{ctx.messages.feed.post.all}</a>
    </p>
  );
}

/** `isInThread`: the script puts the form below the reply that it answers. */
function ReplyForm({ to, ctx, error, isInThread = false }: Talk & { to: Post; isInThread?: boolean }) {
  const messages = ctx.messages.feed.post;
  // After an error, the form keeps the typed text.
  if (error === undefined && isLockedFor(ctx, to.rootId ?? to.id))
    return <p class="part hint">{messages.locked}</p>;
  if (!ctx.person) {
    return <p class="part hint">{messages.signIn({ address: `/sign-in?next=/posts/${to.id}` })}</p>;
  }
  const carried = formPictures(ctx);
  return (
    <Form
      action={`/posts/${to.id}/replies`}
      ctx={ctx}
      kind={isInThread ? "stack in-thread" : "part stack"}
      label={isInThread ? undefined : messages.form}
      id="answer"
      hasFile
      inPlace
      error={error}
    >
      <Preview ctx={ctx} pictures={carried} />
      <PostText ctx={ctx} label={messages.yours({ author: to.author.name })} error={error} />
      <details class="more-fields" open={carried.length > 0 || hasPictureInput(ctx, error)}>
        <summary>{ctx.messages.feed.composer.more}</summary>
        <PictureFields ctx={ctx} error={error} />
      </details>
      <SubmitOrPreview ctx={ctx} canClose={isInThread}>
        {messages.reply}
      </SubmitOrPreview>
    </Form>
  );
}

function isLockedFor({ core, person }: PageContext, rootId: string): boolean {
  return !isAtLeast(person?.role ?? "member", "moderator") && findLock(core, rootId) !== undefined;
}

function deleteView(ctx: PersonContext): View {
  const post = getPost(ctx.core, ctx.person.caller, idOf(ctx));
  if (post.authorId !== ctx.person.caller.builderId) throw refuse("post_not_yours");
  const isReply = post.rootId !== null;
  const messages = ctx.messages.feed.deletion;
  const title = isReply ? messages.reply : messages.post;
  return {
    title,
    body: (
      <Confirm
        ctx={ctx}
        title={title}
        action={`/posts/${post.id}/delete`}
        label={isReply ? messages.replyButton : messages.button}
        back={`/posts/${post.id}`}
      >
        <p>
          <bdi safe>{messages.quoted({ title: titleOf(post.text) })}</bdi>
        </p>
        <p>{isReply ? messages.replyGone : messages.postGone}</p>
        <p>{messages.reported}</p>
      </Confirm>
    ),
  };
}
