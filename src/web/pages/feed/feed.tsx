/** @jsxImportSource @kitajs/html */
import { check, codePoints } from "../../../core/ground/check.ts";
import type { CoreError } from "../../../core/ground/errors.ts";
import { createPost, listFeed, type Post, PostDraft } from "../../../core/community/feed/feed.ts";
import { slugsOf } from "../../../core/ground/slugs.ts";
import { field, posted, prose, slugged } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Button, Empty, Fault, boundFields, Form, More, TextArea } from "../../parts/parts.tsx";
import { filterOf, nextAddress, pageRequest, readerOf } from "../../request/reading.ts";
import { open, type PageAsk, personal, type View } from "../../request/route.ts";
import { PostList } from "./post-card.tsx";

/** The front page: what the community says. */
export const feedPages = [
  open("GET", "/", (ask) => feedView(ask)),
  posted(personal, "/posts", feedView, async (ask) => {
    const draft = check(PostDraft, {
      text: prose(ask.form, "text"),
      tags: slugsOf(field(ask.form, "tags")),
      media: addressesIn(ask.form),
    });
    const post = await ask.write(() => createPost(ask.core, ask.person.caller, draft));
    return { to: `/posts/${post.id}`, notice: "posted" };
  }),
];

/** What was typed as links to pictures and videos. */
function addressesIn(form: URLSearchParams): string[] {
  return field(form, "media").split(/\s+/).filter(Boolean);
}

function feedView(ask: PageAsk, error?: CoreError): View {
  const asked = filterOf(ask, "tag");
  const tag = asked === undefined ? undefined : slugged(asked);
  const page = listFeed(
    ask.core,
    readerOf(ask),
    // What is no slug is no tag either: an empty page says that better than a refusal.
    { tag: tag === undefined ? undefined : tag.toLowerCase() },
    pageRequest(ask),
  );
  return {
    title: tag === undefined ? "" : `#${tag}`,
    error,
    body: (
      <>
        {tag === undefined ? (
          <h1 class="unseen" dir="auto">
            Feed
          </h1>
        ) : (
          <TagHeading tag={tag} />
        )}
        {ask.person && tag === undefined ? <Composer ask={ask} error={error} /> : ""}
        {ask.person || tag !== undefined ? "" : <Welcome />}
        <Posts posts={page.nodes} ask={ask} />
        <More href={nextAddress(ask, page, "/")} />
      </>
    ),
  };
}

function TagHeading({ tag }: { tag: string }) {
  return (
    <Heading title={`#${tag}`}>
      <p>
        <a href="/">The whole feed</a>
      </p>
    </Heading>
  );
}

function Welcome() {
  return (
    <Heading title="A home for builders">
      <p>
        What we make, what we look for, what we learn. <a href="/sign-up">Join</a> or{" "}
        <a href="/sign-in">sign in</a> to take part.
      </p>
    </Heading>
  );
}

function Composer({ ask, error }: { ask: PageAsk; error: CoreError | undefined }) {
  const media = field(ask.form, "media");
  const { Field, TextArea } = boundFields(ask.form, error);
  return (
    <Form action="/posts" token={ask.formToken} kind="composer stack" label="New post">
      <Fault error={error} fields={["text", "tags", "media"]} />
      <PostText ask={ask} label="What are you building?" error={error} />
      <details class="more-fields" open={media !== ""}>
        <summary>Add pictures or videos</summary>
        <TextArea
          name="media"
          label="Their addresses"
          hint="Up to four, each on a line of its own, beginning with https://."
          rows={2}
        />
      </details>
      <div class="composer-end">
        <Field name="tags" label="Tags" placeholder="rust, shipped" />
        <Button>Post</Button>
      </div>
    </Form>
  );
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
  const written = text === "" ? "up to" : `${codePoints(text).toLocaleString("en")} of`;
  return (
    <TextArea
      name="text"
      label={label}
      hint={`Markdown, ${written} 2,000 characters.`}
      value={text}
      rows={3}
      error={error}
      required
    />
  );
}

function Posts({ posts, ask }: { posts: readonly Post[]; ask: PageAsk }) {
  if (posts.length > 0) return <PostList posts={posts} ask={ask} />;
  return (
    <Empty title="Nothing here yet">
      <p>
        {ask.person ? "Say what you are working on: somebody has to be first." : "Nobody has posted yet."}
      </p>
    </Empty>
  );
}
