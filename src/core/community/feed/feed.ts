import { type Static, Type } from "@sinclair/typebox";
import { type Caller, requireBuilder, requireScope } from "../../identity/access/caller.ts";
import { AuthorView } from "../../identity/builders/author.ts";
import { handleOf } from "../../identity/builders/builders.ts";
import { Username } from "../../identity/builders/username.ts";
import { ruled, Slug, Text } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import type { EventFact } from "../../outbox/events/subjects.ts";
import { recordPublicEvent } from "../../outbox/events/events.ts";
import { isId } from "../../base/ids.ts";
import { HiddenView, seesHidden } from "../../identity/access/visibility.ts";
import { type LinkingText, spendLinks } from "../../identity/newcomers/newcomers.ts";
import { spendPost } from "../../identity/quotas/quotas.ts";
import { TimestampText, parseTimestamp } from "../../base/timestamp.ts";
import { cursorKey, type CursorKey, type Page, pageOf, type PageRequest, pagesOf } from "../../base/page.ts";
import { Id, orNull, Shown, Timestamp } from "../../base/view.ts";
import { storeMentions, type MentioningText } from "../mentions/mentions.ts";
import { storedMedia, MediaItem, type Picture, shownMedia } from "../media/media.ts";
import { findProfileName, selectUsernames } from "../profiles/profiles.ts";
import { award } from "../xp/xp.ts";
import {
  firstRevision,
  insertPost,
  selectBriefFeed,
  selectFeed,
  selectFollowedFeed,
  selectHidden,
  selectPosts,
  selectPostsOf,
  type StoredPost,
} from "./feed-store.ts";

export { firstRevision, indexPost, insertTags } from "./feed-store.ts";

/** What a post or reply shows. */
export const PostView = Type.Object({
  id: Id("post_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the post or reply."),
  author: AuthorView,
  text: Shown(
    "The text in Markdown, as the author sent it.",
    "# Shipped\n\nThe first release of our **queue** is out.",
  ),
  tags: Type.Array(Type.String(), { description: "The tags, as slugs.", examples: [["rust", "shipped"]] }),
  media: Type.Array(Type.String(), { description: "The URLs of images or short videos.", examples: [[]] }),
  createdAt: Timestamp({ description: "The time of publication." }),
  metrics: Type.Object(
    {
      likes: Type.Integer({ description: "The number of likes.", examples: [12] }),
      replies: Type.Integer({ description: "The number of replies.", examples: [3] }),
    },
    { description: "The number of likes and replies." },
  ),
  parentId: orNull(Type.String(), {
    description:
      "The identifier of the post or reply that this reply answers. The identifier stays when that post or reply is deleted. `null` for a post in the feed.",
    examples: [null],
  }),
  rootId: orNull(Type.String(), {
    description: "The identifier of the post that started the conversation. `null` for a post in the feed.",
    examples: [null],
  }),
  editedAt: orNull(Timestamp(), {
    description: "The time of the last edit. `null` if the post was never edited.",
    examples: [null],
  }),
  revision: Id("rev_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the current revision."),
});

/** What of it depends on who looks. */
export const ReaderView = Type.Object({
  liked: Type.Boolean({ description: "Whether you like the post." }),
  bookmarked: Type.Boolean({ description: "Whether the post is among your bookmarks." }),
  hidden: HiddenView,
});

export interface Post extends Static<typeof PostView> {
  authorId: string;
  /** The reply that it answers, where it does not answer the post itself. */
  answeredId: string | null;
  /** Those of its media that its author has sent. */
  pictures: Picture[];
  /**
   * Since when moderators hide it, for those few who see it all the same; null for a post that everybody
   * sees.
   */
  hiddenAt: number | null;
}

/** What a list shows that says little of each post, as v1's feed does. */
export type BriefPost = Pick<Post, "id" | "author" | "text" | "tags" | "createdAt" | "metrics">;

/** What a feed can be asked for, as it is sent; `readFeedFilter` makes of it what `listFeed` takes. */
export const FeedFilter = Type.Object({
  tag: Type.Optional(Slug({ description: "Return only posts with this tag.", examples: ["rust"] })),
  author: Type.Optional(
    Type.String({
      description: "Return only posts by this builder: a username without @, in upper or lower case.",
      examples: ["ada"],
      pattern: Username.pattern?.replaceAll("a-z", "A-Za-z") ?? "",
      ...ruled("not_username"),
    }),
  ),
  since: Type.Optional(
    TimestampText({
      description: "Return only posts created after this time.",
      examples: ["2026-11-20T09:30:00Z"],
    }),
  ),
  following: Type.Optional(
    Type.Boolean({
      description:
        "`true` returns only posts by builders you follow and posts with tags you follow. Your own posts are left out.",
      examples: [true],
      ...ruled("not_boolean"),
    }),
  ),
});

