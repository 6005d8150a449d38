import type { Clock } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { MAIL_KINDS } from "../../base/db/schema-channels.ts";
import { type Caller, requireAdmin } from "../../identity/access/caller.ts";
import { type MailKind, waitingMails } from "../../identity/mail/queue.ts";
import { maintenanceOf } from "../../identity/maintenance/maintenance.ts";
import type { OutgoingAttempts } from "../../outbox/deliveries/counters.ts";
import { waitingPushes } from "../../outbox/push/queue.ts";

/*
 * What waits to leave to members, and how attempts ended, for the operator (docs/contract.md#12.20.2). Counts
 * stop at a bound, and each is read from an index.
 */

/** Something with a database and its time: a core, or what the doctor has. */
type Data = Pick<Core, "db"> & { clock: Pick<Clock, "now" | "steady"> };

export type MailLane = "urgent" | "ordinary";

export interface Queue {
  /** 10,000 stands for any more. */
  waiting: number;
  /** How long ago the oldest was queued; 0 where nothing waits, and in maintenance. */
  oldestMs: number;
}

export interface MailQueue extends Queue {
  kind: MailKind;
  lane: MailLane;
}

export interface Outgoing {
  /** Each kind in each lane, also where nothing waits. */
  mails: readonly MailQueue[];
  pushes: Queue;
  /** How long the oldest that may be sent now has been due; 0 in maintenance. */
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

/** What the server that sends knows beside the queues. */
export interface SenderReport {
  /** `mail.example:587`; undefined where no mail is sent. */
  mailServer: string | undefined;
  attempts: readonly OutgoingAttempts[];
}

/** The server that sends reports here. */
export function registerSender(core: Core, report: () => SenderReport): void {
  core.memory(registered).report = report;
}

/** For admins; `attempts` are those since the server started. */
export function outgoingHealth(core: Core, caller: Caller): Outgoing & SenderReport {
  requireAdmin(caller);
  return { ...outgoing(core), mailServer: undefined, attempts: [], ...core.memory(registered).report?.() };
}

/**
 * How attempts at each host ended, the host with the most failures first. A browser that unsubscribed is no
 * failure.
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
