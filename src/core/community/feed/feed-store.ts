import type { Core } from "../../base/core.ts";
import { posts, postTags } from "../../base/db/schema.ts";
import { lastIdAt } from "../../base/ids.ts";
import { descending, groupByList, type PageRequest, type Walk } from "../../base/page.ts";
import { deleteIndexEntry, freeIndexNumber, hasIndexEntry, insertIndexEntry } from "../fulltext/fulltext.ts";
import { shownMedia } from "../media/media.ts";
import type { BriefPost, FeedFilter, Post } from "./feed.ts";
import { selectFollowedIds, type Span } from "./followed-store.ts";
import { titleOfPost, indexedTextOfPost } from "./indexed-text.ts";

interface BriefRow {
  id: string;
  text: string;
  tags: string;
  likes: number;
  replies: number;
  createdAt: number;
  username: string;
  name: string;
}

interface PostRow extends BriefRow {
  authorId: string;
  media: string;
  editedAt: number | null;
  revisionId: string | null;
  /** Omitted by queries that only select rows where the value is null. */
  rootId?: string | null;
  answeredId?: string | null;
  hiddenAt?: number | null;
}

const BRIEF = "p.id, p.text, p.tags, p.likes, p.replies, p.created_at AS createdAt, b.username, b.name";
const COLUMNS = `${BRIEF}, p.author_id AS authorId, p.media, p.edited_at AS editedAt, p.revision_id AS revisionId`;

/** Feed queries by the parts that change their text, because building the text takes a few µs. */
const feedQueries = (): Map<string, string> => new Map();

function feedSql(
  { memory }: Core,
  isBrief: boolean,
  { tag, author }: FeedFilter,
  order: "DESC" | "ASC",
): string {
  const queries = memory(feedQueries);
  const key = `${isBrief} ${tag !== undefined} ${author !== undefined} ${order}`;
  let sql = queries.get(key);
  if (sql === undefined) queries.set(key, (sql = buildFeedSql(isBrief, { tag, author }, order)));
  return sql;
}

/**
 * Builds a feed query. Each combination of filters has its own index, which is read as one range of post ids.
 */
function buildFeedSql(isBrief: boolean, filter: FeedFilter, order: "DESC" | "ASC"): string {
  const columns = isBrief ? BRIEF : COLUMNS;
  if (filter.tag === undefined) {
    const byAuthor =
      filter.author === undefined ? "" : "AND p.author_id = (SELECT id FROM builders WHERE username = ?)";
    return `SELECT ${columns} FROM posts p JOIN builders b ON b.id = p.author_id
       WHERE p.parent_id IS NULL AND p.hidden_at IS NULL ${byAuthor} AND p.id < ? AND p.id > ?
       ORDER BY p.id ${order} LIMIT ?`;
  }
  const byAuthor =
    filter.author === undefined ? "" : "AND t.author_id = (SELECT id FROM builders WHERE username = ?)";
  return `SELECT ${columns}
       FROM post_tags t CROSS JOIN posts p ON p.id = t.post_id CROSS JOIN builders b ON b.id = p.author_id
       WHERE t.tag = ? ${byAuthor} AND t.post_id < ? AND t.post_id > ?
       ORDER BY t.post_id ${order} LIMIT ?`;
}

/** Upper bound of post ids: sorts after every post id. */
const END = "post_~";

/** Selects feed posts after `fromId` in the direction of the request, one more than the page limit. */
export function selectFeed(
  core: Core,
  filter: FeedFilter,
  fromId: string | undefined,
  request: PageRequest,
): Post[] {
  return walk<PostRow>(core, false, filter, fromId, request).map((row) => toPost(core, row));
}

/** Like `selectFeed`, but reads fewer columns, which is about a fifth cheaper. */
export function selectBriefFeed(
  core: Core,
  filter: FeedFilter,
  fromId: string | undefined,
  request: PageRequest,
): BriefPost[] {
  return walk<BriefRow>(core, true, filter, fromId, request).map(toBrief);
}

