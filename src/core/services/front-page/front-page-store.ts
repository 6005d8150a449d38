import type { Core } from "../../base/core.ts";
import type { ActiveMember, BestReply } from "./front-page.ts";

/** Replies of a thread among which the best is chosen, so that a long thread costs no more than others. */
const REPLIES_READ = 100;

/**
 * Selects the most liked reply under each post, in one statement. Replies of the post's author do not count.
 */
export function selectBestReplies(
  core: Core,
  posts: readonly { id: string; authorId: string }[],
): ReadonlyMap<string, BestReply> {
  type Row = Omit<BestReply, "author"> & { rootId: string; username: string; name: string };
  const rows = core.db
    .prepare<Row>(
      `SELECT p.id, p.parent_id AS rootId, p.author_id AS authorId, p.text, p.revision_id AS revision,
              b.username, b.name
       FROM json_each(?) wanted
       CROSS JOIN posts p ON p.id =
         (SELECT id FROM
            (SELECT id, likes, author_id FROM posts
             WHERE parent_id = wanted.value ->> 'id' AND hidden_at IS NULL ORDER BY id LIMIT ${REPLIES_READ})
          WHERE likes > 0 AND author_id <> wanted.value ->> 'authorId' ORDER BY likes DESC, id LIMIT 1)
       CROSS JOIN builders b ON b.id = p.author_id
       WHERE b.suspended_at IS NULL`,
    )
    .all(JSON.stringify(posts.map(({ id, authorId }) => ({ id, authorId }))));
  return new Map(
    rows.map(({ rootId, username, name, ...reply }) => [rootId, { ...reply, author: { username, name } }]),
  );
}

/** Number of posts, newest first, from which the tags and members of the front page are derived. */
const POSTS_READ = 200;

/** Selects the tags of the newest posts in the feed. A tag that more members use comes first. */
export function selectTagsInUse(core: Core, limit: number): string[] {
  return core.db
    .prepare<{ tag: string }>(
      `SELECT tag.value AS tag
       FROM (SELECT author_id, tags FROM posts WHERE parent_id IS NULL AND hidden_at IS NULL
             ORDER BY id DESC LIMIT ${POSTS_READ}) p CROSS JOIN json_each(p.tags) tag
       GROUP BY tag.value ORDER BY count(DISTINCT p.author_id) DESC, count(*) DESC, tag.value LIMIT ?`,
    )
    .all(limit)
    .map(({ tag }) => tag);
}

/** Selects the authors of the newest visible posts and replies after `sinceId`, last active first. */
export function selectActiveMembers(core: Core, sinceId: string, limit: number): ActiveMember[] {
  return core.db
    .prepare<ActiveMember>(
      `SELECT b.id, b.username, b.name
       FROM (SELECT p.author_id AS authorId, max(p.id) AS lastId
             FROM (SELECT id, author_id, parent_id, hidden_at FROM posts
                   WHERE id > ? ORDER BY id DESC LIMIT ${POSTS_READ}) p
             LEFT JOIN posts root ON root.id = p.parent_id
             WHERE p.hidden_at IS NULL AND root.hidden_at IS NULL
             GROUP BY p.author_id) active
       CROSS JOIN builders b ON b.id = active.authorId
       WHERE b.suspended_at IS NULL AND b.removed_at IS NULL
       ORDER BY active.lastId DESC LIMIT ?`,
    )
    .all(sinceId, limit);
}
