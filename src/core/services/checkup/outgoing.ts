import { DAY, HOUR, MINUTE } from "../../base/clock.ts";
import { countWithNoun } from "../../base/count-with-noun.ts";
import { mostAwaitedHost } from "../../outbox/push/queue.ts";
import { type MailLane, type MailQueue, outgoing, type Queue } from "../channels/outgoing.ts";
import { finding, type FixableFinding, note, ok, warning } from "./checkup.ts";
import type { DataContext } from "./context.ts";

/**
 * Maximum ages of the oldest waiting mail, in ms. The check reports an older mail as a warning or as severe.
 * An urgent mail concerns the account of a person, who often waits for the mail. Both limits are longer than
 * a server restart.
 */
const LATE_MS: Readonly<Record<MailLane, { warning: number; severe: number }>> = {
  urgent: { warning: 10 * MINUTE, severe: 30 * MINUTE },
  ordinary: { warning: HOUR, severe: DAY },
};
/**
 * How long the oldest push may be overdue, in ms, before the check reports a warning or a severe problem. An
 * overdue push means that the server is busy or stuck.
 */
const OVERDUE_MS = { warning: 5 * MINUTE, severe: HOUR };
/** If at least this many pushes wait, a single browser that no longer exists cannot be the only cause. */
const MANY_PUSHES = 20;
const PUSHES_LATE_MS = 10 * MINUTE;

const SEE_MAIL =
  "See docs/operating.md#alert-mail-stands. guildhall doctor shows whether the mail server accepts mail";
const SEE_PUSH = "See docs/operating.md#alert-push-service-fails";

/**
 * Checks whether mail and pushes are sent in time. `mailServer` is undefined if the mail server is not known.
 */
export function checkOutgoing(
  data: Pick<DataContext, "db" | "clock">,
  isServed: boolean,
  mailServer: string | undefined,
): FixableFinding[] {
  const { mails, pushes, overdueMs } = outgoing(data);
  return [mailFinding(mails, isServed, mailServer), pushFinding(data, pushes, overdueMs.push, isServed)];
}

function mailFinding(
  queues: readonly MailQueue[],
  isServed: boolean,
  mailServer: string | undefined,
): FixableFinding {
  const check = "mail_queue";
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0);
  if (waiting === 0) return ok(check, "No mail is waiting.");
  const where = mailServer === undefined ? "" : ` for ${mailServer}`;
  const words = `${countWithNoun(waiting, "mail")} ${waiting === 1 ? "is" : "are"} waiting${where}`;
  if (!isServed) return note(check, `${words} until a server runs.`);
  const late = queues.flatMap((queue) => {
    const severity = severityOf(queue.oldestMs, LATE_MS[queue.lane]);
    return severity === undefined ? [] : [{ ...queue, severity }];
  });
  const worst = late.find(({ severity }) => severity === "severe") ?? late[0];
  if (!worst) return ok(check, `${words}, none is late.`);
  return finding(
    check,
    worst.severity,
    `${words}. The oldest ${worst.lane} mail of kind ${worst.kind} has waited ${minutes(worst.oldestMs)}.`,
    SEE_MAIL,
  );
}

function pushFinding(
  data: Pick<DataContext, "db" | "clock">,
  { waiting, oldestMs }: Queue,
  overdueMs: number,
  isServed: boolean,
): FixableFinding {
  const check = "push_queue";
  if (waiting === 0) return ok(check, "No push message is waiting.");
  const words =
    waiting === 1
      ? "1 push message is waiting"
      : `${waiting.toLocaleString("en-US")} push messages are waiting`;
  if (!isServed) return note(check, `${words} until a server runs.`);
  const overdue = severityOf(overdueMs, OVERDUE_MS);
  const isLate = overdue !== undefined || (waiting >= MANY_PUSHES && oldestMs >= PUSHES_LATE_MS);
  const most = isLate ? mostAwaitedHost(data) : undefined;
  const where = most === undefined ? "" : `, ${most.waiting} of the oldest for ${most.host}`;
  if (overdue !== undefined)
    return finding(
      check,
      overdue,
      `${words}${where}. The oldest message that is ready to send is ${minutes(overdueMs)} late.`,
      SEE_PUSH,
    );
  const now = data.clock.steady();
  if (most && most.waiting >= MANY_PUSHES && now - most.oldestAt >= PUSHES_LATE_MS)
    return warning(
      check,
      `${words}${where}. The oldest has waited ${minutes(now - most.oldestAt)}.`,
      SEE_PUSH,
    );
  return ok(check, `${words}, none is late.`);
}

function severityOf(
  ms: number,
  { warning, severe }: { warning: number; severe: number },
): "warning" | "severe" | undefined {
  return ms >= severe ? "severe" : ms >= warning ? "warning" : undefined;
}

function minutes(ms: number): string {
  return countWithNoun(Math.round(ms / MINUTE), "minute");
}
