import type { Logger } from "pino";
import type { Core } from "../core/base/core.ts";
import {
  queueNotifications,
  isHeldBack,
  hasNotificationsToQueue,
} from "../core/services/channels/queueing.ts";
import { communitySettingsOf } from "../core/identity/community-settings/community-settings.ts";
import { findMailAddress } from "../core/identity/mail/mail.ts";
import {
  type DueMail,
  dueMails,
  firstMail,
  type Mail,
  type MailEnd,
  nextMail,
  nextMailTo,
  settleMail,
} from "../core/identity/mail/queue.ts";
import { createDueList, type Recipient } from "./due-list.ts";
import { createMailOutage, type MailOutage } from "./mail-outage.ts";
import type { MailText } from "./mail-text.ts";
import { type Sender, type QueueToSend, startSender } from "./sender.ts";
import type { SendMail } from "./smtp.ts";

/**
 * Maximum number of concurrent emails per lane (`slots`) and per mail domain in a lane (`ofDomain`). Urgent
 * mail does not wait for other mail. `ofDomain` is lower, so that one slow domain does not block the other
 * domains.
 */
const QUEUES = {
  urgent: { name: "urgent mail", slots: 3, ofDomain: 2 },
  ordinary: { name: "mail", slots: 4, ofDomain: 3 },
} as const;
type MailSending = QueueToSend<Mail, MailEnd>;
/** Returns the content of an email. Returns `undefined` if there is nothing left to report. */
type TextOf = (core: Core, mail: Mail) => MailText | undefined;

/**
 * Starts one sender per lane. Each lane has its own connections, created by `createMailer`. `watch` wraps
 * each sender.
 */
export function startMailSenders(
  core: Core,
  createMailer: () => SendMail,
  textOf: TextOf,
  log: Logger,
  watch: (sending: MailSending) => MailSending = (sending) => sending,
): Sender[] {
  const outage = createMailOutage();
  return (["urgent", "ordinary"] as const).map((lane) => {
    const sender = startSender(core, watch(mailSending(lane, outage, createMailer(), textOf)), log);
    outage.onEnd(sender.wake);
    return sender;
  });
}

/** Creates the queue of one lane. Emails that wait during an outage do not use up their attempts. */
export function mailSending(
  lane: keyof typeof QUEUES,
  outage: MailOutage,
  send: SendMail,
  textOf: TextOf,
): MailSending {
  const { name, slots, ofDomain } = QUEUES[lane];
  const isUrgent = lane === "urgent";
  const list = createDueList<Mailbox, Mail>({
    read: (core, after, now, most) =>
      dueMails(core, isUrgent, now, after, most).map((row) => ({ ...row, to: mailboxOf(row) })),
    next: (core, mailbox) => nextMailTo(core, isUrgent, mailbox),
    recipientOf: mailboxOf,
  });

  return {
    name,
    // Only the ordinary lane turns notifications into emails, for both lanes.
    ...(lane === "ordinary" && {
      gather: {
        isDue: (core: Core) => hasNotificationsToQueue(core, "mail"),
        addBatch: (core: Core) => queueNotifications(core, "mail"),
      },
    }),
    *due(core, running) {
      if (!outage.mayTry(core, isUrgent)) return;
      const most = outage.nextTry() === undefined ? slots : running.length + 1;
      const begun = [...running];
      const freeSlots = {
        isFull: () => begun.length >= most,
        hasFor: ({ host }: Mailbox) =>
          host === "" || begun.filter((other) => other.host === host).length < ofDomain,
      };
      for (const mail of list.begin(core, running, freeSlots)) {
        begun.push(mail);
        yield mail;
      }
    },
    isBehind: () => outage.nextTry() === undefined && list.isBehind(),
    nextDue(core) {
      const nextTry = outage.nextTry();
      if (nextTry === undefined) return list.hasWaiting() ? core.clock.steady() : nextMail(core, isUrgent);
      // Asks the database, because the list can lack emails that became due during the outage.
      const dueAt = firstMail(core, isUrgent);
      return dueAt === undefined ? undefined : Math.max(dueAt, nextTry);
    },
    async send(core, mail) {
      const to = addressOf(core, mail);
      const text = to === undefined ? undefined : textOf(core, mail);
      if (to === undefined || text === undefined || isHeldBack(core, mail)) return { kind: "void" };
      // Converts steady time to the machine's clock, because steady time may be ahead or behind.
      const date = core.clock.now() - (core.clock.steady() - mail.createdAt);
      return outage.run(core, () =>
        send({ from: communitySettingsOf(core).name, to, messageId: mail.messageId, date, text }),
      );
    },
    failed: { kind: "later" },
    settle: settleMail,
  };
}

/** A mailbox, identified by its `mark`. Each email without a mark counts as a separate mailbox. */
interface Mailbox extends Recipient, Pick<DueMail, "seq" | "mark" | "host"> {}

function mailboxOf({ seq, mark, host, builderId }: Omit<DueMail, "dueAt">): Mailbox {
  const key = mark === null ? String(seq) : mark.toString("base64");
  return { key, member: builderId ?? host, rank: 0, seq, mark, host };
}

function addressOf(core: Core, { address, builderId }: Mail): string | undefined {
  if (address !== null) return address;
  return (builderId === null ? undefined : findMailAddress(core, builderId)?.address) ?? undefined;
}
