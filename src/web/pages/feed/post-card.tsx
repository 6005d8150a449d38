/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import type { Core } from "../../../core/base/core.ts";
import type { Post } from "../../../core/community/feed/feed.ts";
import { kindOf, type PostKind, titled } from "../../../core/community/feed/kind.ts";
import { bestReplies, type BestReply } from "../../../core/services/front-page/front-page.ts";
import { bookmarkedAmong } from "../../../core/community/feed/bookmarks.ts";
import { waitingAmong } from "../../../core/community/holding/holding.ts";
import { likedAmong } from "../../../core/community/feed/likes.ts";
import { nameOfAmong, usernamesIn } from "../../../core/community/mentions/mentions.ts";
import { isNamedLikeStaff } from "../../../core/identity/builders/look-alikes.ts";
import { Avatar, avatarUrls } from "../../parts/avatar.tsx";
import { renderMarkdown } from "../../../core/base/markdown.ts";
import { openingOf } from "../../../core/base/title.ts";
import { placePictures } from "../../../core/community/media/placement.ts";
import { toLocalUrls, Pictures } from "../../parts/pictures.tsx";
import { findLock } from "../../../core/community/feed/locks.ts";
import { createKeptHtml, type KeptHtml } from "../../parts/kept-html.ts";
import { Form, relativeTime, TimeAs } from "../../parts/parts.tsx";
import { actsOn, isModerating, ModerateMenu } from "../../parts/moderate-menu.tsx";
import { readerOf } from "../../request/paging.ts";
import type { PageContext } from "../../request/route.ts";
import { NotStaff } from "../../parts/role-mark.tsx";

/** A list of posts or replies. */
export function PostList({
  posts,
  ctx,
  lastSeen,
  hasAllActions = false,
  isHead = false,
  hasBest = false,
}: {
  posts: readonly Post[];
  ctx: PageContext;
  /** The last post that the reader had seen before. A line separates it from newer posts. */
  lastSeen?: string | undefined;
  /** Whether each post has all its actions, as on its own page. */
  hasAllActions?: boolean;
  /** Whether the post is the subject of its page, so that its title is the page's heading. */
  isHead?: boolean;
  /** Whether a busy thread shows its most liked reply. */
  hasBest?: boolean;
}) {
  const details = cardDetailsOf(posts, ctx, hasBest);
  const line = lastSeen === undefined ? -1 : posts.findIndex(({ id }) => id <= lastSeen);
  return (
    <div class={hasAllActions ? "posts whole" : "posts"}>
      {posts.map((post, i) => (
        <>
          {/* New posts are above this line. */}
          {i > 0 && i === line ? <p class="seen-line">{ctx.messages.following.seen}</p> : ""}
          <PostCard {...details(post)} hasAllActions={hasAllActions} isHead={isHead} />
        </>
      ))}
    </div>
  );
}

/** Reads likes, bookmarks, mentions, avatars and best replies of all posts, with one query each. */
export function cardDetailsOf(
  posts: readonly Post[],
  ctx: PageContext,
  hasBest = false,
): (post: Post) => CardDetails {
  const ids = posts.map(({ id }) => id);
  const liked = likedAmong(ctx.core, readerOf(ctx), ids);
  const bookmarked = bookmarkedAmong(ctx.core, readerOf(ctx), ids);
  const names = usernamesIn(ctx.core, posts);
  const waiting = waitingAmong(
    ctx.core,
    posts.map(({ id, hiddenAt }) => ({ id, isHidden: hiddenAt !== null })),
  );
  const best = hasBest ? bestReplies(ctx.core, readerOf(ctx), posts) : new Map<string, BestReply>();
  const avatars = avatarUrls(
    ctx.core,
    [...posts, ...best.values()].map(({ authorId }) => authorId),
  );
  const quoteOf = (reply: BestReply): Quote => ({
    reply,
    picture: avatars.get(reply.authorId),
    isNamedLikeStaff: isNamedLikeStaff(ctx.staff(), reply.author),
  });
  return (post) => ({
    post,
    best: best.has(post.id) ? quoteOf(best.get(post.id) as BestReply) : undefined,
    ctx,
    names: names.get(post.id),
    isLiked: liked.has(post.id),
    isBookmarked: bookmarked.has(post.id),
    isWaiting: waiting.has(post.id),
    picture: avatars.get(post.authorId),
  });
}

