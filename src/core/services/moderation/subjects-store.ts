import type { Core } from "../../base/core.ts";
import type { SubjectKind } from "./subjects.ts";

/** Content and owner of a subject, from the subject itself or from a stored copy. */
export interface SubjectContent {
  /** Empty for a post, reply or message. */
  title: string;
  text: string;
  ownerId: string | null;
  username: string | null;
}

/** The copy that a report stores. */
export interface ReportedCopy extends SubjectContent {
  /**
   * Content of the subject when the same member reported it a second time; null if the content was unchanged.
   */
  later: string | null;
}

export interface SubjectRow extends SubjectContent {
  id: string;
  hiddenAt: number | null;
  /** Only for posts. */
  isReply?: 0 | 1;
}

/**
 * SQL that selects subjects by kind. The name of an account that is being deleted is null: only copies still
 * contain such names.
 */
const FROM: Readonly<Record<SubjectKind, string>> = {
  post: `SELECT s.id, '' AS title, s.text, s.author_id AS ownerId, b.username, s.hidden_at AS hiddenAt,
              s.parent_id IS NOT NULL AS isReply
       FROM json_each(?) wanted CROSS JOIN posts s ON s.id = wanted.value
       LEFT JOIN builders b ON b.id = s.author_id AND b.removed_at IS NULL
       WHERE s.removed_at IS NULL`,
  job: `SELECT s.id, s.title, s.description || char(10, 10) || s.apply_url AS text, s.published_by AS ownerId, b.username, s.hidden_at AS hiddenAt
       FROM json_each(?) wanted CROSS JOIN jobs s ON s.id = wanted.value
       LEFT JOIN builders b ON b.id = s.published_by AND b.removed_at IS NULL`,
  prompt: `SELECT s.id, s.title, s.body AS text, s.author_id AS ownerId, b.username, s.hidden_at AS hiddenAt
       FROM json_each(?) wanted CROSS JOIN prompts s ON s.id = wanted.value
       LEFT JOIN builders b ON b.id = s.author_id AND b.removed_at IS NULL
       WHERE s.removed_at IS NULL`,
  builder: `SELECT s.id, s.username AS title, trim(s.name || char(10, 10) || s.bio || coalesce((
                SELECT char(10, 10) || d.place || char(10) || coalesce(
                  (SELECT group_concat(value, char(10)) FROM json_each(d.links)), '')
                FROM profile_details d WHERE d.builder_id = s.id), ''), char(10)) AS text, s.id AS ownerId,
              s.username, s.suspended_at AS hiddenAt
       FROM json_each(?) wanted CROSS JOIN builders s ON s.id = wanted.value
       WHERE s.removed_at IS NULL`,
  // Messages without a report are excluded. A moderator must not read them, and must not learn that they
  // exist.
  message: `SELECT s.id, '' AS title, s.text, s.sender_id AS ownerId, b.username, NULL AS hiddenAt
       FROM json_each(?) wanted CROSS JOIN messages s ON s.id = wanted.value
       LEFT JOIN builders b ON b.id = s.sender_id AND b.removed_at IS NULL
       WHERE EXISTS (SELECT 1 FROM reports r WHERE r.subject_id = s.id)`,
};

/** Selects the existing subjects in any order. */
export function selectSubjects(core: Core, kind: SubjectKind, ids: readonly string[]): SubjectRow[] {
  return core.db.prepare<SubjectRow>(FROM[kind]).all(JSON.stringify(ids));
}
