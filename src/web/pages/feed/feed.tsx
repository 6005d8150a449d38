/** @jsxImportSource @kitajs/html */
import { codePoints, isSlug } from "../../../core/base/check.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import { createPost, listFeed, type Post, PostDraft } from "../../../core/community/feed/feed.ts";
import { firstSteps } from "../../../core/services/first-steps/first-steps.ts";
import { communitySettingsOf } from "../../../core/identity/community-settings/community-settings.ts";
import { field, prose, readDraft, slugged } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { formOf } from "../../parts/draft-form.tsx";
import { Empty, More, TextArea } from "../../parts/parts.tsx";
import { filterOf, nextAddress, pageRequest, readerOf } from "../../request/paging.ts";
import { formPictures, pictureIdsIn, withPictures } from "../../request/pictures.ts";
import {
  readerPage,
  type PageContext,
  type PersonContext,
  signedInPage,
  type View,
  withPictureFile,
} from "../../request/route.ts";
import { aboutView } from "../community/about.tsx";
import { PictureFields, SentPictures } from "../../parts/pictures.tsx";
import { Preview, SubmitOrPreview } from "../../parts/preview.tsx";
import { FeedViews, FollowTag, recordVisit } from "./followed.tsx";
import { StepsPanel } from "./first-steps.tsx";
import { EmptyCommunity, JoinButton } from "./empty-community.tsx";
import { sidebarOf } from "./sidebar.tsx";
import { keptCards, PostList, tagPath } from "./post-card.tsx";

/** The front page: the community's posts. */
export const feedPages = [
  {
    ...readerPage("GET", "/", async (ctx) => feedView(ctx, undefined, await recordVisit(ctx))),
    guestPage: (ctx: PageContext) =>
      communitySettingsOf(ctx.core).front === "about" ? aboutView(ctx) : undefined,
  },
  readerPage("GET", "/tags/:tag", (ctx) => {
    const typed = ctx.params["tag"] ?? "";
    const tag = slugged(typed).toLowerCase();
    if (tag === typed || !isSlug(tag)) return tagView(ctx, tag);
    return { to: tagPath(tag) + new URL(ctx.context.request.url).search };
  }),
  signedInPage("GET", "/following", async (ctx) => followedView(ctx, await recordVisit(ctx))),
  withPictureFile(
    signedInPage(
      "POST",
      "/posts",
      withPictures(feedView, SentPictures, async (ctx) => {
        const media = [...pictureIdsIn(ctx), ...mediaUrlsIn(ctx.form)];
        const draft = readDraft(PostDraft, ctx.form, { media });
        const post = await ctx.write(() => createPost(ctx.core, ctx.person.caller, draft));
        return { to: `/posts/${post.id}`, notice: post.hiddenAt === null ? "posted" : "held" };
      }),
    ),
  ),
];

/** The typed URLs of pictures and videos. */
export function mediaUrlsIn(form: URLSearchParams): string[] {
  return field(form, "media").split(/\s+/).filter(Boolean);
}

function feedView(ctx: PageContext, error?: CoreError, lastSeen?: string): View {
  const tagFilter = filterOf(ctx, "tag");
  if (tagFilter !== undefined) return tagView(ctx, slugged(tagFilter).toLowerCase(), error);
  const page = listFeed(ctx.core, readerOf(ctx), {}, pageRequest(ctx));
  const steps = ctx.person && firstSteps(ctx.core, ctx.person.caller);
  const isEmpty = page.nodes.length === 0 && !ctx.query.has("cursor");
  return {
    title: "",
    error,
    ...(isEmpty ? { isWide: true } : { sidebar: sidebarOf(ctx) }),
    linkPreview: {
      description:
        communitySettingsOf(ctx.core).line ||
        ctx.messages.community.cards.about({ community: communitySettingsOf(ctx.core).name }),
      path: "/",
      feed: { path: "/feed", title: communitySettingsOf(ctx.core).name },
    },
    body: (
      <>
        {isEmpty && !ctx.person ? (
          ""
        ) : (
          <h1 class="unseen" dir="auto">
            {ctx.messages.feed.heading}
          </h1>
        )}
        {steps ? <StepsPanel ctx={ctx} steps={steps} /> : ""}
        {ctx.person ? <Composer ctx={ctx} error={error} /> : isEmpty ? "" : <Welcome ctx={ctx} />}
        {isEmpty ? (
          ""
        ) : (
          <div class="feed-head">
            <FeedViews ctx={ctx} />
          </div>
        )}
        <NewPosts ctx={ctx} />
        {isEmpty ? <EmptyCommunity ctx={ctx} /> : <Posts posts={page.nodes} ctx={ctx} lastSeen={lastSeen} />}
        <More ctx={ctx} href={nextAddress(ctx, page, "/")} />
      </>
    ),
  };
}

function followedView(ctx: PersonContext, lastSeen: string | undefined): View {
  const messages = ctx.messages.following.feed;
  const page = listFeed(ctx.core, ctx.person.caller, { following: true }, pageRequest(ctx));
  return {
    title: messages.title,
    sidebar: sidebarOf(ctx),
    body: (
      <>
        <h1 class="unseen" dir="auto">
          {messages.title}
        </h1>
        <FeedViews ctx={ctx} />
        {page.nodes.length > 0 ? (
          <>
            <PostList posts={page.nodes} ctx={ctx} lastSeen={lastSeen} hasBest />
            <More ctx={ctx} href={nextAddress(ctx, page)} />
            <p class="hint part">{messages.list}</p>
          </>
        ) : (
          <Empty title={messages.empty}>
            <p>{messages.emptyLead}</p>
          </Empty>
        )}
      </>
    ),
  };
}

