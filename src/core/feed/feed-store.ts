import type { Core } from "../core.ts";
import { lastIdAt } from "../ids.ts";
import type { FeedFilter, Post } from "./feed.ts";

interface PostRow {
  id: string;
  text: string;
  tags: string;
  likes: number;
  replies: number;
  createdAt: number;
  username: string;
  name: string;
}

const POST = `p.id, p.text, p.tags, p.likes, p.replies, p.created_at AS createdAt, b.username, b.name
       FROM posts p JOIN builders b ON b.id = p.author_id`;

/** Which index a feed is walked by: one plan for each pair of filters, each a range of ids from the newest back. */
function feedSql(filter: FeedFilter): string {
  if (filter.tag === undefined && filter.author === undefined) {
    return `SELECT ${POST}
       WHERE p.parent_id IS NULL AND p.id < ? AND p.id > ?
       ORDER BY p.id DESC LIMIT ?`;
  }
  if (filter.tag === undefined) {
    return `SELECT ${POST}
       WHERE p.parent_id IS NULL AND p.author_id = (SELECT id FROM builders WHERE username = ?)
         AND p.id < ? AND p.id > ?
       ORDER BY p.id DESC LIMIT ?`;
  }
  const byAuthor =
    filter.author === undefined ? "" : "AND t.author_id = (SELECT id FROM builders WHERE username = ?)";
  return `SELECT p.id, p.text, p.tags, p.likes, p.replies, p.created_at AS createdAt, b.username, b.name
       FROM post_tags t CROSS JOIN posts p ON p.id = t.post_id CROSS JOIN builders b ON b.id = p.author_id
       WHERE t.tag = ? ${byAuthor} AND t.post_id < ? AND t.post_id > ?
       ORDER BY t.post_id DESC LIMIT ?`;
}

/** Feed posts before `beforeId`, newest first. */
export function selectFeed(
  core: Core,
  filter: FeedFilter,
  beforeId: string | undefined,
  limit: number,
): Post[] {
  const afterId = filter.since === undefined ? "" : lastIdAt("post", filter.since);
  const bound = [filter.tag, filter.author].filter((value) => value !== undefined);
  const rows = core.db.prepare<PostRow>(feedSql(filter)).all(...bound, beforeId ?? "post_~", afterId, limit);
  return rows.map(toPost);
}

export interface NewPost {
  id: string;
  authorId: string;
  /** Null for a post of the feed. */
  parentId: string | null;
  text: string;
  tags: readonly string[];
  media: readonly string[];
  likes: number;
  replies: number;
  createdAt: number;
}

/** Prepared, because a filled community is made of these. Only posts of the feed are found by their tags. */
export function insertPost(core: Core, post: NewPost): void {
  core.db
    .prepare(
      `INSERT INTO posts (id, author_id, parent_id, text, tags, media, likes, replies, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      post.id,
      post.authorId,
      post.parentId,
      post.text,
      JSON.stringify(post.tags),
      JSON.stringify(post.media),
      post.likes,
      post.replies,
      post.createdAt,
    );
  if (post.parentId !== null) return;
  const insertTag = core.db.prepare("INSERT INTO post_tags (tag, post_id, author_id) VALUES (?, ?, ?)");
  for (const tag of post.tags) insertTag.run(tag, post.id, post.authorId);
}

function toPost(row: PostRow): Post {
  return {
    id: row.id,
    author: { username: row.username, name: row.name },
    text: row.text,
    tags: row.tags === "[]" ? [] : JSON.parse(row.tags),
    createdAt: row.createdAt,
    metrics: { likes: row.likes, replies: row.replies },
  };
}
