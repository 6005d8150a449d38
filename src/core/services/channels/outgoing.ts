import type { Clock } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { MAIL_KINDS } from "../../base/db/schema-channels.ts";
import { type Caller, requireAdmin } from "../../identity/access/caller.ts";
import { type MailKind, waitingMails } from "../../identity/mail/queue.ts";
import { maintenanceOf } from "../../identity/maintenance/maintenance.ts";
import type { OutgoingAttempts } from "../../outbox/deliveries/counters.ts";
import { waitingPushes } from "../../outbox/push/queue.ts";

/*
 * The state of the mail and push queues, and the results of send attempts, for the operator
 * (docs/contract.md#12.20.2). Counts are read from indexes and stop at a limit.
 */

/** A database with its clock. The doctor has no complete core. */
type Data = Pick<Core, "db"> & { clock: Pick<Clock, "now" | "steady"> };

export type MailLane = "urgent" | "ordinary";

export interface Queue {
  /** Number of waiting entries, counted up to 10,000. */
  waiting: number;
  /** Age of the oldest entry in ms; 0 if the queue is empty or maintenance mode is on. */
  oldestMs: number;
}

export interface MailQueue extends Queue {
  kind: MailKind;
  lane: MailLane;
}

export interface Outgoing {
  /** One entry per kind and lane, including empty queues. */
  mails: readonly MailQueue[];
  pushes: Queue;
  /** How long the oldest entry that could be sent now has been due, in ms; 0 in maintenance mode. */
  overdueMs: Readonly<Record<MailLane | "push", number>>;
}

const COUNTED_MAX = 10_000;

export function outgoing(data: Data): Outgoing {
  const now = data.clock.steady();
  const isPaused = maintenanceOf(data) !== undefined;
  const since = (at: number | null): number => (at === null || isPaused ? 0 : Math.max(0, now - at));
  const mails = waitingMails(data, MAIL_KINDS, COUNTED_MAX);
  const pushes = waitingPushes(data, COUNTED_MAX);
  return {
    mails: mails.kinds.map(({ kind, urgent, waiting, oldestAt }) => ({
      kind: kind as MailKind,
      lane: urgent === 1 ? "urgent" : "ordinary",
      waiting,
      oldestMs: since(oldestAt),
    })),
    pushes: { waiting: pushes.waiting, oldestMs: since(pushes.oldestAt) },
    overdueMs: {
      urgent: since(mails.dueAt.urgent),
      ordinary: since(mails.dueAt.ordinary),
      push: since(pushes.dueAt),
    },
  };
}

/** The report of the process that sends emails and pushes (the server). */
export interface SenderReport {
  /** Host and port, as `mail.example:587`; undefined if the server sends no mail. */
  mailServer: string | undefined;
  attempts: readonly OutgoingAttempts[];
}

/** Registers the function with which the server process reports its attempts. */
export function registerSender(core: Core, report: () => SenderReport): void {
  core.memory(registered).report = report;
}

/** Returns the queues and the attempts since the server started. Only for admins. */
export function outgoingHealth(core: Core, caller: Caller): Outgoing & SenderReport {
  requireAdmin(caller);
  return { ...outgoing(core), mailServer: undefined, attempts: [], ...core.memory(registered).report?.() };
}

/**
 * Sums attempts by host, the host with the most failures first. An expired push subscription does not count
 * as a failure.
 */
export function attemptsByHost(
  attempts: readonly OutgoingAttempts[],
): { way: OutgoingAttempts["way"]; host: string; sent: number; failed: number }[] {
  const hosts = Map.groupBy(attempts, ({ way, host }) => `${way} ${host}`);
  const sum = (some: readonly OutgoingAttempts[]): number => some.reduce((all, { count }) => all + count, 0);
  return [...hosts.values()]
    .flatMap(([first, ...rest]) => {
      if (!first) return [];
      const all = [first, ...rest].filter(({ outcome }) => outcome !== "gone");
      const sent = sum(all.filter(({ outcome }) => outcome === "sent"));
      return [{ way: first.way, host: first.host, sent, failed: sum(all) - sent }];
    })
    .sort((one, other) => other.failed - one.failed || other.sent - one.sent);
}

function registered(): { report?: () => SenderReport } {
  return {};
}
