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
import { pictureIdsIn, formPicture, withPicture } from "../../request/pictures.ts";
import {
  readerPage,
  type PageAsk,
  type PersonAsk,
  signedInPage,
  type View,
  withFile,
} from "../../request/route.ts";
import { aboutView } from "../community/about.tsx";
import { PictureFields } from "../../parts/pictures.tsx";
import { Preview, SubmitOrPreview } from "../../parts/preview.tsx";
import { FeedViews, FollowTag, recordVisit } from "./followed.tsx";
import { StepsLine } from "./first-steps.tsx";
import { sidebarOf } from "./sidebar.tsx";
import { PostList, tagPath } from "./post-card.tsx";

/** The front page: what the community says. */
export const feedPages = [
  {
    ...readerPage("GET", "/", async (ask) => feedView(ask, undefined, await recordVisit(ask))),
    forStrangers: (ask: PageAsk) =>
      communitySettingsOf(ask.core).front === "about" ? aboutView(ask) : undefined,
  },
  readerPage("GET", "/tags/:tag", (ask) => tagView(ask, slugged(ask.params["tag"] ?? "").toLowerCase())),
  signedInPage("GET", "/following", async (ask) => followedView(ask, await recordVisit(ask))),
  withFile(
    signedInPage(
      "POST",
      "/posts",
      withPicture(feedView, async (ask) => {
        const media = [...pictureIdsIn(ask), ...mediaUrlsIn(ask.form)];
        const draft = readDraft(PostDraft, ask.form, { media });
        const post = await ask.write(() => createPost(ask.core, ask.person.caller, draft));
        return { to: `/posts/${post.id}`, notice: "posted" };
      }),
    ),
  ),
];

/** The typed URLs of pictures and videos. */
export function mediaUrlsIn(form: URLSearchParams): string[] {
  return field(form, "media").split(/\s+/).filter(Boolean);
}

function feedView(ask: PageAsk, error?: CoreError, seen?: string): View {
  const asked = filterOf(ask, "tag");
  if (asked !== undefined) return tagView(ask, slugged(asked).toLowerCase(), error);
  const page = listFeed(ask.core, readerOf(ask), {}, pageRequest(ask));
  const steps = ask.person && firstSteps(ask.core, ask.person.caller);
  return {
    title: "",
    error,
    sidebar: sidebarOf(ask, steps),
    linkPreview: {
      description: communitySettingsOf(ask.core).line || ask.words.feed.heading,
      path: "/",
      feed: { path: "/feed", title: communitySettingsOf(ask.core).name },
    },
    body: (
      <>
        <h1 class="unseen" dir="auto">
          {ask.words.feed.heading}
        </h1>
        {ask.person ? <Composer ask={ask} error={error} /> : <Welcome ask={ask} />}
        <div class="feed-head">
          <FeedViews ask={ask} />
          {steps ? <StepsLine ask={ask} steps={steps} /> : ""}
        </div>
        <NewPosts ask={ask} />
        <Posts posts={page.nodes} ask={ask} seen={seen} />
        <More ask={ask} href={nextAddress(ask, page, "/")} />
      </>
    ),
  };
}

function followedView(ask: PersonAsk, seen: string | undefined): View {
  const words = ask.words.following.feed;
  const page = listFeed(ask.core, ask.person.caller, { following: true }, pageRequest(ask));
  return {
    title: words.title,
    sidebar: sidebarOf(ask),
    body: (
      <>
        <h1 class="unseen" dir="auto">
          {words.title}
        </h1>
        <FeedViews ask={ask} />
        {page.nodes.length > 0 ? (
          <>
            <PostList posts={page.nodes} ask={ask} seen={seen} />
            <More ask={ask} href={nextAddress(ask, page)} />
            <p class="hint part">{words.list}</p>
          </>
        ) : (
          <Empty title={words.empty}>
            <p>{words.emptyLead}</p>
          </Empty>
        )}
      </>
    ),
  };
}

