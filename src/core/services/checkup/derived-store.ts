import { rankOf, scoreOf } from "../../community/prompts/score.ts";
import { countWithNoun } from "../../base/count-with-noun.ts";
import type { Db } from "../../base/db/open.ts";
import { prompts } from "../../base/db/schema.ts";

export type Key = string | number;

/**
 * A value or group of rows that is derived from other rows (the source rows), so that a read need not count
 * the source rows. The doctor compares the value with the source rows and can rebuild the value, in batches
 * ordered by a key.
 */
export interface Derived {
  check: string;
  /** Returns a sentence about `count` keys whose value differs. */
  says(count: number): string;
  /** Returns a sentence about `count` keys whose value was rebuilt. */
  rebuilt(count: number): string;
  /**
   * Set if `guildhall demo` writes the value without source rows. In a demo, the value is then not compared.
   */
  isEmptyInDemo?: true;
  /**
   * SQL that selects the next keys. Parameters: the last key of the previous batch (at first `first`), and
   * the batch size.
   */
  keys: string;
  first: Key;
  /** Number of keys per comparison. */
  batch: number;
  /** Returns the keys whose value differs from the source rows. */
  differing(db: Db, keys: readonly Key[]): Key[];
  /** Rebuilds the values of these keys. Call it in a transaction. */
  rebuild(db: Db, keys: readonly Key[]): void;
}

const BATCH = 2000;
/** SQL list of the given keys. Its parameter is a JSON array of keys. */
const KEYS = "(SELECT value FROM json_each(?))";

export function keysOf(
  table: "builders" | "posts" | "prompts" | "threads" | "webhook_endpoints",
): Pick<Derived, "keys" | "first"> {
  return { keys: `SELECT id AS key FROM ${table} WHERE id > ? ORDER BY id LIMIT ?`, first: "" };
}

export function selectKeys(db: Db, { keys, batch }: Derived, after: Key): Key[] {
  return db
    .prepare<{ key: Key }>(keys)
    .all(after, batch)
    .map(({ key }) => key);
}

function selectDiffering(db: Db, sql: string, keys: readonly Key[]): Key[] {
  return db
    .prepare<{ key: Key }>(sql)
    .all(JSON.stringify(keys))
    .map(({ key }) => key);
}

const recountTexts = (what: (count: number) => string, fault = "wrong") => ({
  check: "counts",
  batch: BATCH,
  says: (count: number) => `The ${what(count)} are ${fault}.`,
  rebuilt: (count: number) => `Corrected the ${what(count)}.`,
});

/**
 * SQL condition: the post is not being deleted. While a deletion removes rows in batches, the counts of its
 * posts are wrong, so these posts are not compared.
 */
const POST_IS_KEPT = `posts.removed_at IS NULL AND NOT EXISTS
  (SELECT 1 FROM posts above WHERE above.id = posts.parent_id AND above.removed_at IS NOT NULL)`;

/** Columns of a table whose values are derived from other rows. */
interface Columns extends Omit<Derived, "differing" | "rebuild"> {
  table: string;
  key: string;
  columns: string;
  values: string;
  where: string;
}

const COLUMNS: readonly Columns[] = [
  {
    ...keysOf("posts"),
    ...recountTexts((count) => `like counts of ${countWithNoun(count, "post")}`),
    isEmptyInDemo: true,
    table: "posts",
    key: "id",
    columns: "(likes)",
    values: "(SELECT count(*) FROM likes WHERE post_id = posts.id)",
    where: POST_IS_KEPT,
  },
  {
    ...keysOf("posts"),
    ...recountTexts((count) => `reply counts of ${countWithNoun(count, "post")}`),
    table: "posts",
    key: "id",
    columns: "(replies)",
    // The count of a post includes its whole conversation. The count of a reply includes only direct answers.
    values: `iif(parent_id IS NULL,
      (SELECT count(*) FROM posts r WHERE r.parent_id = posts.id AND r.hidden_at IS NULL),
      (SELECT count(*) FROM posts r WHERE r.answered_id = posts.id AND r.hidden_at IS NULL))`,
    where: POST_IS_KEPT,
  },
  {
    ...keysOf("prompts"),
    ...recountTexts((count) => `ratings of earlier versions of ${countWithNoun(count, "prompt")}`),
    table: "prompt_versions",
    key: "prompt_id",
    columns: "(rating_count, rating_sum)",
    values: `(SELECT count(*), coalesce(sum(stars), 0) FROM prompt_ratings r
      WHERE r.prompt_id = prompt_versions.prompt_id AND r.version = prompt_versions.number)`,
    where: "EXISTS (SELECT 1 FROM prompts WHERE id = prompt_id AND removed_at IS NULL)",
  },
  {
    ...keysOf("threads"),
    ...recountTexts((count) => `unread counts or newest messages of ${countWithNoun(count, "conversation")}`),
    table: "thread_members",
    key: "thread_id",
    columns: "(unread, last_id)",
    values: `(
      (SELECT count(*) FROM messages m
       WHERE m.thread_id = thread_members.thread_id AND m.id > read_to AND m.sender_id <> builder_id),
      coalesce((SELECT max(id) FROM messages m WHERE m.thread_id = thread_members.thread_id), last_id))`,
    where: "true",
  },
  {
    ...keysOf("builders"),
    ...recountTexts((count) => `follower counts of ${countWithNoun(count, "member")}`),
    table: "builders",
    key: "id",
    columns: "(followers)",
    values: `(SELECT count(*) FROM follows f CROSS JOIN builders x ON x.id = f.follower_id
      WHERE f.followed_id = builders.id AND x.suspended_at IS NULL)`,
    where: "removed_at IS NULL",
  },
  {
    keys: "SELECT one AS key FROM event_log WHERE one > ? LIMIT ?",
    first: 0,
    check: "event_log",
    batch: 1,
    says: () =>
      "The recorded end of the event log is before its newest event, so readers would miss new events.",
    rebuilt: () => "Corrected the end of the event log.",
    table: "event_log",
    key: "one",
    columns: "(last_id, last_at)",
    values: `(max(last_id, coalesce((SELECT max(id) FROM events), '')),
      max(last_at, coalesce((SELECT created_at FROM events ORDER BY id DESC LIMIT 1), 0)))`,
    where: "true",
  },
];