export interface FeedFilter {
  tag?: string | undefined;
  /** A username in any case. */
  author?: string | undefined;
  /** Only posts created after this moment, in ms since the epoch. */
  since?: number | undefined;
  /** Only what the caller follows, and nothing of their own. */
  following?: boolean | undefined;
}

/** A filter that was checked by its schema. */
export function readFeedFilter({ since, ...filter }: Static<typeof FeedFilter>): FeedFilter {
  return { ...filter, since: since === undefined ? undefined : parseTimestamp(since) };
}

export const PostText = Text({
  max: 2000,
  visible: true,
  description: "The text in Markdown. Its length is counted in Unicode code points.",
  examples: ["# Shipped\n\nThe first release of our **queue** is out."],
});

export const Media = Type.Optional(
  Type.Array(MediaItem, {
    maxItems: 4,
    description: "URLs of images or short videos, and identifiers (`med_…`) of your uploaded images.",
    examples: [["https://images.example.com/queue.png"]],
  }),
);

export const Tags = Type.Optional(
  Type.Array(Slug(), {
    maxItems: 5,
    tooLong: "tags_too_many",
    description: "Tags, as slugs. A repeated tag counts once.",
    examples: [["rust", "shipped"]],
  }),
);

/**
 * Text of at most 2,000 characters and up to 5 tags, as docs/contract.md#V4.7 shows; up to 4 media
 * (docs/contract.md#4.2).
 */
export const PostDraft = Type.Object({
  text: PostText,
  tags: Tags,
  media: Media,
});
export type PostDraft = Static<typeof PostDraft>;

/** A reply is not in the feed, so it has no tags to be found by. */
export const ReplyDraft = Type.Object({
  text: { ...PostText, examples: ["Congratulations! Does it keep the order?"] },
  media: Media,
});
export type ReplyDraft = Static<typeof ReplyDraft>;

/**
 * Newest first (docs/contract.md#V4.6); replies are not in it, nor is what is hidden. What the caller follows
 * is a list of theirs alone (docs/contract.md#4.20). Needs `feed:read`. Throws bad_request for a cursor of
 * another list; forbidden where `following` is asked for by nobody.
 */
export function listFeed(core: Core, caller: Caller, asked: FeedFilter, request: PageRequest): Page<Post> {
  return feedBy(selectFeed, core, caller, asked, request);
}

/** The same page, open to the same cursors, with less of each post. */
export function listFeedInBrief(
  core: Core,
  caller: Caller,
  asked: FeedFilter,
  request: PageRequest,
): Page<BriefPost> {
  return feedBy(selectBriefFeed, core, caller, asked, request);
}

function feedBy<Shown extends BriefPost>(
  select: (core: Core, filter: FeedFilter, fromId: string | undefined, request: PageRequest) => Shown[],
  core: Core,
  caller: Caller,
  asked: FeedFilter,
  request: PageRequest,
): Page<Shown | Post> {
  requireScope(caller, "feed:read");
  const { following, ...rest } = asked;
  const filter = { ...rest, author: rest.author && handleOf(core, rest.author) };
  const builderId = following ? requireBuilder(caller, "feed:read").builderId : undefined;
  const scope = { list: "feed", filters: { ...filter, followedBy: builderId } };
  const fromId = cursorKey(request, scope, isPostKey)?.[0];
  const rows =
    builderId === undefined
      ? select(core, filter, fromId, request)
      : selectFollowedFeed(core, { ...filter, builderId }, fromId, request);
  return pageOf<Shown | Post>(rows, request, scope, (post) => [post.id]);
}

/**
 * The feeds of many builders at once, each as `listFeed` gives it for that author, so that the same cursors
 * open it; unknown builders are left out. Needs `feed:read`. Throws bad_request for a cursor of another list.
 */
export function listFeedsOf(
  core: Core,
  caller: Caller,
  builderIds: readonly string[],
  request: PageRequest,
): ReadonlyMap<string, Page<Post>> {
  requireScope(caller, "feed:read");
  const usernames = selectUsernames(core, builderIds);
  return pagesOf<Post, string>([...usernames.keys()], request, {
    scopeOf: (id) => ({ list: "feed", filters: { author: usernames.get(id) } }),
    isKey: isPostKey,
    select: (walks) => selectPostsOf(core, walks, request),
    keyOf: ({ id }) => id,
  });
}

/**
 * The caller's own posts and replies that moderators have hidden, newest first, so that nobody has to guess
 * why nobody answers. Needs `feed:read`. Throws bad_request for a cursor of another list.
 */
export function listHiddenPosts(core: Core, caller: Caller, request: PageRequest): Page<Post> {
  const { builderId } = requireBuilder(caller, "feed:read");
  const scope = { list: "hidden", filters: { builderId } };
  const key = cursorKey(request, scope, isPostKey);
  return pageOf(selectHidden(core, builderId, key?.[0], request), request, scope, (post) => [post.id]);
}

/**
 * One post or reply by its id. One that is hidden is shown to its author and to moderators alone, marked by
 * `hiddenAt`; the replies to a hidden post are hidden with it. Needs `feed:read`. Throws not_found.
 */
