import { type Static, Type } from "@sinclair/typebox";
import { Text } from "../../base/check.ts";
import { type Caller, requireModerator } from "../../identity/access/caller.ts";
import { findBuilder } from "../../identity/builders/builders.ts";
import { foldUsername } from "../../identity/builders/username.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { isHiddenOtherwise } from "../hiding/hiding.ts";
import { type Act, REASON_MAX } from "./acts.ts";
import { decide } from "./decisions.ts";
import { deletedSubject } from "./reports.ts";
import { findSubject, isContent, type Subject, subjectsOf } from "./subjects.ts";

/*
 * Decisions by the kind of their subject, for operations that only set a state. Each does nothing if the
 * state is the requested one already. `decisions.ts` has the rules.
 */

export const ReasonDraft = Type.Object({
  reason: Text({
    max: REASON_MAX,
    visible: true,
    description: "The reason, which the member reads.",
    examples: ["An advertisement. Those have a place on the jobs board."],
  }),
});
export type ReasonDraft = Static<typeof ReasonDraft>;

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
export function hide(core: Core, caller: Caller, id: string, { reason }: ReasonDraft): Subject {
  return setState(core, caller, id, { act: "hide", reason, isOn: true });
}

/** Restores a hidden subject and reopens the reports about it. Rights and errors as for `hide`. */
export function restore(core: Core, caller: Caller, id: string): Subject {
  return setState(core, caller, id, { act: "restore", reason: "", isOn: false });
}

/**
 * Suspends a builder and settles the reports about the builder. The builder's posts stay visible. Allowed for
 * moderators. Throws not_found. Throws conflict for the caller's own account.
 */
export function suspendBuilder(
  core: Core,
  caller: Caller,
  username: string,
  { reason }: ReasonDraft,
): Subject {
  requireModerator(caller);
  return setState(core, caller, idOf(core, username), { act: "suspend", reason, isOn: true });
}

/**
 * Restores a suspended builder and reopens the reports about the builder. Rights and errors as for
 * `suspendBuilder`.
 */
export function restoreBuilder(core: Core, caller: Caller, username: string): Subject {
  requireModerator(caller);
  return setState(core, caller, idOf(core, username), { act: "unsuspend", reason: "", isOn: false });
}

function idOf(core: Core, username: string): string {
  const id = findBuilder(core, foldUsername(username))?.id;
  if (id === undefined) throw refuse("builder_unknown");
  return id;
}

function setState(
  core: Core,
  caller: Caller,
  id: string,
  { act, reason, isOn }: { act: Act; reason: string; isOn: boolean },
): Subject {
  requireModerator(caller);
  return core.db.transact(() => {
    const subject = findSubject(core, id);
    const isAboutContent = act === "hide" || act === "restore";
    if (!subject && isAboutContent) {
      const { subject: deleted, isSettled } = deletedSubject(core, caller, id, isOn);
      if (!isSettled) decide(core, caller, id, { act, reason });
      return deleted;
    }
    if (!subject || (isAboutContent && !isContent(subject))) throw refuse("subject_unknown");
    if (subject.hidden === isOn && !(act === "hide" && isHiddenOtherwise(core, id))) return subject;
    decide(core, caller, id, { act, reason });
    return { ...subject, hidden: isOn };
  });
}
