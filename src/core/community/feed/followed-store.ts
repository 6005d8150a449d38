import type { Core } from "../../base/core.ts";

/*
 * Reads the feed of followed builders and tags without scanning other posts. The feed is a merge of index
 * ranges, one for each followed builder and tag (docs/adr/0056-following.md). The first query reads the first
 * id of each range. The second query reads up to a page of ids from each range that can contribute to the
 * page.
 */

/** The member whose followed feed is read, and the filters of the request. */
export interface Followed {
  builderId: string;
  tag?: string | undefined;
  /** A username in its stored form. */
  author?: string | undefined;
}

/** Bounds, order and size of a page of post ids. Both bounds are exclusive. */
export interface Span {
  below: string;
  above: string;
  order: "DESC" | "ASC";
  limit: number;
}

/**
 * Maximum number of posts scanned if the feed is filtered by a tag that the member does not follow. The scan
 * looks for posts that also have a followed tag. Without this limit, a query could scan a million posts
 * between two hits.
 */
const WINDOW = 5000;

/** Returns the ids of the feed posts of one page, in page order. */
export function selectFollowedIds(core: Core, followed: Followed, span: Span): string[] {
  const kinds = [byBuilders(followed, span), byTags(followed, span)].map((kind) => ({
    kind,
    begun: selectNonEmptyWalks(core, kind),
  }));
  const sign = span.order === "ASC" ? 1 : -1;
  const inOrder = (ids: Iterable<string>) => [...new Set(ids)].sort((a, b) => (a < b ? -sign : sign));
  // The page ends at this id or earlier, because at least `span.limit` posts have this id or come before this
  // id.
  const end = inOrder(kinds.flatMap(({ begun }) => begun.map(({ head }) => head)))[span.limit - 1];
  const isReached = (id: string) => end === undefined || id === end || id < end === sign > 0;
  const ids = kinds.flatMap(({ kind, begun }) => {
    const walks = begun.filter(({ head }) => isReached(head)).map(({ walk }) => walk);
    return walks.length === 0 ? [] : selectWalks(core, kind, walks, span.limit);
  });
  if (followed.tag !== undefined) ids.push(...selectWithBoth(core, followed, followed.tag, span));
  return inOrder(ids).slice(0, span.limit);
}

/** All index ranges of one kind: by builder or by tag. */
interface Walks {
  /** SQL that selects the key of each range, in a column named `walk`. */
  keys: string;
  keyParams: readonly string[];
  /** SQL that selects the post ids of the range with the key `s.walk`, in page order. */
  ids: string;
  idParams: readonly string[];
}

function byBuilders({ builderId, tag, author }: Followed, { below, above, order }: Span): Walks {
  return {
    keys: `SELECT f.followed_id AS walk FROM follows f CROSS JOIN builders b ON b.id = f.followed_id
            WHERE f.follower_id = ? AND b.suspended_at IS NULL ${author === undefined ? "" : "AND b.username = ?"}`,
    keyParams: author === undefined ? [builderId] : [builderId, author],
    ids:
      tag === undefined
        ? `SELECT p.id FROM posts p
           WHERE p.author_id = s.walk AND p.parent_id IS NULL AND p.hidden_at IS NULL AND p.id < ? AND p.id > ?
           ORDER BY p.id ${order}`
        : `SELECT t.post_id AS id FROM post_tags t
           WHERE t.author_id = s.walk AND t.tag = ? AND t.post_id < ? AND t.post_id > ? ORDER BY t.post_id ${order}`,
    idParams: tag === undefined ? [below, above] : [tag, below, above],
  };
}

function byTags({ builderId, tag, author }: Followed, { below, above, order }: Span): Walks {
  return {
    keys: `SELECT tag AS walk FROM followed_tags WHERE builder_id = ? ${tag === undefined ? "" : "AND tag = ?"}`,
    keyParams: tag === undefined ? [builderId] : [builderId, tag],
    ids: `SELECT t.post_id AS id FROM post_tags t
          WHERE t.tag = s.walk AND t.author_id <> ?
            ${author === undefined ? "" : "AND t.author_id = (SELECT id FROM builders WHERE username = ?)"}
            AND t.post_id < ? AND t.post_id > ? ORDER BY t.post_id ${order}`,
    idParams: author === undefined ? [builderId, below, above] : [builderId, author, below, above],
  };
}

/** Returns the non-empty ranges. Each range is returned with its first id. */
function selectNonEmptyWalks(core: Core, { keys, keyParams, ids, idParams }: Walks) {
  return core.db
    .prepare<{ walk: string; head: string | null }>(
      `SELECT s.walk, (${ids} LIMIT 1) AS head FROM (${keys}) s`,
    )
    .all(...idParams, ...keyParams)
    .filter((row): row is { walk: string; head: string } => row.head !== null);
}

function selectWalks(core: Core, kind: Walks, walks: readonly string[], limit: number): string[] {
  return core.db
    .prepare<{ id: string }>(
      `SELECT found.value AS id FROM (SELECT value AS walk FROM json_each(?)) s
       CROSS JOIN json_each((SELECT json_group_array(id) FROM (${kind.ids} LIMIT ?))) found`,
    )
    .all(JSON.stringify(walks), ...kind.idParams, limit)
    .map(({ id }) => id);
}

/** Selects posts with both `tag`, which the member does not follow, and a tag that the member follows. */
function selectWithBoth(core: Core, { builderId, author }: Followed, tag: string, span: Span): string[] {
  const { below, above, order, limit } = span;
  const byAuthor = author === undefined ? "" : "AND author_id = (SELECT id FROM builders WHERE username = ?)";
  return core.db
    .prepare<{ id: string }>(
      `SELECT passed.post_id AS id
       FROM (SELECT post_id, author_id FROM post_tags
             WHERE tag = ? ${byAuthor} AND post_id < ? AND post_id > ?
               AND NOT EXISTS (SELECT 1 FROM followed_tags WHERE builder_id = ? AND tag = ?)
             ORDER BY post_id ${order} LIMIT ?) passed
       WHERE passed.author_id <> ? AND EXISTS (
         SELECT 1 FROM posts p CROSS JOIN json_each(p.tags) t
         CROSS JOIN followed_tags f ON f.builder_id = ? AND f.tag = t.value
         WHERE p.id = passed.post_id)
       LIMIT ?`,
    )
    .all(
      ...(author === undefined ? [tag] : [tag, author]),
      below,
      above,
      builderId,
      tag,
      WINDOW,
      builderId,
      builderId,
      limit,
    )
    .map(({ id }) => id);
}
