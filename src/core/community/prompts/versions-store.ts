import type { Core } from "../../base/core.ts";
import { promptVersions } from "../../base/db/schema.ts";
import { descending, type PageRequest, type Walk } from "../../base/page.ts";

export type VersionRow = typeof promptVersions.$inferSelect;

/**
 * Selects the versions of many prompts in one statement, highest number first, or lowest first for a backward
 * request. The current version is stored in `prompts`, and earlier versions are in `prompt_versions`.
 */
export function selectVersions(
  core: Core,
  walks: readonly Walk<number>[],
  request: PageRequest,
): ReadonlyMap<string, VersionRow[]> {
  const { beyond, order } = descending(request);
  const end = request.backwards ? 0 : Number.MAX_SAFE_INTEGER;
  const starts = JSON.stringify(walks.map(({ id, from }) => ({ id, from: from ?? end })));
  const rows = core.db
    .prepare<VersionRow>(
      `SELECT v.prompt_id AS promptId, v.number, v.title, v.body, v.model, v.note,
              v.rating_count AS ratingCount, v.rating_sum AS ratingSum, v.created_at AS createdAt
       FROM json_each(?) wanted CROSS JOIN prompt_versions v ON v.prompt_id = wanted.value ->> 'id' AND v.number IN
         (SELECT number FROM prompt_versions WHERE prompt_id = wanted.value ->> 'id'
            AND number ${beyond} wanted.value ->> 'from' ORDER BY number ${order} LIMIT ?)
       UNION ALL
       SELECT p.id AS promptId, p.version AS number, p.title, p.body, p.model, p.note,
              p.rating_count AS ratingCount, p.rating_sum AS ratingSum, coalesce(p.revised_at, p.created_at) AS createdAt
       FROM json_each(?) wanted CROSS JOIN prompts p ON p.id = wanted.value ->> 'id'
       WHERE p.version ${beyond} wanted.value ->> 'from'`,
    )
    .all(starts, request.limit + 1, starts);
  const sign = order === "ASC" ? 1 : -1;
  const lists = Map.groupBy(rows, ({ promptId }) => promptId);
  for (const [id, list] of lists) {
    list.sort((a, b) => sign * (a.number - b.number));
    lists.set(id, list.slice(0, request.limit + 1));
  }
  return lists;
}

/** Returns the current version with the columns of an earlier version. */
export function findCurrent(core: Core, promptId: string): VersionRow | undefined {
  return core.db
    .prepare<VersionRow>(
      `SELECT id AS promptId, version AS number, title, body, model, note, rating_count AS ratingCount,
              rating_sum AS ratingSum, coalesce(revised_at, created_at) AS createdAt
       FROM prompts WHERE id = ?`,
    )
    .get(promptId);
}

/** Finds an earlier version of a prompt by its number. */
export function findEarlier(core: Core, promptId: string, number: number): VersionRow | undefined {
  return core.db
    .prepare<VersionRow>(
      `SELECT prompt_id AS promptId, number, title, body, model, note, rating_count AS ratingCount,
              rating_sum AS ratingSum, created_at AS createdAt
       FROM prompt_versions WHERE prompt_id = ? AND number = ?`,
    )
    .get(promptId, number);
}

export function insertVersion(core: Core, row: typeof promptVersions.$inferInsert): void {
  core.db.insert(promptVersions, row);
}
