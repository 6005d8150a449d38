import type { Core } from "../core/ground/core.ts";
import { isHeldBack } from "../core/across/reach/reach.ts";
import { charterOf } from "../core/identity/charter/charter.ts";
import { findMailAddress } from "../core/identity/mail/mail.ts";
import { dueMails, type Mail, type MailEnd, nextMail, settleMail } from "../core/identity/mail/queue.ts";
import type { MailText } from "./mail-text.ts";
import type { Sending } from "./sender.ts";
import type { SendMail } from "./smtp.ts";

/** So many are handed over at once. */
const PLACES = 4;

/** `textOf` says what a mail says; undefined where there is nothing to say any more. */
export function mailSending(
  send: SendMail,
  textOf: (core: Core, mail: Mail) => MailText | undefined,
): Sending<Mail, MailEnd> {
  return {
    name: "mail",
    due: (core, running) => dueMails(core, idsOf(running), PLACES - running.length),
    nextDue: (core, running) => nextMail(core, idsOf(running)),
    async send(core, mail) {
      const to = addressOf(core, mail);
      const text = to === undefined ? undefined : textOf(core, mail);
      if (to === undefined || text === undefined || isHeldBack(core, mail)) return { kind: "void" };
      // Of the machine's clock: that of the queue may be ahead of it, or behind.
      const date = core.clock.now() - (core.clock.steady() - mail.createdAt);
      return send({ from: charterOf(core).name, to, messageId: mail.messageId, date, text });
    },
    failed: { kind: "later" },
    settle: settleMail,
  };
}

function addressOf(core: Core, { address, builderId }: Mail): string | undefined {
  if (address !== null) return address;
  return (builderId === null ? undefined : findMailAddress(core, builderId)?.address) ?? undefined;
}

function idsOf(running: readonly Mail[]): number[] {
  return running.map(({ seq }) => seq);
}