/** An invalid tag has no posts, so its page is empty and not an error. */
function tagView(ctx: PageContext, tag: string, error?: CoreError): View {
  const page = listFeed(ctx.core, readerOf(ctx), { tag }, pageRequest(ctx));
  const path = tagPath(tag);
  return {
    title: `#${tag}`,
    error,
    sidebar: sidebarOf(ctx),
    linkPreview: {
      description: ctx.messages.community.cards.tag({ tag, community: communitySettingsOf(ctx.core).name }),
      path,
      feed: { path: `${path}/feed`, title: `#${tag}` },
    },
    body: (
      <>
        <TagHeading ctx={ctx} tag={tag} />
        <Posts posts={page.nodes} ctx={ctx} />
        <More ctx={ctx} href={nextAddress(ctx, page)} />
      </>
    ),
  };
}

/** The number of newer posts, which the script fills in. */
function NewPosts({ ctx }: { ctx: PageContext }) {
  const { feed, formats } = ctx.messages;
  return (
    <p
      class="new-posts"
      data-new-posts={JSON.stringify(formats.countForms(feed.newPosts))}
      aria-live="polite"
      hidden
    >
      <a class="button quiet" href="/" />
    </p>
  );
}

function TagHeading({ ctx, tag }: { ctx: PageContext; tag: string }) {
  return (
    <Heading title={`#${tag}`} action={isSlug(tag) ? <FollowTag ctx={ctx} tag={tag} /> : ""}>
      <p>
        <a href="/">{ctx.messages.feed.whole}</a>
      </p>
    </Heading>
  );
}

function Welcome({ ctx }: { ctx: PageContext }) {
  const { welcome, sidebar } = ctx.messages.feed;
  const { line, joining } = communitySettingsOf(ctx.core);
  return (
    <div class="welcome">
      <h2 dir="auto" safe>
        {line || welcome.title}
      </h2>
      <p>{sidebar.joining[joining]}</p>
      <JoinButton ctx={ctx} joining={joining} />
    </div>
  );
}

/** The form for a new post. The empty form is the same for all readers of a language, so it is kept. */
function Composer({ ctx, error }: { ctx: PageContext; error: CoreError | undefined }) {
  if (error || ctx.form.size > 0) return <ComposerForm ctx={ctx} error={error} />;
  const { placeholders, htmlOf } = ctx.core.memory(keptCards);
  const render = () => <ComposerForm ctx={{ ...ctx, formToken: placeholders.formToken }} error={undefined} />;
  return htmlOf(`composer ${ctx.messages.language}`, render as () => string, {
    formToken: ctx.formToken,
    back: "",
    ago: "",
  });
}

/** It is collapsed, unless it is shown again with an error or a preview. */
function ComposerForm({ ctx, error }: { ctx: PageContext; error: CoreError | undefined }) {
  const carried = formPictures(ctx);
  const isOpen = carried.length > 0 || field(ctx.form, "media") !== "" || hasPictureInput(ctx, error);
  const messages = ctx.messages.feed.composer;
  const { Form, Field, TextArea } = formOf(ctx, PostDraft, { messages, error });
  return (
    <details class="composer" id="composer" open={ctx.form.has("text")}>
      <summary>{messages.begin}</summary>
      <Form action="/posts" label={messages.label} hasFile>
        <Preview ctx={ctx} pictures={carried} />
        <PostText ctx={ctx} label={messages.text} error={error} />
        <Field name="tags" />
        <details class="more-fields" open={isOpen}>
          <summary>{messages.more}</summary>
          <TextArea name="media" rows={2} />
          <PictureFields ctx={ctx} error={error} />
        </details>
        <SubmitOrPreview ctx={ctx}>{messages.post}</SubmitOrPreview>
      </Form>
    </details>
  );
}

/** Whether the collapsed picture fields contain a text or an error. */
export function hasPictureInput({ form }: PageContext, error: CoreError | undefined): boolean {
  const isFaulty = error?.details?.some(({ path }) => /^(?:media|file|alt)\b/.test(path)) ?? false;
  return isFaulty || field(form, "alt") !== "";
}

/**
 * The text field of a post or a reply. It sets no length limit, because browsers count characters
 * differently.
 */
export function PostText({
  ctx,
  label,
  error,
}: {
  ctx: PageContext;
  label: string;
  error: CoreError | undefined;
}) {
  const text = prose(ctx.form, "text");
  const { hint, hintOf } = ctx.messages.feed.composer;
  return (
    <TextArea
      name="text"
      label={label}
      hint={text === "" ? hint : hintOf({ written: codePoints(text) })}
      value={text}
      rows={3}
      ctx={ctx}
      error={error}
      required
    />
  );
}

function Posts({
  posts,
  ctx,
  lastSeen,
}: {
  posts: readonly Post[];
  ctx: PageContext;
  lastSeen?: string | undefined;
}) {
  if (posts.length > 0) return <PostList posts={posts} ctx={ctx} lastSeen={lastSeen} hasBest />;
  const { title, first, nobody } = ctx.messages.feed.empty;
  return (
    <Empty title={title}>
      <p>{ctx.person ? first : nobody}</p>
    </Empty>
  );
}
