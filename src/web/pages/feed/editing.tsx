/** @jsxImportSource @kitajs/html */
import { Type } from "@sinclair/typebox";
import { codePoints } from "../../../core/base/check.ts";
import { type CoreError, refuse } from "../../../core/base/errors.ts";
import { getPost, type Post, PostDraft } from "../../../core/community/feed/feed.ts";
import {
  editPost,
  listRevisions,
  PostChange,
  type Revision,
} from "../../../core/community/feed/revisions.ts";
import type { Picture } from "../../../core/community/media/media.ts";
import { field, prose, readDraft } from "../../request/forms.ts";
import { Differences } from "../../parts/differences.tsx";
import { Heading } from "../../parts/layout.tsx";
import { formOf } from "../../parts/draft-form.tsx";
import { Ago, More } from "../../parts/parts.tsx";
import { Preview, SubmitOrPreview } from "../../parts/preview.tsx";
import { nextAddress, pageRequest, readerOf } from "../../request/paging.ts";
import { formPictures, pictureIdsIn, withPictures } from "../../request/pictures.ts";
import {
  readerPage,
  type PageContext,
  type PersonContext,
  signedInPage,
  type View,
  withPictureFile,
} from "../../request/route.ts";
import { AttachedPictures, PictureFields, SentPictures } from "../../parts/pictures.tsx";
import { mediaUrlsIn } from "./feed.tsx";
import { Tags } from "./post-card.tsx";

/** The form shows the text, so the text is required. */
const PostEdit = Type.Object({ ...PostChange.properties, text: PostDraft.properties.text });

/** Editing a post, and its edit history. */
export const editingPages = [
  signedInPage("GET", "/posts/:id/edit", (ctx) => editView(ctx)),
  withPictureFile(
    signedInPage("POST", "/posts/:id/edit", (ctx) => {
      const post = ownPost(ctx);
      return withPictures(editView, SentPictures, async () => {
        const { media, isOther } = mediaOf(ctx, post);
        const change = readDraft(PostEdit, ctx.form, { media: isOther ? media : undefined });
        await ctx.write(() => editPost(ctx.core, ctx.person.caller, post.id, change));
        return { to: `/posts/${post.id}`, notice: "saved" };
      })(ctx);
    }),
  ),
  readerPage("GET", "/posts/:id/history", (ctx) => historyView(ctx)),
];

/**
 * Returns the caller's post. Throws for a post that does not exist or is not the caller's. Called before
 * anything of a form is read.
 */
function ownPost({ core, person: { caller }, params }: PersonContext): Post {
  const post = getPost(core, caller, params["id"] ?? "");
  if (post.authorId !== caller.builderId) throw refuse("post_not_yours");
  return post;
}

/** Returns the media of a post that are on other sites. */
function externalMediaOf({ media, pictures }: Post): string[] {
  return media.filter((address) => !pictures.some(({ url }) => url === address));
}

/**
 * Returns the media after the edit: the new picture, the pictures that were not removed, and the typed URLs.
 * If nothing changed, `isOther` is false and the caller keeps the stored order. An API client may have stored
 * pictures and URLs in mixed order.
 */
function mediaOf(ctx: PageContext, post: Post): { media: string[]; isOther: boolean } {
  const carried = pictureIdsIn(ctx);
  const keptPictures = keptPicturesOf(ctx, post);
  const typed = mediaUrlsIn(ctx.form);
  const isOther =
    carried.length > 0 ||
    keptPictures.length < post.pictures.length ||
    typed.join(" ") !== externalMediaOf(post).join(" ");
  return { media: [...carried, ...keptPictures.map(({ url }) => url), ...typed], isOther };
}

function keptPicturesOf({ form }: PageContext, { pictures }: Post): Picture[] {
  const dropped = new Set(form.getAll("drop"));
  return pictures.filter(({ id }) => !dropped.has(id));
}