/** The reply that a card quotes. */
interface Quote {
  reply: BestReply;
  /** The picture of the reply's author, if they show one. */
  picture: string | undefined;
  isNamedLikeStaff: boolean;
}

interface CardDetails {
  post: Post;
  best: Quote | undefined;
  ctx: PageContext;
  /** The current usernames of the mentioned members, by name as written. */
  names: ReadonlyMap<string, string> | undefined;
  isLiked: boolean;
  isBookmarked: boolean;
  /** Whether the post waits for approval. */
  isWaiting: boolean;
  /** The picture of the author, if they show one. */
  picture: string | undefined;
}

/** Memory for the cards of each server, in bytes. A card of an average post takes 8 kB. */
const CARDS_BYTES = 8 * 1024 * 1024;

/** The rendered cards of a server, and its empty form for a post. */
export function keptCards({ random }: Core): KeptHtml {
  return createKeptHtml(random, CARDS_BYTES);
}

/**
 * A post in a list and on its own page. `children` are between its head and its text. Rendered cards are
 * kept, because most of them are the same for many readers.
 */
export function PostCard({
  post,
  ctx,
  names,
  isLiked,
  isBookmarked,
  isWaiting,
  picture,
  best,
  hasAllActions,
  isHead = false,
  children,
}: PropsWithChildren<CardDetails & { hasAllActions: boolean; isHead?: boolean }>) {
  const card: Card = {
    post,
    best,
    isHead,
    names,
    isLiked,
    isBookmarked,
    isWaiting,
    picture,
    hasAllActions,
    between: children ? (children as string) : "",
    isForMember: ctx.person !== undefined,
    isOwn: hasAllActions && ctx.person?.caller.builderId === post.authorId,
    isNamedLikeStaff: isNamedLikeStaff(ctx.staff(), post.author),
    isForModerator: isModerating(ctx),
    mayModerateAuthor: isModerating(ctx) && actsOn(ctx, post.author.username) !== null,
    isLocked: isModerating(ctx) && post.rootId === null && findLock(ctx.core, post.id) !== undefined,
  };
  const kept = ctx.core.memory(keptCards);
  return kept.htmlOf(keyOf(card, ctx), () => renderCard(card, { ...ctx, placeholders: kept.placeholders }), {
    formToken: ctx.formToken,
    back: returnPath(ctx, post),
    ago: relativeTime(ctx.messages, post.createdAt - ctx.core.clock.now()),
  });
}

/** Everything that a card shows, except for the language, the time zone and the holes. */
interface Card extends Omit<CardDetails, "ctx"> {
  hasAllActions: boolean;
  isHead: boolean;
  /** HTML between the head and the text. */
  between: string;
  isForMember: boolean;
  /** Whether the card shows the actions of the author. */
  isOwn: boolean;
  isNamedLikeStaff: boolean;
  isForModerator: boolean;
  /** Whether the reader may warn, limit or suspend the author. */
  mayModerateAuthor: boolean;
  /** Whether the conversation is locked. False for a reader who does not moderate. */
  isLocked: boolean;
}

/** The context that a card uses. The language and the zone are in its key. */
interface CardContext extends Pick<PageContext, "messages" | "zone"> {
  core: Pick<Core, "origin">;
  placeholders: KeptHtml["placeholders"];
}

/**
 * The revision stands for what only an edit changes, and for what never changes. Everything else is in the
 * key by its value.
 */
