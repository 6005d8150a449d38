import { type Static, Type } from "@sinclair/typebox";
import { type Caller, requireBuilder, requireScope } from "../../identity/access/caller.ts";
import { AuthorView } from "../../identity/builders/author.ts";
import { handleOf } from "../../identity/builders/builders.ts";
import { Username } from "../../identity/builders/username.ts";
import { ruled, Slug, Text } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import type { EventPayload } from "../../outbox/events/subjects.ts";
import { recordPublicEvent } from "../../outbox/events/events.ts";
import type { StoredPicture } from "../../base/db/schema-media.ts";
import { isId } from "../../base/ids.ts";
import { HiddenView, seesHidden } from "../../identity/access/visibility.ts";
import { type LinkingText, spendLinks } from "../../identity/newcomers/newcomers.ts";
import { spendPost } from "../../identity/quotas/quotas.ts";
import { TimestampText, parseTimestamp } from "../../base/timestamp.ts";
import { cursorKey, type CursorKey, type Page, pageOf, type PageRequest, pagesOf } from "../../base/page.ts";
import { Id, orNull, DisplayText, Timestamp } from "../../base/view.ts";
import { type BrakedContent, brakeOf } from "../holding/brakes.ts";
import { hold } from "../holding/holding.ts";
import { storeMentions, type MentioningText } from "../mentions/mentions.ts";
import { MEDIA_MAX, storedMedia, MediaItem, type Picture, shownMedia } from "../media/media.ts";
import { findProfileName, selectUsernames } from "../profiles/profiles.ts";
import { award } from "../xp/xp.ts";
import {
  firstRevision,
  insertPost,
  selectBriefFeed,
  selectFeed,
  selectFollowedFeed,
  selectHidden,
  selectPost,
  selectPosts,
  selectPostsOf,
  type StoredPost,
} from "./feed-store.ts";

export { firstRevision, indexPost, insertTags } from "./feed-store.ts";

