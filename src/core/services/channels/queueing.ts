import { DAY, SECOND } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { getSetting, setSetting } from "../../base/db/settings.ts";
import type { Channel, ResumePoint } from "../../base/queue-limits.ts";
import {
  findMailAddress,
  type MailAddressRow,
  noticeAddress,
  type NoticeAddress,
  selectAddressesBehind,
  sendsMail,
  setAddressResume,
} from "../../identity/mail/mail.ts";
import { makeNotMeLink } from "../../identity/mail/not-me-links.ts";
import {
  dropEndedMails,
  canQueueMail,
  isAnyMailEnded,
  type Mail,
  queueMail,
} from "../../identity/mail/queue.ts";
import { type AddedAccess, factsOf, reaches } from "../../identity/notifications/kinds.ts";
import {
  type Browser,
  queuePush,
  selectBrowsers,
  selectBrowsersBehind,
  setBrowserResume,
} from "../../outbox/push/queue.ts";
import { getNotifications, type Notification } from "../notifications/notifications.ts";
import { DIGESTS_AT_ONCE, isDigestDue, prepareDigests } from "./digests.ts";
import { readerOf } from "./reader.ts";
import {
  countMailed,
  findGroup,
  type UnqueuedNotification,
  newestPosition,
  selectUnqueued,
  selectUnqueuedOf,
} from "./queueing-store.ts";

/*
 * Queues pushes and emails about notifications. Push and mail are two channels. Each channel reads the
 * notifications in order and stores its position in the database. One transaction queues messages and moves
 * the position, so that a crash neither loses nor repeats a message. If a recipient's queue is full, the
 * channel skips the recipient. The skipped recipient gets its own position and continues from this position
 * until it has caught up. The content of a push or an email is read when the message is sent, with the rights
 * that the recipient has at that time.
 */

const BATCH = 100;
const RECIPIENTS_AT_ONCE = 20;
const RETRY_FULL_MS = 15 * SECOND;
/**
 * Maximum age of a notification that is pushed or mailed. Older notifications appear only on the page of
 * notifications and in digests.
 */
const SENT_WITHIN_MS = DAY;
/**
 * Maximum number of emails about single notifications per member and day. Ordinary and urgent emails are
 * counted separately.
 */
const MAILED_MAX = 30;

/**
 * How a channel reads the notifications and queues them. `Recipient` is a browser, or the email address of a
 * member.
 */
interface Walk<Recipient extends { builderId: string; resumePlace: number | null }> {
  setting: "push-place" | "mail-place";
  recipientsOf(core: Core, builderId: string): readonly Recipient[];
  selectBehind(core: Core, now: number, limit: number): readonly Recipient[];
  setResume(core: Core, recipient: Recipient, resume: ResumePoint | null): void;
  /**
   * Queues a push or an email about a notification, if the recipient wants it. Returns false if the
   * recipient's queue is full.
   */
  queue(core: Core, recipient: Recipient, fresh: UnqueuedNotification): boolean;
}

const PUSH: Walk<Browser> = {
  setting: "push-place",
  recipientsOf: selectBrowsers,
  selectBehind: selectBrowsersBehind,
  setResume: (core, { id }, resume) => setBrowserResume(core, id, resume),
  queue(core, browser, { groupId, kind, subjectId }) {
    // Skips the push about a new browser: it would be sent to the new browser itself. The notification list
    // and an email still report the new browser.
    if (kind === "access_added" && subjectId === "push") return true;
    return queuePush(core, browser, groupId, factsOf(kind).isUrgent === true);
  },
};

const MAIL: Walk<MailAddressRow> = {
  setting: "mail-place",
  recipientsOf(core, builderId) {
    const row = findMailAddress(core, builderId);
    return row ? [row] : [];
  },
  selectBehind: selectAddressesBehind,
  setResume: (core, { builderId }, resume) => setAddressResume(core, builderId, resume),
  queue: mailAtOnce,
};

/** Whether a channel has anything to queue. */
export function hasNotificationsToQueue(core: Core, channel: Channel): boolean {
  if (channel === "push") return isWalkDue(core, PUSH);
  if (isAnyMailEnded(core)) return true;
  return sendsMail(core) && (isWalkDue(core, MAIL) || isDigestDue(core));
}

/**
 * Queues the next batch of a channel and returns whether there may be more. Call it in a transaction,
 * repeatedly.
 */
export function queueNotifications(core: Core, channel: Channel): boolean {
  if (channel === "push") return continueWalk(core, PUSH);
  dropEndedMails(core);
  if (!sendsMail(core)) return false;
  const isMoreToWalk = continueWalk(core, MAIL);
  return prepareDigests(core) === DIGESTS_AT_ONCE || isMoreToWalk;
}

/**
 * Whether an email must wait until the member's mailbox no longer bounces. Only ordinary digests and
 * notifications wait.
 */
export function isHeldBack(core: Core, { kind, builderId, urgent }: Mail): boolean {
  if (builderId === null || urgent === 1 || (kind !== "digest" && kind !== "notification")) return false;
  return (findMailAddress(core, builderId)?.bouncedAt ?? null) !== null;
}

/**
 * Returns the notification as its member may see it now. Returns undefined if the notification is deleted,
 * read, or no longer visible to the member. A notification about access to the account (a sign-in, a
 * password, a token) is sent even if it is read, because a thief may have read it.
 */
