import type { Core } from "../../base/core.ts";
import { cases } from "../../base/db/schema-moderation.ts";
import type { CaseCause } from "./cases.ts";

export interface CaseRow {
  id: string;
  subjectId: string;
  cause: CaseCause;
  /** Times in ms since the epoch. */
  openedAt: number;
  closedAt: number | null;
  takenBy: string | null;
  version: number;
}

const COLUMNS = `id, subject_id AS subjectId, cause, opened_at AS openedAt, closed_at AS closedAt,
              taken_by AS takenBy, version`;

export function findCaseOf(core: Core, subjectId: string): CaseRow | undefined {
  return core.db.prepare<CaseRow>(`SELECT ${COLUMNS} FROM cases WHERE subject_id = ?`).get(subjectId);
}

export function insertCase(core: Core, row: typeof cases.$inferInsert): void {
  core.db.insert(cases, row);
}

export function patchCase(core: Core, id: string, change: Partial<typeof cases.$inferInsert>): void {
  core.db.patch(cases, { id }, change);
}
