import { type Static, Type } from "@sinclair/typebox";
import { check, Text } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import type { Language } from "../../base/locales.ts";
import { openCase } from "../../community/reports/cases.ts";
import { storeStrangerReport } from "../../community/reports/stranger-reports.ts";
import { VISITOR } from "../../identity/access/caller.ts";
import { answerAddress } from "../../identity/applications/answer-mail.ts";
import { isForMembers } from "../../identity/community-settings/community-settings.ts";
import { admitStrangerReport, reporterMark } from "../../identity/mail/mail-limits.ts";
import { recordStaffEvent } from "../../outbox/events/events.ts";
import { requireVisible } from "./reports.ts";
import { rowsOf, type Subject, subjectsOf } from "./subjects.ts";

/*
 * Reports by people without an account (docs/contract.md#12.40). A stranger reports what a guest can read,
 * and learns the outcome by email, if the community sends email.
 */

const StrangerReportDraft = Type.Object({
  reason: Text({ max: 500, visible: true, description: "The reason for the report." }),
});
type StrangerReportDraft = Static<typeof StrangerReportDraft>;

/**
 * Returns a subject that guests can report. Throws not_found for everything that a guest cannot read, such as
 * hidden, held and deleted content. Throws forbidden in a members-only community.
 */
export function reportableByStrangers(core: Core, subjectId: string): Subject {
  if (isForMembers(core)) throw refuse("sign_in_first");
  const subject = subjectsOf(core, [subjectId]).get(subjectId);
  if (!subject || subject.isDeleted || subject.hidden || subject.type === "message")
    throw refuse("subject_unknown");
  requireVisible(core, VISITOR, subject.type, subjectId);
  return subject;
}

/**
 * Reports public content or a member for a person without an account. `from` is the person's network address.
 * A second report about the same subject from this address changes the first one while that is open. Throws
 * like `reportableByStrangers`. Throws rate_limited for too many reports from the address or its network, and
 * for too many emails to `mail`. Throws conflict for `mail` in a community that sends no email. Also throws
 * bad_request. Call it in a write.
 */
export function reportAsStranger(
  core: Core,
  from: string,
  draft: { subjectId: string; reason: string; mail?: string | undefined; language: Language },
): void {
  const { reason } = check(StrangerReportDraft, { reason: draft.reason });
  const mail = answerAddress(core, draft.mail === "" ? undefined : draft.mail);
  core.db.transact(() => {
    const { id: subjectId } = reportableByStrangers(core, draft.subjectId);
    admitStrangerReport(core, from, mail);
    const row = rowsOf(core, [subjectId]).get(subjectId);
    if (!row) throw refuse("subject_unknown");
    const mark = reporterMark(core, from, subjectId);
    const { title, text } = row;
    const id = storeStrangerReport(core, {
      subjectId,
      reason,
      title,
      text,
      mail,
      mark,
      language: draft.language,
    });
    const caseId = openCase(core, subjectId, "report");
    if (id !== undefined)
      recordStaffEvent(core, "report.created", { report: { id, subject_id: subjectId, case_id: caseId } });
  });
}