function walk<Row>(
  core: Core,
  isBrief: boolean,
  filter: FeedFilter,
  fromId: string | undefined,
  request: PageRequest,
): Row[] {
  const { below, above, order, limit } = spanOf(filter, fromId, request);
  const bound = [filter.tag, filter.author].filter((value) => value !== undefined);
  return core.db.prepare<Row>(feedSql(core, isBrief, filter, order)).all(...bound, below, above, limit);
}

/** Like `selectFeed`, but selects only posts by followed builders or with followed tags. */
export function selectFollowedFeed(
  core: Core,
  filter: FeedFilter & { builderId: string },
  fromId: string | undefined,
  request: PageRequest,
): Post[] {
  const span = spanOf(filter, fromId, request);
  const ids = selectFollowedIds(core, filter, span);
  const rows = core.db
    .prepare<PostRow>(
      `SELECT ${COLUMNS} FROM json_each(?) wanted
       CROSS JOIN posts p ON p.id = wanted.value CROSS JOIN builders b ON b.id = p.author_id`,
    )
    .all(JSON.stringify(ids));
  const posts = new Map(rows.map((row) => [row.id, toPost(core, row)]));
  return ids.flatMap((id) => posts.get(id) ?? []);
}

function spanOf({ since: asked }: FeedFilter, fromId: string | undefined, request: PageRequest): Span {
  const since = asked === undefined ? "" : lastIdAt("post", asked);
  const isFloor = request.backwards && fromId !== undefined && fromId > since;
  const [below, above] = [request.backwards ? END : (fromId ?? END), isFloor ? fromId : since];
  return { below, above, order: descending(request).order, limit: request.limit + 1 };
}

/** Selects the feed posts of many builders in one statement, newest first. */
export function selectPostsOf(
  core: Core,
  walks: readonly Walk<string>[],
  request: PageRequest,
): ReadonlyMap<string, Post[]> {
  const { beyond, order } = descending(request);
  const starts = walks.map(({ id, from }) => ({ id, from: from ?? (request.backwards ? "" : END) }));
  const rows = core.db
    .prepare<PostRow>(
      `SELECT ${COLUMNS}
       FROM json_each(?) wanted CROSS JOIN json_each((SELECT json_group_array(id) FROM
         (SELECT id FROM posts WHERE author_id = wanted.value ->> 'id' AND parent_id IS NULL AND hidden_at IS NULL
            AND id ${beyond} wanted.value ->> 'from' ORDER BY id ${order} LIMIT ?))) found
       CROSS JOIN posts p ON p.id = found.value CROSS JOIN builders b ON b.id = p.author_id`,
    )
    .all(JSON.stringify(starts), request.limit + 1)
    .map((row) => toPost(core, row));
  return groupByList(rows, (post) => post.authorId, order);
}

/**
 * Selects, in one statement, all replies under many feed posts and the direct answers to many replies. Oldest
 * first, because readers start a conversation at its beginning.
 */
export function selectReplies(
  core: Core,
  walks: readonly Walk<string>[],
  request: PageRequest,
): ReadonlyMap<string, Post[]> {
  const { beyond, order } = descending({ ...request, backwards: !request.backwards });
  const starts = walks.map(({ id, from }) => ({ id, from: from ?? (request.backwards ? END : "") }));
  const rows = core.db
    .prepare<PostRow & { under: string }>(
      `SELECT ${COLUMNS}, p.parent_id AS rootId, p.answered_id AS answeredId, wanted.value ->> 'id' AS under
       FROM json_each(?) wanted CROSS JOIN json_each((SELECT json_group_array(id) FROM
         (SELECT * FROM (SELECT id FROM posts WHERE parent_id = wanted.value ->> 'id' AND hidden_at IS NULL
            AND id ${beyond} wanted.value ->> 'from' ORDER BY id ${order} LIMIT ?)
          UNION ALL
          SELECT * FROM (SELECT id FROM posts WHERE answered_id = wanted.value ->> 'id' AND hidden_at IS NULL
            AND id ${beyond} wanted.value ->> 'from' ORDER BY id ${order} LIMIT ?)))) found
       CROSS JOIN posts p ON p.id = found.value CROSS JOIN builders b ON b.id = p.author_id`,
    )
    .all(JSON.stringify(starts), request.limit + 1, request.limit + 1);
  const lists = groupByList(rows, ({ under }) => under, order);
  return new Map([...lists].map(([id, list]) => [id, list.map((row) => toPost(core, row))]));
}