function keyOf(card: Card, { messages, zone }: Pick<CardContext, "messages" | "zone">): string {
  const { names, between, picture = "" } = card;
  const { revision, author, metrics, hiddenAt } = card.post;
  const flags =
    (card.isLiked ? 1 : 0) |
    (card.isBookmarked ? 2 : 0) |
    (card.hasAllActions ? 4 : 0) |
    (card.isForMember ? 8 : 0) |
    (card.isOwn ? 16 : 0) |
    (card.isNamedLikeStaff ? 32 : 0) |
    (hiddenAt === null ? 0 : 64) |
    (card.isForModerator ? 128 : 0) |
    (card.mayModerateAuthor ? 256 : 0) |
    (card.isWaiting ? 512 : 0) |
    (card.isLocked ? 1024 : 0) |
    (card.isHead ? 2048 : 0);
  const more = names ? JSON.stringify([...names]) : "";
  return (
    `${revision} ${messages.language} ${zone.name} ${flags} ${metrics.likes} ${metrics.replies} ` +
    `${author.username} ${picture} ${author.name.length}:${author.name}${more}${between}${card.best ? quoteKey(card.best) : ""}`
  );
}

function quoteKey({ reply, picture = "", isNamedLikeStaff }: Quote): string {
  const { id, revision, author } = reply;
  return JSON.stringify([id, revision, author.username, author.name, picture, isNamedLikeStaff]);
}

function renderCard(
  { post, names, isLiked, isBookmarked, picture, hasAllActions, between, isForMember, isOwn, ...card }: Card,
  { messages: all, zone, core, placeholders }: CardContext,
): string {
  const ctx = { messages: all, zone, core, placeholders, formToken: placeholders.formToken };
  const messages = all.feed.card;
  const kind = post.rootId === null ? kindOf(post) : "reply";
  const { title, body } = kind === "reply" ? { title: "", body: post.text } : titled(post, kind);
  const { pictureOf, unplaced: othersOf } = placePictures(post.pictures, toLocalUrls(ctx));
  const html = renderMarkdown(body, { id: post.id, nameOf: nameOfAmong(names), pictureOf });
  const pictures = <Pictures ctx={ctx} pictures={othersOf()} />;
  const mayAct = isForMember && post.hiddenAt === null;
  return (
    <article class={`post ${kind}${title === "" ? "" : " titled"}`} id={post.id}>
      <Byline post={post} kind={kind} picture={picture} isNamedLikeStaff={card.isNamedLikeStaff} ctx={ctx} />
      <PostHeading post={post} title={title} isHead={card.isHead} messages={all} />
      {between}
      {post.hiddenAt === null ? "" : <HiddenMark ctx={ctx} isWaiting={card.isWaiting} isOwn={isOwn} />}
      {kind === "launch" ? pictures : ""}
      {/* The renderer has sanitized this HTML. */}
      {html === "" ? (
        ""
      ) : (
        <div class="prose" dir="auto">
          {html}
        </div>
      )}
      {kind === "launch" ? "" : pictures}
      <ExternalMedia ctx={ctx} addresses={externalMediaOf(post)} />
      <div class="post-figures">
        <Likes post={post} ctx={ctx} mayAct={mayAct} isLiked={isLiked} />
        {mayAct ? (
          <BookmarkForm id={post.id} isBookmarked={isBookmarked} ctx={ctx} back={placeholders.back} />
        ) : (
          ""
        )}
        {post.rootId === null && <Replies post={post} ctx={ctx} mayAnswer={mayAct && !hasAllActions} />}
        {hasAllActions && mayAct && post.rootId !== null && (
          <a href={`/posts/${post.id}#answer`}>{messages.answer}</a>
        )}
        {hasAllActions ? <Further ctx={ctx} post={post} isOwn={isOwn} /> : ""}
        {card.isForModerator ? (
          <ModerateMenu
            messages={all}
            of={{
              id: post.id,
              member: card.mayModerateAuthor ? post.author.username : null,
              isHidden: post.hiddenAt !== null,
              isHeld: card.isWaiting,
              isThread: post.rootId === null,
              isLocked: card.isLocked,
            }}
          />
        ) : (
          ""
        )}
        {post.tags.length > 0 ? <Tags tags={post.tags} /> : ""}
      </div>
      {card.best ? <Best quote={card.best} messages={all} /> : ""}
    </article>
  ) as string;
}

