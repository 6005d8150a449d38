import type { FixtureCommunity } from "./fixture-community.ts";
import { list, mutation, type Row, type Shown } from "./parity-row.ts";

const SUBJECT = "subject { type subjectId title text owner hidden }";
export const DECISION = `id act ${SUBJECT} builder by isAutomatic reason rule until createdAt undone { at by } appeal { text createdAt decided { at by outcome answer } }`;
const OWN_DECISION =
  "decisionId act subject { type subjectId title } isAutomatic reason rule until createdAt undoneAt appeal { text createdAt decided { at outcome answer } }";
const HELD = "held { brake detail heldAt }";
const LISTED = `caseId ${SUBJECT} state cause openedAt closedAt version takenBy reportCount strangerReportCount noteCount reason ${HELD}`;
const CASE = `${LISTED} text
  reports { id subjectId subjectText subjectTitle subjectOwner { username } subjectHidden type asReported { id: revision text tags media at } reason reporter createdAt settled { at by outcome } }
  strangerReports { reportId reason text wantsAnswer createdAt outcome }
  notes { noteId author text createdAt }
  decisions { ${DECISION} }
  history { username joinedAt cases reports decisions { act count } }`;
const COUNTS = "posts replies jobs prompts messages";

const plainSubject = ({ subject_id, text, ...subject }: Shown) => ({
  ...subject,
  id: subject_id,
  ...(text === null ? {} : { text }),
});
export const plainDecision = ({ subject, ...decision }: Shown) => ({
  ...decision,
  subject: plainSubject(subject),
});
const plainOwnDecision = ({ decision_id, subject, ...decision }: Shown) => ({
  ...decision,
  id: decision_id,
  subject: subject && { type: subject.type, id: subject.subject_id, title: subject.title },
});
const plainListed = ({ case_id, subject, ...rest }: Shown) => ({
  ...rest,
  id: case_id,
  subject: plainSubject(subject),
});
const renamed =
  (from: string) =>
  ({ [from]: id, ...rest }: Shown) => ({ ...rest, id });
const decisionsIn =
  (...names: string[]) =>
  (payload: Shown) => ({
    ...payload,
    ...Object.fromEntries(names.map((name) => [name, payload[name].map(plainDecision)])),
  });

/** The parity rows of cases, decisions and removals. `plainReport` converts a report to its form in REST. */
export function moderationRows(
  { ids }: FixtureCommunity,
  plainReport: (node: Shown) => unknown,
): Readonly<Record<string, Row>> {
  const plainCase = (node: Shown) => ({
    ...plainListed(node),
    reports: node["reports"].map(plainReport),
    stranger_reports: node["stranger_reports"].map(renamed("report_id")),
    notes: node["notes"].map(renamed("note_id")),
    decisions: node["decisions"].map(plainDecision),
  });
  const aCase = { param: ids.post, shape: plainCase };
  return {
    listCases: { ...list("cases", LISTED), shape: plainListed },
    getCase: { graph: `query($id: ID!) { case(id: $id) { ${CASE} } }`, at: "case", ...aCase },
    takeCase: { ...mutation("takeCase", `case { ${CASE} }`, "case"), ...aCase },
    releaseCase: { ...mutation("releaseCase", `case { ${CASE} }`, "case"), ...aCase },
    addCaseNote: {
      ...mutation("addCaseNote", `case { ${CASE} }`, "case"),
      ...aCase,
      body: { text: "Seen before." },
      refused: [{ body: { text: " " }, as: "bad_request" }],
    },
    listModerationLog: list("moderationLog", "act words actor subject createdAt"),
    listMembers: list("members", "username name role suspendedAt createdAt"),
    decide: {
      ...mutation("decide", `decision { ${DECISION} }`, "decision"),
      param: ids.theirs,
      body: { act: "hide", reason: "Spam." },
      shape: plainDecision,
      refused: [
        { body: { act: "hide" }, as: "unprocessable" },
        { body: { act: "hide", reason: "Spam.", expected_version: 7 }, as: "conflict" },
        { body: { act: "restore" }, as: "conflict" },
      ],
    },
    decideMany: {
      ...mutation("decideMany", `done { ${DECISION} } refused { subject code message }`, ""),
      body: { ids: [ids.theirs, ids.hidden], act: "hide", reason: "Spam." },
      shape: decisionsIn("done"),
      refused: [
        { body: { ids: [], act: "hide", reason: "Spam." }, as: "bad_request" },
        { body: { ids: [ids.theirs], act: "hide" }, as: "unprocessable" },
      ],
    },
    listDecisions: { ...list("decisions", DECISION), shape: plainDecision },
    getDecision: {
      graph: `query($id: ID!) { decision(id: $id) { ${DECISION} } }`,
      at: "decision",
      param: ids.decision,
      shape: plainDecision,
    },
    undoDecision: {
      ...mutation("undoDecision", `decision { ${DECISION} }`, "decision"),
      param: ids.decision,
      shape: plainDecision,
    },
    undoDecisionsOf: {
      ...mutation("undoDecisionsOf", `undone { ${DECISION} } kept { ${DECISION} }`, ""),
      body: { moderator: "bo", since: "2020-01-01T00:00:00Z" },
      shape: decisionsIn("undone", "kept"),
      refused: [
        { body: { moderator: "nobody", since: "2020-01-01T00:00:00Z" }, as: "not_found" },
        { body: { moderator: "bo", since: "yesterday" }, as: "bad_request" },
      ],
    },
    listOwnDecisions: { ...list("ownDecisions", OWN_DECISION), shape: plainOwnDecision },
    appealDecision: {
      ...mutation("appealDecision", `decision { ${OWN_DECISION} }`, "decision"),
      param: ids.ownDecision,
      body: { text: "I did." },
      shape: plainOwnDecision,
      refused: [{ body: { text: " " }, as: "bad_request" }],
    },
    listAppeals: { ...list("appeals", DECISION), shape: plainDecision },
    decideAppeal: {
      ...mutation("decideAppeal", `decision { ${DECISION} }`, "decision"),
      param: ids.appealed,
      body: { outcome: "granted", answer: "You are right." },
      shape: plainDecision,
      refused: [{ body: { outcome: "granted", answer: " " }, as: "bad_request" }],
    },
    previewRemoval: {
      ...mutation(
        "previewRemoval",
        `members { username joinedAt ${COUNTS} refusal } hosts { host isPreselected otherMembers } networks counts { members ${COUNTS} }`,
        "",
      ),
      body: { usernames: ["bo", "ada"] },
      refused: [{ body: { usernames: ["nobody"] }, as: "not_found" }],
    },
    removeSpammers: {
      ...mutation("removeSpammers", `decisions { ${DECISION} }`, ""),
      body: { usernames: ["bo"], hosts: ["spam.example"], reason: "Spam." },
      shape: decisionsIn("decisions"),
      refused: [
        { body: { usernames: ["ada"], hosts: [], reason: "Spam." }, as: "conflict" },
        { body: { usernames: ["bo"], hosts: [], reason: " " }, as: "bad_request" },
      ],
    },
  };
}
