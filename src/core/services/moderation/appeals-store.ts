import type { Core } from "../../base/core.ts";
import { appeals, type APPEAL_OUTCOMES } from "../../base/db/schema-moderation.ts";
import { descending, type PageRequest } from "../../base/page.ts";

/** A decision as its member reads it, with the appeal. No column names a moderator. */
export interface OwnDecisionRow {
  id: string;
  act: string;
  subjectId: string;
  isAutomatic: 0 | 1;
  reason: string;
  rule: string;
  until: number | null;
  createdAt: number;
  undoneAt: number | null;
  appealText: string | null;
  appealedAt: number | null;
  decidedAt: number | null;
  outcome: (typeof APPEAL_OUTCOMES)[number] | null;
  answer: string | null;
}

const OWN = `SELECT d.id, d.act, d.subject_id AS subjectId, d.is_automatic AS isAutomatic, d.reason, d.rule,
         d.until, d.created_at AS createdAt, d.undone_at AS undoneAt, a.text AS appealText,
         a.created_at AS appealedAt, a.decided_at AS decidedAt, a.outcome, a.answer
       FROM decisions d LEFT JOIN appeals a ON a.decision_id = d.id`;

/** Selects the decisions of these acts about a member, newest first. */
export function selectOwnDecisions(
  core: Core,
  { builderId, acts }: { builderId: string; acts: readonly string[] },
  fromId: string | undefined,
  request: PageRequest,
): OwnDecisionRow[] {
  const { beyond, order } = descending(request);
  return core.db
    .prepare<OwnDecisionRow>(
      `${OWN} WHERE d.builder_id = ? AND d.id ${beyond} ?
         AND d.act IN (SELECT value FROM json_each(?))
       ORDER BY d.id ${order} LIMIT ?`,
    )
    .all(builderId, fromId ?? (request.backwards ? "" : "dec_~"), JSON.stringify(acts), request.limit + 1);
}

export function findOwnDecision(core: Core, builderId: string, id: string): OwnDecisionRow | undefined {
  return core.db.prepare<OwnDecisionRow>(`${OWN} WHERE d.id = ? AND d.builder_id = ?`).get(id, builderId);
}

/** Finds the decision that suspends a member now. */
export function findSuspension(core: Core, builderId: string): OwnDecisionRow | undefined {
  return core.db
    .prepare<OwnDecisionRow>(
      `${OWN} JOIN restrictions r ON r.decision_id = d.id
       WHERE r.builder_id = ? AND r.kind = 'suspended' AND d.builder_id = r.builder_id`,
    )
    .get(builderId);
}

export function insertAppeal(core: Core, row: typeof appeals.$inferInsert): void {
  core.db.insert(appeals, row);
}
