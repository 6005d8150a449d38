import type { Core } from "../../base/core.ts";
import { cases } from "../../base/db/schema-moderation.ts";
import { kindOf } from "../../base/ids.ts";
import type { CaseCause } from "./cases.ts";

export interface CaseRow {
  id: string;
  subjectId: string;
  cause: CaseCause;
  /** Times in ms since the epoch. */
  openedAt: number;
  closedAt: number | null;
  takenBy: string | null;
  builderId: string | null;
  version: number;
}

const COLUMNS = `id, subject_id AS subjectId, cause, opened_at AS openedAt, closed_at AS closedAt,
              taken_by AS takenBy, builder_id AS builderId, version`;

export function findCaseOf(core: Core, subjectId: string): CaseRow | undefined {
  return core.db.prepare<CaseRow>(`SELECT ${COLUMNS} FROM cases WHERE subject_id = ?`).get(subjectId);
}

export function findCaseById(core: Core, id: string): CaseRow | undefined {
  return core.db.prepare<CaseRow>(`SELECT ${COLUMNS} FROM cases WHERE id = ?`).get(id);
}

/** SQL that selects the member whom a case about a subject concerns, by the prefix of the subject's id. */
const OWNERS: Readonly<Record<string, string>> = {
  builder: "SELECT id AS ownerId FROM builders WHERE id = ?",
  post: "SELECT author_id AS ownerId FROM posts WHERE id = ?",
  job: "SELECT published_by AS ownerId FROM jobs WHERE id = ?",
  prompt: "SELECT author_id AS ownerId FROM prompts WHERE id = ?",
  msg: "SELECT sender_id AS ownerId FROM messages WHERE id = ?",
};

export function insertCase(core: Core, row: Omit<typeof cases.$inferInsert, "builderId">): void {
  const sql = OWNERS[kindOf(row.subjectId)];
  const builderId =
    sql === undefined ? null : core.db.prepare<{ ownerId: string | null }>(sql).get(row.subjectId)?.ownerId;
  core.db.insert(cases, { ...row, builderId: builderId ?? null });
}

export function insertMissingCases(core: Core): void {
  const missing = core.db
    .prepare<{ id: string; subjectId: string; openedAt: number; closedAt: number | null }>(
      `SELECT 'case_' || substr(min(id), 5) AS id, subject_id AS subjectId, min(created_at) AS openedAt,
              CASE WHEN count(*) = count(settled_at) THEN max(settled_at) END AS closedAt
       FROM reports WHERE subject_id NOT IN (SELECT subject_id FROM cases) GROUP BY subject_id`,
    )
    .all();
  for (const row of missing) insertCase(core, { ...row, cause: "report" });
}

export function patchCase(core: Core, id: string, change: Partial<typeof cases.$inferInsert>): void {
  core.db.patch(cases, { id }, change);
}
