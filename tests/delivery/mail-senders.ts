import pino from "pino";
import type { Core } from "../../src/core/base/core.ts";
import { communitySettingsOf } from "../../src/core/identity/community-settings/community-settings.ts";
import { mailContent } from "../../src/delivery/mail-content.ts";
import { startMailSenders as startLanes } from "../../src/delivery/mail-sending.ts";
import type { Sender } from "../../src/delivery/sender.ts";
import { createMailer, type MailRules, type MailTimes } from "../../src/delivery/smtp.ts";
import { hasNotificationsToQueue } from "../../src/core/services/channels/queueing.ts";
import { openSite, type Site } from "../web/support.ts";
import { type MailServer, mailServer } from "./mail-server.ts";
import { authority, until } from "./receiver.ts";

/** Sends the emails of both lanes, and wakes with the core, as the delivery thread does. */
export function startMailSenders(core: Core, rules: MailRules, times?: MailTimes): Sender & AsyncDisposable {
  const log = pino({ level: "silent" });
  const content = (of: Core, mail: Parameters<typeof mailContent>[1]) =>
    mailContent(of, mail, communitySettingsOf(of).name);
  const lanes = startLanes(core, () => createMailer(rules, log, times), content, log);
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

/** Waits until all due emails have been attempted. */
export function mailsTried(core: Core, sender: Sender): Promise<void> {
  return until(
    () =>
      !hasNotificationsToQueue(core, "mail") &&
      sender.health().running === 0 &&
      core.db.prepare("SELECT 1 FROM mails WHERE due_at <= ?").get(core.clock.steady()) === undefined,
  );
}

export interface MailingSite extends AsyncDisposable {
  server: MailServer;
  site: Site;
  /** Rules that tests may change. The mailer reads these rules for each email. */
  rules: { smtpUrl: string; smtpCa: string; mailFrom: string };
  sender: Sender;
  settled(): Promise<void>;
}

export async function openMailingSite(options: { origin?: string } = {}): Promise<MailingSite> {
  const server = await mailServer();
  const smtpUrl = `smtp://guild:s3cret%3A%2F@127.0.0.1:${server.port}`;
  const mailFrom = "guild@guild.test";
  const env = { GUILDHALL_SMTP_URL: smtpUrl, GUILDHALL_MAIL_FROM: mailFrom };
  const site = openSite({ ...options, env });
  const { core } = site;
  const rules = { smtpUrl, smtpCa: (await authority()).pem, mailFrom };
  const sender = startMailSenders(core, rules);
  return {
    server,
    site,
    rules,
    sender,
    async settled() {
      sender.wake();
      await mailsTried(core, sender);
    },
    async [Symbol.asyncDispose]() {
      await sender.stop();
      await site[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
