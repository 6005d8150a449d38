import type { Core } from "../../base/core.ts";
import { builders } from "../../base/db/schema.ts";
import { pendingDeletions } from "../../base/db/schema-deletion.ts";
import { decisions } from "../../base/db/schema-moderation.ts";
import { lastIdAt } from "../../base/ids.ts";
import { descending, type PageRequest } from "../../base/page.ts";
import type { Act } from "./acts.ts";
import type { ContentKind } from "./subjects.ts";

/** Data for an undo. */
export interface Undo {
  /** The decision that this decision ended, which is in force again after an undo. */
  ended?: string | null;
  /** The hold that an approval ended. */
  held?: { brake: string; detail: string; kind: ContentKind } | undefined;
  [more: string]: unknown;
}

export interface DecisionRow {
  id: string;
  act: Act;
  subjectId: string;
  builderId: string | null;
  moderatorId: string | null;
  isAutomatic: 0 | 1;
  reason: string;
  rule: string;
  until: number | null;
  /** Data for an undo, as JSON. */
  undo: string;
  createdAt: number;
  undoneAt: number | null;
  undoneBy: string | null;
}

/** A decision with the present names, and the appeal. */
export interface NamedDecisionRow extends DecisionRow {
  builder: string | null;
  moderator: string | null;
  undoer: string | null;
  appealText: string | null;
  appealedAt: number | null;
  appealDecidedAt: number | null;
  appealDecider: string | null;
  appealOutcome: "granted" | "denied" | null;
  appealAnswer: string | null;
}

const COLUMNS = `d.id, d.act, d.subject_id AS subjectId, d.builder_id AS builderId, d.moderator_id AS moderatorId,
       d.is_automatic AS isAutomatic, d.reason, d.rule, d.until, d.undo, d.created_at AS createdAt,
       d.undone_at AS undoneAt, d.undone_by AS undoneBy`;

const NAMED = `SELECT ${COLUMNS}, b.username AS builder, m.username AS moderator, u.username AS undoer,
       a.text AS appealText, a.created_at AS appealedAt, a.decided_at AS appealDecidedAt,
       x.username AS appealDecider, a.outcome AS appealOutcome, a.answer AS appealAnswer`;
const JOINED = `LEFT JOIN builders b ON b.id = d.builder_id AND b.removed_at IS NULL
       LEFT JOIN builders m ON m.id = d.moderator_id AND m.removed_at IS NULL
       LEFT JOIN builders u ON u.id = d.undone_by AND u.removed_at IS NULL
       LEFT JOIN appeals a ON a.decision_id = d.id
       LEFT JOIN builders x ON x.id = a.decided_by AND x.removed_at IS NULL`;

export function insertDecision(core: Core, row: typeof decisions.$inferInsert): void {
  core.db.insert(decisions, row);
}

export function updateUndone(
  core: Core,
  id: string,
  undone: { undoneAt: number | null; undoneBy: string | null },
): void {
  core.db.patch(decisions, { id }, undone);
}

export function findDecision(core: Core, id: string): DecisionRow | undefined {
  return core.db.prepare<DecisionRow>(`SELECT ${COLUMNS} FROM decisions d WHERE d.id = ?`).get(id);
}

/** Finds the newest decision with this act about a subject that is still in force. */
export function findInForce(core: Core, subjectId: string, act: Act): DecisionRow | undefined {
  return core.db
    .prepare<DecisionRow>(
      `SELECT ${COLUMNS} FROM decisions d INDEXED BY decisions_by_subject
       WHERE d.subject_id = ? AND d.undone_at IS NULL AND d.act = ?
       ORDER BY d.id DESC LIMIT 1`,
    )
    .get(subjectId, act);
}

/** Finds who decided last about a subject, or undid a decision. */
export function findLastDecider(core: Core, subjectId: string): { username: string | null } | undefined {
  return core.db
    .prepare<{ username: string | null }>(
      `SELECT b.username FROM decisions d INDEXED BY decisions_by_subject
       LEFT JOIN builders b ON b.removed_at IS NULL
         AND b.id = CASE WHEN d.undone_at IS NULL THEN d.moderator_id ELSE d.undone_by END
       WHERE d.subject_id = ? ORDER BY max(d.created_at, coalesce(d.undone_at, 0)) DESC, d.id DESC LIMIT 1`,
    )
    .get(subjectId);
}

/**
 * Returns the times of a moderator's newest acts since a time, newest first, at most `limit`: decisions,
 * undone decisions, reopened reports and denied appeals. A granted appeal is an undone decision.
 */
