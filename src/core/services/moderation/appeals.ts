import { type Static, Type } from "@sinclair/typebox";
import { check, Text } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { type Caller, requirePerson } from "../../identity/access/caller.ts";
import type { Appellant } from "../../identity/accounts/appeal-sessions.ts";
import { record, recordBy } from "../../identity/audit/audit.ts";
import {
  findOwnDecision,
  findSuspension,
  insertAppeal,
  type OwnDecisionRow,
  selectOwnDecisions,
} from "./appeals-store.ts";
import { type Subject, subjectsOf } from "./subjects.ts";

/*
 * Decisions as the members concerned read them, and their appeals (docs/contract.md#12.42). Members never
 * see who decided.
 */

/** The acts that limit a member. The member reads the reason, and can appeal. */
const APPEALABLE_ACTS = ["hide", "lock", "warn", "limit", "suspend", "remove_spammer"] as const;
type AppealableAct = (typeof APPEALABLE_ACTS)[number];

/** A decision as its member reads it. Times in ms since the epoch. */
export interface OwnDecision {
  id: string;
  act: AppealableAct;
  /** Undefined for a reported message, which would identify the reporter, and for deleted content. */
  subject: Pick<Subject, "type" | "id" | "title"> | undefined;
  isAutomatic: boolean;
  reason: string;
  rule: string;
  until: number | null;
  createdAt: number;
  undoneAt: number | null;
  appeal: OwnAppeal | null;
}

export interface OwnAppeal {
  text: string;
  createdAt: number;
  decided: { at: number; outcome: "granted" | "denied"; answer: string } | null;
}

const AppealDraft = Type.Object({
  text: Text({ max: 2000, visible: true, description: "Why the decision should be changed." }),
});
type AppealDraft = Static<typeof AppealDraft>;

/** Lists the decisions about the member, newest first. Needs a session; throws forbidden, bad_request. */
export function listOwnDecisions(core: Core, caller: Caller, request: PageRequest): Page<OwnDecision> {
  const { builderId } = requirePerson(caller);
  const scope = { list: "own_decisions", filters: {} };
  const key = cursorKey(
    request,
    scope,
    (parts): parts is [string] => parts.length === 1 && isId("dec", parts[0]),
  );
  const rows = selectOwnDecisions(core, { builderId, acts: APPEALABLE_ACTS }, key?.[0], request);
  return pageOf(present(core, rows), request, scope, ({ id }) => [id]);
}

/** Returns a decision about the member. Needs a session. Throws forbidden, not_found. */
export function getOwnDecision(core: Core, caller: Caller, id: string): OwnDecision {
  const row = findOwnDecision(core, requirePerson(caller).builderId, id);
  return required(core, row);
}

/**
 * Appeals against a decision about the member. Needs a session. Throws forbidden, bad_request, not_found.
 * Throws conflict for a second appeal, and for a decision that was undone.
 */
export function appeal(core: Core, caller: Caller, id: string, draft: AppealDraft): void {
  const { builderId } = requirePerson(caller);
  core.db.transact(() => {
    store(core, findOwnDecision(core, builderId, id), draft);
    recordBy(core, caller, "appeal.made", builderId);
  });
}

/** Returns the decision that suspends the member. Undefined for a suspension from before decisions existed. */
export function getOwnSuspension(core: Core, { builderId }: Appellant): OwnDecision | undefined {
  const row = findSuspension(core, builderId);
  return row && present(core, [row])[0];
}

/** Appeals against the suspension. Throws like `appeal`. */
export function appealSuspension(
  core: Core,
  { builderId }: Appellant,
  draft: AppealDraft,
  address: string,
): void {
  core.db.transact(() => {
    store(core, findSuspension(core, builderId), draft);
    record(core, { act: "appeal.made", actor: builderId, subject: builderId, address });
  });
}

function store(core: Core, row: OwnDecisionRow | undefined, draft: AppealDraft): void {
  const { text } = check(AppealDraft, draft);
  const { id, undoneAt, appealedAt } = row ?? {};
  if (id === undefined || !isAppealable(row?.act)) throw refuse("own_decision_unknown");
  if (appealedAt !== null) throw refuse("appealed_already");
  if (undoneAt !== null) throw refuse("decision_over");
  insertAppeal(core, { decisionId: id, text, createdAt: core.clock.now() });
}

function required(core: Core, row: OwnDecisionRow | undefined): OwnDecision {
  const [decision] = row ? present(core, [row]) : [];
  if (!decision) throw refuse("own_decision_unknown");
  return decision;
}

function present(core: Core, rows: readonly OwnDecisionRow[]): OwnDecision[] {
  const subjects = subjectsOf(
    core,
    rows.map(({ subjectId }) => subjectId),
  );
  return rows.flatMap((row) => {
    const { act } = row;
    if (!isAppealable(act)) return [];
    const subject = subjects.get(row.subjectId);
    const { id, reason, rule, until, createdAt, undoneAt } = row;
    return [
      {
        ...{ id, act, reason, rule, until, createdAt, undoneAt },
        subject: subject && !subject.isDeleted && subject.type !== "message" ? subject : undefined,
        isAutomatic: row.isAutomatic === 1,
        appeal: appealOf(row),
      },
    ];
  });
}

function appealOf({ appealText, appealedAt, decidedAt, outcome, answer }: OwnDecisionRow): OwnAppeal | null {
  if (appealText === null || appealedAt === null) return null;
  const isDecided = decidedAt !== null && outcome !== null;
  const decided = isDecided ? { at: decidedAt, outcome, answer: answer ?? "" } : null;
  return { text: appealText, createdAt: appealedAt, decided };
}

function isAppealable(act: string | undefined): act is AppealableAct {
  return APPEALABLE_ACTS.some((each) => each === act);
}
