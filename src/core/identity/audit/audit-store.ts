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

/** Returns the id of the member with a username. The module of builders is above this one. */
export function findIdByUsername(core: Core, username: string): string | undefined {
  return core.db.prepare<{ id: string }>("SELECT id FROM builders WHERE username = ?").get(username)?.id;
}

/** Filters of the log. All of them apply at once. */
export interface EntryFilter {
  subjectId?: string | undefined;
  /** Null for the operator and for events without a sign-in. */
  actorId?: string | null | undefined;
  acts?: readonly string[] | undefined;
  /** Entries with ids after the first and up to the second. */
  between?: { after: string; upTo: string } | undefined;
}

/** The last id of the log, or a greater one. */
const LAST = "aud_~";

/**
 * Selects entries, newest first. Without a member, the entries of each act are read from the index by act, at
 * most `limit + 1` per act.
 */
export function selectEntries(
  core: Core,
  { subjectId, actorId, acts, between }: EntryFilter,
  request: PageRequest,
  fromId: string | undefined,
): AuditRow[] {
  const { beyond, order } = descending(request);
  const most = request.limit + 1;
  const span = [between?.after ?? "", between?.upTo ?? LAST, fromId ?? (request.backwards ? "" : LAST)];
  const inSpan = `a.id > ? AND a.id <= ? AND a.id ${beyond} ?`;
  const ordered = `ORDER BY a.id ${order} LIMIT ?`;
  const isOfMember = subjectId !== undefined || actorId !== undefined;
  const ofActs = acts === undefined ? "" : "a.act IN (SELECT value FROM json_each(?)) AND";
  const [ids, bound] =
    isOfMember || acts === undefined
      ? [
          `SELECT a.id FROM audit_entries a ${
            actorId !== undefined && subjectId === undefined ? "INDEXED BY audit_entries_by_actor" : ""
          }
           WHERE ${subjectId === undefined ? "" : "a.subject_id = ? AND"}
             ${actorId === undefined ? "" : "a.actor_id IS ? AND"} ${ofActs} ${inSpan} ${ordered}`,
          [
            ...[subjectId, actorId].filter((value) => value !== undefined),
            ...(acts === undefined ? [] : [JSON.stringify(acts)]),
            ...span,
            most,
          ],
        ]
      : [
          acts
            .map(
              () =>
                `SELECT * FROM (SELECT a.id FROM audit_entries a INDEXED BY audit_entries_by_act
                 WHERE a.act = ? AND ${inSpan} ${ordered})`,
            )
            .join(" UNION ALL "),
          acts.flatMap((act) => [act, ...span, most]),
        ];
  return core.db
    .prepare<AuditRow>(
      `SELECT a.id, a.act, a.detail, a.address, a.created_at AS createdAt, a.actor_id AS actorId,
              actor.username AS actorUsername, subject.username AS subjectUsername
       FROM (${ids}) found CROSS JOIN audit_entries a ON a.id = found.id
       LEFT JOIN builders actor ON actor.id = a.actor_id
       LEFT JOIN builders subject ON subject.id = a.subject_id
       ${ordered}`,
    )
    .all(...bound, most);
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
