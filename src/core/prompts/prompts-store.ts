import type { Core } from "../core.ts";
import { prompts } from "../db/schema.ts";
import type { PromptFilter, RankedPrompt } from "./prompts.ts";

type PromptRow = Omit<RankedPrompt, "author"> & { username: string };

const BEFORE_ALL: readonly [number, string] = [Number.MAX_VALUE, ""];

/** Prompts placed after `key`, best first. Each pair of filters has an index that is walked in that order. */
export function selectPrompts(
  core: Core,
  filter: PromptFilter,
  key: readonly [number, string] | undefined,
  limit: number,
): RankedPrompt[] {
  const bound: (string | number)[] = [];
  const where: string[] = [];
  const and = (condition: string, value: string | number | undefined): void => {
    if (value === undefined) return;
    where.push(condition);
    bound.push(value);
  };
  and("p.model = ?", filter.model);
  and("p.category = ?", filter.category);
  and("p.score >= ?", filter.minScore);
  const rows = core.db
    .prepare<PromptRow>(
      `SELECT p.id, p.title, p.body, p.model, p.category, p.score, p.rank, b.username
       FROM prompts p CROSS JOIN builders b ON b.id = p.author_id
       WHERE ${[...where, "(p.rank, p.id) < (?, ?)"].join(" AND ")}
       ORDER BY p.rank DESC, p.id DESC LIMIT ?`,
    )
    .all(...bound, ...(key ?? BEFORE_ALL), limit);
  return rows.map(({ username, ...prompt }) => ({ ...prompt, author: { username } }));
}

export function insertPrompt(core: Core, row: typeof prompts.$inferInsert): void {
  core.db.orm.insert(prompts).values(row).run();
}
