// docs/contract.md#12.20.2: what the operator sees of mail and push.
import { expect, test } from "bun:test";
import { hasNotificationsToQueue } from "../../src/core/services/channels/queueing.ts";
import pino from "pino";
import { checkOutgoing } from "../../src/core/services/checkup/outgoing.ts";
import { outgoing, registerSender } from "../../src/core/services/channels/outgoing.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { inviteNewcomer } from "../../src/core/identity/mail/invitation.ts";
import type { Mail } from "../../src/core/identity/mail/queue.ts";
import { mailRecovery } from "../../src/core/identity/mail/mail.ts";
import { beginMaintenance } from "../../src/core/services/maintenance/maintenance.ts";
import { newDeliveryCounters, outgoingAttempts } from "../../src/core/outbox/deliveries/counters.ts";
import { pushKey, subscribeToPush } from "../../src/core/outbox/push/push.ts";
import { nameOfServer } from "../../src/delivery/mail-server.ts";
import { mailContent } from "../../src/delivery/mail-content.ts";
import { startMailSenders } from "../../src/delivery/mail-sending.ts";
import { countAttempts, hostLabels } from "../../src/delivery/outgoing-counts.ts";
import { createPushes } from "../../src/delivery/push-request.ts";
import { pushContent } from "../../src/delivery/push-content.ts";
import { pushSending } from "../../src/delivery/push-sending.ts";
import { startSender } from "../../src/delivery/sender.ts";
import { createMailer } from "../../src/delivery/smtp.ts";
import { gaugeOutgoing } from "../../src/operate/health/outgoing.ts";
import { HOME } from "../core/people.ts";
import { openFixture } from "../operate/doctor/support.ts";
import { linesOf } from "../metrics-page.ts";
import { createMember, signedInNow } from "../support.ts";
import { openSite, signUpMember, signedInAs, visibleText } from "../web/support.ts";
import { mailServer } from "./mail-server.ts";
import { makeBrowser } from "./push-service.ts";
import { authority, openReceiver, until } from "./receiver.ts";

const silent = pino({ level: "silent" });
const HOST = "push.example.com";

async function freePort(): Promise<number> {
  await using server = await mailServer();
  return server.port;
}

/**
 * A site with the real senders and their metrics on /metrics. The mail server is down, and the push service
 * responds 503.
 */
