import { DAY, HOUR, MINUTE, SECOND } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { hostOf, mayWait, WAITING_MAX } from "../../base/queue-limits.ts";
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

/** Something on its way to one browser. */
export interface Push {
  seq: number;
  subscriptionId: string;
  builderId: string;
  endpoint: string;
  p256dh: Buffer;
  auth: Buffer;
  /** Null for the first word, which says that it works. */
  notificationId: string | null;
  attempts: number;
  /** By the steady time. */
  createdAt: number;
  /** Whether its push service took the last one, and how many it refused since. */
  standing: "proven" | "new" | "failing";
}

/** The browser of a push, and its position in the order in which pushes fall due. */
export interface DuePush extends Pick<
  Push,
  "seq" | "subscriptionId" | "builderId" | "endpoint" | "standing"
> {
  dueAt: number;
}

/** How an attempt ended: see RFC 8030 §5 and §7.3 for what a push service says. */
export type PushEnd =
  | { kind: "taken" }
  /** There is no such subscription any more. */
  | { kind: "gone" }
  /** This one never will be taken. */
  | { kind: "refused" }
  /** Perhaps later, and not before so long, where the push service says so. */
  | { kind: "later"; afterMs?: number | undefined }
  /** There is nothing to say any more: read, deleted, or hidden from its reader meanwhile. */
  | { kind: "void" };

/** What is a day old is seen on the page, and told no more. */
export const PUSH_TTL_MS = DAY;
/** So long after each attempt but the last. */
const RETRY_AFTER_MS: readonly number[] = [30 * SECOND, 5 * MINUTE, 30 * MINUTE];
const RETRY_AFTER_MAX_MS = HOUR;
/** One that took nothing for so long, and so often in a row, is nobody's any more. */
const FAILURES_MAX = 10;
const DEAD_AFTER_MS = 7 * DAY;
/** In so many of the oldest pushes the host is looked for that most of them wait for. */
const HOSTS_READ = 5000;

/**
 * Queues a push to one browser, by the id under which the notification began. Returns whether it has room: a
 * push that waits already counts as queued. Call it in a transaction.
 */
export function queuePush(core: Core, browser: Browser, notificationId: string, isUrgent: boolean): boolean {
  const lane = { host: hostOf(browser.endpoint), urgent: isUrgent ? 1 : 0 };
  const waiting = countWaitingPushes(core, browser, lane, WAITING_MAX.push.host);
  if (!mayWait("push", isUrgent, waiting)) return false;
  const at = core.clock.steady();
  insertPush(core, { subscriptionId: browser.id, notificationId, createdAt: at, dueAt: at, ...lane });
  return true;
}

/** Queues the push that greets a new browser. Call it in the transaction that adds it. */
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

/** Returns the push that goes next to a browser, urgent ones before others; undefined where none is due. */
export function nextPushTo(core: Core, subscriptionId: string): Push | undefined {
  return selectNextPush(core, core.clock.steady(), subscriptionId);
}

/** Returns when the next push falls due, of those that are not due yet, by the steady time. */
export function nextPush(core: Core): number | undefined {
  return nextPushDue(core, core.clock.steady());
}

/** What waits, counted up to a bound. Times are of the steady clock. */
export function waitingPushes(
  data: Pick<Core, "db">,
  most: number,
): { waiting: number; oldestAt: number | null; dueAt: number | null } {
  return selectWaitingPushes(data, most);
}

/** The host that most of the oldest pushes wait for; undefined where none waits. */
export function mostAwaitedHost(
  data: Pick<Core, "db">,
): { host: string; waiting: number; oldestAt: number } | undefined {
  return selectMostAwaitedHost(data, HOSTS_READ);
}

/** Writes down how an attempt ended. Call it in a transaction. */
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