export function findNotificationToSend(core: Core, groupId: string): Notification | undefined {
  const group = findGroup(core, groupId);
  const reader = group && readerOf(core, group.builderId);
  const [found] = reader ? getNotifications(core, reader, [group.id]) : [];
  return found && (!found.read || factsOf(found.kind).isAboutAccess) ? found : undefined;
}

function isWalkDue<Recipient extends { builderId: string; resumePlace: number | null }>(
  core: Core,
  walk: Walk<Recipient>,
): boolean {
  return (
    storedPosition(core, walk.setting) < newestPosition(core) ||
    walk.selectBehind(core, core.clock.steady(), 1).length > 0
  );
}

function continueWalk<Recipient extends { builderId: string; resumePlace: number | null }>(
  core: Core,
  walk: Walk<Recipient>,
): boolean {
  const fresh = selectUnqueued(core, storedPosition(core, walk.setting), BATCH);
  for (const each of fresh) forward(core, walk, each);
  const last = fresh.at(-1);
  if (last) setSetting(core, walk.setting, String(last.place));
  const behind = walk.selectBehind(core, core.clock.steady(), RECIPIENTS_AT_ONCE);
  for (const recipient of behind) resume(core, walk, recipient);
  return fresh.length === BATCH || behind.length === RECIPIENTS_AT_ONCE;
}

function forward<Recipient extends { builderId: string; resumePlace: number | null }>(
  core: Core,
  walk: Walk<Recipient>,
  fresh: UnqueuedNotification,
): void {
  // Skips a notification that was added to an existing group. A group is sent only once, for its first
  // notification.
  if (fresh.id !== fresh.groupId || !isWanted(core, walk, fresh)) return;
  for (const recipient of walk.recipientsOf(core, fresh.builderId)) {
    // A recipient that was skipped reads from its own position, so it gets this notification later.
    if (recipient.resumePlace !== null || walk.queue(core, recipient, fresh)) continue;
    walk.setResume(core, recipient, { place: fresh.place - 1, at: core.clock.steady() + RETRY_FULL_MS });
  }
}

/**
 * Continues with a recipient that was skipped, from the recipient's own position. A notification that was
 * added to a group in the meantime is sent, even if the group was sent before.
 */
function resume<Recipient extends { builderId: string; resumePlace: number | null }>(
  core: Core,
  walk: Walk<Recipient>,
  recipient: Recipient,
): void {
  let position = recipient.resumePlace ?? 0;
  const upTo = storedPosition(core, walk.setting);
  const rows = selectUnqueuedOf(core, recipient.builderId, { after: position, upTo }, BATCH);
  for (const fresh of rows) {
    if (isWanted(core, walk, fresh) && !walk.queue(core, recipient, fresh))
      return walk.setResume(core, recipient, { place: position, at: core.clock.steady() + RETRY_FULL_MS });
    position = fresh.place;
  }
  walk.setResume(
    core,
    recipient,
    rows.length === BATCH ? { place: position, at: core.clock.steady() } : null,
  );
}

function isWanted(
  core: Core,
  { setting }: { setting: string },
  { kind, createdAt, reach }: UnqueuedNotification,
): boolean {
  if (core.clock.now() - createdAt > SENT_WITHIN_MS) return false;
  return reaches(reach ?? factsOf(kind).reach, setting === PUSH.setting ? "push" : "mail");
}

function mailAtOnce(core: Core, row: MailAddressRow, fresh: UnqueuedNotification): boolean {
  const { builderId, mails, bouncedAt } = row;
  const { kind, groupId } = fresh;
  const { isAboutAccess, isFixed = false, isUrgent = false } = factsOf(kind);
  const to = isAboutAccess ? noticeAddress(core, row) : row.address && { address: row.address, since: null };
  if (!to || (mails === "off" && !isFixed)) return true;
  if ((mails !== "at_once" || bouncedAt !== null) && !isUrgent) return true;
  // Skips the email about a changed address, because the operation that changed the address already sent an
  // email.
  if (kind === "access_added" && fresh.subjectId === "mail") return true;
  if (!canQueueMail(core, builderId, to.address, isUrgent)) return false;
  const within = { dayMs: DAY, most: MAILED_MAX };
  // The daily limit applies only to kinds that a member can switch off. The other kinds have their own limit:
  // see `notifyAddition`.
  if (!isFixed && countMailed(core, builderId, isUrgent ? "urgent" : "ordinary", core.clock.now(), within))
    return true;
  const mail = { kind: "notification", builderId, groupId, isUrgent, once: groupId } as const;
  if (isAboutAccess) queueMail(core, { ...mail, ...aboutAccess(core, builderId, to, fresh) });
  else queueMail(core, { ...mail, readAt: to.address, validForMs: SENT_WITHIN_MS });
  return true;
}

/**
 * Returns the email address for a notice about new access to the account (a sign-in, a password, a token).
 * Also returns the token of the link in the notice.
 */
function aboutAccess(
  core: Core,
  builderId: string,
  { address, since }: NoticeAddress,
  { kind, subjectId, about: name }: UnqueuedNotification,
): { address: string; token?: string } {
  if (since === null) return { address };
  const what = kind === "sign_in" ? "sessions" : (subjectId as AddedAccess);
  return { address, token: makeNotMeLink(core, { builderId, address, what, name }) };
}

function storedPosition(core: Core, name: "push-place" | "mail-place"): number {
  return Number(getSetting(core, name) ?? 0);
}
