import { isAtLeast } from "../access/roles.ts";
import { DAY, HOUR } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import {
  type AddedAccess,
  factsOf,
  type NotificationKind,
  type NotificationSubject,
  SIGN_UPS,
  type WithdrawnKind,
} from "./kinds.ts";
import {
  deleteBeyond,
  deleteFact,
  deleteOfSubject,
  deleteSomeFacts,
  findNotifiedAt,
  findOpenGroup,
  findReceiver,
  insertFact,
  insertNotification,
  moveGroup,
  selectTeamFor,
} from "./notifications-store.ts";

/** A notification to send. */
export interface NewNotification {
  /** ID of the builder who receives the notification. */
  to: string;
  kind: NotificationKind;
  /**
   * ID of the builder who caused the notification. Omitted when nobody caused it, or when the text names
   * nobody.
   */
  by?: string | undefined;
  subject: NotificationSubject;
  /** Additional text, such as a reason or a level. Cut off after 500 characters. */
  about?: string | undefined;
  /** Identity of the event within a group. Omitted when `by` identifies the event. */
  fact?: string | undefined;
}

/** Maximum number of notifications per kind and builder. A flood of one kind evicts no other kind. */
export const PER_KIND_MAX = 200;
/** Maximum number of events in a group. The next event starts another group. */
export const GROUP_MAX = 500;
/** Maximum number of events that `forgetSubject` deletes per call. Such a call takes a few ms. */
const FORGET_BATCH = 2_000;
const ABOUT_MAX = 500;
/**
 * Maximum number of notifications within a day per kind of credential. A flood of one kind does not hide
 * another kind.
 */
const ADDITIONS_A_DAY = 10;

/**
 * Notifies a builder of an event. Skips the builder's own actions, suspended recipients and recipients who
 * have blocked the actor. Also skips a kind that the recipient has switched off, and a kind for a role that
 * the recipient does not have. A grouped kind joins an unread notification about the same subject. Whether
 * the recipient may see the subject is checked on reading. Checks no permission. Call it in the transaction
 * of the event.
 */
export function notify(core: Core, { to, kind, by, subject, about = "", fact }: NewNotification): void {
  if (to === by) return;
  const { forRole = "member", isGrouped = false, isFixed = false, reach } = factsOf(kind);
  const receiver = findReceiver(core, { to, kind, by: by ?? "" });
  if (!receiver || receiver.isDeaf || !isAtLeast(receiver.role, forRole)) return;
  if (!isFixed && (receiver.reach ?? reach) === "off") return;

  const createdAt = core.clock.now();
  const id = core.makeId("ntf", createdAt);
  const group = isGrouped ? findOpenGroup(core, { to, kind, subjectId: subject.id }, GROUP_MAX) : undefined;
  const groupId = group?.groupId ?? id;
  const position = insertNotification(core, {
    id,
    builderId: to,
    kind,
    subjectType: subject.type,
    subjectId: subject.id,
    about: cut(about),
    groupId,
    noted: (group?.noted ?? 0) + 1,
    createdAt,
  });
  if (group) moveGroup(core, group.place);
  insertFact(core, { groupId, fact: fact ?? by ?? "", actorId: by ?? null, place: position });
  deleteBeyond(core, to, kind, PER_KIND_MAX);
}

/**
 * Notifies a member of a new credential of the member's account. `name` is the name of the credential. Always
 * sends mail, whatever the settings (docs/contract.md#9.1.1). Sends at most ten notifications per day and
 * kind of credential. Checks no permission. Call it in the transaction that adds the credential.
 */
export function notifyAddition(core: Core, to: string, access: AddedAccess, name = ""): void {
  const subject: NotificationSubject = { type: "access", id: access };
  const tenth = findNotifiedAt(core, { to, kind: "access_added", subjectId: access }, ADDITIONS_A_DAY);
  if (tenth !== undefined && tenth > core.clock.now() - DAY) return;
  notify(core, { to, kind: "access_added", subject, about: name });
}

/** Notifies every team member whose role the kind is for. */
export function notifyTeam(core: Core, notification: Omit<NewNotification, "to">): void {
  for (const to of selectTeamFor(core)) notify(core, { ...notification, to });
}

/**
 * Notifies the team that unusually many members sign up, at most once per hour and recipient. Checks no
 * permission. Call it in the transaction of the sign-up.
 */
export function notifySignUpWave(core: Core): void {
  const kind = "sign_up_wave";
  for (const to of selectTeamFor(core)) {
    const last = findNotifiedAt(core, { to, kind, subjectId: SIGN_UPS.id }, 1);
    if (last === undefined || last <= core.clock.now() - HOUR) notify(core, { to, kind, subject: SIGN_UPS });
  }
}

/** Filter for the notifications that an operation withdraws. */
export interface Withdrawal {
  kind: WithdrawnKind;
  subject: NotificationSubject;
  /** Only events that this builder caused. Omitted for the events of all builders. */
  by?: string | undefined;
  /** Only notifications to this builder. Omitted for all recipients. */
  to?: string | undefined;
  /** Only the event of a group with this identity. */
  fact?: string | undefined;
}

/**
 * Withdraws notifications of an event that was undone, whether read or not. A group is deleted with its last
 * event. Checks no permission. Call it in the transaction that undoes the event.
 */
export function withdrawNotification(core: Core, { kind, subject, by, to, fact = by }: Withdrawal): void {
  if (fact === undefined) deleteOfSubject(core, { kind, subjectId: subject.id, to });
  else deleteFact(core, { kind, subjectId: subject.id, to, fact });
}

/**
 * Deletes notifications about a deleted subject, of any kind, at most `limit` events. Returns how many it
 * deleted. Remaining notifications are not shown, because nobody can see the subject. Checks no permission.
 * Call it in a transaction.
 */
export function forgetSubject(core: Core, subjectId: string, limit = FORGET_BATCH): number {
  return deleteSomeFacts(core, subjectId, limit);
}

function cut(text: string): string {
  return text.length <= ABOUT_MAX ? text : `${text.slice(0, ABOUT_MAX - 1).toWellFormed()}…`;
}
