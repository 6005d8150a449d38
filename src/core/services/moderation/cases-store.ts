import type { Core } from "../../base/core.ts";
import { caseNotes } from "../../base/db/schema-moderation.ts";
import { descending, type PageRequest } from "../../base/page.ts";
import type { CaseCause } from "../../community/reports/cases.ts";
import type { ReportedCopy } from "./subjects-store.ts";

/** A case in a list. Times in ms since the epoch. */
export interface ListedRow {
  id: string;
  subjectId: string;
  cause: CaseCause;
  openedAt: number;
  closedAt: number | null;
  version: number;
  takenBy: string | null;
  /** Numbers up to `COUNTED_MAX`. */
  reports: number;
  strangerReports: number;
  notes: number;
  /** Reason of the newest report; null without a report. */
  reason: string | null;
  brake: string | null;
  detail: string | null;
  heldAt: number | null;
}

export interface ListFilter {
  isOpen: boolean;
  cause: CaseCause | undefined;
  /** Id of the moderator who took the case; null for free cases. */
  takenBy: string | null | undefined;
  builderId: string | undefined;
}

/** Maximum number of reports and notes that a list counts. */
export const COUNTED_MAX = 100;

const LISTED = `SELECT k.id, k.subject_id AS subjectId, k.cause, k.opened_at AS openedAt, k.closed_at AS closedAt, k.version,
              (SELECT username FROM builders WHERE id = k.taken_by) AS takenBy,
              (SELECT count(*) FROM (SELECT 1 FROM reports WHERE subject_id = k.subject_id LIMIT ${COUNTED_MAX})) AS reports,
              (SELECT count(*) FROM (SELECT 1 FROM stranger_reports WHERE subject_id = k.subject_id LIMIT ${COUNTED_MAX})) AS strangerReports,
              (SELECT count(*) FROM (SELECT 1 FROM case_notes WHERE case_id = k.id LIMIT ${COUNTED_MAX})) AS notes,
              coalesce((SELECT reason FROM reports WHERE subject_id = k.subject_id ORDER BY id DESC LIMIT 1),
                (SELECT reason FROM stranger_reports WHERE subject_id = k.subject_id ORDER BY id DESC LIMIT 1)) AS reason,
              h.brake, h.detail, h.held_at AS heldAt`;
const HELD = "LEFT JOIN held h ON h.subject_id = k.subject_id AND h.dismissed_at IS NULL";

/** Selects open or closed cases. The case that was opened or closed last comes first. */
export function selectCases(
  core: Core,
  { isOpen, cause, takenBy, builderId }: ListFilter,
  from: { at: number; id: string } | undefined,
  request: PageRequest,
): ListedRow[] {
  const { beyond, order } = descending(request);
  const at = isOpen ? "opened_at" : "closed_at";
  const index = builderId !== undefined ? "cases_by_builder" : isOpen ? "cases_open" : "cases_closed";
  const conditions = [
    `k.closed_at IS ${isOpen ? "" : "NOT "}NULL`,
    ...(cause === undefined ? [] : ["k.cause = ?"]),
    ...(takenBy === undefined ? [] : ["k.taken_by IS ?"]),
    ...(builderId === undefined ? [] : ["k.builder_id = ?"]),
    `(k.${at}, k.id) ${beyond} (?, ?)`,
  ];
  const bound = [cause, takenBy, builderId].filter((value) => value !== undefined);
  const start = from ?? { at: request.backwards ? 0 : Number.MAX_SAFE_INTEGER, id: "" };
  return core.db
    .prepare<ListedRow>(
      `${LISTED} FROM cases k INDEXED BY ${index} ${HELD} WHERE ${conditions.join(" AND ")}
       ORDER BY k.${at} ${order}, k.id ${order} LIMIT ?`,
    )
    .all(...bound, start.at, start.id, request.limit + 1);
}

export function findListed(core: Core, id: string): ListedRow | undefined {
  return core.db.prepare<ListedRow>(`${LISTED} FROM cases k ${HELD} WHERE k.id = ?`).get(id);
}

/** Selects the newest copy of each subject that a member's report stored. */
export function selectCopies(
  core: Core,
  subjectIds: readonly string[],
): (ReportedCopy & { subjectId: string })[] {
  return core.db
    .prepare<ReportedCopy & { subjectId: string }>(
      `SELECT r.subject_id AS subjectId, c.title, c.text, c.later, c.owner_id AS ownerId,
              coalesce(owner.username, c.username) AS username
       FROM json_each(?) wanted
       CROSS JOIN reports r ON r.id =
         (SELECT max(x.id) FROM reports x CROSS JOIN report_copies y ON y.report_id = x.id WHERE x.subject_id = wanted.value)
       CROSS JOIN report_copies c ON c.report_id = r.id
       LEFT JOIN builders owner ON owner.id = c.owner_id AND owner.removed_at IS NULL`,
    )
    .all(JSON.stringify(subjectIds));
}

export interface NoteRow {
  id: string;
  author: string | null;
  text: string;
  createdAt: number;
}

export function insertNote(core: Core, row: typeof caseNotes.$inferInsert): void {
  core.db.insert(caseNotes, row);
}

/** Selects the notes of a case, oldest first. */
export function selectNotes(core: Core, caseId: string, limit: number): NoteRow[] {
  return core.db
    .prepare<NoteRow>(
      `SELECT n.id, b.username AS author, n.text, n.created_at AS createdAt
       FROM case_notes n LEFT JOIN builders b ON b.id = n.author_id WHERE n.case_id = ? ORDER BY n.id LIMIT ?`,
    )
    .all(caseId, limit);
}

/** Counts a member's decisions that were not undone, by act. Reads the newest `limit` decisions. */
export function countDecisions(
  core: Core,
  builderId: string,
  limit: number,
): { act: string; count: number }[] {
  return core.db
    .prepare<{ act: string; count: number }>(
      `SELECT act, count(*) AS count FROM
         (SELECT act, undone_at FROM decisions WHERE builder_id = ? ORDER BY id DESC LIMIT ?)
       WHERE undone_at IS NULL GROUP BY act ORDER BY act`,
    )
    .all(builderId, limit);
}

/** Counts a member's cases and the reports in them. Reads the newest `limit` of each. */
export function countHistory(
  core: Core,
  builderId: string,
  limit: number,
): { cases: number; reports: number; joinedAt: number } {
  return core.db
    .prepare<{ cases: number; reports: number; joinedAt: number }>(
      `SELECT (SELECT count(*) FROM (SELECT 1 FROM cases WHERE builder_id = ? LIMIT ?)) AS cases,
              (SELECT count(*) FROM (SELECT 1 FROM cases k INDEXED BY cases_by_builder CROSS JOIN reports r ON r.subject_id = k.subject_id
                                     WHERE k.builder_id = ? LIMIT ?)) AS reports,
              (SELECT created_at FROM builders WHERE id = ?) AS joinedAt`,
    )
    .get(builderId, limit, builderId, limit, builderId) as {
    cases: number;
    reports: number;
    joinedAt: number;
  };
}