async function stage() {
  const port = await freePort();
  const service = await openReceiver([503], await (await authority()).issue([HOST]));
  const smtpUrl = `smtp://127.0.0.1:${port}`;
  const mailFrom = "guild@guild.test";
  const site = openSite({
    env: { GUILDHALL_SMTP_URL: smtpUrl, GUILDHALL_MAIL_FROM: mailFrom },
    allow: [HOST],
    resolve: async () => ["127.0.0.1"],
  });
  const { core, clock } = site;
  const ca = (await authority()).pem;
  const tally = newDeliveryCounters();
  const hostOf = hostLabels();
  const rules = { targets: core.targets, timeoutMs: 10_000, ca, userAgent: "test" };
  const textOf = (of: Core, mail: Mail) => mailContent(of, mail, "Bees");
  const senders = [
    startSender(
      core,
      countAttempts(
        pushSending(createPushes(core, rules), (of, push) => pushContent(of, push)),
        tally,
        ({ endpoint }) => ({ way: "push", kind: "push", host: hostOf(endpoint) }),
      ),
      silent,
    ),
    ...startMailSenders(
      core,
      () => createMailer({ smtpUrl, smtpCa: ca, mailFrom }, silent),
      textOf,
      silent,
      (sending) =>
        countAttempts(sending, tally, ({ kind }) => ({ way: "mail", kind, host: nameOfServer(smtpUrl) })),
    ),
  ];
  const wake = (): void => {
    for (const sender of senders) sender.wake();
  };
  core.onWake(wake);
  gaugeOutgoing(site.metrics, core, { health: () => ({ tally }) });
  registerSender(core, () => ({ mailServer: nameOfServer(smtpUrl), attempts: outgoingAttempts(tally) }));
  const count = (key: string): number => tally.outgoing[key] ?? 0;
  return {
    site,
    core,
    port,
    service,
    mailHost: `127.0.0.1:${port}`,
    pushHost: `${HOST}:${service.port}`,
    count,
    pass(ms: number) {
      clock.pass(ms);
      wake();
    },
    metrics: async () => linesOf(await (await fetch(`${site.url}/metrics`)).text()),
    async [Symbol.asyncDispose]() {
      await Promise.all(senders.map((sender) => sender.stop()));
      await site[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

const severities = (core: Core, mailHost?: string) =>
  checkOutgoing(core, true, mailHost).map(({ check, severity }) => `${check} ${severity}`);

test("shows depth, age and failures by kind and host in /metrics, doctor and /admin/health; the server stays ready", async () => {
  await using set = await stage();
  const { site, core, mailHost, pushHost } = set;
  const root = await signUpMember(site, "root", { role: "admin" });
  const { caller } = createMember(core, "ada");
  await pushKey(core);
  const endpoint = `https://${pushHost}/1`;
  await subscribeToPush(core, signedInNow(core, caller), { endpoint, ...makeBrowser().keys });
  // Waits until the notice about the subscribed browser is handled. The notice sends no email, because no
  // email address exists yet.
  await until(() => !hasNotificationsToQueue(core, "mail"));
  core.db
    .prepare("INSERT INTO mail_addresses (builder_id, address) VALUES (?, 'ada@home.example')")
    .run(caller.builderId);
  inviteNewcomer(core, OPERATOR, { address: "bob@home.example" });
  await until(() => set.count(`mail invitation ${mailHost} unreachable`) === 1);
  await mailRecovery(core, HOME, "ada");
  set.pass(5 * SECOND);
  await until(() => set.count(`mail recovery ${mailHost} unreachable`) === 1);
  await until(() => set.count(`push push ${pushHost} later`) === 1);
  expect(severities(core, mailHost)).toEqual(["mail_queue ok", "push_queue ok"]);
  for (const [minutes, attempts] of [
    [1, 2],
    [5, 3],
    [5, 3],
  ] as const) {
    set.pass(minutes * MINUTE);
    await until(() => set.count(`push push ${pushHost} later`) === attempts);
    await until(() => outgoing(core).overdueMs.push === 0);
  }

  const page = await set.metrics();
  const seconds = page.get('guildhall_mail_oldest_seconds{kind="recovery",lane="urgent"}') ?? 0;
  expect(seconds).toBeGreaterThanOrEqual((11 * MINUTE) / SECOND);
  expect(page.get('guildhall_mail_waiting{kind="recovery",lane="urgent"}')).toBe(1);
  expect(page.get('guildhall_mail_waiting{kind="digest",lane="ordinary"}')).toBe(0);
  expect(page.get('guildhall_mail_overdue_seconds{lane="urgent"}')).toBeGreaterThanOrEqual(seconds);
  expect(page.get("guildhall_push_waiting")).toBe(1);
  expect(page.get("guildhall_push_oldest_seconds")).toBeGreaterThanOrEqual(seconds);
  expect(page.get(`guildhall_push_attempts_total{host="${pushHost}",outcome="later"}`)).toBeGreaterThan(1);
  expect(
    page.get(`guildhall_mail_attempts_total{kind="recovery",host="${mailHost}",outcome="unreachable"}`),
  ).toBeGreaterThan(1);

  const [mail] = checkOutgoing(core, true, mailHost);
  expect(mail).toMatchObject({
    check: "mail_queue",
    severity: "warning",
    says: expect.stringContaining(
      `2 mails are waiting for ${mailHost}. The oldest urgent mail of kind recovery has waited `,
    ),
  });
  for (const [language, words] of [
    ["en", ["Email and push", "Recovery links 1", `${mailHost} Email 0`, `${pushHost} Push 0`]],
    ["de", ["E-Mail und Push", "Wiederherstellungslinks 1", `${mailHost} E-Mail 0`]],
    ["es", ["Correo y push", "Enlaces de recuperación 1", `${mailHost} Correo 0`]],
  ] as const) {
    const admin = signedInAs(site, "root");
    const shown = visibleText(
      (await admin.open("/admin/health", { headers: { "accept-language": language } })).html,
    );
    for (const each of words) expect(shown).toContain(each);
    expect(shown).toContain(`2 mails are waiting for ${mailHost}`);
  }
  expect((await fetch(`${site.url}/readyz`)).status).toBe(200);

  await using back = await mailServer({}, set.port);
  set.service.script.splice(0, 1, 201);
  set.pass(30 * MINUTE);
  for (const kind of ["recovery", "invitation"])
    await until(() => set.count(`mail ${kind} ${mailHost} sent`) === 1);
  await until(() => set.count(`push push ${pushHost} sent`) === 1);
  expect(back.taken).toHaveLength(2);
  await until(() => outgoing(core).pushes.waiting === 0);
  expect(visibleText((await root.open("/admin/health")).html)).toContain(`${mailHost} Email 2`);
});

test("urgent mail is late after ten minutes, other mail after an hour, and pushes of one host from twenty on", async () => {
  using fixture = openFixture();
  expect(await fixture.look("mail_queue")).toMatchObject([{ severity: "ok", says: "No mail is waiting." }]);
  expect(await fixture.look("push_queue")).toMatchObject([
    { severity: "ok", says: "No push message is waiting." },
  ]);

  await using site = openSite();
  const { core, clock } = site;
  const queue = (kind: string, urgent: number) => {
    const at = clock.steady();
    core.db.prepare("DELETE FROM mails").run();
    core.db
      .prepare(
        `INSERT INTO mails (kind, urgent, message_id, created_at, due_at, ends_at) VALUES (?, ?, '<1@x>', ?, ?, ?)`,
      )
      .run(kind, urgent, at, at + 9 * DAY, at + 9 * DAY);
  };
  const grades = [9 * MINUTE, 2 * MINUTE, 20 * MINUTE, HOUR, DAY];
  const gradesOf = (kind: string, urgent: number) => {
    queue(kind, urgent);
    return grades.map((ms) => {
      clock.pass(ms);
      return checkOutgoing(core, true, "mail.example:587")[0]?.severity;
    });
  };
  expect(gradesOf("recovery", 1)).toEqual(["ok", "warning", "severe", "severe", "severe"]);
  // Sign-in notices count as notifications.
  expect(gradesOf("notification", 1)).toEqual(["ok", "warning", "severe", "severe", "severe"]);
  expect(gradesOf("digest", 0)).toEqual(["ok", "ok", "ok", "warning", "severe"]);
  expect(checkOutgoing(core, false, "mail.example:587")[0]).toMatchObject({
    severity: "note",
    says: "1 mail is waiting for mail.example:587 until a server runs.",
  });
  core.db.prepare("DELETE FROM mails").run();

  const { caller } = createMember(core, "ada");
  const { builderId, credentialId } = signedInNow(core, caller);
  const at = clock.steady();
  for (let n = 0; n < 25; n++) {
    const host = n < 22 ? "push.example" : "other.example";
    core.db
      .prepare(
        `INSERT INTO push_subscriptions (id, builder_id, session_id, endpoint, p256dh, auth, created_at)
         VALUES (?, ?, ?, ?, zeroblob(65), zeroblob(16), 1)`,
      )
      .run(`psh_${n}`, builderId, credentialId, `https://${host}/${n}`);
    core.db
      .prepare("INSERT INTO pushes (subscription_id, host, created_at, due_at) VALUES (?, ?, ?, ?)")
      .run(`psh_${n}`, host, at, at + 11 * MINUTE);
  }
  clock.pass(10 * MINUTE);
  expect(checkOutgoing(core, true, undefined)[1]).toMatchObject({
    severity: "warning",
    says: "25 push messages are waiting, 22 of the oldest for push.example. The oldest has waited 10 minutes.",
  });
  clock.pass(HOUR + MINUTE);
  expect(checkOutgoing(core, true, undefined)[1]).toMatchObject({ severity: "severe" });
  beginMaintenance(core, OPERATOR);
  expect(severities(core)).toEqual(["mail_queue ok", "push_queue ok"]);
});

test("labels the browsers' own push services and at most twenty other hosts", () => {
  const label = hostLabels();
  for (let n = 0; n < 30; n++) label(`https://host-${n}.example/1`);
  expect(
    [
      "host-19.example",
      "host-20.example",
      "fcm.googleapis.com",
      "db5p.notify.windows.com",
      "host-0.example",
    ].map((host) => label(`https://${host}/x`)),
  ).toEqual(["host-19.example", "other", "fcm.googleapis.com", "notify.windows.com", "host-0.example"]);
});

test("reads each figure of the queues from an index", async () => {
  await using site = openSite();
  const { core } = site;
  const requests: string[] = [];
  const prepare = core.db.prepare.bind(core.db);
  const db = {
    ...core.db,
    prepare: (sql: string) => {
      requests.push(sql);
      return prepare(sql);
    },
  } as Core["db"];
  outgoing({ db, clock: core.clock });
  const plans = requests.flatMap((sql) =>
    core.db
      .prepare<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...Array.from({ length: sql.split("?").length - 1 }, () => "[]"))
      .map(({ detail }) => detail),
  );
  expect(plans.filter((detail) => /^SCAN (?:mails|pushes)$/.test(detail))).toEqual([]);
  expect(plans.filter((detail) => detail.includes("mails_by_kind")).length).toBe(2);
});
