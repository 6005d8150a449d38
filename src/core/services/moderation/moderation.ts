import { type Static, Type } from "@sinclair/typebox";
import { Text } from "../../base/check.ts";
import { notify, withdrawNotification } from "../../identity/notifications/notify.ts";
import { type Caller, requireModerator } from "../../identity/access/caller.ts";
import type { AuditEvent } from "../../identity/audit/audit-events.ts";
import { recordBy } from "../../identity/audit/audit.ts";
import { findBuilder } from "../../identity/builders/builders.ts";
import { foldUsername } from "../../identity/builders/username.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { unhidePost as putBackPost, hidePost as takeDownPost } from "../../community/feed/removal.ts";
import { unhideJob as putBackJob, hideJob as takeDownJob } from "../../community/jobs/board.ts";
import {
  unhidePrompt as putBackPrompt,
  hidePrompt as takeDownPrompt,
} from "../../community/prompts/removal.ts";
import { restoreSubject, withdrawSubject } from "../../community/xp/xp.ts";
import { closeCase } from "../../community/reports/cases.ts";
import {
  reopenReports,
  reopenReportsOfSender,
  settleReports,
  settleReportsOfSender,
} from "../../community/reports/reports.ts";
import { isHiddenByDeletion } from "../deletion/pending.ts";
import { keepAsDecided } from "../hiding/hiding.ts";
import { decideDeleted, storeMissingCopies, refuseOwnCause } from "./reports.ts";
import { findSubject, type Subject, type SubjectKind, subjectsOf } from "./subjects.ts";
import { setSuspended } from "../../delegation/securing/suspension.ts";

/** Functions that hide and restore each kind of subject. Both functions are idempotent. */
const HIDING: Readonly<
  Record<
    Exclude<SubjectKind, "builder" | "message">,
    Record<"hide" | "restore", (core: Core, id: string) => boolean>
  >
> = {
  post: { hide: takeDownPost, restore: putBackPost },
  job: { hide: takeDownJob, restore: putBackJob },
  prompt: { hide: takeDownPrompt, restore: putBackPrompt },
};

export const HidingDraft = Type.Object({
  reason: Type.Optional(
    Text({
      max: 500,
      visible: true,
      description: "The reason. The author reads it in the notification.",
      examples: ["An advertisement. Those have a place on the jobs board."],
    }),
  ),
});
export type HidingDraft = Static<typeof HidingDraft>;

/**
 * Returns subjects of moderation by id, with their owner and whether they are hidden. Ids of other kinds are
 * left out. Allowed for moderators.
 */
export function getSubjects(
  core: Core,
  caller: Caller,
  ids: readonly string[],
): ReadonlyMap<string, Subject> {
  requireModerator(caller);
  return subjectsOf(core, ids);
}

/**
 * Hides a post, reply, job or prompt from everyone except its author and moderators. Lists, searches and
 * counts leave the subject out, and the XP that the subject earned is withdrawn. Settles the reports about
 * the subject and notifies its author, with the reason. If the subject is deleted, only settles the reports.
 * Allowed for moderators. Throws not_found.
 */
export function hide(core: Core, caller: Caller, id: string, { reason }: HidingDraft = {}): Subject {
  return setHidden(core, caller, id, true, reason);
}

/** Restores a hidden subject and reopens the reports about it. Rights and errors as for `hide`. */
export function restore(core: Core, caller: Caller, id: string): Subject {
  return setHidden(core, caller, id, false);
}

/**
 * Suspends a builder and settles the reports about the builder. The builder's posts stay visible. Allowed for
 * moderators. Throws not_found. Throws conflict for the caller's own account.
 */
export function suspendBuilder(core: Core, caller: Caller, username: string): Subject {
  return setBuilderSuspended(core, caller, username, true);
}

/**
 * Restores a suspended builder and reopens the reports about the builder. Rights and errors as for
 * `suspendBuilder`.
 */
export function restoreBuilder(core: Core, caller: Caller, username: string): Subject {
  return setBuilderSuspended(core, caller, username, false);
}

function setHidden(core: Core, caller: Caller, id: string, isHidden: boolean, reason: string = ""): Subject {
  requireModerator(caller);
  return core.db.transact(() => {
    const subject = findSubject(core, id);
    if (!subject) return decideDeleted(core, caller, id, isHidden);
    if (subject.type === "builder" || subject.type === "message") throw refuse("subject_unknown");
    // Nothing changes if the subject is already in the requested state, with one exception: a moderator hides
    // content that a deletion has already hidden. If the deletion is undone, the content would be shown
    // again. `keepAsDecided` keeps the content hidden.
    if (subject.hidden === isHidden && !(isHidden && keepAsDecided(core, id))) return subject;
    if (!isHidden) refuseOwnCause(caller, subject);
    // A subject that a deletion has hidden can be restored only by undoing that deletion.
    if (!isHidden && isHiddenByDeletion(core, id)) throw refuse("subject_unknown");
    keepAsDecided(core, id);
    HIDING[subject.type][isHidden ? "hide" : "restore"](core, id);
    if (isHidden) withdrawSubject(core, id, "hidden");
    else restoreSubject(core, id);
    decideReports(core, caller, id, isHidden);
    recordForOwner(core, caller, subject, isHidden ? "thing.hidden" : "thing.restored");
    const notice = { kind: "hidden", subject: { type: subject.type, id } } as const;
    if (!isHidden) withdrawNotification(core, notice);
    else if (subject.ownerId !== null && subject.ownerId !== caller.builderId)
      notify(core, { ...notice, to: subject.ownerId, about: reason });
    return { ...subject, hidden: isHidden };
  });
}

function setBuilderSuspended(core: Core, caller: Caller, username: string, isSuspended: boolean): Subject {
  requireModerator(caller);
  const name = foldUsername(username);
  return core.db.transact(() => {
    const id = findBuilder(core, name)?.id;
    const subject = id === undefined ? undefined : findSubject(core, id);
    if (!subject) throw refuse("builder_unknown");
    if (subject.hidden === isSuspended) return subject;
    setSuspended(core, caller, name, isSuspended);
    decideReports(core, caller, subject.id, isSuspended);
    // The suspension also settles reports about the builder's messages, because a message in a private thread
    // cannot be hidden.
    if (isSuspended) settleReportsOfSender(core, subject.id, { outcome: "upheld", by: caller.builderId });
    else storeMissingCopies(core, reopenReportsOfSender(core, subject.id, "upheld"));
    return { ...subject, hidden: isSuspended };
  });
}

/** Settles the reports about a subject as upheld, or reopens the reports. */
function decideReports(core: Core, caller: Caller, subjectId: string, isUpheld: boolean): void {
  if (isUpheld) {
    settleReports(core, subjectId, { outcome: "upheld", by: caller.builderId });
    closeCase(core, subjectId);
  } else storeMissingCopies(core, reopenReports(core, subjectId, "upheld"));
}

/** Records the hiding or restoring of a subject in the audit log, as an entry about the subject's owner. */
function recordForOwner(
  core: Core,
  caller: Caller,
  { type, id, title, ownerId }: Subject,
  act: AuditEvent,
): void {
  recordBy(core, caller, act, ownerId, { kind: type, id, title });
}
