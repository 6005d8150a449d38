// docs/contract.md#12.33: neither a full queue nor an outage delays messages to others.
import { expect, test } from "bun:test";
import pino from "pino";
import { changeNotificationSettings } from "../../src/core/services/notifications/settings.ts";
import { queueNotifications, hasNotificationsToQueue } from "../../src/core/services/channels/queueing.ts";
import { DAY, HOUR, MINUTE } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import { getSetting, type SettingName } from "../../src/core/base/db/settings.ts";
import type { BuilderCaller } from "../../src/core/identity/access/caller.ts";
import { chooseMails, mailRecovery, setMailAddress } from "../../src/core/identity/mail/mail.ts";
import { notify } from "../../src/core/identity/notifications/notify.ts";
import { pushKey, subscribeToPush, SUBSCRIPTIONS_MAX } from "../../src/core/outbox/push/push.ts";
import type { Push } from "../../src/core/outbox/push/queue.ts";
import { createPushes } from "../../src/delivery/push-request.ts";
import { pushContent } from "../../src/delivery/push-content.ts";
import { pushSending } from "../../src/delivery/push-sending.ts";
import { startSender } from "../../src/delivery/sender.ts";
import { HOME } from "../core/people.ts";
import { sized } from "../drill.ts";
import { createTestWorld, createMember, signedInNow, type TestWorld } from "../support.ts";
import { mailServer } from "./mail-server.ts";
import { startMailSenders } from "./mail-senders.ts";
import { makeBrowser } from "./push-service.ts";
import { authority, openReceiver, until } from "./receiver.ts";

const HOST = "push.example.com";
const FROM = "guild@guild.test";

function openWorld() {
  return createTestWorld({
    allow: [HOST],
    resolve: async () => ["127.0.0.1"],
    policy: { signup: "open", mailFrom: FROM },
  });
}

async function pushService(script: Parameters<typeof openReceiver>[0]) {
  return openReceiver(script, await (await authority()).issue([HOST]));
}

async function startPushes({ core }: TestWorld) {
  const rules = { targets: core.targets, timeoutMs: 10_000, ca: (await authority()).pem, userAgent: "test" };
  const content = (of: Core, push: Push) => pushContent(of, push);
  const sending = pushSending(createPushes(core, rules), content);
  const sender = startSender(core, sending, pino({ level: "silent" }));
  core.onWake(sender.wake);
  return { ...sender, [Symbol.asyncDispose]: () => sender.stop() };
}

async function smtpRules(port: number) {
  return { smtpUrl: `smtp://127.0.0.1:${port}`, smtpCa: (await authority()).pem, mailFrom: FROM };
}

function memberOf(core: Core, name: string, domain = "home.example"): BuilderCaller {
  const member = signedInNow(core, createMember(core, name).caller);
  core.db
    .prepare("INSERT INTO mail_addresses (builder_id, address) VALUES (?, ?)")
    .run(member.builderId, `${name}@${domain}`);
  return member;
}

async function subscribe(core: Core, member: BuilderCaller, port: number, count = 1): Promise<void> {
  await pushKey(core);
  for (let n = 0; n < count; n++)
    await subscribeToPush(core, signedInNow(core, member), {
      endpoint: `https://${HOST}:${port}/${member.username}/${n}`,
      ...makeBrowser().keys,
    });
}

const signIn = (core: Core, { builderId }: BuilderCaller, agent = "Firefox"): void =>
  core.db.transact(() => {
    const subject = { type: "session", id: core.makeId("ses", core.clock.now()) } as const;
    notify(core, { to: builderId, kind: "sign_in", subject, about: agent });
    core.wake();
  });

function levelUp(core: Core, { builderId }: BuilderCaller): void {
  core.db.transact(() => {
    notify(core, { to: builderId, kind: "level_up", subject: { type: "builder", id: builderId } });
    core.wake();
  });
}