function editView(ctx: PersonContext, error?: CoreError): View {
  const post = ownPost(ctx);
  const messages = ctx.messages.feed.edit;
  const composer = ctx.messages.feed.composer;
  const isStale = error?.code === "post_edited";
  const { Form, Field, TextArea } = formOf(ctx, PostDraft, {
    messages: composer,
    // The `Stale` part already explains this error.
    error: isStale ? undefined : error,
    stored: { ...post, media: externalMediaOf(post) },
  });
  const title = post.rootId === null ? messages.post : messages.reply;
  const carried = formPictures(ctx);
  const written = ctx.form.has("text") ? prose(ctx.form, "text") : post.text;
  return {
    title,
    error,
    body: (
      <>
        <Heading title={title}>
          <p>{messages.lead({ address: `/posts/${post.id}/delete` })}</p>
        </Heading>
        {isStale && <Stale post={post} written={written} ctx={ctx} />}
        <Form action={`/posts/${post.id}/edit`} hasFile>
          {/* After any other error, the form keeps the revision that the member has read. */}
          <input
            type="hidden"
            name="revision"
            value={isStale ? post.revision : field(ctx.form, "revision") || post.revision}
          />
          <Preview ctx={ctx} pictures={[...carried, ...keptPicturesOf(ctx, post)]} />
          <TextArea
            name="text"
            label={messages.text}
            hint={composer.hintOf({ written: codePoints(written) })}
            rows={8}
          />
          {post.rootId === null && <Field name="tags" />}
          <AttachedPictures ctx={ctx} title={messages.pictures.title} pictures={post.pictures} />
          <TextArea name="media" rows={2} />
          <PictureFields ctx={ctx} error={error} />
          <div class="actions">
            <SubmitOrPreview ctx={ctx}>{messages.save}</SubmitOrPreview>
            <a class="button quiet" href={`/posts/${post.id}`}>
              {messages.back}
            </a>
          </div>
        </Form>
      </>
    ),
  };
}

/** Shows the newer text beside the unsaved one, so that neither is lost. */
function Stale({ post, written, ctx }: { post: Post; written: string; ctx: PageContext }) {
  const messages = ctx.messages.feed.edit.stale;
  return (
    <section class="stale" role="alert">
      <h2>{messages.title}</h2>
      <p class="hint">{messages.lead}</p>
      <Differences before={written} after={post.text} />
    </section>
  );
}

/** Number of revisions per page. Comparing ten unrelated revisions takes some hundredths of a second. */
const REVISIONS = 10;

function historyView(ctx: PageContext): View {
  const reader = readerOf(ctx);
  const post = getPost(ctx.core, reader, ctx.params["id"] ?? "");
  const page = listRevisions(ctx.core, reader, post.id, { ...pageRequest(ctx), limit: REVISIONS });
  const last = page.nodes.at(-1);
  // The revision before the oldest one on this page, for its comparison.
  const [before] =
    page.hasNextPage && last
      ? listRevisions(ctx.core, reader, post.id, { limit: 1, cursor: page.cursorOf(last) }).nodes
      : [];
  const messages = ctx.messages.feed.history;
  return {
    title: messages.title,
    body: (
      <>
        <Heading title={messages.title}>
          <p>{messages.lead({ address: `/posts/${post.id}` })}</p>
          {post.editedAt === null && <p>{messages.never}</p>}
        </Heading>
        <ol class="revisions">
          {page.nodes.map((revision, i) => (
            <RevisionText revision={revision} before={page.nodes[i + 1] ?? before} ctx={ctx} />
          ))}
        </ol>
        <More ctx={ctx} href={nextAddress(ctx, page, `/posts/${post.id}/history`)} />
      </>
    ),
  };
}

function RevisionText({
  revision,
  before,
  ctx,
}: {
  revision: Revision;
  before: Revision | undefined;
  ctx: PageContext;
}) {
  const messages = ctx.messages.feed.history;
  const isOther = (one: readonly string[], other: readonly string[] = []) =>
    one.join(" ") !== other.join(" ");
  return (
    <li id={revision.id}>
      <p class="row-meta">
        {before ? messages.edited : messages.first} <Ago ctx={ctx} at={revision.at} />
      </p>
      <Differences before={before?.text ?? revision.text} after={revision.text} />
      {before && isOther(revision.tags, before.tags) && (
        <>
          <p class="row-meta">{messages.tags}</p>
          <Differences before={before.tags.join(" ")} after={revision.tags.join(" ")} />
        </>
      )}
      {before && isOther(revision.media, before.media) && (
        <>
          <p class="row-meta">{messages.media}</p>
          <Differences before={before.media.join("\n")} after={revision.media.join("\n")} />
        </>
      )}
      {!before && revision.tags.length > 0 && <Tags tags={revision.tags} />}
    </li>
  );
}