/** Whether a post has a title of its own. A reply has none. */
export function isTitled(post: Post): boolean {
  return post.rootId === null && titled(post, kindOf(post)).title !== "";
}

/** The title of a post, or a heading for screen readers if it has none. */
function PostHeading({
  post: { id, rootId, author },
  title,
  isHead,
  messages,
}: Pick<Card, "post" | "isHead"> & Pick<PageContext, "messages"> & { title: string }) {
  const { post, reply } = messages.feed.card;
  if (title === "")
    return (
      <h2 class="unseen" dir="auto" safe>
        {(rootId === null ? post : reply)({ author: author.name })}
      </h2>
    );
  if (isHead)
    return (
      <h1 class="post-title" dir="auto" safe>
        {title}
      </h1>
    );
  return (
    <h2 class="post-title" dir="auto">
      <a href={`/posts/${id}`} safe>
        {title}
      </a>
    </h2>
  );
}

/** Longest quotation of a reply, in characters. */
const QUOTED = 180;

/** The most liked reply of a busy thread, as one link to the reply. */
function Best({ quote, messages }: { quote: Quote } & Pick<PageContext, "messages">) {
  const { id, author, text } = quote.reply;
  return (
    <a class="best" href={`/posts/${id}`}>
      <Avatar username={author.username} picture={quote.picture} />
      <span>
        <span class="unseen">{messages.feed.card.best} </span>
        <b dir="auto" safe>
          {author.name}
        </b>
        {quote.isNamedLikeStaff ? <NotStaff messages={messages} /> : ""}{" "}
        <bdi safe>{openingOf(text, QUOTED)}</bdi>
      </span>
    </a>
  );
}

/** Whether one piece of hidden content waits for approval. */
export function isWaiting(
  { core }: PageContext,
  { id, hiddenAt }: { id: string; hiddenAt: number | null },
): boolean {
  return waitingAmong(core, [{ id, isHidden: hiddenAt !== null }]).has(id);
}

/**
 * The mark of content that only its author and moderators see. `isWaiting`: a brake holds it. `isOwn`: the
 * mark leads its author to the decision.
 */
export function HiddenMark({
  ctx,
  isWaiting,
  isOwn,
}: {
  ctx: Pick<PageContext, "messages">;
  isWaiting: boolean;
  isOwn: boolean;
}) {
  const messages = ctx.messages.feed.card;
  if (isWaiting) return <p class="hidden-mark waits">{messages.waits}</p>;
  return (
    <p class="hidden-mark">
      {messages.hidden} {isOwn ? <a href="/settings/decisions">{messages.decision}</a> : ""}
    </p>
  );
}

type FormContext = Pick<PageContext, "messages" | "zone" | "formToken">;

/** The properties of a card's forms. A kept card has placeholders for them, and a fragment has values. */
interface ReactionForm {
  id: string;
  ctx: FormContext;
  /** The path to return to. */
  back: string;
}

/** A button for members, and a count for everyone. A hidden post cannot be liked. */
function Likes({
  post,
  ctx,
  mayAct,
  isLiked,
}: {
  post: Post;
  ctx: FormContext & Pick<CardContext, "placeholders">;
  mayAct: boolean;
  isLiked: boolean;
}) {
  const { likes } = post.metrics;
  if (mayAct)
    return <LikeForm id={post.id} likes={likes} isLiked={isLiked} ctx={ctx} back={ctx.placeholders.back} />;
  return likes === 0 ? "" : <span>{ctx.messages.feed.card.likes({ count: likes })}</span>;
}