/** Selects one builder's posts and replies that moderators have hidden, newest first. */
export function selectHidden(
  core: Core,
  authorId: string,
  fromId: string | undefined,
  request: PageRequest,
): Post[] {
  const { beyond, order } = descending(request);
  return core.db
    .prepare<PostRow>(
      `SELECT ${COLUMNS}, p.parent_id AS rootId, p.answered_id AS answeredId, p.hidden_at AS hiddenAt
       FROM posts p INDEXED BY posts_hidden_by_author CROSS JOIN builders b ON b.id = p.author_id
       WHERE p.author_id = ? AND p.hidden_at IS NOT NULL AND p.removed_at IS NULL AND p.id ${beyond} ?
       ORDER BY p.id ${order} LIMIT ?`,
    )
    .all(authorId, fromId ?? (request.backwards ? "" : END), request.limit + 1)
    .map((row) => toPost(core, row));
}

/** A post in any state, with the author and hiding time of the post at the root of its conversation. */
export interface StoredPost extends Post {
  root: { authorId: string; hiddenAt: number | null } | null;
}

type StoredRow = PostRow & { rootAuthorId: string | null; rootHiddenAt: number | null };

const STORED = `${COLUMNS}, p.parent_id AS rootId, p.answered_id AS answeredId, p.hidden_at AS hiddenAt,
                root.author_id AS rootAuthorId, root.hidden_at AS rootHiddenAt`;

/**
 * Selects posts by id in one statement, in any order. Leaves out deleted posts and replies to deleted posts.
 */
export function selectPosts(core: Core, ids: readonly string[]): StoredPost[] {
  return core.db
    .prepare<StoredRow>(
      `SELECT ${STORED}
       FROM json_each(?) wanted CROSS JOIN posts p ON p.id = wanted.value CROSS JOIN builders b ON b.id = p.author_id
       LEFT JOIN posts root ON root.id = p.parent_id
       WHERE p.removed_at IS NULL AND root.removed_at IS NULL`,
    )
    .all(JSON.stringify(ids))
    .map((row) => toStored(core, row));
}

const BY_ID = `FROM posts p CROSS JOIN builders b ON b.id = p.author_id LEFT JOIN posts root ON root.id = p.parent_id
               WHERE p.id = ? AND p.removed_at IS NULL AND root.removed_at IS NULL`;

/** Like `selectPosts`, for one post, which is a quarter cheaper. */
export function selectPost(core: Core, id: string): StoredPost | undefined {
  const row = core.db.prepare<StoredRow>(`SELECT ${STORED} ${BY_ID}`).get(id);
  return row && toStored(core, row);
}

/** A post with the values that depend on its reader. */
export interface ReadPost extends StoredPost {
  liked: boolean;
  bookmarked: boolean;
}

/** Like `selectPost`, with the marks of a reader in the same statement. */
export function selectReadPost(core: Core, id: string, readerId: string | null): ReadPost | undefined {
  const row = core.db
    .prepare<StoredRow & { liked: 0 | 1; bookmarked: 0 | 1 }>(
      `SELECT ${STORED},
              EXISTS (SELECT 1 FROM likes WHERE post_id = p.id AND builder_id = ?) AS liked,
              EXISTS (SELECT 1 FROM bookmarks WHERE builder_id = ? AND post_id = p.id) AS bookmarked
       ${BY_ID}`,
    )
    .get(readerId, readerId, id);
  return (
    row && Object.assign(toStored(core, row), { liked: row.liked === 1, bookmarked: row.bookmarked === 1 })
  );
}