export function selectTimesBy(core: Core, moderatorId: string, since: number, limit: number): number[] {
  const decided = core.db
    .prepare<{ at: number }>(
      `SELECT created_at AS at FROM decisions INDEXED BY decisions_by_moderator
       WHERE moderator_id = ? AND id > ? ORDER BY id DESC LIMIT ?`,
    )
    .all(moderatorId, lastIdAt("dec", since), limit);
  const logged = core.db
    .prepare<{ at: number }>(
      `SELECT created_at AS at FROM audit_entries INDEXED BY audit_entries_by_actor
       WHERE actor_id = ? AND id > ? AND act IN ('decision.undone', 'reports.reopened')
       ORDER BY id DESC LIMIT ?`,
    )
    .all(moderatorId, lastIdAt("aud", since), limit);
  const denied = core.db
    .prepare<{ at: number }>(
      `SELECT decided_at AS at FROM appeals INDEXED BY appeals_by_decider
       WHERE decided_by = ? AND decided_at > ? AND outcome = 'denied' ORDER BY decided_at DESC LIMIT ?`,
    )
    .all(moderatorId, since, limit);
  return [...decided, ...logged, ...denied]
    .map(({ at }) => at)
    .sort((a, b) => b - a)
    .slice(0, limit);
}

/** Filters of a list of decisions. `after` and `before` are ids that bound a day. */
export interface DecisionFilters {
  moderatorId?: string | undefined;
  builderId?: string | undefined;
  subjectId?: string | undefined;
  act?: Act | undefined;
  after?: string | undefined;
  before?: string | undefined;
  isInForce?: boolean | undefined;
}

/** Selects decisions, newest first. */
export function selectDecisions(
  core: Core,
  filters: DecisionFilters,
  fromId: string | undefined,
  request: PageRequest,
): NamedDecisionRow[] {
  const { beyond, order } = descending(request);
  const { moderatorId, builderId, subjectId, act, after, before, isInForce } = filters;
  const bound = [
    subjectId,
    builderId,
    moderatorId,
    act,
    after,
    before,
    fromId ?? (request.backwards ? "" : "dec_~"),
  ].filter((value) => value !== undefined);
  return core.db
    .prepare<NamedDecisionRow>(
      `${NAMED} FROM decisions d ${JOINED}
       WHERE ${subjectId === undefined ? "" : "d.subject_id = ? AND"}
         ${builderId === undefined ? "" : "d.builder_id = ? AND"}
         ${moderatorId === undefined ? "" : "d.moderator_id = ? AND"}
         ${act === undefined ? "" : "d.act = ? AND"}
         ${after === undefined ? "" : "d.id > ? AND"} ${before === undefined ? "" : "d.id <= ? AND"}
         ${isInForce === undefined ? "" : isInForce ? "d.undone_at IS NULL AND" : "d.undone_at IS NOT NULL AND"}
         d.id ${beyond} ?
       ORDER BY d.id ${order} LIMIT ?`,
    )
    .all(...bound, request.limit + 1);
}

export function selectDecisionsById(core: Core, ids: readonly string[]): NamedDecisionRow[] {
  return core.db
    .prepare<NamedDecisionRow>(
      `${NAMED} FROM json_each(?) wanted CROSS JOIN decisions d ON d.id = wanted.value ${JOINED}`,
    )
    .all(JSON.stringify(ids));
}

/** Selects what a moderator decided since a time, newest first. */
export function selectSince(core: Core, moderatorId: string, since: number): { id: string }[] {
  return core.db
    .prepare<{ id: string }>(
      `SELECT id FROM decisions INDEXED BY decisions_by_moderator
       WHERE moderator_id = ? AND created_at >= ? ORDER BY id DESC`,
    )
    .all(moderatorId, since);
}

/** Selects the decisions that a moderator undid or replaced since a time, the last undone first. */
export function selectUndoneSince(core: Core, moderatorId: string, since: number): { id: string }[] {
  return core.db
    .prepare<{ id: string }>(
      `SELECT id FROM decisions INDEXED BY decisions_by_undoer
       WHERE undone_by = ? AND undone_at >= ? ORDER BY undone_at DESC, id DESC`,
    )
    .all(moderatorId, since);
}

/** Lifts a suspension whose end has passed. For an account that waits to be erased, an undo then lifts it. */
export function liftSuspension(core: Core, builderId: string): void {
  const row = core.db
    .prepare<{ removedAt: number | null }>("SELECT removed_at AS removedAt FROM builders WHERE id = ?")
    .get(builderId);
  if (row?.removedAt === null) core.db.patch(builders, { id: builderId }, { suspendedAt: null });
  else core.db.patch(pendingDeletions, { builderId }, { suspendedAt: null });
}
