import { listModerationLog } from "../core/identity/audit/audit.ts";
import { LogEntryView, LogFilterView } from "../core/identity/audit/log-view.ts";
import { listMembers, MemberFilter, MemberView } from "../core/identity/builders/member-view.ts";
import {
  addCaseNote,
  CaseFilter,
  CaseNoteDraft,
  CaseView,
  getCase,
  listCases,
  ListedCaseView,
  releaseCase,
  takeCase,
} from "../core/services/moderation/cases.ts";
import { area, list, read, write } from "./operation.ts";
import { STAFF } from "./staff.ts";

const aCase = {
  name: "id",
  description: "The identifier of the case, or of the content, message or builder that it is about.",
  example: "case_01kafzq8e5f2r8v0j3n6s1t4wx",
};
const changed = { ...STAFF, param: aCase, view: CaseView, responseDescription: "The case" };

export const caseOperations = area("Moderation", {
  listCases: list({
    route: "GET /cases",
    summary: "List cases",
    description:
      "A case holds everything that was reported, held or decided about one subject. Returns open cases unless you ask for closed ones. The case that was opened or closed last comes first.",
    ...STAFF,
    filter: CaseFilter,
    view: ListedCaseView,
    page: "CasePage",
    responseDescription: "One page of cases",
    run: ({ core, caller, filter, page }) => listCases(core, caller, filter, page),
  }),
  getCase: read({
    route: "GET /cases/{id}",
    summary: "Retrieve a case",
    description:
      "Returns the reports, notes and decisions of the case, and the history of the member. A subject without a case gives a case without an identifier.",
    ...STAFF,
    param: aCase,
    view: CaseView,
    responseDescription: "The case",
    run: ({ core, caller, id }) => getCase(core, caller, id),
  }),
  takeCase: write({
    route: "PUT /cases/{id}/taken",
    summary: "Take a case",
    description: "Shows the other moderators that you work on the case.",
    restDescription: "Returns 409 for a closed case, and for a case that another moderator took.",
    ...changed,
    effect: "changes",
    refusals: [409],
    run: ({ core, caller, id }) => takeCase(core, caller, id),
  }),
  releaseCase: write({
    route: "DELETE /cases/{id}/taken",
    summary: "Release a case",
    description: "Releases a case that you or another moderator took.",
    ...changed,
    effect: "changes",
    run: ({ core, caller, id }) => releaseCase(core, caller, id),
  }),
  addCaseNote: write({
    route: "POST /cases/{id}/notes",
    summary: "Add a note to a case",
    description: "Only moderators read notes.",
    ...changed,
    effect: "creates",
    draft: CaseNoteDraft,
    locationOf: ({ id, subject }) => `/cases/${id ?? subject.id}`,
    run: ({ core, caller, id, draft }) => addCaseNote(core, caller, id, draft),
  }),
  listModerationLog: list({
    route: "GET /moderation/log",
    summary: "List the moderation log",
    description:
      "Returns what moderators and admins decided, newest first. The log has no network addresses.",
    ...STAFF,
    filter: LogFilterView,
    view: LogEntryView,
    page: "ModerationLogPage",
    responseDescription: "One page of the log",
    run: ({ core, caller, filter, page }) => listModerationLog(core, caller, filter, page),
  }),
  listMembers: list({
    route: "GET /members",
    summary: "List members for moderators",
    description:
      "Returns the members with their roles and standing, newest first. With `username`, sorts by username. The list has no network addresses.",
    ...STAFF,
    filter: MemberFilter,
    view: MemberView,
    page: "MemberPage",
    responseDescription: "One page of members",
    run: ({ core, caller, filter, page }) => listMembers(core, caller, filter, page),
  }),
});
