import type { Core } from "../../ground/core.ts";
import type { SubjectKind } from "./subjects.ts";

export interface SubjectRow {
  id: string;
  title: string;
  ownerId: string | null;
  username: string | null;
  hiddenAt: number | null;
  /** Of a message alone. */
  text?: string;
}

const FROM: Readonly<Record<SubjectKind, string>> = {
  post: `SELECT s.id, s.text AS title, s.author_id AS ownerId, b.username, s.hidden_at AS hiddenAt
       FROM json_each(?) wanted CROSS JOIN posts s ON s.id = wanted.value LEFT JOIN builders b ON b.id = s.author_id
       WHERE s.removed_at IS NULL`,
  job: `SELECT s.id, s.title, s.published_by AS ownerId, b.username, s.hidden_at AS hiddenAt
       FROM json_each(?) wanted CROSS JOIN jobs s ON s.id = wanted.value LEFT JOIN builders b ON b.id = s.published_by`,
  prompt: `SELECT s.id, s.title, s.author_id AS ownerId, b.username, s.hidden_at AS hiddenAt
       FROM json_each(?) wanted CROSS JOIN prompts s ON s.id = wanted.value LEFT JOIN builders b ON b.id = s.author_id
       WHERE s.removed_at IS NULL`,
  builder: `SELECT s.id, s.username AS title, s.id AS ownerId, s.username, s.suspended_at AS hiddenAt
       FROM json_each(?) wanted CROSS JOIN builders s ON s.id = wanted.value`,
  // What nobody has reported stays between the two: a moderator learns of no other message, not even that
  // there is one.
  message: `SELECT s.id, '' AS title, s.text, s.sender_id AS ownerId, b.username, NULL AS hiddenAt
       FROM json_each(?) wanted CROSS JOIN messages s ON s.id = wanted.value
       LEFT JOIN builders b ON b.id = s.sender_id
       WHERE EXISTS (SELECT 1 FROM reports r WHERE r.subject_id = s.id)`,
};

/** Those that are there, in any order. */
export function selectSubjects(core: Core, kind: SubjectKind, ids: readonly string[]): SubjectRow[] {
  return core.db.prepare<SubjectRow>(FROM[kind]).all(JSON.stringify(ids));
}
