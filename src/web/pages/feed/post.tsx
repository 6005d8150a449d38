/** @jsxImportSource @kitajs/html */
import { type CoreError, refuse } from "../../../core/base/errors.ts";
import { getPost, getPosts, type Post, ReplyDraft } from "../../../core/community/feed/feed.ts";
import { likePost, unlikePost } from "../../../core/community/feed/likes.ts";
import { deletePost } from "../../../core/community/feed/removal.ts";
import { listReplies, type Reply, replyTo } from "../../../core/community/feed/replies.ts";
import { openingOf, titleOf } from "../../../core/base/title.ts";
import type { Page } from "../../../core/base/page.ts";
import { readDraft, safePath } from "../../request/forms.ts";
import { Form, More } from "../../parts/parts.tsx";
import { nextAddress, PAGE_SIZE, pageRequest, readerOf } from "../../request/paging.ts";
import { pictureIdsIn, formPicture, withPicture } from "../../request/pictures.ts";
import {
  readerPage,
  type PageAsk,
  type PersonAsk,
  signedInPage,
  type View,
  withFile,
} from "../../request/route.ts";
import { PictureFields } from "../../parts/pictures.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Preview, SubmitOrPreview } from "../../parts/preview.tsx";
import { hasPictureInput, PostText } from "./feed.tsx";
import { PostList } from "./post-card.tsx";
import { Thread } from "./thread.tsx";

/** One post and what was said to it. */
export const postPages = [
  readerPage("GET", "/posts/:id", (ask) => postView(ask)),
  withFile(
    signedInPage("POST", "/posts/:id/replies", (ask) => {
      // What is not there is said by a page of its own, before anything of the form is kept.
      getPost(ask.core, ask.person.caller, idOf(ask));
      return withPicture(replyView, async () => {
        const media = pictureIdsIn(ask);
        const draft = readDraft(ReplyDraft, ask.form, { media });
        const reply = await ask.write(() => replyTo(ask.core, ask.person.caller, idOf(ask), draft));
        return { to: addressInThread(ask, reply) };
      })(ask);
    }),
  ),
  signedInPage("POST", "/posts/:id/like", (ask) => setLiked(ask, likePost)),
  signedInPage("POST", "/posts/:id/unlike", (ask) => setLiked(ask, unlikePost)),
  signedInPage("GET", "/posts/:id/delete", (ask) => deleteView(ask)),
  signedInPage("POST", "/posts/:id/delete", async (ask) => {
    const { rootId } = getPost(ask.core, ask.person.caller, idOf(ask));
    await ask.write(() => deletePost(ask.core, ask.person.caller, idOf(ask)));
    return { to: rootId === null ? "/" : `/posts/${rootId}`, notice: "post-deleted" };
  }),
];

/** A new reply on the last page of its conversation. */
function addressInThread({ core, person }: PersonAsk, { id, rootId }: Reply): string {
  const request = { limit: PAGE_SIZE + 1, backwards: true };
  const { nodes, cursorOf } = listReplies(core, person.caller, rootId, request);
  const [before] = nodes.length > PAGE_SIZE ? nodes : [];
  const page = before === undefined ? "" : `?cursor=${cursorOf(before)}`;
  return `/posts/${rootId}${page}#${id}`;
}

function idOf({ params }: PageAsk): string {
  return params["id"] ?? "";
}

async function setLiked(ask: PersonAsk, act: typeof likePost) {
  await ask.write(() => act(ask.core, ask.person.caller, idOf(ask)));
  return { to: safePath(ask.form.get("back")) };
}

/** The page of the post again, unless it went away meanwhile. */
function replyView(ask: PageAsk, error?: CoreError): View {
  if (error?.error === "not_found") throw error;
  return postView(ask, error);
}

function postView(ask: PageAsk, error?: CoreError): View {
  const post = getPost(ask.core, readerOf(ask), idOf(ask));
  const title = titleOf(post.text);
  return {
    title,
    error,
    linkPreview: {
      description: openingOf(post.text, 200),
      kind: "article",
      path: `/posts/${post.id}`,
      picture: post.pictures[0]?.url,
    },
    body: (
      <>
        <h1 class="unseen" dir="auto" safe>
          {title}
        </h1>
        {post.rootId === null ? (
          <Conversation post={post} ask={ask} error={error} />
        ) : (
          <ReplyInPlace reply={post} rootId={post.rootId} ask={ask} error={error} />
        )}
        <p class="part">
          <a href="/">{ask.words.feed.whole}</a>
        </p>
      </>
    ),
  };
}

