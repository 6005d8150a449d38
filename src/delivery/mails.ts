import { SECOND } from "../core/ground/clock.ts";
import type { Core } from "../core/ground/core.ts";
import { continueReach, isHeldBack, isReachDue } from "../core/across/reach/reach.ts";
import { charterOf } from "../core/identity/charter/charter.ts";
import { findMailAddress } from "../core/identity/mail/mail.ts";
import {
  type DueMail,
  dueMails,
  type Mail,
  type MailEnd,
  nextMail,
  nextMailTo,
  settleMail,
} from "../core/identity/mail/queue.ts";
import { createDueList, type Recipient } from "./due-list.ts";
import type { MailText } from "./mail-text.ts";
import type { Sending } from "./sender.ts";
import type { SendMail } from "./smtp.ts";

/**
 * How many mails are sent at once: urgent ones, which wait for no others, and all others. One domain has fewer places,
 * so that a server that is slow to take mail for it leaves some to others.
 */
const LANES = {
  urgent: { name: "urgent mail", places: 3, ofDomain: 2 },
  ordinary: { name: "mail", places: 4, ofDomain: 3 },
} as const;
const PAUSE_FIRST_MS = SECOND;
const PAUSE_MAX_MS = 5 * SECOND;

/**
 * `textOf` says what a mail says; undefined where there is nothing to say any more. While the server takes no mail, one
 * mail is tried at a time, after longer and longer pauses: then no mail uses up its own attempts.
 */
export function mailSending(
  lane: keyof typeof LANES,
  send: SendMail,
  textOf: (core: Core, mail: Mail) => MailText | undefined,
): Sending<Mail, MailEnd> {
  const { name, places, ofDomain } = LANES[lane];
  const isUrgent = lane === "urgent";
  const list = createDueList<Mailbox, Mail>({
    read: (core, after, now, most) =>
      dueMails(core, isUrgent, now, after, most).map((row) => ({ ...row, to: mailboxOf(row) })),
    next: (core, mailbox) => nextMailTo(core, isUrgent, mailbox),
    recipientOf: mailboxOf,
  });
  let pause: { ms: number; until: number } | undefined;

  return {
    name,
    // One walk queues the mails of both lanes.
    ...(lane === "ordinary" && {
      gather: {
        isDue: (core: Core) => isReachDue(core, "mail"),
        slice: (core: Core) => continueReach(core, "mail"),
      },
    }),
    *due(core, running) {
      if (pause && (core.clock.steady() < pause.until || running.length > 0)) return;
      const most = pause ? 1 : places;
      const begun = [...running];
      const room = {
        isFull: () => begun.length >= most,
        hasFor: ({ host }: Mailbox) =>
          host === "" || begun.filter((other) => other.host === host).length < ofDomain,
      };
      for (const mail of list.begin(core, running, room)) {
        begun.push(mail);
        yield mail;
      }
    },
    isBehind: () => !pause && list.isBehind(),
    nextDue(core) {
      const dueAt = list.isAnyKnown() ? core.clock.steady() : nextMail(core, isUrgent);
      return dueAt === undefined || !pause ? dueAt : Math.max(dueAt, pause.until);
    },
    async send(core, mail) {
      const to = addressOf(core, mail);
      const text = to === undefined ? undefined : textOf(core, mail);
      if (to === undefined || text === undefined || isHeldBack(core, mail)) return { kind: "void" };
      // Of the machine's clock: that of the queue may be ahead of it, or behind.
      const date = core.clock.now() - (core.clock.steady() - mail.createdAt);
      const end = await send({ from: charterOf(core).name, to, messageId: mail.messageId, date, text });
      if (end.kind === "unreachable") {
        const ms = Math.min(pause ? pause.ms * 2 : PAUSE_FIRST_MS, PAUSE_MAX_MS);
        pause = { ms, until: core.clock.steady() + ms };
      } else pause = undefined;
      return end;
    },
    failed: { kind: "later" },
    settle: settleMail,
  };
}

/** A mailbox is known by its mark. A mail without one has a mailbox of its own. */
interface Mailbox extends Recipient, Pick<DueMail, "seq" | "mark" | "host"> {}

function mailboxOf({ seq, mark, host, builderId }: Omit<DueMail, "dueAt">): Mailbox {
  const key = mark === null ? String(seq) : mark.toString("base64");
  return { key, member: builderId ?? host, rank: 0, seq, mark, host };
}

function addressOf(core: Core, { address, builderId }: Mail): string | undefined {
  if (address !== null) return address;
  return (builderId === null ? undefined : findMailAddress(core, builderId)?.address) ?? undefined;
}
