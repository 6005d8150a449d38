/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import type { Post } from "../../../core/community/feed/feed.ts";
import { kindOf, type PostKind } from "../../../core/community/feed/kind.ts";
import { bookmarkedAmong } from "../../../core/community/feed/bookmarks.ts";
import { likedAmong } from "../../../core/community/feed/likes.ts";
import { namesOf } from "../../../core/community/mentions/mentions.ts";
import type { NameOf } from "../../../core/base/names.ts";
import { Avatar, avatarUrls } from "../../parts/avatar.tsx";
import { renderMarkdown } from "../../../core/base/markdown.ts";
import { placePictures } from "../../../core/community/media/placement.ts";
import { toLocalUrls, Pictures } from "../../parts/pictures.tsx";
import { Ago, Form } from "../../parts/parts.tsx";
import { readerOf } from "../../request/paging.ts";
import type { PageContext } from "../../request/route.ts";
import { NotStaffMark } from "../../parts/role-mark.tsx";

/** A list of posts or replies. */
export function PostList({
  posts,
  ctx,
  lastSeen,
  hasAllActions = false,
}: {
  posts: readonly Post[];
  ctx: PageContext;
  /** The last post that the reader had seen before. A line separates it from newer posts. */
  lastSeen?: string | undefined;
  /** Whether each post has all its actions, as on its own page. */
  hasAllActions?: boolean;
}) {
  const details = cardDetailsOf(posts, ctx);
  const line = lastSeen === undefined ? -1 : posts.findIndex(({ id }) => id <= lastSeen);
  return (
    <div class={hasAllActions ? "posts whole" : "posts"}>
      {posts.map((post, i) => (
        <>
          {/* New posts are above this line. */}
          {i > 0 && i === line ? <p class="seen-line">{ctx.messages.following.seen}</p> : ""}
          <PostCard {...details(post)} hasAllActions={hasAllActions} />
        </>
      ))}
    </div>
  );
}

/** Reads likes, bookmarks, mentions and avatars of all posts, with one query each. */
export function cardDetailsOf(posts: readonly Post[], ctx: PageContext): (post: Post) => CardDetails {
  const ids = posts.map(({ id }) => id);
  const liked = likedAmong(ctx.core, readerOf(ctx), ids);
  const bookmarked = bookmarkedAmong(ctx.core, readerOf(ctx), ids);
  const nameOf = namesOf(ctx.core, posts);
  const avatars = avatarUrls(
    ctx.core,
    posts.map(({ authorId }) => authorId),
  );
  return (post) => ({
    post,
    ctx,
    nameOf: nameOf(post.id),
    isLiked: liked.has(post.id),
    isBookmarked: bookmarked.has(post.id),
    picture: avatars.get(post.authorId),
  });
}

interface CardDetails {
  post: Post;
  ctx: PageContext;
  nameOf: NameOf | undefined;
  isLiked: boolean;
  isBookmarked: boolean;
  /** The picture of the author, if they show one. */
  picture: string | undefined;
}

/** A post in a list and on its own page. `children` are between its head and its text. */
export function PostCard({
  post,
  ctx,
  nameOf,
  isLiked,
  isBookmarked,
  picture,
  hasAllActions,
  children,
}: PropsWithChildren<CardDetails & { hasAllActions: boolean }>) {
  const messages = ctx.messages.feed.card;
  const { pictureOf, unplaced: othersOf } = placePictures(post.pictures, toLocalUrls(ctx));
  const html = renderMarkdown(post.text, { id: post.id, nameOf, pictureOf });
  const left = othersOf();
  const kind = post.rootId === null ? kindOf(post) : "reply";
  return (
    <article class={`post ${kind}`} id={post.id}>
      <h2 class="unseen" dir="auto" safe>
        {post.rootId === null
          ? messages.post({ author: post.author.name })
          : messages.reply({ author: post.author.name })}
      </h2>
      <Byline post={post} kind={kind} picture={picture} ctx={ctx} />
      {children}
      {post.hiddenAt === null ? "" : <HiddenMark ctx={ctx} />}
      {/* The renderer has sanitized this HTML. */}
      <div class="prose" dir="auto">
        {html}
      </div>
      <Pictures ctx={ctx} pictures={left} />
      <ExternalMedia ctx={ctx} addresses={externalMediaOf(post)} />
      <div class="post-figures">
        <Likes post={post} ctx={ctx} isLiked={isLiked} />
        <Bookmark post={post} ctx={ctx} isBookmarked={isBookmarked} />
        {post.rootId === null && <Replies post={post} ctx={ctx} hasAllActions={hasAllActions} />}
        {hasAllActions && ctx.person && post.rootId !== null && post.hiddenAt === null && (
          <a href={`/posts/${post.id}#answer`}>{messages.answer}</a>
        )}
        {hasAllActions && ctx.person ? (
          <Further ctx={ctx} post={post} builderId={ctx.person.caller.builderId} />
        ) : (
          ""
        )}
        {post.tags.length > 0 ? <Tags tags={post.tags} /> : ""}
      </div>
    </article>
  );
}

export function HiddenMark({ ctx }: { ctx: PageContext }) {
  return <p class="hidden-mark">{ctx.messages.feed.card.hidden}</p>;
}

