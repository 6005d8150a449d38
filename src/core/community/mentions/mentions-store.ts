import type { Core } from "../../base/core.ts";
import { mentions } from "../../base/db/schema.ts";

/** A username in a text, and the builder whom the username meant when the text was written. */
export interface MentionRow {
  name: string;
  builderId: string;
}

/**
 * Selects the builders with these current or former usernames, in any order. Deleted accounts have no
 * usernames.
 */
export function selectNamed(core: Core, names: readonly string[]): MentionRow[] {
  return core.db
    .prepare<MentionRow>(
      `SELECT wanted.value AS name, coalesce(b.id, f.builder_id) AS builderId
       FROM json_each(?) wanted LEFT JOIN builders b ON b.username = wanted.value
       LEFT JOIN former_usernames f ON f.username = wanted.value
       WHERE coalesce(b.id, f.builder_id) IS NOT NULL`,
    )
    .all(JSON.stringify(names));
}

export function selectMentions(core: Core, subjectId: string): MentionRow[] {
  return core.db
    .prepare<MentionRow>("SELECT name, builder_id AS builderId FROM mentions WHERE subject_id = ?")
    .all(subjectId);
}

/**
 * Selects the builders mentioned in many texts, with their current usernames. Leaves out deleted accounts.
 */
export function selectUsernames(
  core: Core,
  subjectIds: readonly string[],
): { subjectId: string; name: string; username: string }[] {
  return core.db
    .prepare<{ subjectId: string; name: string; username: string }>(
      `SELECT m.subject_id AS subjectId, m.name, b.username
       FROM json_each(?) wanted CROSS JOIN mentions m ON m.subject_id = wanted.value
       CROSS JOIN builders b ON b.id = m.builder_id
       WHERE b.removed_at IS NULL`,
    )
    .all(JSON.stringify(subjectIds));
}

export function insertMention(core: Core, subjectId: string, row: MentionRow): void {
  core.db.insert(mentions, { subjectId, ...row });
}

export function deleteMention(core: Core, subjectId: string, name: string): void {
  core.db.prepare("DELETE FROM mentions WHERE subject_id = ? AND name = ?").run(subjectId, name);
}
