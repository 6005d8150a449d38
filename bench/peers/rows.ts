import type { Core } from "../../src/core/base/core.ts";

/** The rows that every side stores, in the order of writing. */
export interface Rows {
  authors: readonly { username: string; name: string }[];
  posts: readonly PeerPost[];
}

export interface PeerPost {
  /** Index into `authors`. */
  author: number;
  text: string;
  tags: readonly string[];
  likes: number;
  replies: number;
  createdAt: number;
}

/**
 * Returns the authors and posts of a filled community. Leaves out replies, because a feed page shows none.
 */
export function rowsOf(core: Core): Rows {
  const authors = core.db
    .prepare<{ id: string; username: string; name: string }>(
      "SELECT id, username, name FROM builders ORDER BY id",
    )
    .all();
  const places = new Map(authors.map(({ id }, position) => [id, position]));
  const posts = core.db
    .prepare<{
      authorId: string;
      text: string;
      tags: string;
      likes: number;
      replies: number;
      createdAt: number;
    }>(
      `SELECT author_id AS authorId, text, tags, likes, replies, created_at AS createdAt
       FROM posts WHERE parent_id IS NULL ORDER BY id`,
    )
    .all();
  return {
    authors: authors.map(({ username, name }) => ({ username, name })),
    posts: posts.map(({ authorId, tags, ...post }) => ({
      ...post,
      author: places.get(authorId) ?? 0,
      tags: JSON.parse(tags) as string[],
    })),
  };
}

/** The tag that the filtered page uses. */
export const TAG = "rust";

/** The post that every side writes during a measurement. */
export function newPost(count: number): { text: string; tags: string[] } {
  return { text: `# Post ${count}\n\nWritten while measuring.`, tags: ["bench"] };
}
