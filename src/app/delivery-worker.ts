import type { Config } from "../config/config.ts";
import { communitySettingsOf } from "../core/identity/community-settings/community-settings.ts";
import { SECOND } from "../core/base/clock.ts";
import type { Core } from "../core/base/core.ts";
import { createLead } from "../core/base/db/lead.ts";
import type { Mail, MailEnd } from "../core/identity/mail/queue.ts";
import { baseFrom, type Mark } from "../core/outbox/deliveries/monotonic-time.ts";
import { createAttempt } from "../delivery/attempt.ts";
import { startHousekeeping } from "../delivery/housekeeping.ts";
import { startLoop } from "../delivery/loop.ts";
import { createConcurrencyLimits, RUNNING_MAX } from "../delivery/concurrency-limits.ts";
import type { MailText } from "../delivery/mail-text.ts";
import { mailContent } from "../delivery/mail-content.ts";
import { startMailSenders } from "../delivery/mail-sending.ts";
import { createPushes } from "../delivery/push-request.ts";
import { pushContent } from "../delivery/push-content.ts";
import { PUSHES_AT_ONCE, pushSending } from "../delivery/push-sending.ts";
import { type QueueToSend, startSender } from "../delivery/sender.ts";
import { countAttempts, hostLabels } from "../delivery/outgoing-counts.ts";
import { nameOfServer } from "../delivery/mail-server.ts";
import { createMailer } from "../delivery/smtp.ts";
import { type FromThread, HEALTH_EVERY_MS, type ToThread } from "../delivery/thread.ts";
import { createFolderCore, openDataFolder } from "./data-folder.ts";
import { createLog } from "./log.ts";
import { VERSION } from "./version.ts";

/** The setup that server.ts sends to the delivery thread. All values can be cloned or shared. */
export interface DeliverySetup {
  config: Omit<Config, "trustedProxies" | "graphql" | "values">;
  origin: string;
  /** Counter for ids, shared with the core of the request thread. */
  ids: SharedArrayBuffer;
  /** Storage faults, shared with the database of the request thread. */
  troubles: SharedArrayBuffer;
  /** Whether this node leads, shared with the request thread. */
  lead: SharedArrayBuffer;
  /** The queue for the write lock, shared with the request thread. */
  lockQueue: SharedArrayBuffer;
  /** The start of the monotonic time, shared with the request thread. */
  steady: Mark;
}

declare const self: Worker;

/**
 * SQLite's busy timeout. Zero, because writes wait for the lock in the write queue, as in the request thread.
 */
const BUSY_MS = 0;
/**
 * Longest wait for the request thread to confirm that this node leads. The request thread's own check takes
 * less time.
 */
const LEAD_CHECK_MAX_MS = 5 * SECOND;
const LEAD_CHECK_EVERY_MS = 10;

interface Program {
  wake(): void;
  change(setup: DeliverySetup): void;
  stop(): Promise<void>;
}

/** The main program of the delivery thread: data folder → core → loop. */
function begin({ config, origin, ids, troubles, lead, lockQueue, steady }: DeliverySetup): Program {
  const base = baseFrom(steady, Date.now(), performance.now());
  // Not durable: a power cut may undo these commits, and the thread then repeats the work. A delivery is
  // attempted twice, as at-least-once delivery allows (docs/contract.md#V6.3). The remaining matches of a job
  // are computed again.
  const dataFolder = openDataFolder(config, {
    busyMs: BUSY_MS,
    mayCreate: false,
    isDurable: false,
    isCheckpointing: false,
    isFollowed: config.peers.length > 0,
    storageFaults: troubles,
    lockQueue,
  });
  const core = createFolderCore(dataFolder, config, origin, ids, base);
  const shared = createLead(core.clock, () => waitForLead(shared.isCheckRecent), lead);
  core.db.leadBy(shared);
  const attempt = createAttempt({
    targets: core.targets,
    timeoutMs: config.webhookTimeoutMs,
    get ca() {
      return config.webhookCa;
    },
    userAgent: `Guildhall-Webhooks/${VERSION}`,
  });
  const pushes = createPushes(core, {
    targets: core.targets,
    timeoutMs: config.webhookTimeoutMs,
    get ca() {
      return config.webhookCa;
    },
    userAgent: `Guildhall-Push/${VERSION}`,
  });
  const { webhookTimeoutMs, requestsAtOnce } = config;
  const log = createLog(config.logLevel);
  const delaysMs = [...config.retryDelaysMs];
  const slots = Math.min(RUNNING_MAX, requestsAtOnce - PUSHES_AT_ONCE);
  if (slots < RUNNING_MAX)
    log.warn(
      { places: slots },
      "fewer deliveries run at once than usual, because this system limits Bun's requests",
    );
  const loop = startLoop(core, attempt, delaysMs, log, webhookTimeoutMs, createConcurrencyLimits(slots));
  const textOf = (of: Core, mail: Mail): MailText | undefined =>
    mailContent(of, mail, communitySettingsOf(of).name);
  const { tally } = loop.health();
  const hostOf = hostLabels();
  const countingMail = (sending: QueueToSend<Mail, MailEnd>): QueueToSend<Mail, MailEnd> =>
    countAttempts(sending, tally, ({ kind }) =>
      config.smtpUrl === undefined ? undefined : { way: "mail", kind, host: nameOfServer(config.smtpUrl) },
    );
  const senders = [
    startSender(
      core,
      countAttempts(
        pushSending(pushes, (of, push) => pushContent(of, push)),
        tally,
        ({ endpoint }) => ({ way: "push", kind: "push", host: hostOf(endpoint) }),
      ),
      log,
    ),
    ...startMailSenders(core, () => createMailer(config, log), textOf, log, countingMail),
  ];
  const wake = (): void => {
    loop.wake();
    for (const sender of senders) sender.wake();
  };
  core.onWake(wake);
  const housekeeping = startHousekeeping(core, config, log, tally.upkeep);
  let strays = 0;
  // Handles rejections that no code handles. By default such a rejection would end the thread, together with
  // up to a thousand unrelated attempts.
  process.on("unhandledRejection", (err) => {
    strays++;
    log.error({ err }, "unhandled rejection in the delivery thread");
  });
  const telling = setInterval(() => {
    const health = loop.health();
    const faults = senders.reduce((sum, sender) => sum + sender.health().faults, health.faults + strays);
    send({ health: { ...health, faults } });
  }, HEALTH_EVERY_MS);
  return {
    wake,
    change({ config: next }) {
      Object.assign(config, next);
      delaysMs.splice(0, Infinity, ...next.retryDelaysMs);
      log.level = next.logLevel;
    },
    async stop() {
      await Promise.all([loop.stop(), housekeeping.stop(), ...senders.map((sender) => sender.stop())]);
      clearInterval(telling);
      dataFolder.close();
      send("stopped");
    },
  };
}

/** Waits until the request thread has confirmed with the other nodes that this node leads. */
async function waitForLead(isLeadConfirmed: () => boolean): Promise<void> {
  for (let left = LEAD_CHECK_MAX_MS; left > 0 && !isLeadConfirmed(); left -= LEAD_CHECK_EVERY_MS)
    await Bun.sleep(LEAD_CHECK_EVERY_MS);
}

function send(message: FromThread): void {
  self.postMessage(message);
}

let running: ReturnType<typeof begin> | undefined;
self.addEventListener("message", ({ data }: MessageEvent<ToThread<DeliverySetup>>) => {
  if (data === "wake") running?.wake();
  else if (data === "stop") void running?.stop();
  else if ("change" in data) running?.change(data.change);
  else running = begin(data.start);
});
