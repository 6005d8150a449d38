import { rankOf, scoreOf } from "../../community/prompts/score.ts";
import type { Db } from "../../base/db/open.ts";
import { prompts } from "../../base/db/schema.ts";

/**
 * What is stored beside the rows that it follows from, so that reading it counts nothing. Each is walked in the
 * order of a key; every statement is a read of one slice, so that no state of the database is held on to for
 * long. `mend` is given keys that `find` found, and does nothing to those that are right by then.
 */
export interface Derived {
  /** In words: what is before their number, what one is called, and what is behind. */
  says: readonly [string, string, string];
  /** Whether a made-up community (`guildhall demo`) has the sums without the rows. */
  isMadeUp?: true;
  /** How much there is to walk over. */
  count: string;
  /** The last key of the next slice behind one, null where there is none. Its places: the key, how many. */
  slice: string;
  /** The keys of a slice that do not say what the rows say. Its places: behind which, up to which. */
  find: string;
  /** Its one place: a list of keys, as JSON. */
  mend: readonly string[];
}

/** What is being deleted goes in slices that count no more. */
const STAYS =
  "NOT EXISTS (SELECT 1 FROM posts above WHERE above.id = p.parent_id AND above.removed_at IS NOT NULL)";
const LIKES_DIFFER = `p.removed_at IS NULL AND p.likes <> (SELECT count(*) FROM likes WHERE post_id = p.id)
   AND ${STAYS}`;
/** Of a post of the feed all that is in its conversation, of a reply what answers it. */
const REPLIES = `iif(p.parent_id IS NULL,
     (SELECT count(*) FROM posts WHERE parent_id = p.id AND hidden_at IS NULL),
     (SELECT count(*) FROM posts WHERE answered_id = p.id AND hidden_at IS NULL))`;
const REPLIES_DIFFER = `p.removed_at IS NULL AND p.replies <> ${REPLIES} AND ${STAYS}`;
/** Only what stands on the feed is found by its tags. */
const TAGS_DIFFER = `(SELECT count(*) FROM post_tags WHERE post_id = p.id)
     <> iif(p.parent_id IS NULL AND p.hidden_at IS NULL, json_array_length(p.tags), 0)
   OR EXISTS (SELECT 1 FROM post_tags t WHERE t.post_id = p.id
              AND (t.author_id <> p.author_id OR t.tag NOT IN (SELECT value FROM json_each(p.tags))))`;
const UNREAD_DIFFERS = `m.unread <> (SELECT count(*) FROM messages
     WHERE thread_id = m.thread_id AND id > m.read_to AND sender_id <> m.builder_id)
   OR m.last_id <> coalesce((SELECT max(id) FROM messages WHERE thread_id = m.thread_id), m.last_id)`;
const RATINGS_DIFFER = `(v.rating_count, v.rating_sum) <> (SELECT count(*), coalesce(sum(stars), 0) FROM prompt_ratings
     WHERE prompt_id = v.prompt_id AND version = v.number)`;

const FOLLOWERS_DIFFER = `b.followers <> (SELECT count(*) FROM follows f CROSS JOIN builders x ON x.id = f.follower_id
     WHERE f.followed_id = b.id AND x.suspended_at IS NULL)`;

const POSTS = {
  count: "SELECT count(*) AS n FROM posts",
  slice: "SELECT max(id) AS last FROM (SELECT id FROM posts WHERE id > ? ORDER BY id LIMIT ?)",
};

