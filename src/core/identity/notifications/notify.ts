import { isAtLeast } from "../access/roles.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import {
  type AddedAccess,
  factsOf,
  type NotificationKind,
  type NotificationSubject,
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

/** What somebody is told. */
export interface NewNotification {
  /** The id of whom to tell. */
  to: string;
  kind: NotificationKind;
  /** Who did it; left out where nobody did, or nobody whom one would name. */
  by?: string | undefined;
  subject: NotificationSubject;
  /** What else is told: a reason, a level. Cut off after 500 characters. */
  about?: string | undefined;
  /** What tells it apart within a group, where that is not who did it. */
  fact?: string | undefined;
}

/** So many of a kind are kept for one builder: a flood of one kind drives out nothing of another. */
export const KEPT_OF_KIND = 200;
/** So many facts fill a group; the next one begins another. */
export const GROUP_MAX = 500;
/** A few ms. */
const FORGOTTEN_AT_ONCE = 2_000;
const ABOUT_MAX = 500;
/** Of each kind of access, so that a flood of one kind hides no other. */
const ADDITIONS_A_DAY = 10;

/**
 * Tells a builder of something. Tells nobody of their own acts, nobody who is suspended, whoever has blocked
 * whose act it is or wants to hear nothing of the kind, nor of what is for a role whoever is below it. In a
 * kind that is grouped it joins what they have not read yet of the same subject. Whether they may see the
 * subject is asked when they read. Asks no right. Call it in the transaction of the fact.
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
  const place = insertNotification(core, {
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
  insertFact(core, { groupId, fact: fact ?? by ?? "", actorId: by ?? null, place });
  deleteBeyond(core, to, kind, KEPT_OF_KIND);
}

/**
 * Notifies a member of something new that gives access to their account, under the name that it has there.
 * Mail follows in any setting (docs/contract.md#9.1.1). Of one kind ten a day are notified. Asks no right.
 * Call it in the transaction that adds it.
 */
export function notifyAddition(core: Core, to: string, what: AddedAccess, name = ""): void {
  const subject: NotificationSubject = { type: "access", id: what };
  const tenth = findNotifiedAt(core, { to, kind: "access_added", subjectId: what }, ADDITIONS_A_DAY);
  if (tenth !== undefined && tenth > core.clock.now() - DAY) return;
  notify(core, { to, kind: "access_added", subject, about: name });
}

/** The same to all of those who run the community whom the kind is for. */
export function notifyTeam(core: Core, notification: Omit<NewNotification, "to">): void {
  for (const to of selectTeamFor(core)) notify(core, { ...notification, to });
}

/** The notifications that an operation takes back. */
export interface Withdrawal {
  kind: WithdrawnKind;
  subject: NotificationSubject;
  /** Only what this builder did; left out, what anybody did. */
  by?: string | undefined;
  /** Only what this builder was told; left out, whoever was. */
  to?: string | undefined;
  /** Only this one of a group. */
  fact?: string | undefined;
}

/**
 * Takes back what was told, read or not: somebody has taken their act back. A group goes with the last of its
 * facts. Asks no right. Call it in the transaction of what undoes the fact.
 */
export function withdrawNotification(core: Core, { kind, subject, by, to, fact = by }: Withdrawal): void {
  if (fact === undefined) deleteOfSubject(core, { kind, subjectId: subject.id, to });
  else deleteFact(core, { kind, subjectId: subject.id, to, fact });
}

/**
 * Takes back whatever was told of a subject that is gone, in any kind: at most `limit` facts, and how many.
 * Nobody is shown the rest meanwhile, as nobody can see the subject. Asks no right. Call it in a transaction.
 */
export function forgetSubject(core: Core, subjectId: string, limit = FORGOTTEN_AT_ONCE): number {
  return deleteSomeFacts(core, subjectId, limit);
}

function cut(text: string): string {
  return text.length <= ABOUT_MAX ? text : `${text.slice(0, ABOUT_MAX - 1).toWellFormed()}…`;
}