export const PostView = Type.Object({
  id: Id("post_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the post or reply."),
  author: AuthorView,
  text: DisplayText(
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

/** The part of a post that depends on the reader. */
export const ReaderView = Type.Object({
  liked: Type.Boolean({ description: "Whether you like the post." }),
  bookmarked: Type.Boolean({ description: "Whether the post is among your bookmarks." }),
  hidden: HiddenView,
});

export interface Post extends Static<typeof PostView> {
  authorId: string;
  /** The reply that this post answers. Null if the post answers the root post directly. */
  answeredId: string | null;
  /** Pictures among the post's `media` that the author uploaded. */
  pictures: Picture[];
  /**
   * When moderators hid the post, in ms since the epoch. Null for a public post. Only the author and
   * moderators see a hidden post.
   */
  hiddenAt: number | null;
}

/** A post in a list with few details, such as v1's feed. */
export type BriefPost = Pick<Post, "id" | "author" | "text" | "tags" | "createdAt" | "metrics">;

/** The feed filter in a request. `readFeedFilter` converts it to the type that `listFeed` takes. */
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
  /** A username, in upper or lower case. */
  author?: string | undefined;
  /** Only posts created after this moment, in ms since the epoch. */
  since?: number | undefined;
  /**
   * Whether to return only posts of builders and tags that the caller follows, without the caller's own
   * posts.
   */
  following?: boolean | undefined;
}

/** Converts a filter that has passed its schema. */
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
    maxItems: MEDIA_MAX,
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
 * Text of at most 2,000 characters and up to 5 tags (docs/contract.md#V4.7), and up to 4 media
 * (docs/contract.md#4.2).
 */
export const PostDraft = Type.Object({
  text: PostText,
  tags: Tags,
  media: Media,
});
export type PostDraft = Static<typeof PostDraft>;

/** Input for a reply. A reply has no tags, because replies are not in the feed. */
export const ReplyDraft = Type.Object({
  text: { ...PostText, examples: ["Congratulations! Does it keep the order?"] },
  media: Media,
});
export type ReplyDraft = Static<typeof ReplyDraft>;

/**
 * Returns the feed, newest first (docs/contract.md#V4.6), without replies and hidden posts. A list with
 * `following` is private to the caller (docs/contract.md#4.20). Needs `feed:read`. Throws bad_request for a
 * cursor of another list, and forbidden for `following` if the caller is not a builder.
 */
export function listFeed(
  core: Core,
  caller: Caller,
  requested: FeedFilter,
  request: PageRequest,
): Page<Post> {
  return feedBy(selectFeed, core, caller, requested, request);
}

/** Returns the same page as `listFeed` with fewer details of each post. Both accept the same cursors. */
export function listFeedInBrief(
  core: Core,
  caller: Caller,
  requested: FeedFilter,
  request: PageRequest,
): Page<BriefPost> {
  return feedBy(selectBriefFeed, core, caller, requested, request);
}

function feedBy<Shown extends BriefPost>(
  select: (core: Core, filter: FeedFilter, fromId: string | undefined, request: PageRequest) => Shown[],
  core: Core,
  caller: Caller,
  requested: FeedFilter,
  request: PageRequest,
): Page<Shown | Post> {
  requireScope(caller, "feed:read");
  const { following, tag, since } = requested;
  const author = requested.author && handleOf(core, requested.author);
  const filter = { tag, author, since };
  const builderId = following ? requireBuilder(caller, "feed:read").builderId : undefined;
  const scope = { list: "feed", filters: { tag, author, since, followedBy: builderId } };
  const fromId = cursorKey(request, scope, isPostKey)?.[0];
  const rows =
    builderId === undefined
      ? select(core, filter, fromId, request)
      : selectFollowedFeed(core, { ...filter, builderId }, fromId, request);
  return pageOf<Shown | Post>(rows, request, scope, (post) => [post.id]);
}

/**
 * Returns the feeds of many builders at once. Each feed equals the result of `listFeed` with the builder as
 * `author`, and accepts the same cursors. Leaves out unknown builders. Needs `feed:read`. Throws bad_request
 * for a cursor of another list.
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
 * Returns the caller's own posts and replies that moderators have hidden, newest first. Needs `feed:read`.
 * Throws bad_request for a cursor of another list.
 */
export function listHiddenPosts(core: Core, caller: Caller, request: PageRequest): Page<Post> {
  const { builderId } = requireBuilder(caller, "feed:read");
  const scope = { list: "hidden", filters: { builderId } };
  const key = cursorKey(request, scope, isPostKey);
  return pageOf(selectHidden(core, builderId, key?.[0], request), request, scope, (post) => [post.id]);
}

/**
 * Returns one post or reply. Only the author and moderators see a hidden post, which has `hiddenAt` set.
 * Replies to a hidden post are hidden with it. Needs `feed:read`. Throws not_found.
 */
export function getPost(core: Core, caller: Caller, id: string): Post {
  requireScope(caller, "feed:read");
  return visiblePost(core, caller, id);
}

/**
 * Returns many posts or replies in the order of `ids`. Leaves out posts that the caller may not see. Needs
 * `feed:read`.
 */
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
 * Publishes a post as the caller (docs/contract.md#V4.7) and returns it. Records `post.created` in the same
 * transaction. A post that a brake holds is hidden, and its XP, mentions and event begin at the approval.
 * Needs `feed:write`. Throws rate_limited if the operator's quota is used up.
 */
export function createPost(core: Core, caller: Caller, draft: PostDraft): Post {
  const { builderId } = requireBuilder(caller, "feed:write");
  return core.db.transact(() => {
    const post = writePost(core, caller, { ...draft, authorId: builderId, answers: null });
    if (post.hiddenAt === null) {
      recordPublicEvent(core, "post.created", postPayload(core, post), post.id);
      award(core, builderId, "post.published", post.id);
    }
    storeMentions(core, mentionsOfPost(post));
    return post;
  });
}

/** Returns the input for notifying the members that a post mentions. A hidden post notifies nobody. */
export function mentionsOfPost({ id, text, authorId, hiddenAt }: Post): MentioningText {
  const isExcluded = hiddenAt === null ? undefined : () => true;
  return { id, text, by: authorId, subject: { type: "post", id }, isExcluded };
}

/**
 * Returns the part of a post that events store. Events do not store the title: the delivery of an event reads
 * it from the post.
 */
export function postPayload(core: Core, { id, authorId }: Post): EventPayload["post.created"] {
  return { post: { id, author_id: authorId, url: `${core.origin}/posts/${id}` } };
}

/**
 * Stores a post or reply by the caller. The calling operation must check permissions. Call it in a
 * transaction. If a brake holds it, the post is hidden and waits for approval (docs/contract.md#12.39).
 * Throws rate_limited if the member has used up the posting quota, unprocessable for another member's
 * picture, and the refusals of `spendLinks` for a new member.
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
  const brake = brakeOf(core, caller, brakedTextsOf({ text, media, tags: draft.tags ?? [] }));
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
    hiddenAt: brake ? createdAt : null,
    metrics: { likes: 0, replies: 0 },
    editedAt: null,
    revision: firstRevision(id),
  };
  insertPost(core, { ...post, ...post.metrics, media });
  if (brake) hold(core, brake, { subjectId: id, builderId: authorId, kind: "post", isNew: true });
  return post;
}

/**
 * Returns the texts of a post that may contain links to other sites: its text, and media that its author did
 * not upload here.
 */
export function linkTextsOf({
  text,
  media,
}: Pick<StoredPost, "text"> & { media: readonly unknown[] }): LinkingText {
  return { texts: [text], addresses: media.filter((item) => typeof item === "string") };
}

/** Returns all texts and links of a post that readers see, for the brakes. */
export function brakedTextsOf({
  text,
  tags,
  media,
}: Pick<StoredPost, "text" | "tags"> & { media: readonly (string | StoredPicture)[] }): BrakedContent {
  const alts = media.flatMap((item) => (typeof item === "string" ? [] : [item.alt]));
  return { texts: [text, ...tags, ...alts], addresses: linkTextsOf({ text, media }).addresses ?? [] };
}

/** Returns a post if the caller may see it. Does not check scopes. Throws not_found. */
export function visiblePost(core: Core, caller: Caller, id: string): Post {
  const post = findPost(core, id);
  if (!post || !isVisible(caller, post)) throw unknownPost();
  return withoutRoot(post);
}

/**
 * Returns a public post. Hidden posts accept neither likes nor replies, not even from their authors. Throws
 * not_found.
 */
export function publicPost(core: Core, id: string): Post {
  const post = findPost(core, id);
  if (!post || post.hiddenAt !== null || isHiddenWithRoot(post)) throw unknownPost();
  return withoutRoot(post);
}

/** Finds a post in any state except deleted. */
export function findPost(core: Core, id: string): StoredPost | undefined {
  return selectPost(core, id);
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
