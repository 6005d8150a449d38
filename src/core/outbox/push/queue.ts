import { DAY, HOUR, MINUTE, SECOND } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { hostOf, canQueue, WAITING_MAX } from "../../base/queue-limits.ts";
import {
  type Browser,
  countWaitingPushes,
  deferPushes,
  deletePush,
  dropSubscription,
  insertPush,
  nextPushDue,
  noteFailure,
  noteAccepted,
  selectNextPush,
  selectMostAwaitedHost,
  selectWaitingPushes,
} from "./queue-store.ts";

export {
  type Browser,
  selectBrowsers,
  selectBrowsersBehind,
  selectDuePushes,
  setBrowserResume,
} from "./queue-store.ts";

/** A queued push to one browser. */
export interface Push {
  seq: number;
  subscriptionId: string;
  builderId: string;
  endpoint: string;
  p256dh: Buffer;
  auth: Buffer;
  /** Id of the notification. Null for the welcome push. */
  notificationId: string | null;
  attempts: number;
  /** When the push was queued, in steady time. */
  createdAt: number;
  /**
   * State of the browser: `proven` if the last push was accepted, `new` before the first accepted push,
   * `failing` after failures.
   */
  standing: "proven" | "new" | "failing";
}

/** The browser of a push, and the position of the push in the order of due times. */
export interface DuePush extends Pick<
  Push,
  "seq" | "subscriptionId" | "builderId" | "endpoint" | "standing"
> {
  dueAt: number;
}

/** Result of an attempt. RFC 8030 §5 and §7.3 define the responses of a push service. */
export type PushEnd =
  | { kind: "taken" }
  /** The subscription no longer exists. */
  | { kind: "gone" }
  /** The push will never be accepted. */
  | { kind: "refused" }
  /**
   * The push may be accepted later. If the push service names a delay, the push may be accepted after
   * `afterMs`.
   */
  | { kind: "later"; afterMs?: number | undefined }
  /** The notification was read, deleted or hidden from its reader, so nothing is sent. */
  | { kind: "void" };

/** Lifetime of a push. A notification older than this is shown only on the page. */
export const PUSH_TTL_MS = DAY;
/** Delay after each attempt except the last. */
const RETRY_AFTER_MS: readonly number[] = [30 * SECOND, 5 * MINUTE, 30 * MINUTE];
const RETRY_AFTER_MAX_MS = HOUR;
/**
 * Number of failures in a row after which a subscription is deleted. The subscription is deleted only if it
 * also had no success for `DEAD_AFTER_MS`.
 */
const FAILURES_MAX = 10;
const DEAD_AFTER_MS = 7 * DAY;
/** Number of pushes that `mostAwaitedHost` reads, oldest first. */
const HOSTS_READ = 5000;

/**
 * Queues a push to one browser, under the id of the notification's group. Returns false if the queue is full.
 * A push that already waits counts as queued. Call it in a transaction.
 */
export function queuePush(core: Core, browser: Browser, notificationId: string, isUrgent: boolean): boolean {
  const lane = { host: hostOf(browser.endpoint), urgent: isUrgent ? 1 : 0 };
  const waiting = countWaitingPushes(core, browser, lane, WAITING_MAX.push.host);
  if (!canQueue("push", isUrgent, waiting)) return false;
  const at = core.clock.steady();
  insertPush(core, { subscriptionId: browser.id, notificationId, createdAt: at, dueAt: at, ...lane });
  return true;
}

/** Queues the welcome push of a new browser. Call it in the transaction that adds the browser. */
export function queueWelcomePush(core: Core, { id, endpoint }: { id: string; endpoint: string }): void {
  const at = core.clock.steady();
  insertPush(core, {
    subscriptionId: id,
    notificationId: null,
    createdAt: at,
    dueAt: at,
    host: hostOf(endpoint),
  });
}

/** Returns the next due push to a browser, urgent pushes first, if any. */
export function nextPushTo(core: Core, subscriptionId: string): Push | undefined {
  return selectNextPush(core, core.clock.steady(), subscriptionId);
}

/** Returns the earliest future due time of a push, in steady time. */
export function nextPush(core: Core): number | undefined {
  return nextPushDue(core, core.clock.steady());
}

/** Returns the number of waiting pushes, counted up to `most`, and their times in steady time. */
export function waitingPushes(
  data: Pick<Core, "db">,
  most: number,
): { waiting: number; oldestAt: number | null; dueAt: number | null } {
  return selectWaitingPushes(data, most);
}

/** Returns the host with the most pushes among the oldest waiting pushes, if any. */
export function mostAwaitedHost(
  data: Pick<Core, "db">,
): { host: string; waiting: number; oldestAt: number } | undefined {
  return selectMostAwaitedHost(data, HOSTS_READ);
}

/** Stores the result of an attempt. Call it in a transaction. */
export function settlePush(core: Core, push: Push, end: PushEnd): void {
  const { seq, subscriptionId } = push;
  const now = core.clock.steady();
  if (end.kind === "gone") return dropSubscription(core, subscriptionId);
  if (end.kind === "taken") noteAccepted(core, subscriptionId, core.clock.now());
  const delayMs = end.kind === "later" ? RETRY_AFTER_MS[push.attempts] : undefined;
  const dueAt = now + Math.max(delayMs ?? 0, Math.min(afterOf(end), RETRY_AFTER_MAX_MS));
  if (end.kind === "later" && delayMs !== undefined && dueAt < push.createdAt + PUSH_TTL_MS)
    return deferPushes(core, subscriptionId, { seq, dueAt });
  deletePush(core, seq);
  if (end.kind === "later" || end.kind === "refused") {
    const silentSince = core.clock.now() - DEAD_AFTER_MS;
    if (noteFailure(core, subscriptionId, { failures: FAILURES_MAX, silentSince }))
      dropSubscription(core, subscriptionId);
  }
}

function afterOf(end: PushEnd): number {
  return end.kind === "later" ? (end.afterMs ?? 0) : 0;
}