const count = (core: Core, sql: string): number =>
  core.db.prepare<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`).get()?.n ?? 0;

function walk(core: Core, channel: "push" | "mail"): void {
  while (hasNotificationsToQueue(core, channel))
    if (!core.db.transact(() => queueNotifications(core, channel))) return;
}

test("members with ten failing browsers each delay no other member's push or mail", async () => {
  using world = openWorld();
  const { core, clock } = world;
  await using failing = await pushService([503]);
  await using healthy = await pushService([201]);
  await using server = await mailServer();
  const attackers = Array.from({ length: sized(3, 10) }, (_, n) => memberOf(core, `thief${n}`));
  const ada = memberOf(core, "ada");
  for (const each of attackers) {
    await subscribe(core, each, failing.port, SUBSCRIPTIONS_MAX);
    changeNotificationSettings(core, each, { level_up: "push" });
  }
  await subscribe(core, ada, healthy.port);
  // More than the queue holds for one member.
  for (let n = 0; n < 25; n++) for (const each of attackers) levelUp(core, each);
  walk(core, "push");
  expect(count(core, "pushes")).toBe(attackers.length * 200 + 1);
  await using _pushes = await startPushes(world);
  await using _mails = startMailSenders(core, await smtpRules(server.port));
  signIn(core, ada);
  await until(() => server.taken.some(({ to }) => to[0] === "ada@home.example"));
  await until(() => healthy.received.length === 2);

  // Pushes to failing browsers stay queued. They are sent once the push service works.
  failing.script.splice(0, Infinity, 201);
  const sent = () => failing.received.length;
  const before = sent();
  await until(() => {
    if (count(core, `pushes WHERE due_at <= ${clock.steady()}`) === 0) {
      clock.pass(MINUTE);
      core.wake();
    }
    return count(core, "pushes") === 0 && count(core, "push_subscriptions WHERE resume_at > 0") === 0;
  });
  expect(sent() - before).toBeGreaterThanOrEqual(25 * attackers.length * SUBSCRIPTIONS_MAX);
});

test("a mail server that accepts nothing delays no push, and every email arrives once it is back", async () => {
  using world = openWorld();
  const { core, clock } = world;
  await using healthy = await pushService([201]);
  await using server = await mailServer();
  const port = server.port;
  await server[Symbol.asyncDispose]();
  const ada = memberOf(core, "ada");
  await subscribe(core, ada, healthy.port);
  changeNotificationSettings(core, ada, { level_up: "mail" });
  chooseMails(core, ada, { mails: "at_once" });
  await using _pushes = await startPushes(world);
  await using mails = startMailSenders(core, await smtpRules(port));
  for (let n = 0; n < 20; n++) levelUp(core, ada);
  await until(() => healthy.received.length === 21);
  signIn(core, ada);
  // The 22 emails are about twenty levels, the new browser and the sign-in.
  await until(() => count(core, "mails") === 22 && mails.health().running === 0);
  // Start the server before the clock advances. Otherwise an attempt would begin a pause that nothing ends.
  await using back = await mailServer({}, port);
  clock.pass(12 * HOUR);
  expect(count(core, "mails WHERE attempts > 0")).toBe(0);
  core.wake();
  await until(() => count(core, "mails") === 0);
  expect(back.taken).toHaveLength(22);
  expect(new Set(back.taken.map(({ headers }) => headers["message-id"])).size).toBe(22);
});

test("a recipient at whom the mail server falls silent uses up only their own attempts, and pauses nobody", async () => {
  using world = openWorld();
  const { core } = world;
  await using server = await mailServer({
    onRcptTo({ address }, _, done) {
      if (address.startsWith("lost"))
        return done(Object.assign(new Error("4.4.2 closing"), { responseCode: 421 }));
      if (!address.startsWith("silent")) done(null);
    },
  });
  const members = ["silent", "lost", "ada", "bob"].map((name) => memberOf(core, name, `${name}.example`));
  for (const each of members) {
    changeNotificationSettings(core, each, { level_up: "mail" });
    chooseMails(core, each, { mails: "at_once" });
  }
  for (const each of members) for (let n = 0; n < 2; n++) levelUp(core, each);
  walk(core, "mail");
  expect(count(core, "mails")).toBe(8);

  const times = { silentMs: 400, sendMaxMs: 5000 };
  await using _senders = startMailSenders(core, await smtpRules(server.port), times);
  await until(() => count(core, "mails WHERE attempts = 0") === 0, 5000);

  expect(count(core, "mails WHERE attempts = 1")).toBe(4);
  const [ada, bob] = ["ada@ada.example", "bob@bob.example"];
  expect(server.taken.map(({ to }) => to[0]).sort()).toEqual([ada, ada, bob, bob]);
});

test("a recovery link and a sign-in notice do not wait behind 600 digests on a slow mail server", async () => {
  using world = openWorld();
  const { core } = world;
  const held: (() => void)[] = [];
  let ordinary = 0;
  await using server = await mailServer({
    onRcptTo({ address }, _, done) {
      if (!address.startsWith("reader")) return done(null);
      ordinary++;
      held.push(() => done(null));
    },
  });
  for (let n = 0; n < 600; n++)
    core.db.transact(() => {
      const { builderId } = memberOf(core, `reader${n}`, `home${n}.example`);
      core.db
        .prepare(
          `INSERT INTO mails (builder_id, kind, address, message_id, created_at, due_at, ends_at, group_id)
           VALUES (?, 'invitation', ?, ?, 0, 0, 9e15, NULL)`,
        )
        .run(builderId, `reader${n}@home${n}.example`, `<${n}@guild.test>`);
      core.db
        .prepare("UPDATE mails SET kind = 'confirm', token = ? WHERE message_id = ?")
        .run(core.secrets.seal("mail-token", String(n + 1), "x".repeat(43)), `<${n}@guild.test>`);
    });
  await using senders = startMailSenders(core, await smtpRules(server.port));
  await until(() => ordinary === 4);
  const ada = memberOf(core, "ada");
  await mailRecovery(core, HOME, "ada");
  signIn(core, ada);
  setMailAddress(core, ada, { address: "new@other.example" });
  await until(() => server.taken.length === 3);
  expect(server.taken.map(({ to }) => to[0]).sort()).toEqual([
    "ada@home.example",
    "ada@home.example",
    "new@other.example",
  ]);
  expect(ordinary).toBe(4);
  for (const release of held) release();
  await senders.stop();
});

test("a member with many emails waits behind one with few, and one host's emails leave slots to others", async () => {
  using world = openWorld();
  const { core } = world;
  let isSlow = true;
  const held: (() => void)[] = [];
  await using server = await mailServer({
    onRcptTo({ address }, _, done) {
      if (isSlow && address.endsWith("slow.example")) held.push(() => done(null));
      else done(null);
    },
  });
  const [ada, bob] = [memberOf(core, "ada", "slow.example"), memberOf(core, "bob", "slow.example")];
  const others = ["cy", "dee"].map((name) => memberOf(core, name, "slow.example"));
  const eve = memberOf(core, "eve");
  for (const each of [ada, bob, ...others, eve]) {
    changeNotificationSettings(core, each, { level_up: "mail" });
    chooseMails(core, each, { mails: "at_once" });
  }
  for (let n = 0; n < 20; n++) for (const each of [ada, bob, ...others]) levelUp(core, each);
  levelUp(core, eve);
  await using senders = startMailSenders(core, await smtpRules(server.port));
  await until(() => server.taken.length === 1);
  expect(server.taken[0]?.to).toEqual(["eve@home.example"]);
  await until(() => senders.health().running === 3);
  isSlow = false;
  for (const release of held) release();
  await until(() => count(core, "mails") === 0);
  expect(server.taken).toHaveLength(81);
});

test("thirty ordinary emails a day leave room for a sign-in notice", () => {
  using world = openWorld();
  const { core } = world;
  const ada = memberOf(core, "ada");
  changeNotificationSettings(core, ada, { level_up: "mail" });
  chooseMails(core, ada, { mails: "at_once" });
  for (let n = 0; n < 40; n++) levelUp(core, ada);
  walk(core, "mail");
  for (let n = 0; n < 40; n++) signIn(core, ada, `Browser ${n}`);
  walk(core, "mail");
  expect([count(core, "mails WHERE urgent = 0"), count(core, "mails WHERE urgent = 1")]).toEqual([30, 30]);
});

test("drops outdated emails, even while no server accepts any", async () => {
  using world = openWorld();
  const { core, clock } = world;
  const ada = memberOf(core, "ada");
  await mailRecovery(core, HOME, "nobody");
  await mailRecovery(core, HOME, "ada");
  signIn(core, ada);
  walk(core, "mail");
  expect(count(core, "mails")).toBe(3);
  clock.pass(HOUR);
  walk(core, "mail");
  expect(count(core, "mails")).toBe(1);
  // Only the sign-in notice is still queued. It is gone after three days.
  clock.pass(3 * DAY);
  walk(core, "mail");
  expect(count(core, "mails")).toBe(0);
});

test("push and mail walk the notifications independently", () => {
  using world = openWorld();
  const { core } = world;
  signIn(core, memberOf(core, "ada"));
  const places = () => ["push-place", "mail-place"].map((name) => getSetting(core, name as SettingName));
  const before = places();
  walk(core, "mail");
  expect([before, places()]).toEqual([
    ["0", "0"],
    ["0", "1"],
  ]);
});

test("browsers on several ports of one push service count as one host", async () => {
  using world = openWorld();
  const { core } = world;
  const ada = memberOf(core, "ada");

  for (const port of [8443, 9443]) await subscribe(core, ada, port);
  signIn(core, ada);
  walk(core, "push");

  const hosts = core.db.prepare("SELECT host, count(*) AS n FROM pushes GROUP BY host").all();
  expect(hosts).toEqual([{ host: HOST, n: 4 }]);
});
