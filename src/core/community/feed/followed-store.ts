import type { Core } from "../../base/core.ts";

/*
 * What somebody follows, without a look at what they do not: their feed is merged from walks along indexes,
 * one for each builder and tag (docs/adr/0056-following.md). First where each walk begins; of those that
 * begin far enough in front, as many ids as a page can have.
 */

/** Whose feed, and what it is narrowed to. */
export interface Followed {
  builderId: string;
  tag?: string | undefined;
  /** A username as it is stored. */
  author?: string | undefined;
}

/** A page of a walk: ids between two others, from one end on. */
export interface Span {
  below: string;
  above: string;
  order: "DESC" | "ASC";
  limit: number;
}

/**
 * A tag that one does not follow is looked through for posts with one that one does. So many posts of it at
 * most: there may be a million between two that have both.
 */
const WINDOW = 5000;

/** The ids of the feed posts of one page, in the order of the walk. */
export function selectFollowedIds(core: Core, followed: Followed, span: Span): string[] {
  const kinds = [byBuilders(followed, span), byTags(followed, span)].map((kind) => ({
    kind,
    begun: selectBegun(core, kind),
  }));
  const sign = span.order === "ASC" ? 1 : -1;
  const inOrder = (ids: Iterable<string>) => [...new Set(ids)].sort((a, b) => (a < b ? -sign : sign));
  // The page ends here at the latest: so many posts are known to stand in front.
  const end = inOrder(kinds.flatMap(({ begun }) => begun.map(({ head }) => head)))[span.limit - 1];
  const isReached = (id: string) => end === undefined || id === end || id < end === sign > 0;
  const ids = kinds.flatMap(({ kind, begun }) => {
    const walks = begun.filter(({ head }) => isReached(head)).map(({ walk }) => walk);
    return walks.length === 0 ? [] : selectWalks(core, kind, walks, span.limit);
  });
  if (followed.tag !== undefined) ids.push(...selectWithBoth(core, followed, followed.tag, span));
  return inOrder(ids).slice(0, span.limit);
}

/** The walks of one kind. */
interface Walks {
  /** What each is along, as `walk`. */
  along: string;
  alongPlaces: readonly string[];
  /** The ids of one, in order, along `s.walk`. */
  ids: string;
  idsPlaces: readonly string[];
}

function byBuilders({ builderId, tag, author }: Followed, { below, above, order }: Span): Walks {
  return {
    along: `SELECT f.followed_id AS walk FROM follows f CROSS JOIN builders b ON b.id = f.followed_id
            WHERE f.follower_id = ? AND b.suspended_at IS NULL ${author === undefined ? "" : "AND b.username = ?"}`,
    alongPlaces: author === undefined ? [builderId] : [builderId, author],
    ids:
      tag === undefined
        ? `SELECT p.id FROM posts p
           WHERE p.author_id = s.walk AND p.parent_id IS NULL AND p.hidden_at IS NULL AND p.id < ? AND p.id > ?
           ORDER BY p.id ${order}`
        : `SELECT t.post_id AS id FROM post_tags t
           WHERE t.author_id = s.walk AND t.tag = ? AND t.post_id < ? AND t.post_id > ? ORDER BY t.post_id ${order}`,
    idsPlaces: tag === undefined ? [below, above] : [tag, below, above],
  };
}

function byTags({ builderId, tag, author }: Followed, { below, above, order }: Span): Walks {
  return {
    along: `SELECT tag AS walk FROM followed_tags WHERE builder_id = ? ${tag === undefined ? "" : "AND tag = ?"}`,
    alongPlaces: tag === undefined ? [builderId] : [builderId, tag],
    ids: `SELECT t.post_id AS id FROM post_tags t
          WHERE t.tag = s.walk AND t.author_id <> ?
            ${author === undefined ? "" : "AND t.author_id = (SELECT id FROM builders WHERE username = ?)"}
            AND t.post_id < ? AND t.post_id > ? ORDER BY t.post_id ${order}`,
    idsPlaces: author === undefined ? [builderId, below, above] : [builderId, author, below, above],
  };
}

/** The walks that there is something on, and what each begins with. */
function selectBegun(core: Core, { along, alongPlaces, ids, idsPlaces }: Walks) {
  return core.db
    .prepare<{ walk: string; head: string | null }>(
      `SELECT s.walk, (${ids} LIMIT 1) AS head FROM (${along}) s`,
    )
    .all(...idsPlaces, ...alongPlaces)
    .filter((row): row is { walk: string; head: string } => row.head !== null);
}

function selectWalks(core: Core, kind: Walks, walks: readonly string[], limit: number): string[] {
  return core.db
    .prepare<{ id: string }>(
      `SELECT found.value AS id FROM (SELECT value AS walk FROM json_each(?)) s
       CROSS JOIN json_each((SELECT json_group_array(id) FROM (${kind.ids} LIMIT ?))) found`,
    )
    .all(JSON.stringify(walks), ...kind.idsPlaces, limit)
    .map(({ id }) => id);
}

/** Posts with a tag that is not followed and one that is. */
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
         SELECT 1 FROM post_tags t CROSS JOIN followed_tags f ON f.builder_id = ? AND f.tag = t.tag
         WHERE t.post_id = passed.post_id)
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
