import { DAY, MINUTE } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { findMailAddress } from "../../identity/mail/mail.ts";
import { canQueueMail, queueMail } from "../../identity/mail/queue.ts";
import { factsOf, NOTIFICATION_KINDS } from "../../identity/notifications/kinds.ts";
import { getNotifications, listUnreadIds, type Notification } from "../notifications/notifications.ts";
import { reachOfKinds } from "../notifications/settings.ts";
import { nextDigest } from "./digest-times.ts";
import { readerOf } from "./reader.ts";
import { receiverOf } from "./receiver.ts";
import {
  type DueDigest,
  newestPosition,
  planDigest,
  retryDigest,
  selectDueDigests,
} from "./queueing-store.ts";

export const DIGESTS_AT_ONCE = 20;
const LISTED_MAX = 30;
/** Maximum for the count of notifications that a digest does not list. */
const COUNTED_MAX = 100;
/**
 * Maximum time between now and a planned digest, with a margin. If a digest is planned for a later time, the
 * clock was set back after the planning.
 */
const PLANNED_AHEAD_MS = 9 * DAY;
/**
 * Time until the next attempt to queue a digest, if the queue of the mailbox, the member or the mail domain
 * was full.
 */
const RETRY_FULL_MS = 15 * MINUTE;

export function isDigestDue(core: Core): boolean {
  return digestsDue(core, 1).length > 0;
}

/**
 * Queues the digests that are due, at most one batch, and returns how many were due. Call it in a
 * transaction.
 */
export function prepareDigests(core: Core): number {
  const due = digestsDue(core, DIGESTS_AT_ONCE);
  for (const each of due) prepareDigest(core, each);
  return due.length;
}

/**
 * Returns the content of a digest: unread notifications of the kinds that are set to mail, newest first.
 * `range` limits the notifications to a range of positions. `more` counts the notifications that are not
 * listed.
 */
export function digestContents(
  core: Core,
  builderId: string,
  range: { after: number; upTo: number },
): { notifications: Notification[]; more: number } {
  const reader = readerOf(core, builderId);
  if (!reader) return { notifications: [], more: 0 };
  const reach = reachOfKinds(core, reader);
  const kinds = NOTIFICATION_KINDS.filter((kind) => reach[kind] === "mail" && !factsOf(kind).isUrgent);
  const ids = listUnreadIds(core, reader, { kinds, ...range }, COUNTED_MAX);
  const notifications = getNotifications(core, reader, ids.slice(0, LISTED_MAX));
  return {
    notifications: notifications.sort((one, other) => other.place - one.place),
    more: Math.max(0, ids.length - LISTED_MAX),
  };
}

function digestsDue(core: Core, most: number): DueDigest[] {
  const now = core.clock.now();
  return selectDueDigests(core, now, now + PLANNED_AHEAD_MS, most);
}

/** Queues a digest if it has content, and plans the next digest. */
function prepareDigest(core: Core, due: DueDigest): void {
  const { builderId, mails, digestAt, digestPlace, bouncedAt } = due;
  const now = core.clock.now();
  const { zone } = receiverOf(core, builderId);
  if (digestAt === null)
    return planDigest(core, builderId, nextDigest(now, zone, mails), newestPosition(core));
  const at = momentOf(due, zone, now);
  if (at > now) return planDigest(core, builderId, at, digestPlace);
  // While the mailbox bounces, each digest is postponed and nothing is lost. The next digest after the member
  // confirmed the address covers everything unread since the last digest.
  if (bouncedAt !== null) return planDigest(core, builderId, nextDigest(now, zone, mails), digestPlace);
  const range = { after: digestPlace, upTo: newestPosition(core) };
  const address = findMailAddress(core, builderId)?.address;
  if (address && digestContents(core, builderId, range).notifications.length > 0) {
    if (!canQueueMail(core, builderId, address, false))
      return retryDigest(core, builderId, now + RETRY_FULL_MS);
    const once = `${builderId}.${range.upTo}`;
    queueMail(core, { kind: "digest", builderId, range, readAt: address, once, validForMs: DAY });
  }
  planDigest(core, builderId, nextDigest(now, zone, mails), range.upTo);
}

/**
 * Recalculates when a planned digest is due, because the clock or the member's time zone may have changed
 * since the planning. A digest that is retried does not wait for 8:00.
 */
function momentOf({ digestAt, digestRetried, mails }: DueDigest, zone: string, now: number): number {
  if (digestAt === null || digestAt > now) return nextDigest(now, zone, mails);
  if (digestRetried) return digestAt;
  const morning = nextDigest(digestAt - 1, zone, mails);
  return morning - digestAt < DAY ? morning : digestAt;
}