/** A word that is no slug has no posts, so the page is empty and not an error. */
function tagView(ask: PageAsk, tag: string, error?: CoreError): View {
  const page = listFeed(ask.core, readerOf(ask), { tag }, pageRequest(ask));
  const path = tagPath(tag);
  return {
    title: `#${tag}`,
    error,
    sidebar: sidebarOf(ask),
    linkPreview: { description: `#${tag}`, path, feed: { path: `${path}/feed`, title: `#${tag}` } },
    body: (
      <>
        <TagHeading ask={ask} tag={tag} />
        <Posts posts={page.nodes} ask={ask} />
        <More ask={ask} href={nextAddress(ask, page)} />
      </>
    ),
  };
}

/** The number of newer posts; the script fills it in. */
function NewPosts({ ask }: { ask: PageAsk }) {
  const { feed, formats } = ask.words;
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

function TagHeading({ ask, tag }: { ask: PageAsk; tag: string }) {
  return (
    <Heading title={`#${tag}`} action={isSlug(tag) ? <FollowTag ask={ask} tag={tag} /> : ""}>
      <p>
        <a href="/">{ask.words.feed.whole}</a>
      </p>
    </Heading>
  );
}

function Welcome({ ask }: { ask: PageAsk }) {
  const { welcome, sidebar } = ask.words.feed;
  const { joining } = communitySettingsOf(ask.core);
  return (
    <div class="welcome heading">
      <div>
        <h2 safe>{welcome.title}</h2>
        <div class="lead">
          <p>{joining === "open" ? welcome.lead : sidebar.joining[joining]}</p>
        </div>
      </div>
    </div>
  );
}

/** One line until it is wanted; open where the form came back, with a fault or to be looked at. */
function Composer({ ask, error }: { ask: PageAsk; error: CoreError | undefined }) {
  const carried = formPicture(ask);
  const isOpen = carried !== undefined || field(ask.form, "media") !== "" || hasPictureInput(ask, error);
  const words = ask.words.feed.composer;
  const { Form, Field, TextArea } = formOf(ask, PostDraft, { words, error });
  return (
    <details class="composer" id="composer" open={ask.form.has("text")}>
      <summary>{words.begin}</summary>
      <Form action="/posts" label={words.label} hasFile>
        <Preview ask={ask} pictures={carried ? [carried] : []} />
        <PostText ask={ask} label={words.text} error={error} />
        <Field name="tags" />
        <details class="more-fields" open={isOpen}>
          <summary>{words.more}</summary>
          <TextArea name="media" rows={2} />
          <PictureFields ask={ask} error={error} />
        </details>
        <SubmitOrPreview ask={ask}>{words.post}</SubmitOrPreview>
      </Form>
    </details>
  );
}

/** Whether the collapsed picture fields hold a text or an error. */
export function hasPictureInput({ form }: PageAsk, error: CoreError | undefined): boolean {
  const isFaulty = error?.details?.some(({ path }) => ["media", "file", "alt"].includes(path)) ?? false;
  return isFaulty || field(form, "alt") !== "";
}

/**
 * The box that a post or a reply is written in. The browser does not cut it off: it counts differently than
 * we do.
 */
export function PostText({
  ask,
  label,
  error,
}: {
  ask: PageAsk;
  label: string;
  error: CoreError | undefined;
}) {
  const text = prose(ask.form, "text");
  const { hint, hintOf } = ask.words.feed.composer;
  return (
    <TextArea
      name="text"
      label={label}
      hint={text === "" ? hint : hintOf({ written: codePoints(text) })}
      value={text}
      rows={3}
      ask={ask}
      error={error}
      required
    />
  );
}

function Posts({ posts, ask, seen }: { posts: readonly Post[]; ask: PageAsk; seen?: string | undefined }) {
  if (posts.length > 0) return <PostList posts={posts} ask={ask} seen={seen} />;
  const { title, first, nobody } = ask.words.feed.empty;
  return (
    <Empty title={title}>
      <p>{ask.person ? first : nobody}</p>
    </Empty>
  );
}