/** Whether the row `t` of the tag index belongs to no post of its author with its tag. */
const IS_STRAY = `NOT EXISTS (SELECT 1 FROM posts p CROSS JOIN json_each(p.tags) j
    WHERE p.id = t.post_id AND p.author_id = t.author_id AND j.value = t.tag)`;

/**
 * The hold `h` is of a member who has an account. While a deletion removes rows in batches, its holds are not
 * compared.
 */
const HOLDER_IS_KEPT = "EXISTS (SELECT 1 FROM builders WHERE id = h.builder_id AND removed_at IS NULL)";
/** Whether the hold `h` is of content that exists and is hidden. */
const HOLDS_CONTENT = `h.subject_id IN (
    SELECT id FROM posts WHERE id = h.subject_id AND hidden_at IS NOT NULL
    UNION ALL SELECT id FROM prompts WHERE id = h.subject_id AND hidden_at IS NOT NULL
    UNION ALL SELECT id FROM jobs WHERE id = h.subject_id AND hidden_at IS NOT NULL)`;
const HOLDS = {
  keys: "SELECT subject_id AS key FROM held WHERE subject_id > ? ORDER BY subject_id LIMIT ?",
  first: "",
};

/**
 * Statements for rows that are derived from other rows. The only parameter of each statement is a JSON array
 * of keys.
 */
const ROWS = [
  {
    ...keysOf("posts"),
    ...recountTexts((count) => `tag index entries of ${countWithNoun(count, "post")}`),
    // Only posts on the feed are in the tag index.
    find: `SELECT p.id AS key FROM posts p WHERE p.id IN ${KEYS} AND
             (SELECT count(*) FROM json_each(p.tags) t CROSS JOIN post_tags x ON x.tag = t.value AND x.post_id = p.id
              WHERE x.author_id = p.author_id)
               <> iif(p.parent_id IS NULL AND p.hidden_at IS NULL, json_array_length(p.tags), 0)`,
    rebuild: [
      `DELETE FROM post_tags WHERE (tag, post_id) IN
         (SELECT t.value, p.id FROM posts p CROSS JOIN json_each(p.tags) t WHERE p.id IN ${KEYS})`,
      `INSERT OR IGNORE INTO post_tags (tag, post_id, author_id)
       SELECT t.value, p.id, p.author_id FROM posts p CROSS JOIN json_each(p.tags) t
       WHERE p.id IN ${KEYS} AND p.parent_id IS NULL AND p.hidden_at IS NULL`,
    ],
  },
  {
    ...keysOf("builders"),
    ...recountTexts((count) => `tag index entries of ${countWithNoun(count, "member")}`),
    find: `SELECT DISTINCT t.author_id AS key FROM post_tags t WHERE t.author_id IN ${KEYS} AND ${IS_STRAY}`,
    rebuild: [`DELETE FROM post_tags AS t WHERE t.author_id IN ${KEYS} AND ${IS_STRAY}`],
  },
  {
    ...keysOf("webhook_endpoints"),
    ...recountTexts((count) => `subscription histories of ${countWithNoun(count, "endpoint")}`, "incomplete"),
    find: `SELECT DISTINCT s.endpoint_id AS key FROM webhook_subscriptions s WHERE s.endpoint_id IN ${KEYS}
             AND NOT EXISTS (SELECT 1 FROM webhook_heard h WHERE h.endpoint_id = s.endpoint_id AND h.type = s.type)`,
    rebuild: [
      `INSERT OR IGNORE INTO webhook_heard (endpoint_id, type)
       SELECT endpoint_id, type FROM webhook_subscriptions WHERE endpoint_id IN ${KEYS}`,
    ],
  },
  {
    ...keysOf("builders"),
    ...recountTexts((count) => `directory entries of ${countWithNoun(count, "member")}`, "missing"),
    find: `SELECT b.id AS key FROM builders b WHERE b.id IN ${KEYS} AND b.removed_at IS NULL
             AND NOT EXISTS (SELECT 1 FROM directory WHERE builder_id = b.id)`,
    rebuild: [`INSERT INTO directory (builder_id) SELECT id FROM builders WHERE id IN ${KEYS} ORDER BY id`],
  },
  {
    ...HOLDS,
    ...recountTexts((count) => `holds of ${countWithNoun(count, "text")}`, "without hidden content"),
    find: `SELECT h.subject_id AS key FROM held h WHERE h.subject_id IN ${KEYS} AND ${HOLDER_IS_KEPT}
             AND NOT ${HOLDS_CONTENT}`,
    rebuild: [`DELETE FROM held WHERE subject_id IN ${KEYS}`],
  },
  {
    ...HOLDS,
    // Moderators would never see content that waits for them.
    ...recountTexts((count) => `cases of ${countWithNoun(count, "held text")}`, "closed"),
    find: `SELECT h.subject_id AS key FROM held h WHERE h.subject_id IN ${KEYS} AND ${HOLDER_IS_KEPT}
             AND h.dismissed_at IS NULL AND ${HOLDS_CONTENT}
             AND NOT EXISTS (SELECT 1 FROM cases WHERE subject_id = h.subject_id AND closed_at IS NULL)`,
    rebuild: [
      `UPDATE cases SET closed_at = NULL WHERE subject_id IN ${KEYS}`,
      `INSERT OR IGNORE INTO cases (id, subject_id, builder_id, opened_at, cause)
       SELECT 'case_' || substr(subject_id, instr(subject_id, '_') + 1), subject_id, builder_id, held_at, 'brake'
       FROM held WHERE subject_id IN ${KEYS}`,
    ],
  },
];