export const DERIVED: readonly Derived[] = [
  {
    ...POSTS,
    says: ["the likes of", "post", "are other than counted"],
    isMadeUp: true,
    find: `SELECT p.id AS key FROM posts p WHERE p.id > ? AND p.id <= ? AND ${LIKES_DIFFER}`,
    mend: [
      `UPDATE posts AS p SET likes = (SELECT count(*) FROM likes WHERE post_id = p.id)
       WHERE p.id IN (SELECT value FROM json_each(?)) AND ${LIKES_DIFFER}`,
    ],
  },
  {
    ...POSTS,
    says: ["the replies of", "post", "are other than counted"],
    find: `SELECT p.id AS key FROM posts p WHERE p.id > ? AND p.id <= ? AND ${REPLIES_DIFFER}`,
    mend: [
      `UPDATE posts AS p SET replies = ${REPLIES}
       WHERE p.id IN (SELECT value FROM json_each(?)) AND ${REPLIES_DIFFER}`,
    ],
  },
  {
    ...POSTS,
    says: ["the tags that find", "post", "are other than their own"],
    find: `SELECT p.id AS key FROM posts p WHERE p.id > ? AND p.id <= ? AND (${TAGS_DIFFER})`,
    mend: [
      `DELETE FROM post_tags WHERE post_id IN
         (SELECT p.id FROM posts p WHERE p.id IN (SELECT value FROM json_each(?)) AND (${TAGS_DIFFER}))`,
      `INSERT OR IGNORE INTO post_tags (tag, post_id, author_id)
       SELECT t.value, p.id, p.author_id
       FROM json_each(?) wanted CROSS JOIN posts p ON p.id = wanted.value CROSS JOIN json_each(p.tags) t
       WHERE p.parent_id IS NULL AND p.hidden_at IS NULL`,
    ],
  },
  {
    says: ["the ratings of earlier versions of", "prompt", "are other than counted"],
    count: "SELECT count(*) AS n FROM prompt_versions",
    slice: `SELECT max(prompt_id) AS last FROM
              (SELECT DISTINCT prompt_id FROM prompt_versions WHERE prompt_id > ? ORDER BY prompt_id LIMIT ?)`,
    find: `SELECT DISTINCT v.prompt_id AS key FROM prompt_versions v CROSS JOIN prompts p ON p.id = v.prompt_id
           WHERE v.prompt_id > ? AND v.prompt_id <= ? AND p.removed_at IS NULL AND ${RATINGS_DIFFER}`,
    mend: [
      `UPDATE prompt_versions AS v SET (rating_count, rating_sum) =
         (SELECT count(*), coalesce(sum(stars), 0) FROM prompt_ratings
          WHERE prompt_id = v.prompt_id AND version = v.number)
       WHERE v.prompt_id IN (SELECT value FROM json_each(?)) AND ${RATINGS_DIFFER}`,
    ],
  },
  {
    says: ["what is unread or newest in", "conversation", "is other than counted"],
    count: "SELECT count(*) AS n FROM threads",
    slice: "SELECT max(id) AS last FROM (SELECT id FROM threads WHERE id > ? ORDER BY id LIMIT ?)",
    find: `SELECT DISTINCT m.thread_id AS key FROM thread_members m
           WHERE m.thread_id > ? AND m.thread_id <= ? AND (${UNREAD_DIFFERS})`,
    mend: [
      `UPDATE thread_members AS m SET
         unread = (SELECT count(*) FROM messages
                   WHERE thread_id = m.thread_id AND id > m.read_to AND sender_id <> m.builder_id),
         last_id = coalesce((SELECT max(id) FROM messages WHERE thread_id = m.thread_id), m.last_id)
       WHERE m.thread_id IN (SELECT value FROM json_each(?)) AND (${UNREAD_DIFFERS})`,
    ],
  },
  {
    says: ["some of the types that", "endpoint", "subscribed to cannot be pulled"],
    count: "SELECT count(*) AS n FROM webhook_endpoints",
    slice: "SELECT max(id) AS last FROM (SELECT id FROM webhook_endpoints WHERE id > ? ORDER BY id LIMIT ?)",
    find: `SELECT DISTINCT w.id AS key FROM webhook_endpoints w CROSS JOIN webhook_subscriptions s ON s.endpoint_id = w.id
           WHERE w.id > ? AND w.id <= ?
             AND NOT EXISTS (SELECT 1 FROM webhook_heard WHERE endpoint_id = w.id AND type = s.type)`,
    mend: [
      `INSERT OR IGNORE INTO webhook_heard (endpoint_id, type)
       SELECT endpoint_id, type FROM webhook_subscriptions WHERE endpoint_id IN (SELECT value FROM json_each(?))`,
    ],
  },
  {
    says: ["the followers of", "builder", "are other than counted"],
    count: "SELECT count(*) AS n FROM builders",
    slice: "SELECT max(id) AS last FROM (SELECT id FROM builders WHERE id > ? ORDER BY id LIMIT ?)",
    find: `SELECT b.id AS key FROM builders b
           WHERE b.id > ? AND b.id <= ? AND b.removed_at IS NULL AND ${FOLLOWERS_DIFFER}`,
    mend: [
      `UPDATE builders AS b SET followers = (SELECT count(*) FROM follows f CROSS JOIN builders x ON x.id = f.follower_id
                                             WHERE f.followed_id = b.id AND x.suspended_at IS NULL)
       WHERE b.id IN (SELECT value FROM json_each(?)) AND ${FOLLOWERS_DIFFER}`,
    ],
  },
  {
    says: ["the directory lacks", "builder", ""],
    count: "SELECT count(*) AS n FROM builders",
    slice: "SELECT max(id) AS last FROM (SELECT id FROM builders WHERE id > ? ORDER BY id LIMIT ?)",
    find: `SELECT b.id AS key FROM builders b WHERE b.id > ? AND b.id <= ? AND b.removed_at IS NULL
             AND NOT EXISTS (SELECT 1 FROM directory WHERE builder_id = b.id)`,
    mend: [
      `INSERT INTO directory (builder_id) SELECT b.id FROM json_each(?) wanted CROSS JOIN builders b ON b.id = wanted.value
       WHERE b.removed_at IS NULL AND NOT EXISTS (SELECT 1 FROM directory WHERE builder_id = b.id)`,
    ],
  },
];