function toStored(core: Core, row: StoredRow): StoredPost {
  const { rootAuthorId, rootHiddenAt } = row;
  const root = rootAuthorId === null ? null : { authorId: rootAuthorId, hiddenAt: rootHiddenAt };
  return Object.assign(toPost(core, row), { root });
}

/** Stores a post. Only visible posts of the feed (`rootId` is null) can be found by tag. */
export function insertPost(core: Core, post: typeof posts.$inferInsert & { tags: string[] }): void {
  const rowNumber = freeIndexNumber(core, "post_search", post.createdAt);
  core.db.insert(posts, { ...post, place: rowNumber });
  // The index is written at the end of the transaction, because FTS5 flushes its pending writes at every
  // savepoint.
  core.db.atEnd(() => indexNew(core, post, rowNumber));
  if (post.rootId === null && (post.hiddenAt ?? null) === null) insertTags(core, post);
}

/**
 * Adds a new post to the search index. Skips a post whose insert was rolled back, and a post that the same
 * transaction hid or already indexed through `indexPost`.
 */
function indexNew(core: Core, post: typeof posts.$inferInsert & { tags: string[] }, rowNumber: number): void {
  const isStored = core.db
    .prepare("SELECT 1 FROM posts WHERE id = ? AND place = ? AND hidden_at IS NULL")
    .get(post.id, rowNumber);
  // Checks the index itself, because `indexPost` may have run in a savepoint that was rolled back.
  if (!isStored || (isReindexed(core, post.id) && hasIndexEntry(core, "post_search", rowNumber))) return;
  insertIndexEntry(core, "post_search", rowNumber, indexedTextOfPost(post));
}

/** Ids of the posts that `indexPost` has indexed, by transaction. */
const reindexedPosts = (): WeakMap<object, Set<string>> => new WeakMap();

function isReindexed({ db, memory }: Core, id: string): boolean {
  const transaction = db.transaction();
  return transaction !== undefined && memory(reindexedPosts).get(transaction)?.has(id) === true;
}

function noteIndexing({ db, memory }: Core, id: string): void {
  const transaction = db.transaction();
  if (!transaction) return;
  const kept = memory(reindexedPosts);
  kept.set(transaction, (kept.get(transaction) ?? new Set()).add(id));
}

export function insertTags(
  core: Core,
  { id: postId, authorId, tags }: { id: string; authorId: string; tags: readonly string[] },
): void {
  for (const tag of tags) core.db.insert(postTags, { tag, postId, authorId });
}

/** Removes a post from its tags. Call it before the tags in the post's row change. */
export function deleteTags(core: Core, postId: string): void {
  core.db
    .prepare(
      `DELETE FROM post_tags WHERE post_id = ?
         AND tag IN (SELECT wanted.value FROM posts p CROSS JOIN json_each(p.tags) wanted WHERE p.id = ?)`,
    )
    .run(postId, postId);
}

/** Stores an edit of a post and updates its search index entry. */
export function updatePost(
  core: Core,
  id: string,
  change: Pick<typeof posts.$inferInsert, "text" | "tags" | "media" | "editedAt" | "revisionId">,
): void {
  core.db.patch(posts, { id }, change);
  indexPost(core, id);
}

/** Adds `change` to the reply counts of the root post and of the answered reply, if any. */
export function addReply(
  core: Core,
  { rootId, answeredId }: Pick<Post, "rootId" | "answeredId">,
  change: 1 | -1,
): void {
  const update = core.db.prepare("UPDATE posts SET replies = replies + ? WHERE id = ?");
  for (const id of [rootId, answeredId]) if (id !== null) update.run(change, id);
}

/**
 * Stores whether a post is hidden, and since when. A database trigger removes hidden posts from the search
 * index.
 */
export function updateHidden(core: Core, postId: string, hiddenAt: number | null): void {
  core.db.patch(posts, { id: postId }, { hiddenAt });
  if (hiddenAt === null) indexPost(core, postId);
}