/** A stored prompt with the ratings of its current version. */
interface ScoredPrompt {
  id: string;
  ratingCount: number;
  ratingSum: number;
  score: number;
  rank: number;
  ratings: number;
  stars: number;
}

function selectScored(db: Db, ids: readonly Key[]): ScoredPrompt[] {
  return db
    .prepare<ScoredPrompt>(
      `SELECT p.id, p.rating_count AS ratingCount, p.rating_sum AS ratingSum, p.score, p.rank,
              count(r.stars) AS ratings, coalesce(sum(r.stars), 0) AS stars
       FROM prompts p LEFT JOIN prompt_ratings r ON r.prompt_id = p.id AND r.version = p.version
       WHERE p.id IN ${KEYS} AND p.removed_at IS NULL GROUP BY p.id`,
    )
    .all(JSON.stringify(ids));
}

const SCORES: Derived = {
  ...keysOf("prompts"),
  ...recountTexts((count) => `scores of ${countWithNoun(count, "prompt")}`),
  isEmptyInDemo: true,
  differing: (db, keys) =>
    selectScored(db, keys)
      .filter(
        ({ ratingCount, ratingSum, score, rank, ratings, stars }) =>
          ratingCount !== ratings ||
          ratingSum !== stars ||
          score !== scoreOf(stars, ratings) ||
          rank !== rankOf(stars, ratings),
      )
      .map(({ id }) => id),
  rebuild(db, keys) {
    for (const { id, ratings, stars } of selectScored(db, keys)) {
      const [score, rank] = [scoreOf(stars, ratings), rankOf(stars, ratings)];
      db.patch(prompts, { id }, { ratingCount: ratings, ratingSum: stars, score, rank });
    }
  },
};

/** All derived data except XP and the search indexes. XP and the search indexes have their own modules. */
export const DERIVED: readonly Derived[] = [
  ...COLUMNS.map(({ table, key, columns, values, where, ...derived }): Derived => {
    const find = `SELECT DISTINCT ${key} AS key FROM ${table}
       WHERE ${key} IN ${KEYS} AND ${where} AND ${columns} IS NOT ${values}`;
    const update = `UPDATE ${table} SET ${columns} = ${values} WHERE ${key} IN ${KEYS} AND ${where}`;
    return {
      ...derived,
      differing: (db, keys) => selectDiffering(db, find, keys),
      rebuild: (db, keys) => void db.prepare(update).run(JSON.stringify(keys)),
    };
  }),
  ...ROWS.map(({ find, rebuild, ...derived }): Derived => ({
    ...derived,
    differing: (db, keys) => selectDiffering(db, find, keys),
    rebuild: (db, keys) => rebuild.forEach((sql) => db.prepare(sql).run(JSON.stringify(keys))),
  })),
  SCORES,
];

/** Whether the end of the event log is recorded. */
export function hasLogEnd(db: Db): boolean {
  return db.prepare("SELECT 1 FROM event_log").get() !== undefined;
}