/** A button for members, and a count for everyone. A hidden post cannot be liked. */
function Likes({ post, ctx, isLiked }: { post: Post; ctx: PageContext; isLiked: boolean }) {
  const { likes } = post.metrics;
  const messages = ctx.messages.feed.card;
  if (!ctx.person || post.hiddenAt !== null)
    return likes === 0 ? "" : <span>{messages.likes({ count: likes })}</span>;
  return (
    <Form action={`/posts/${post.id}/${isLiked ? "unlike" : "like"}`} ctx={ctx} kind="inline">
      <input type="hidden" name="back" value={returnPath(ctx, post)} />
      <button class="like" aria-pressed={isLiked ? "true" : "false"}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M12 20.5C7 16.4 3.5 13.3 3.5 9.4A4.6 4.6 0 0 1 8.1 4.8c1.6 0 3 .8 3.9 2.1.9-1.3 2.3-2.1 3.9-2.1a4.6 4.6 0 0 1 4.6 4.6c0 3.9-3.5 7-8.5 11.1z" />
        </svg>
        {messages.like({ count: likes })}
      </button>
    </Form>
  );
}

/**
 * The number of replies. In a list, a post without replies shows members a link to the reply form instead.
 */
function Replies({ post, ctx, hasAllActions }: { post: Post; ctx: PageContext; hasAllActions: boolean }) {
  const { replies } = post.metrics;
  const messages = ctx.messages.feed.card;
  if (replies > 0) return <a href={`/posts/${post.id}#replies`}>{messages.replies({ count: replies })}</a>;
  if (hasAllActions || !ctx.person || post.hiddenAt !== null) return "";
  return <a href={`/posts/${post.id}#answer`}>{messages.answer}</a>;
}

/** The bookmark button, for members. A hidden post cannot be bookmarked. */
function Bookmark({ post, ctx, isBookmarked }: { post: Post; ctx: PageContext; isBookmarked: boolean }) {
  if (!ctx.person || post.hiddenAt !== null) return "";
  return (
    <Form action={`/posts/${post.id}/${isBookmarked ? "unbookmark" : "bookmark"}`} ctx={ctx} kind="inline">
      <input type="hidden" name="back" value={returnPath(ctx, post)} />
      <button class="keep" aria-pressed={isBookmarked ? "true" : "false"}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M6.5 4h11v16L12 15.8 6.5 20z" />
        </svg>
        <span class="unseen">{ctx.messages.following.keep}</span>
      </button>
    </Form>
  );
}

/** Returns the path to return to: the post on the page with the button. */
function returnPath({ context, query }: PageContext, { id }: Post): string {
  if (context.method !== "GET") return `/posts/${id}`;
  const kept = new URLSearchParams(query);
  kept.delete("notice");
  return `${context.path}${kept.size > 0 ? `?${kept}` : ""}#${id}`;
}

function Further({ ctx, post, builderId }: { ctx: PageContext; post: Post; builderId: string }) {
  const messages = ctx.messages.feed.card;
  return post.authorId === builderId ? (
    <>
      <a href={`/posts/${post.id}/edit`}>{messages.edit}</a>
      <a href={`/posts/${post.id}/delete`}>{messages.delete}</a>
    </>
  ) : (
    <a href={`/report/${post.id}`}>{messages.report}</a>
  );
}

function externalMediaOf({ media, pictures }: Post): string[] {
  return media.filter((address) => pictures.every(({ url }) => url !== address));
}

/** Shows the URLs of pictures and videos as links, because our pages load nothing from other sites. */
function ExternalMedia({ ctx, addresses }: { ctx: PageContext; addresses: readonly string[] }) {
  if (addresses.length === 0) return "";
  return (
    <ul class="media" aria-label={ctx.messages.feed.card.media}>
      {addresses.map((address) => (
        <li>
          <a href={address} rel="nofollow noopener ugc" safe>
            {address.replace(/^https:\/\//, "")}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Byline({
  post: { id, author, createdAt, editedAt },
  kind,
  picture,
  ctx,
}: Pick<CardDetails, "post" | "picture" | "ctx"> & { kind: PostKind | "reply" }) {
  const { kinds } = ctx.messages.feed.card;
  return (
    <header class="byline">
      <Avatar username={author.username} picture={picture} />
      <p>
        <a class="byline-name" dir="auto" href={`/@${author.username}`} safe>
          {author.name}
        </a>
        <NotStaffMark ctx={ctx} who={author} /> <span class="quietly" safe>{`@${author.username}`}</span>
        <span class="quietly"> · </span>
        <a class="quietly" href={`/posts/${id}`}>
          <Ago ctx={ctx} at={createdAt} />
        </a>
        {editedAt !== null && (
          <>
            <span class="quietly"> · </span>
            <a class="quietly" href={`/posts/${id}/history`}>
              {ctx.messages.feed.card.edited}
            </a>
          </>
        )}
      </p>
      {kind === "launch" || kind === "question" ? <p class="kind">{kinds[kind]}</p> : ""}
    </header>
  );
}

export function tagPath(tag: string): string {
  return `/tags/${encodeURIComponent(tag)}`;
}

export function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <ul class="tags">
      {tags.map((tag) => (
        <li>
          <a class="tag" dir="auto" href={tagPath(tag)} safe>
            {`#${tag}`}
          </a>
        </li>
      ))}
    </ul>
  );
}
