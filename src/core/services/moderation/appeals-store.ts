import type { Core } from "../../base/core.ts";
import { appeals, type APPEAL_OUTCOMES } from "../../base/db/schema-moderation.ts";
import { descending, type PageRequest } from "../../base/page.ts";
import type { Act } from "./acts.ts";
import type { Role } from "../../identity/access/roles.ts";

/** A decision as its member reads it, with the appeal. No column names a moderator. */
export interface OwnDecisionRow {
  id: string;
  act: Act;
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

export function updateAppeal(
  core: Core,
  decisionId: string,
  decided: Required<Pick<typeof appeals.$inferInsert, "outcome" | "answer" | "decidedAt" | "decidedBy">>,
): void {
  core.db.patch(appeals, { decisionId }, decided);
}

/** Selects decisions with waiting appeals, oldest appeal first, or with decided ones, last decided first. */
export function selectAppealIds(
  core: Core,
  state: "waiting" | "decided",
  from: { at: number; id: string } | undefined,
  request: PageRequest,
): string[] {
  const isWaiting = state === "waiting";
  const { beyond, order } = descending({ ...request, backwards: isWaiting !== (request.backwards === true) });
  const [at, index] = isWaiting ? ["created_at", "appeals_open"] : ["decided_at", "appeals_decided"];
  const start = from ?? { at: beyond === ">" ? 0 : Number.MAX_SAFE_INTEGER, id: "" };
  return core.db
    .prepare<{ id: string }>(
      `SELECT decision_id AS id FROM appeals INDEXED BY ${index}
       WHERE decided_at IS ${isWaiting ? "" : "NOT "}NULL AND (${at}, decision_id) ${beyond} (?, ?)
       ORDER BY ${at} ${order}, decision_id ${order} LIMIT ?`,
    )
    .all(start.at, start.id, request.limit + 1)
    .map(({ id }) => id);
}

/** Whether an active member with one of these roles of the staff exists, besides `except`. */
export function hasOtherStaff(core: Core, roles: readonly Role[], except: readonly string[]): boolean {
  return (
    core.db
      .prepare(
        `SELECT 1 FROM builders
         WHERE role <> 'member' AND role IN (SELECT value FROM json_each(?)) AND suspended_at IS NULL
           AND removed_at IS NULL AND id > '' AND id NOT IN (SELECT value FROM json_each(?)) LIMIT 1`,
      )
      .get(JSON.stringify(roles), JSON.stringify(except)) !== undefined
  );
}