export function LikeForm({
  id,
  likes,
  isLiked,
  ctx,
  back,
}: ReactionForm & { likes: number; isLiked: boolean }) {
  return (
    <Form action={`/posts/${id}/${isLiked ? "unlike" : "like"}`} ctx={ctx} kind="inline" inPlace>
      <input type="hidden" name="back" value={back} />
      <button class="like" aria-pressed={isLiked ? "true" : "false"}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M12 20.5C7 16.4 3.5 13.3 3.5 9.4A4.6 4.6 0 0 1 8.1 4.8c1.6 0 3 .8 3.9 2.1.9-1.3 2.3-2.1 3.9-2.1a4.6 4.6 0 0 1 4.6 4.6c0 3.9-3.5 7-8.5 11.1z" />
        </svg>
        {ctx.messages.feed.card.like({ count: likes })}
      </button>
    </Form>
  );
}

/**
 * The number of replies. In a list, a post without replies shows members a link to the reply form instead.
 */
function Replies({
  post,
  ctx,
  mayAnswer,
}: {
  post: Post;
  ctx: Pick<PageContext, "messages">;
  mayAnswer: boolean;
}) {
  const { replies } = post.metrics;
  const messages = ctx.messages.feed.card;
  if (replies > 0) return <a href={`/posts/${post.id}#replies`}>{messages.replies({ count: replies })}</a>;
  return mayAnswer ? <a href={`/posts/${post.id}#answer`}>{messages.answer}</a> : "";
}

/** The bookmark button, for members. A hidden post cannot be bookmarked. */
export function BookmarkForm({ id, isBookmarked, ctx, back }: ReactionForm & { isBookmarked: boolean }) {
  return (
    <Form action={`/posts/${id}/${isBookmarked ? "unbookmark" : "bookmark"}`} ctx={ctx} kind="inline" inPlace>
      <input type="hidden" name="back" value={back} />
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
  if (query.size === 0) return `${context.path}#${id}`;
  const kept = new URLSearchParams(query);
  kept.delete("notice");
  return `${context.path}${kept.size > 0 ? `?${kept}` : ""}#${id}`;
}

function Further({ ctx, post, isOwn }: { ctx: Pick<PageContext, "messages">; post: Post; isOwn: boolean }) {
  const messages = ctx.messages.feed.card;
  return isOwn ? (
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
function ExternalMedia({
  ctx,
  addresses,
}: {
  ctx: Pick<PageContext, "messages">;
  addresses: readonly string[];
}) {
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
  post: {
    id,
    author,
    createdAt,
    editedAt,
    metrics: { replies },
  },
  kind,
  picture,
  isNamedLikeStaff,
  ctx,
}: Pick<Card, "post" | "picture" | "isNamedLikeStaff"> & {
  kind: PostKind | "reply";
  ctx: Pick<CardContext, "messages" | "zone" | "placeholders">;
}) {
  const { kinds } = ctx.messages.feed.card;
  return (
    <header class="byline">
      <Avatar username={author.username} picture={picture} />
      <p>
        <span class="byline-who">
          <a class="byline-name" dir="auto" href={`/@${author.username}`} safe>
            {author.name}
          </a>
          {isNamedLikeStaff ? <NotStaff messages={ctx.messages} /> : ""}
        </span>{" "}
        <span class="quietly" safe>{`@${author.username}`}</span>{" "}
        <a class="quietly" href={`/posts/${id}`}>
          <TimeAs ctx={ctx} at={createdAt} text={ctx.placeholders.ago} />
        </a>
        {editedAt !== null && (
          <>
            {" "}
            <a class="quietly" href={`/posts/${id}/history`}>
              {ctx.messages.feed.card.edited}
            </a>
          </>
        )}
      </p>
      {kind === "launch" ? <p class="kind">{kinds.launch}</p> : ""}
      {kind === "question" ? (
        <p class={replies > 0 ? "kind answered" : "kind"}>{replies > 0 ? kinds.answered : kinds.question}</p>
      ) : (
        ""
      )}
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
