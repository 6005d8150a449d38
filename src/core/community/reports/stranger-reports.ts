import type { Core } from "../../base/core.ts";
import type { Language } from "../../base/locales.ts";
import { sendsMail } from "../../identity/mail/mail.ts";
import { queueMail } from "../../identity/mail/queue.ts";
import type { Decision } from "./reports.ts";
import {
  deleteStrangerCopies,
  findStrangerReport,
  findStrangerReportFrom,
  insertStrangerReport,
  patchStrangerReport,
  reopenStrangersAbout,
  selectStrangerReports,
  settleStrangersAbout,
  type StrangerReportRow,
} from "./stranger-reports-store.ts";

export type { StrangerReportRow } from "./stranger-reports-store.ts";

/*
 * Reports by people without an account (docs/contract.md#12.40). The `moderation` service has the rules of
 * reporting. The answer contains the outcome and nothing else of the decision.
 */

/** Content of an answer to a stranger. */
export interface StrangerAnswer {
  outcome: Decision;
  subjectId: string;
  language: Language;
}

interface NewStrangerReport {
  subjectId: string;
  reason: string;
  title: string;
  text: string;
  mail: string | undefined;
  mark: Buffer;
  language: Language;
}

/**
 * Stores a report. A second report from the same network address about the same subject changes the first one
 * while that is open. It replaces the reason and the email address. Call it in a transaction.
 * Returns the ID of a new report; undefined for a changed one.
 */
export function storeStrangerReport(core: Core, { mail, ...row }: NewStrangerReport): string | undefined {
  const known = findStrangerReportFrom(core, row.subjectId, row.mark);
  if (known !== undefined) {
    const { reason, language } = row;
    patchStrangerReport(core, known, { reason, mail: mail ?? null, language });
    return undefined;
  }
  const createdAt = core.clock.now();
  const id = core.makeId("srp", createdAt);
  insertStrangerReport(core, { ...row, mail: mail ?? null, id, createdAt });
  return id;
}

/** Settles the open reports about a subject. Queues the answers, and deletes the email addresses. */
export function settleStrangerReports(core: Core, subjectId: string, outcome: Decision): void {
  for (const id of settleStrangersAbout(core, subjectId, outcome)) {
    const address = findStrangerReport(core, id)?.mail ?? null;
    if (address === null) continue;
    patchStrangerReport(core, id, { mail: null });
    if (sendsMail(core))
      queueMail(core, {
        kind: "report_answered",
        builderId: null,
        address,
        groupId: id,
        once: `reported.${id}`,
      });
  }
}

/** Reopens the reports that were settled with this outcome. Returns whether there were any. */
export function reopenStrangerReports(core: Core, subjectId: string, outcome: Decision): boolean {
  return reopenStrangersAbout(core, subjectId, outcome);
}

/** Returns the content of a queued answer; undefined when the report is open again. */
export function mailedStrangerAnswer(core: Core, groupId: string | null): StrangerAnswer | undefined {
  const row = findStrangerReport(core, groupId ?? "");
  return row?.outcome
    ? { outcome: row.outcome, subjectId: row.subjectId, language: row.language }
    : undefined;
}

/** Returns reports about a subject, newest first. */
export function strangerReportsAbout(core: Core, subjectId: string, limit: number): StrangerReportRow[] {
  return selectStrangerReports(core, subjectId, limit);
}

/** Deletes the copies of reports that were settled before a time, in batches. */
export async function forgetStrangerCopies(core: Core, before: number): Promise<void> {
  while ((await core.db.write(() => deleteStrangerCopies(core, before, 500))) > 0);
}
