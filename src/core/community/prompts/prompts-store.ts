import type { Core } from "../../base/core.ts";
import { prompts } from "../../base/db/schema.ts";
import { descending, groupByList, type PageRequest, type Walk } from "../../base/page.ts";
import { deleteIndexEntry, freeIndexNumber, insertIndexEntry } from "../fulltext/fulltext.ts";
import type { PromptFilter, RankedPrompt } from "./prompts.ts";
import { indexedTextOfPrompt } from "./indexed-text.ts";

type PromptRow = Omit<RankedPrompt, "author"> & { username: string };

const COLUMNS = `p.id, p.author_id AS authorId, p.title, p.body, p.model, p.category, p.score, p.rank,
              p.rating_count AS ratings, p.version, p.note, p.created_at AS createdAt, p.revised_at AS revisedAt,
              p.hidden_at AS hiddenAt, b.username`;

/** Start position of each direction: after the last row or before the first row. */
const ENDS = { forwards: [Number.MAX_VALUE, ""], backwards: [-1, ""] } as const;

/**
 * Selects prompts after `key`, best first, or worst first for a backward request. Each combination
 * of filters has an index in that order.
 */
export function selectPrompts(
  core: Core,
  filter: PromptFilter,
  key: readonly [number, string] | undefined,
  request: PageRequest,
): RankedPrompt[] {
  const bound: (string | number)[] = [];
  const where: string[] = ["p.hidden_at IS NULL"];
  const and = (condition: string, value: string | number | undefined): void => {
    if (value === undefined) return;
    where.push(condition);
    bound.push(value);
  };
  and("p.model = ?", filter.model);
  and("p.category = ?", filter.category);
  and("p.score >= ?", filter.min_score);
  const { beyond, order } = descending(request);
  const rows = core.db
    .prepare<PromptRow>(
      `SELECT ${COLUMNS}
       FROM prompts p CROSS JOIN builders b ON b.id = p.author_id
       WHERE ${[...where, `(p.rank, p.id) ${beyond} (?, ?)`].join(" AND ")}
       ORDER BY p.rank ${order}, p.id ${order} LIMIT ?`,
    )
    .all(...bound, ...(key ?? ENDS[request.backwards ? "backwards" : "forwards"]), request.limit + 1);
  return rows.map(toPrompt);
}

/**
 * Selects prompts by id in one statement, in any order. Includes hidden prompts and leaves out deleted
 * prompts.
 */
export function selectPromptsById(core: Core, ids: readonly string[]): RankedPrompt[] {
  return core.db
    .prepare<PromptRow>(
      `SELECT ${COLUMNS}
       FROM json_each(?) wanted CROSS JOIN prompts p ON p.id = wanted.value CROSS JOIN builders b ON b.id = p.author_id
       WHERE p.removed_at IS NULL`,
    )
    .all(JSON.stringify(ids))
    .map(toPrompt);
}

/** Selects the public prompts of many builders in one statement, newest first. */
export function selectPromptsOf(
  core: Core,
  walks: readonly Walk<string>[],
  request: PageRequest,
): ReadonlyMap<string, RankedPrompt[]> {
  const { beyond, order } = descending(request);
  const starts = walks.map(({ id, from }) => ({ id, from: from ?? (request.backwards ? "" : "prompt_~") }));
  const rows = core.db
    .prepare<PromptRow>(
      `SELECT ${COLUMNS}
       FROM json_each(?) wanted CROSS JOIN json_each((SELECT json_group_array(id) FROM
         (SELECT id FROM prompts WHERE author_id = wanted.value ->> 'id' AND hidden_at IS NULL
            AND id ${beyond} wanted.value ->> 'from' ORDER BY id ${order} LIMIT ?))) found
       CROSS JOIN prompts p ON p.id = found.value CROSS JOIN builders b ON b.id = p.author_id`,
    )
    .all(JSON.stringify(starts), request.limit + 1)
    .map(toPrompt);
  return groupByList(rows, (prompt) => prompt.authorId, order);
}

/** Selects a builder's prompts, newest first, including hidden prompts. */
export function selectSubmitted(
  core: Core,
  authorId: string,
  fromId: string | undefined,
  request: PageRequest,
): RankedPrompt[] {
  const { beyond, order } = descending(request);
  return core.db
    .prepare<PromptRow>(
      `SELECT ${COLUMNS} FROM prompts p CROSS JOIN builders b ON b.id = p.author_id
       WHERE p.author_id = ? AND p.removed_at IS NULL AND p.id ${beyond} ? ORDER BY p.id ${order} LIMIT ?`,
    )
    .all(authorId, fromId ?? (request.backwards ? "" : "prompt_~"), request.limit + 1)
    .map(toPrompt);
}