export function getPost(core: Core, caller: Caller, id: string): Post {
  requireScope(caller, "feed:read");
  return visiblePost(core, caller, id);
}

/** The same for many at once; those that the caller cannot see are left out. In the order of `ids`. */
export function getPosts(core: Core, caller: Caller, ids: readonly string[]): Post[] {
  requireScope(caller, "feed:read");
  const found = new Map(
    selectPosts(core, ids)
      .filter((post) => isVisible(caller, post))
      .map((post) => [post.id, withoutRoot(post)]),
  );
  return ids.flatMap((id) => found.get(id) ?? []);
}

/**
 * Publishes a post as the caller (docs/contract.md#V4.7) and returns it; `post.created` is recorded in the
 * same transaction. Needs `feed:write`. Throws rate_limited where the operator's quota is used up.
 */
export function createPost(core: Core, caller: Caller, draft: PostDraft): Post {
  const { builderId } = requireBuilder(caller, "feed:write");
  return core.db.transact(() => {
    const post = writePost(core, caller, { ...draft, authorId: builderId, answers: null });
    recordPublicEvent(core, "post.created", postFact(core, post), post.id);
    award(core, builderId, "post.published", post.id);
    storeMentions(core, mentioning(post));
    return post;
  });
}

/** Who is named in a post, and told of it unless it is hidden. */
export function mentioning({ id, text, authorId, hiddenAt }: Post): MentioningText {
  const isLeftOut = hiddenAt === null ? undefined : () => true;
  return { id, text, by: authorId, subject: { type: "post", id }, isLeftOut };
}

/** The facts that events store of a post; its title is read from the post. */
export function postFact(core: Core, { id, authorId }: Post): EventFact["post.created"] {
  return { post: { id, author_id: authorId, url: `${core.origin}/posts/${id}` } };
}

/**
 * Stores a post or reply of the caller's. Asks no right: what calls it has. Call it in a transaction. Throws
 * rate_limited for whoever has published as many as a member may, unprocessable for a picture that is not
 * theirs; for somebody new as `spendLinks`.
 */
export function writePost(
  core: Core,
  caller: Caller,
  draft: PostDraft & { authorId: string; answers: Pick<Post, "id" | "rootId"> | null },
): Post {
  const { authorId, answers, text } = draft;
  spendPost(core, caller, authorId);
  const media = storedMedia(core, authorId, draft.media ?? []);
  spendLinks(core, caller, linkTextsOf({ text, media }));
  const createdAt = core.clock.now();
  const id = core.makeId("post", createdAt);
  const post: Post = {
    id,
    authorId,
    author: { username: caller.username, name: findProfileName(core, authorId) },
    parentId: answers?.id ?? null,
    rootId: answers && (answers.rootId ?? answers.id),
    answeredId: answers?.rootId ? answers.id : null,
    text,
    tags: [...new Set(draft.tags)],
    ...shownMedia(core, media),
    createdAt,
    hiddenAt: null,
    metrics: { likes: 0, replies: 0 },
    editedAt: null,
    revision: firstRevision(id),
  };
  insertPost(core, { ...post, ...post.metrics, media });
  return post;
}

/** What of a post leads elsewhere: its text, and what it shows that its author has not sent here. */
export function linkTextsOf({
  text,
  media,
}: Pick<StoredPost, "text"> & { media: readonly unknown[] }): LinkingText {
  return { texts: [text], addresses: media.filter((item) => typeof item === "string") };
}

/** The post as the caller may see it. Asks no scope. Throws not_found. */
export function visiblePost(core: Core, caller: Caller, id: string): Post {
  const post = findPost(core, id);
  if (!post || !isVisible(caller, post)) throw unknownPost();
  return withoutRoot(post);
}

/**
 * A post that everybody sees: what is hidden takes neither likes nor replies, not from its author either.
 * Throws not_found.
 */
export function publicPost(core: Core, id: string): Post {
  const post = findPost(core, id);
  if (!post || post.hiddenAt !== null || isHiddenWithRoot(post)) throw unknownPost();
  return withoutRoot(post);
}

/** A post in whatever state but deleted. */
export function findPost(core: Core, id: string): StoredPost | undefined {
  return selectPosts(core, [id])[0];
}

export function isVisible(caller: Caller, post: StoredPost): boolean {
  if (isHiddenWithRoot(post) && !seesHidden(caller, post.root?.authorId ?? "")) return false;
  return post.hiddenAt === null || seesHidden(caller, post.authorId);
}

export function unknownPost() {
  return refuse("post_unknown");
}

export function isPostKey(key: CursorKey): key is [string] {
  return key.length === 1 && isId("post", key[0]);
}

function isHiddenWithRoot({ root }: StoredPost): boolean {
  return root !== null && root.hiddenAt !== null;
}

function withoutRoot({ root: _root, ...post }: StoredPost): Post {
  return post;
}
