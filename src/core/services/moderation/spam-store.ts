import type { Core } from "../../base/core.ts";

/** Numbers of a member's content, visible or waiting for approval, and of the messages they sent. */
export interface ContentCounts {
  posts: number;
  replies: number;
  jobs: number;
  prompts: number;
  messages: number;
}

export interface SpammerRow extends ContentCounts {
  id: string;
  username: string;
  /** In ms since the epoch. */
  joinedAt: number;
}

/** SQL condition for content that is visible, or that waits for approval. The table `held` has no `id`. */
const IS_PRESENT =
  "(hidden_at IS NULL OR EXISTS (SELECT 1 FROM held WHERE subject_id = id AND dismissed_at IS NULL))";

/** Selects members with the counts of their content, visible or waiting, and of their messages. */
export function selectSpammers(core: Core, ids: readonly string[]): SpammerRow[] {
  return core.db
    .prepare<SpammerRow>(
      `SELECT b.id, b.username, b.created_at AS joinedAt,
         (SELECT count(*) FROM posts WHERE author_id = b.id AND parent_id IS NULL AND ${IS_PRESENT}) AS posts,
         (SELECT count(*) FROM posts WHERE author_id = b.id AND parent_id IS NOT NULL AND ${IS_PRESENT}) AS replies,
         (SELECT count(*) FROM jobs INDEXED BY jobs_by_publisher
          WHERE published_by = b.id AND ${IS_PRESENT}) AS jobs,
         (SELECT count(*) FROM prompts WHERE author_id = b.id AND ${IS_PRESENT}) AS prompts,
         (SELECT count(*) FROM thread_members t CROSS JOIN messages m ON m.thread_id = t.thread_id
          WHERE t.builder_id = b.id AND m.sender_id = b.id) AS messages
       FROM json_each(?) wanted CROSS JOIN builders b ON b.id = wanted.value ORDER BY wanted.key`,
    )
    .all(JSON.stringify(ids));
}

/** A text of a member, with the URLs of its other fields as JSON. */
export interface LinkingRow {
  id: string;
  authorId: string;
  text: string;
}

/**
 * SQL by source that selects texts in order of id, after an id. Hidden content is left out unless it waits
 * for approval. So the links of a removed spammer do not count as links of another member.
 */
const SOURCES = {
  posts: `SELECT id, author_id AS authorId, text FROM posts
    WHERE id > ? AND ${IS_PRESENT} ORDER BY id LIMIT ?`,
  prompts: `SELECT id, author_id AS authorId, body AS text FROM prompts
    WHERE id > ? AND ${IS_PRESENT} ORDER BY id LIMIT ?`,
  jobs: `SELECT id, published_by AS authorId, description || char(10) || apply_url AS text FROM jobs
    WHERE id > ? AND ${IS_PRESENT} AND published_by IS NOT NULL ORDER BY id LIMIT ?`,
  builders: `SELECT id, id AS authorId,
      bio || coalesce((SELECT char(10) || group_concat(value, char(10))
          FROM profile_details d, json_each(d.links) WHERE d.builder_id = builders.id), '') AS text
    FROM builders
    WHERE id > ? AND removed_at IS NULL ORDER BY id LIMIT ?`,
  projects: `SELECT id, builder_id AS authorId, url AS text FROM projects
    WHERE id > ? AND url IS NOT NULL ORDER BY id LIMIT ?`,
} as const;
export type Source = keyof typeof SOURCES;

export function selectTexts(core: Core, source: Source, after: string, limit: number): LinkingRow[] {
  return core.db.prepare<LinkingRow>(SOURCES[source]).all(after, limit);
}

/** Selects a member's newest texts, `limit` of each kind, visible or waiting for approval. */
export function selectTextsOf(core: Core, builderId: string, limit: number): string[] {
  return core.db
    .prepare<{ text: string }>(
      `SELECT text FROM (SELECT text FROM posts
         WHERE author_id = ? AND ${IS_PRESENT} ORDER BY id DESC LIMIT ?)
       UNION ALL SELECT body FROM (SELECT body FROM prompts
         WHERE author_id = ? AND ${IS_PRESENT} ORDER BY id DESC LIMIT ?)
       UNION ALL SELECT text FROM (
         SELECT description || char(10) || apply_url AS text FROM jobs INDEXED BY jobs_by_publisher
         WHERE published_by = ? AND ${IS_PRESENT} ORDER BY seq DESC LIMIT ?)
       UNION ALL SELECT bio || coalesce((SELECT char(10) || group_concat(value, char(10))
           FROM profile_details d, json_each(d.links) WHERE d.builder_id = builders.id), '')
         FROM builders WHERE id = ?
       UNION ALL SELECT url FROM projects WHERE builder_id = ? AND url IS NOT NULL`,
    )
    .all(builderId, limit, builderId, limit, builderId, limit, builderId, builderId)
    .map(({ text }) => text);
}