export function countToWalk(db: Db, { count }: Derived): number {
  return db.prepare<{ n: number }>(count).get()?.n ?? 0;
}

/** Undefined where nothing is behind `after`. */
export function endOfSlice(db: Db, { slice }: Derived, after: string, rows: number): string | undefined {
  return db.prepare<{ last: string | null }>(slice).get(after, rows)?.last ?? undefined;
}

export function findDiffering(db: Db, { find }: Derived, after: string, upTo: string): string[] {
  return db
    .prepare<{ key: string }>(find)
    .all(after, upTo)
    .map(({ key }) => key);
}

/** Call it in a transaction. */
export function mendDiffering(db: Db, { mend }: Derived, keys: readonly string[]): void {
  for (const sql of mend) db.prepare(sql).run(JSON.stringify(keys));
}

/** A prompt as it stands, and what the ratings of its current version come to. */
export interface ScoredPrompt {
  id: string;
  ratingCount: number;
  ratingSum: number;
  score: number;
  rank: number;
  /** As counted. */
  ratings: number;
  stars: number;
}

const SCORED = `p.id, p.rating_count AS ratingCount, p.rating_sum AS ratingSum, p.score, p.rank,
  count(r.stars) AS ratings, coalesce(sum(r.stars), 0) AS stars`;

/** The next prompts behind one that are not being deleted. */
export function selectScored(db: Db, after: string, limit: number): ScoredPrompt[] {
  return db
    .prepare<ScoredPrompt>(
      `SELECT ${SCORED} FROM (SELECT * FROM prompts WHERE id > ? AND removed_at IS NULL ORDER BY id LIMIT ?) p
       LEFT JOIN prompt_ratings r ON r.prompt_id = p.id AND r.version = p.version
       GROUP BY p.id ORDER BY p.id`,
    )
    .all(after, limit);
}

export function findScored(db: Db, id: string): ScoredPrompt | undefined {
  return db
    .prepare<ScoredPrompt>(
      `SELECT ${SCORED} FROM prompts p LEFT JOIN prompt_ratings r ON r.prompt_id = p.id AND r.version = p.version
       WHERE p.id = ? AND p.removed_at IS NULL GROUP BY p.id`,
    )
    .get(id);
}

/** What `isWrong` looked at, as it is now. */
export function writeScore(db: Db, { id, ratings, stars }: ScoredPrompt): void {
  const counted = { ratingCount: ratings, ratingSum: stars };
  db.patch(prompts, { id }, { ...counted, score: scoreOf(stars, ratings), rank: rankOf(stars, ratings) });
}