/** Stores a prompt, and its search index entry unless it is hidden. */
export function insertPrompt(core: Core, row: typeof prompts.$inferInsert): void {
  if (typeof row.hiddenAt === "number") {
    core.db.insert(prompts, row);
    return;
  }
  const rowNumber = freeIndexNumber(core, "prompt_search", row.createdAt);
  core.db.insert(prompts, { ...row, place: rowNumber });
  insertIndexEntry(core, "prompt_search", rowNumber, indexedTextOfPrompt(row));
}

/**
 * Updates the search index entry of a prompt. Removes the entry if the prompt is hidden. Call it in the
 * transaction that changes the prompt.
 */
export function indexPrompt(core: Core, id: string): void {
  type Row = Parameters<typeof indexedTextOfPrompt>[0] & {
    createdAt: number;
    hiddenAt: number | null;
    place: number | null;
  };
  const row = core.db
    .prepare<Row>(
      `SELECT author_id AS authorId, title, body, model, category, created_at AS createdAt, hidden_at AS hiddenAt, place
       FROM prompts WHERE id = ?`,
    )
    .get(id);
  if (!row) return;
  const rowNumber = row.place ?? freeIndexNumber(core, "prompt_search", row.createdAt);
  if (row.place === null) core.db.patch(prompts, { id }, { place: rowNumber });
  else deleteIndexEntry(core, "prompt_search", rowNumber);
  if (row.hiddenAt === null) insertIndexEntry(core, "prompt_search", rowNumber, indexedTextOfPrompt(row));
}

/** Returns the indexed titles of the prompts with these search index row numbers. */
export function selectTitlesAt(core: Core, rowNumbers: readonly number[]): Map<number, string> {
  const rows = core.db
    .prepare<{ place: number; words: string }>(
      `SELECT p.place, p.title || ' ' || p.model || ' ' || p.category AS words
       FROM json_each(?) wanted CROSS JOIN prompts p INDEXED BY prompts_by_place ON p.place = wanted.value`,
    )
    .all(JSON.stringify(rowNumbers));
  return new Map(rows.map(({ place, words }) => [place, words]));
}

/** Selects the public prompts with these search index row numbers, in any order. */
export function selectPromptsAt(
  core: Core,
  rowNumbers: readonly number[],
): (RankedPrompt & { place: number })[] {
  return core.db
    .prepare<PromptRow & { place: number }>(
      `SELECT ${COLUMNS}, p.place
       FROM json_each(?) wanted CROSS JOIN prompts p INDEXED BY prompts_by_place ON p.place = wanted.value
       CROSS JOIN builders b ON b.id = p.author_id WHERE p.hidden_at IS NULL`,
    )
    .all(JSON.stringify(rowNumbers))
    .map(({ place, ...row }) => ({ ...toPrompt(row as PromptRow), place }));
}

export function updatePrompt(core: Core, id: string, change: Partial<typeof prompts.$inferInsert>): void {
  core.db.patch(prompts, { id }, change);
}

/** Returns a deleted prompt that still has rows to delete, if any. */
export function selectRemoved(core: Core): string | undefined {
  return core.db
    .prepare<{ id: string }>("SELECT id FROM prompts WHERE removed_at > 0 ORDER BY removed_at LIMIT 1")
    .get()?.id;
}

/** Finds any prompt of a builder, in any state. */
export function findPromptOf(
  core: Core,
  authorId: string,
): { id: string; hiddenAt: number | null; removedAt: number | null } | undefined {
  return core.db
    .prepare<{ id: string; hiddenAt: number | null; removedAt: number | null }>(
      "SELECT id, hidden_at AS hiddenAt, removed_at AS removedAt FROM prompts WHERE author_id = ? LIMIT 1",
    )
    .get(authorId);
}

/** Deletes a prompt's own row. Its versions and ratings are deleted with the row. */
export function deletePromptRow(core: Core, id: string): void {
  core.db.prepare("DELETE FROM prompts WHERE id = ?").run(id);
}

function toPrompt({ username, ...prompt }: PromptRow): RankedPrompt {
  return { ...prompt, author: { username } };
}
