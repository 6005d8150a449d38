import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { hold } from "../../community/holding/holding.ts";
import { mentionedIn } from "../../community/mentions/mentions.ts";
import { record } from "../../identity/audit/audit.ts";
import { findStanding } from "../../identity/builders/builders.ts";
import { communitySettingsOf } from "../../identity/community-settings/community-settings.ts";
import { storeDecision } from "./decision-record.ts";
import { hideKeepingReports } from "./content-visibility.ts";
import { countTrusted, hasDecisionAbout } from "./report-brake-store.ts";
import { findSubject, isContent } from "./subjects.ts";

/**
 * Hides a post, reply, job or prompt that enough members reported, until a moderator looks
 * (docs/contract.md#12.39). Reports of newcomers, and of limited or suspended members, do not count. Hides
 * nothing of members with a role, and nothing that a moderator has decided about. The server makes the
 * decision, and the reports stay open. Call it in the transaction of the report.
 */
export function hideReported(core: Core, subjectId: string): void {
  const { reportsToHide, newcomerDays } = communitySettingsOf(core);
  if (reportsToHide === 0) return;
  const now = core.clock.now();
  if (countTrusted(core, subjectId, { joinedBefore: now - newcomerDays * DAY, now }) < reportsToHide) return;
  const subject = findSubject(core, subjectId);
  if (!subject || !isContent(subject)) return;
  const { type, id, title, ownerId, hidden } = subject;
  const standing = ownerId === null ? undefined : findStanding(core, ownerId);
  if (hidden || ownerId === null || standing?.role !== "member" || hasDecisionAbout(core, id)) return;
  const mentioned = mentionedIn(core, id);
  hideKeepingReports(core, { type, id });
  record(core, {
    ...{ act: "thing.hidden", actor: null, subject: ownerId, address: null },
    detail: { kind: type, id, title },
  });
  storeDecision(core, "automatic", { act: "hide", subjectId: id, builderId: ownerId, reason: "" });
  // The decision closed the case. The case is open again, because a moderator must look.
  const brake = { brake: "reports", detail: `${reportsToHide}` } as const;
  hold(core, brake, { subjectId: id, builderId: ownerId, kind: type, isNew: false, mentioned });
}