interface Talk {
  ask: PageAsk;
  error: CoreError | undefined;
}

/** A post with its conversation. */
function Conversation({ post, ask, error }: Talk & { post: Post }) {
  const replies = listReplies(ask.core, readerOf(ask), post.id, pageRequest(ask));
  return (
    <>
      <PostList posts={[post]} ask={ask} isWhole />
      <div data-talk={post.id}>
        <Replies page={replies} ask={ask} path={`/posts/${post.id}`} />
      </div>
      {post.hiddenAt === null ? <ReplyForm to={post} ask={ask} error={error} /> : ""}
    </>
  );
}

/** A reply under the post whose conversation it is in, with what answers it and what was said after it. */
function ReplyInPlace({ reply, rootId, ask, error }: Talk & { reply: Post; rootId: string }) {
  const { core, query } = ask;
  const reader = readerOf(ask);
  const root = getPosts(core, reader, [rootId]);
  const first = listReplies(core, reader, rootId, { limit: 1 });
  const after = listReplies(core, reader, rootId, {
    ...pageRequest(ask),
    cursor: query.get("cursor") ?? first.cursorOf(reply),
  });
  const words = ask.words.feed.post;
  return (
    <>
      <PostList posts={root} ask={ask} />
      <section class="part replies" id="replies">
        <h2>{words.aReply}</h2>
        <WholeThread ask={ask} path={`/posts/${rootId}`} />
        <div data-talk={rootId}>
          <Thread replies={[reply, ...after.nodes]} ask={ask} />
          <More ask={ask} href={nextAddress(ask, after, `/posts/${reply.id}`)} words={words.more} />
        </div>
      </section>
      {reply.hiddenAt === null ? <ReplyForm to={reply} ask={ask} error={error} /> : ""}
    </>
  );
}

function Replies({ page, ask, path }: { page: Page<Post>; ask: PageAsk; path: string }) {
  if (page.nodes.length === 0) return "";
  const words = ask.words.feed.post;
  return (
    <section class="part replies" id="replies">
      <h2>{words.replies}</h2>
      {ask.query.has("cursor") ? <WholeThread ask={ask} path={path} /> : ""}
      <Thread replies={page.nodes} ask={ask} />
      <More ask={ask} href={nextAddress(ask, page, path)} words={words.more} />
    </section>
  );
}

function WholeThread({ ask, path }: { ask: PageAsk; path: string }) {
  return (
    <p class="hint">
      <a href={`${path}#replies`}>{ask.words.feed.post.all}</a>
    </p>
  );
}

function ReplyForm({ to, ask, error }: Talk & { to: Post }) {
  const words = ask.words.feed.post;
  if (!ask.person) {
    return <p class="part hint">{words.signIn({ address: `/sign-in?next=/posts/${to.id}` })}</p>;
  }
  const carried = formPicture(ask);
  return (
    <Form
      action={`/posts/${to.id}/replies`}
      ask={ask}
      kind="part stack"
      label={words.form}
      id="answer"
      hasFile
      error={error}
    >
      <Preview ask={ask} pictures={carried ? [carried] : []} />
      <PostText ask={ask} label={words.yours({ author: to.author.name })} error={error} />
      <details class="more-fields" open={carried !== undefined || hasPictureInput(ask, error)}>
        <summary>{ask.words.feed.composer.more}</summary>
        <PictureFields ask={ask} error={error} />
      </details>
      <SubmitOrPreview ask={ask}>{words.reply}</SubmitOrPreview>
    </Form>
  );
}

function deleteView(ask: PersonAsk): View {
  const post = getPost(ask.core, ask.person.caller, idOf(ask));
  if (post.authorId !== ask.person.caller.builderId) throw refuse("post_not_yours");
  const isReply = post.rootId !== null;
  const words = ask.words.feed.deletion;
  const title = isReply ? words.reply : words.post;
  return {
    title,
    body: (
      <Confirm
        ask={ask}
        title={title}
        action={`/posts/${post.id}/delete`}
        words={words.button}
        back={`/posts/${post.id}`}
      >
        <p>
          <bdi safe>{words.quoted({ title: titleOf(post.text) })}</bdi>
        </p>
        <p>{isReply ? words.replyGone : words.postGone}</p>
        <p>{words.reported}</p>
      </Confirm>
    ),
  };
}
