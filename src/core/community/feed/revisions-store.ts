import type { Core } from "../../base/core.ts";
import { postRevisions } from "../../base/db/schema.ts";
import { descending, type PageRequest, type Walk } from "../../base/page.ts";

export type RevisionRow = typeof postRevisions.$inferSelect;

/**
 * SQL columns that return the current revision with the columns of a `post_revisions` row. The current
 * revision is stored in `posts`.
 */
const CURRENT = `p.id AS postId, coalesce((SELECT max(number) + 1 FROM post_revisions WHERE post_id = p.id), 0) AS number,
       coalesce(p.revision_id, 'rev_' || substr(p.id, 6)) AS id, p.text, p.tags, p.media,
       coalesce(p.edited_at, p.created_at) AS at`;

type Stored = Omit<RevisionRow, "tags" | "media"> & { tags: string; media: string };

/**
 * Selects the revisions of many posts in one statement, newest first, or oldest first for a backward request.
 */
export function selectRevisions(
  core: Core,
  walks: readonly Walk<number>[],
  request: PageRequest,
): ReadonlyMap<string, RevisionRow[]> {
  const { beyond, order } = descending(request);
  const end = request.backwards ? -1 : Number.MAX_SAFE_INTEGER;
  const starts = JSON.stringify(walks.map(({ id, from }) => ({ id, from: from ?? end })));
  const rows = core.db
    .prepare<Stored>(
      `SELECT r.post_id AS postId, r.number, r.id, r.text, r.tags, r.media, r.at
       FROM json_each(?) wanted CROSS JOIN post_revisions r ON r.post_id = wanted.value ->> 'id' AND r.number IN
         (SELECT number FROM post_revisions WHERE post_id = wanted.value ->> 'id'
            AND number ${beyond} wanted.value ->> 'from' ORDER BY number ${order} LIMIT ?)
       UNION ALL
       SELECT postId, number, id, text, tags, media, at
       FROM (SELECT ${CURRENT}, wanted.value ->> 'from' AS "from"
             FROM json_each(?) wanted CROSS JOIN posts p ON p.id = wanted.value ->> 'id')
       WHERE number ${beyond} "from"`,
    )
    .all(starts, request.limit + 1, starts);
  const sign = order === "ASC" ? 1 : -1;
  const lists = Map.groupBy(rows.map(toRevision), ({ postId }) => postId);
  for (const [id, list] of lists) {
    list.sort((a, b) => sign * (a.number - b.number));
    lists.set(id, list.slice(0, request.limit + 1));
  }
  return lists;
}

/**
 * Returns the current revision of a post. When the post is edited, this row is stored as an earlier revision.
 */
export function findCurrent(core: Core, postId: string): RevisionRow | undefined {
  const row = core.db.prepare<Stored>(`SELECT ${CURRENT} FROM posts p WHERE p.id = ?`).get(postId);
  return row && toRevision(row);
}

/** Returns when an earlier revision was written, in ms since the epoch. */
export function findTime(core: Core, postId: string, number: number): number | undefined {
  return core.db
    .prepare<{ at: number }>("SELECT at FROM post_revisions WHERE post_id = ? AND number = ?")
    .get(postId, number)?.at;
}

export function insertRevision(core: Core, row: typeof postRevisions.$inferInsert): void {
  core.db.insert(postRevisions, row);
}

/** Deletes at most `limit` revisions of a post that is being deleted. Returns the number of deleted rows. */
export function deleteSomeRevisions(core: Core, postId: string, limit: number): number {
  return core.db
    .prepare(
      `DELETE FROM post_revisions WHERE post_id = ? AND number IN
         (SELECT number FROM post_revisions WHERE post_id = ? LIMIT ?)`,
    )
    .run(postId, postId, limit).changes;
}

/** Selects earlier revisions by id, in one statement and in any order. */
export function selectRevisionsById(core: Core, ids: readonly string[]): RevisionRow[] {
  return core.db
    .prepare<Stored>(
      `SELECT r.post_id AS postId, r.number, r.id, r.text, r.tags, r.media, r.at
       FROM json_each(?) wanted CROSS JOIN post_revisions r ON r.id = wanted.value`,
    )
    .all(JSON.stringify(ids))
    .map(toRevision);
}

function toRevision({ tags, media, postId, number, id, text, at }: Stored): RevisionRow {
  return { postId, number, id, text, tags: JSON.parse(tags), media: JSON.parse(media), at };
}