/**
 * Updates the search index entry of a post or reply. Removes the entry if the post is hidden. Call it in the
 * transaction that changes the post.
 */
export function indexPost(core: Core, postId: string): void {
  type Row = Pick<PostRow, "authorId" | "text" | "tags" | "createdAt"> & {
    hiddenAt: number | null;
    place: number | null;
  };
  const row = core.db
    .prepare<Row>(
      `SELECT author_id AS authorId, text, tags, created_at AS createdAt, hidden_at AS hiddenAt, place
       FROM posts WHERE id = ?`,
    )
    .get(postId);
  if (!row) return;
  noteIndexing(core, postId);
  const rowNumber = row.place ?? freeIndexNumber(core, "post_search", row.createdAt);
  if (row.place === null) core.db.patch(posts, { id: postId }, { place: rowNumber });
  else deleteIndexEntry(core, "post_search", rowNumber);
  if (row.hiddenAt !== null) return;
  insertIndexEntry(
    core,
    "post_search",
    rowNumber,
    indexedTextOfPost({ ...row, tags: JSON.parse(row.tags) as string[] }),
  );
}

/** Returns the indexed titles of the posts and replies with these search index row numbers. */
export function selectTitlesAt(core: Core, rowNumbers: readonly number[]): Map<number, string> {
  const rows = core.db
    .prepare<{ place: number; text: string; tags: string }>(
      `SELECT p.place, substr(p.text, 1, 200) AS text, p.tags
       FROM json_each(?) wanted CROSS JOIN posts p INDEXED BY posts_by_place ON p.place = wanted.value`,
    )
    .all(JSON.stringify(rowNumbers));
  return new Map(
    rows.map(({ place, text, tags }) => [place, titleOfPost(text, tags === "[]" ? [] : JSON.parse(tags))]),
  );
}

/** Selects the public posts and replies with these search index row numbers, in any order. */
export function selectPostsAt(core: Core, rowNumbers: readonly number[]): (Post & { place: number })[] {
  return core.db
    .prepare<PostRow & { place: number }>(
      `SELECT ${COLUMNS}, p.parent_id AS rootId, p.answered_id AS answeredId, p.place
       FROM json_each(?) wanted CROSS JOIN posts p INDEXED BY posts_by_place ON p.place = wanted.value
       CROSS JOIN builders b ON b.id = p.author_id LEFT JOIN posts root ON root.id = p.parent_id
       WHERE p.hidden_at IS NULL AND root.hidden_at IS NULL`,
    )
    .all(JSON.stringify(rowNumbers))
    .map((row) => ({ ...toPost(core, row), place: row.place }));
}

function toBrief({ id, username, name, text, tags, createdAt, likes, replies }: BriefRow): BriefPost {
  return {
    id,
    author: { username, name },
    text,
    tags: tags === "[]" ? [] : JSON.parse(tags),
    createdAt,
    metrics: { likes, replies },
  };
}

function toPost(core: Core, row: PostRow): Post {
  const { media, pictures } = shownMedia(core, row.media === "[]" ? [] : JSON.parse(row.media));
  return {
    id: row.id,
    authorId: row.authorId,
    author: { username: row.username, name: row.name },
    parentId: row.answeredId ?? row.rootId ?? null,
    rootId: row.rootId ?? null,
    answeredId: row.answeredId ?? null,
    text: row.text,
    tags: row.tags === "[]" ? [] : JSON.parse(row.tags),
    media,
    pictures,
    createdAt: row.createdAt,
    hiddenAt: row.hiddenAt ?? null,
    metrics: { likes: row.likes, replies: row.replies },
    editedAt: row.editedAt,
    revision: row.revisionId ?? firstRevision(row.id),
  };
}

/**
 * Returns the id of a post's first revision, which derives from the post id because most posts are never
 * edited. Later revisions have ids of their own.
 */
export function firstRevision(postId: string): string {
  return `rev_${postId.slice("post_".length)}`;
}
