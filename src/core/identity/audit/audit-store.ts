import type { Core } from "../../base/core.ts";
import { auditEntries } from "../../base/db/schema-access.ts";
import { descending, type PageRequest } from "../../base/page.ts";

export interface AuditRow {
  id: string;
  act: string;
  /** Details of the event, as JSON. */
  detail: string;
  address: string | null;
  createdAt: number;
  actorId: string | null;
  actorUsername: string | null;
  subjectUsername: string | null;
}

export function insertEntry(core: Core, row: typeof auditEntries.$inferInsert): void {
  core.db.insert(auditEntries, row);
}

/** Selects entries, newest first, about one builder or about all. */
export function selectEntries(
  core: Core,
  subjectId: string | null,
  request: PageRequest,
  fromId: string | undefined,
): AuditRow[] {
  const { beyond, order } = descending(request);
  const bound = [...(subjectId === null ? [] : [subjectId]), fromId ?? (request.backwards ? "" : "aud_~")];
  return core.db
    .prepare<AuditRow>(
      `SELECT a.id, a.act, a.detail, a.address, a.created_at AS createdAt, a.actor_id AS actorId,
              actor.username AS actorUsername, subject.username AS subjectUsername
       FROM audit_entries a
       LEFT JOIN builders actor ON actor.id = a.actor_id
       LEFT JOIN builders subject ON subject.id = a.subject_id
       WHERE ${subjectId === null ? "" : "a.subject_id = ? AND"} a.id ${beyond} ?
       ORDER BY a.id ${order} LIMIT ?`,
    )
    .all(...bound, request.limit + 1);
}

/**
 * Deletes at most `limit` entries with an ID before `beforeId`, oldest first. Returns how many it deleted.
 */
export function pruneEntries(core: Core, beforeId: string, limit: number): number {
  return core.db
    .prepare(
      "DELETE FROM audit_entries WHERE id IN (SELECT id FROM audit_entries WHERE id < ? ORDER BY id LIMIT ?)",
    )
    .run(beforeId, limit).changes;
}
