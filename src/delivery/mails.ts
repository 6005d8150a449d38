import { SECOND } from "../core/ground/clock.ts";
import type { Core } from "../core/ground/core.ts";
import { continueReach, isHeldBack, isReachDue } from "../core/across/reach/reach.ts";
import { charterOf } from "../core/identity/charter/charter.ts";
import { findMailAddress } from "../core/identity/mail/mail.ts";
import { dueMails, type Mail, type MailEnd, nextMail, settleMail } from "../core/identity/mail/queue.ts";
import { createFairOrder } from "./fair-order.ts";
import type { MailText } from "./mail-text.ts";
import type { Sending } from "./sender.ts";
import type { SendMail } from "./smtp.ts";

/**
 * How many mails are sent at once: urgent ones, which wait for no others, and all others. One domain has fewer places,
 * so that a server that is slow to take mail for it leaves some to others.
 */
const LANES = {
  urgent: { name: "urgent mail", places: 3, ofDomain: 2, pauseMaxMs: 5 * SECOND },
  ordinary: { name: "mail", places: 4, ofDomain: 3, pauseMaxMs: 30 * SECOND },
} as const;
const DUE_READ = 1000;
const PAUSE_FIRST_MS = SECOND;

/**
 * `textOf` says what a mail says; undefined where there is nothing to say any more. While the server takes no mail, one
 * mail is tried at a time, after longer and longer pauses: then no mail uses up its own attempts.
 */
export function mailSending(
  lane: keyof typeof LANES,
  send: SendMail,
  textOf: (core: Core, mail: Mail) => MailText | undefined,
): Sending<Mail, MailEnd> {
  const { name, places, ofDomain, pauseMaxMs } = LANES[lane];
  const order = createFairOrder();
  let pause: { ms: number; until: number } | undefined;
  const laneOf = (running: readonly Mail[]) => ({
    isUrgent: lane === "urgent",
    running: running.map(({ seq }) => seq),
  });

  return {
    name,
    // One walk queues the mails of both lanes.
    ...(lane === "ordinary" && {
      gather: {
        isDue: (core: Core) => isReachDue(core, "mail"),
        slice: (core: Core) => continueReach(core, "mail"),
      },
    }),
    due(core, running) {
      if (pause && (core.clock.steady() < pause.until || running.length > 0)) return [];
      const begun: Mail[] = [];
      const ofSame = ({ host }: Mail): number =>
        [...running, ...begun].filter((other) => other.host === host).length;
      for (const mail of order.sorted(dueMails(core, laneOf(running), DUE_READ), memberOf)) {
        if (running.length + begun.length >= (pause ? 1 : places)) break;
        if (mail.host !== "" && ofSame(mail) >= ofDomain) continue;
        begun.push(mail);
        order.begun(memberOf(mail));
      }
      return begun;
    },
    nextDue(core, running) {
      const dueAt = nextMail(core, laneOf(running));
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
        const ms = Math.min(pause ? pause.ms * 2 : PAUSE_FIRST_MS, pauseMaxMs);
        pause = { ms, until: core.clock.steady() + ms };
      } else pause = undefined;
      return end;
    },
    failed: { kind: "later" },
    settle: settleMail,
  };
}

function memberOf({ builderId, host }: Mail): string {
  return builderId ?? host;
}

function addressOf(core: Core, { address, builderId }: Mail): string | undefined {
  if (address !== null) return address;
  return (builderId === null ? undefined : findMailAddress(core, builderId)?.address) ?? undefined;
}
