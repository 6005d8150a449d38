import pino from "pino";
import type { Core } from "../../src/core/ground/core.ts";
import { charterOf } from "../../src/core/identity/charter/charter.ts";
import { mailWords } from "../../src/delivery/mail-words.ts";
import { mailSending } from "../../src/delivery/mails.ts";
import { type Sender, startSender } from "../../src/delivery/sender.ts";
import { createMailer, type MailRules, type MailTimes } from "../../src/delivery/smtp.ts";
import { sayingsIn } from "../../src/web/words/languages.ts";

/** Sends the mails of both lanes, as the delivery thread does, and wakes when the core does. */
export function startMailSenders(core: Core, rules: MailRules, times?: MailTimes): Sender & AsyncDisposable {
  const log = pino({ level: "silent" });
  const lanes = (["urgent", "ordinary"] as const).map((lane) => {
    const words = (of: Core, mail: Parameters<typeof mailWords>[1]) =>
      mailWords(of, mail, charterOf(of).name, sayingsIn);
    return startSender(core, mailSending(lane, createMailer(rules, log, times), words), log);
  });
  const senders = {
    wake: () => lanes.forEach((each) => each.wake()),
    stop: async () => void (await Promise.all(lanes.map((each) => each.stop()))),
    health: () => ({
      running: lanes.reduce((sum, each) => sum + each.health().running, 0),
      faults: lanes.reduce((sum, each) => sum + each.health().faults, 0),
    }),
    [Symbol.asyncDispose]: () => senders.stop(),
  };
  core.onWake(senders.wake);
  return senders;
}
