import { getStreak } from "../../community/xp/streaks.ts";
import { DAY } from "../../ground/clock.ts";
import type { Core } from "../../ground/core.ts";
import { getSetting, setSetting } from "../../ground/db/settings.ts";
import { findMailAddress, sendsMail } from "../../identity/mail/mail.ts";
import { hasRoomForMail, type Mail, queueMail } from "../../identity/mail/queue.ts";
import { factsOf, type NotificationKind, reaches } from "../../identity/notifications/kinds.ts";
import { hasRoomForPushes, queuePushes } from "../../outbox/push/queue.ts";
import { getNotifications, listNotifications, type Notification } from "../notifications/notifications.ts";
import { getNotificationSettings } from "../notifications/settings.ts";
import { nextDigest } from "./digest-times.ts";
import { readerOf } from "./reader.ts";
import {
  countMailed,
  type DueDigest,
  findGroup,
  type Fresh,
  newestPlace,
  planDigest,
  selectDueDigests,
  selectFresh,
} from "./reach-store.ts";

/*
 * From what members are told to what reaches them elsewhere: a walk along the notifications, whose place stands in the
 * database and moves in the transaction in which pushes and mails are put on their way. Killed at any point, it goes on
 * where it was; nothing is put on its way twice. What is said is read when it is sent, by the rights of that moment.
 */

const SLICE = 100;
const DIGESTS_AT_ONCE = 20;
/** What is a day old when it is come by, as after a long rest, is pushed and mailed no more: a digest tells of it. */
const TOLD_WITHIN_MS = DAY;
/** So many mails about single notifications go to one member within a day. */
const MAILED_MAX = 30;
const DIGEST_MAX = 30;
/** No digest is planned further ahead; one that is was planned by a clock that was. */
const PLANNED_AHEAD_MS = 9 * DAY;

/** What cannot wait for a morning: who is in the account, what stopped, what was taken away. */
const URGENT: ReadonlySet<NotificationKind> = new Set([
  "sign_in",
  "endpoint_disabled",
  "backup_failed",
  "hidden",
]);

/** Whether there is anything to put on its way. */
export function isReachDue(core: Core): boolean {
  if (!hasRoomForPushes(core) || !hasRoomForMail(core)) return false;
  return placeOf(core) < newestPlace(core) || (sendsMail(core) && digestsDue(core, 1).length > 0);
}

/** Puts the next slice on its way; whether there may be more. Call it in a transaction, again and again. */
export function continueReach(core: Core): boolean {
  const fresh = selectFresh(core, placeOf(core), SLICE);
  for (const each of fresh) sendOn(core, each);
  const last = fresh.at(-1);
  if (last) setSetting(core, "reach-place", String(last.place));
  const due = sendsMail(core) ? digestsDue(core, DIGESTS_AT_ONCE) : [];
  for (const each of due) prepareDigest(core, each);
  return fresh.length === SLICE || due.length === DIGESTS_AT_ONCE;
}

/** Whether a mail waits in vain: an ordinary one to a mailbox that refuses mail. */
export function isHeldBack(core: Core, { kind, builderId, groupId }: Mail): boolean {
  if (builderId === null || (kind !== "digest" && kind !== "notification")) return false;
  if ((findMailAddress(core, builderId)?.bouncedAt ?? null) === null) return false;
  const told = kind === "notification" ? findTold(core, groupId ?? "") : undefined;
  return told === undefined || !URGENT.has(told.kind);
}

/** As its member is shown it now; undefined where it is gone, read, or not theirs to see any more. */
export function findTold(core: Core, groupId: string): Notification | undefined {
  const group = findGroup(core, groupId);
  const reader = group && readerOf(core, group.builderId);
  const [found] = reader ? getNotifications(core, reader, [group.id]) : [];
  return found?.read === false ? found : undefined;
}

/**
 * What a digest tells of: the unread of the kinds that are set to mail, told behind the one place and up to the other.
 * The newest, and how many more there are of the newest hundred.
 */
export function toldInDigest(
  core: Core,
  builderId: string,
  places: { after: number; upTo: number },
): { told: Notification[]; more: number } {
  const reader = readerOf(core, builderId);
  if (!reader) return { told: [], more: 0 };
  const settings = getNotificationSettings(core, reader);
  const byMail = (kind: NotificationKind): boolean =>
    settings[kind.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as keyof typeof settings] ===
    "mail";
  const all = listNotifications(core, reader, { unread: true }, { limit: 100 }).nodes.filter(
    ({ kind, place }) => byMail(kind) && !URGENT.has(kind) && place > places.after && place <= places.upTo,
  );
  return { told: all.slice(0, DIGEST_MAX), more: Math.max(0, all.length - DIGEST_MAX) };
}

function sendOn(core: Core, { id, groupId, builderId, kind, createdAt, reach }: Fresh): void {
  // A group that grows was told when it began.
  if (id !== groupId || core.clock.now() - createdAt > TOLD_WITHIN_MS) return;
  const set = reach ?? factsOf(kind).reach;
  if (reaches(set, "push")) queuePushes(core, builderId, groupId);
  if (reaches(set, "mail") && sendsMail(core)) mailAtOnce(core, builderId, kind, groupId);
}

function mailAtOnce(core: Core, builderId: string, kind: NotificationKind, groupId: string): void {
  const row = findMailAddress(core, builderId);
  if (!row?.address || row.mails === "off") return;
  if ((row.mails !== "at_once" || row.bouncedAt !== null) && !URGENT.has(kind)) return;
  if (countMailed(core, builderId, core.clock.now(), DAY, MAILED_MAX)) return;
  queueMail(core, { kind: "notification", builderId, groupId, once: groupId, livesMs: TOLD_WITHIN_MS });
}

function digestsDue(core: Core, most: number): DueDigest[] {
  const now = core.clock.now();
  return selectDueDigests(core, now, now + PLANNED_AHEAD_MS, most);
}

/** One mail, where there is anything to tell; and when the next one is due. */
function prepareDigest(core: Core, { builderId, mails, digestAt, digestPlace, bouncedAt }: DueDigest): void {
  const now = core.clock.now();
  const places = { after: digestPlace, upTo: newestPlace(core) };
  const reader = readerOf(core, builderId);
  const zone = (reader && getStreak(core, reader).timeZone) ?? "UTC";
  // The first digest after the address is confirmed again covers all that is unread since.
  const isHeld = digestAt !== null && (digestAt > now || bouncedAt !== null);
  if (digestAt !== null && !isHeld && toldInDigest(core, builderId, places).told.length > 0)
    queueMail(core, { kind: "digest", builderId, places, once: `${builderId}.${places.upTo}`, livesMs: DAY });
  planDigest(core, builderId, nextDigest(now, zone, mails), isHeld ? digestPlace : places.upTo);
}

function placeOf(core: Core): number {
  return Number(getSetting(core, "reach-place") ?? 0);
}
