// docs/contract.md#12.20: mail.
import { type AddressInfo, connect, createServer } from "node:net";
import { expect, test } from "bun:test";
import type { SMTPServerOptions } from "smtp-server";
import pino from "pino";
import { secureAccount } from "../../src/core/delegation/securing/securing.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../src/core/base/clock.ts";
import {
  confirmMailAddress,
  getMailSettings,
  mailRecovery,
  removeMailAddress,
  peekConfirmation,
  setMailAddress,
} from "../../src/core/identity/mail/mail.ts";
import { peekRecovery, recover } from "../../src/core/identity/accounts/passwords.ts";
import { type Sender } from "../../src/delivery/sender.ts";
import { createMailer, type MailRules, transportOptions } from "../../src/delivery/smtp.ts";
import { callerOf, HOME, createSignedInMember, refusalOf } from "../core/people.ts";
import { createTestWorld, signedInNow, type TestWorld } from "../support.ts";
import { drippingServer, mailServer, type ReceivedMail } from "./mail-server.ts";
import { startMailSenders } from "./mail-senders.ts";
import { authority, until } from "./receiver.ts";

const silent = pino({ level: "silent" });
const FROM = "guild@guild.test";

interface Stage extends AsyncDisposable {
  world: TestWorld;
  rules: { -readonly [Name in keyof MailRules]: MailRules[Name] };
  sender: Sender;
  pass(ms: number): void;
  waiting(): number;
}

/** The real sender on a fake clock. The community's name tries to inject headers. */
async function stage(port: number, smtpUrl = `smtp://guild:s3cret%3A%2F@127.0.0.1:${port}`): Promise<Stage> {
  const name = "Bees, Inc.\r\nBcc: all@guild.test";
  const world = createTestWorld({ policy: { signup: "open", mailFrom: FROM, name } });
  const { core, clock } = world;
  const rules = {
    smtpUrl,
    smtpCa: (await authority()).pem,
    mailFrom: FROM,
  };
  const sender = startMailSenders(core, rules);
  return {
    world,
    rules,
    sender,
    pass(ms) {
      clock.pass(ms);
      sender.wake();
    },
    waiting: () =>
      core.db.prepare<{ count: number }>("SELECT count(*) AS count FROM mails").get()?.count ?? 0,
    async [Symbol.asyncDispose]() {
      await sender.stop();
      world[Symbol.dispose]();
    },
  };
}

const tokenOf = ({ text }: ReceivedMail): string => /token=([\w-]{43})/.exec(text)?.[1] ?? "none";

test.concurrent(
  "confirms an address by the mailed link, sent over authenticated TLS, and no name adds a header",
  async () => {
    await using server = await mailServer();
    await using set = await stage(server.port);
    const { core, clock } = set.world;
    const { caller } = await createSignedInMember(core, "ada");
    setMailAddress(core, caller, { address: "Ada+guild@home.example" });
    expect((await refusalOf(() => setMailAddress(core, caller, { address: "b@home.example" }))).code).toBe(
      "mail_just_sent",
    );
    await until(() => set.waiting() === 0);
    const [first] = server.taken;
    if (!first) throw new Error("nothing came");
    expect(first).toMatchObject({
      to: ["Ada+guild@home.example"],
      from: FROM,
      isSecure: true,
      user: "guild",
    });
    expect(first.headers).toMatchObject({
      "auto-submitted": "auto-generated",
      "message-id": expect.stringMatching(/^<[0-9a-f]{32}@guild\.test>$/),
    });
    expect(first.headers["bcc"]).toBeUndefined();
    expect(first.headers["subject"]).toBe("Confirm your email address for Bees, Inc. Bcc: all@guild.test");
    expect(getMailSettings(core, caller)).toEqual({
      address: null,
      pending: "Ada+guild@home.example",
      mails: "daily",
      bouncedAt: null,
    });
    expect(peekConfirmation(core, tokenOf(first)).username).toBe("ada");
    confirmMailAddress(core, tokenOf(first), null);
    expect(() => confirmMailAddress(core, tokenOf(first), null)).toThrow();
    expect(getMailSettings(core, caller).address).toBe("Ada+guild@home.example");

    // When the email address changes, the confirmation link expires after a day, and the old email address
    // gets a notice.
    clock.pass(2 * MINUTE);
    setMailAddress(core, caller, { address: "ada@new.example" });
    await until(() => server.taken.length === 2);
    const second = server.taken[1] as ReceivedMail;
    clock.pass(DAY);
    expect(() => confirmMailAddress(core, tokenOf(second), null)).toThrow();
    setMailAddress(core, signedInNow(core, caller), { address: "ada@new.example" });
    await until(() => server.taken.length === 3);
    confirmMailAddress(core, tokenOf(server.taken[2] as ReceivedMail), null);
    await until(() => server.taken.length === 4);
    expect(server.taken[3]).toMatchObject({ to: ["Ada+guild@home.example"] });
    // Securing the account removes the email address, because anyone who reads mail to this address could
    // recover the account.
    const now = signedInNow(core, caller);
    secureAccount(core, now, "ada", { passkeys: "all", password: true });
    expect(getMailSettings(core, now).address).toBeNull();
  },
);

test.concurrent("changing the address ends recovery links that were mailed to the former one", async () => {
  await using server = await mailServer();
  await using set = await stage(server.port);
  const { core, clock } = set.world;
  const { caller } = await createSignedInMember(core, "ada");
  const next = async (count: number) => {
    await until(() => server.taken.length === count);
    return tokenOf(server.taken[count - 1] as ReceivedMail);
  };
  setMailAddress(core, caller, { address: "thief@home.example" });
  confirmMailAddress(core, await next(1), null);
  clock.pass(DAY);
  await mailRecovery(core, HOME, "ada");
  const first = await next(2);
  setMailAddress(core, signedInNow(core, caller), { address: "ada@home.example" });
  const confirming = await next(3);
  expect(peekRecovery(core, first).username).toBe("ada");
  confirmMailAddress(core, confirming, null);
  expect(() => peekRecovery(core, first)).toThrow();
  await until(() => server.taken.length === 4);
  clock.pass(DAY);
  await mailRecovery(core, HOME, "ada");
  const second = await next(5);
  removeMailAddress(core, caller);
  expect(() => peekRecovery(core, second)).toThrow();
});

test.concurrent(
  "emails a recovery link once an hour, never reveals whether an account exists, and sends one email for a flood",
  async () => {
    await using server = await mailServer();
    await using set = await stage(server.port);
    const { core, clock } = set.world;
    const { caller } = await createSignedInMember(core, "ada");
    setMailAddress(core, caller, { address: "ada@home.example" });
    await until(() => server.taken.length === 1);
    confirmMailAddress(core, tokenOf(server.taken[0] as ReceivedMail), null);
    clock.pass(DAY);
    for (const username of ["nobody", "ada", "@Ada", "ADA@home.example", "x@home.example", "a\r\nb", ""])
      expect(await mailRecovery(core, HOME, username)).toBeUndefined();
    await until(() => set.waiting() === 0 && !set.sender.health().running);
    expect(server.taken.map(({ to }) => to[0])).toEqual(["ada@home.example", "ada@home.example"]);
    const token = tokenOf(server.taken[1] as ReceivedMail);
    clock.pass(HOUR - SECOND);
    expect(peekRecovery(core, token).username).toBe("ada");
    const opened = await recover(core, HOME, { token, password: "a wholly new one" });
    expect(callerOf(core, opened.secret).username).toBe("ada");
    clock.pass(2 * SECOND);
    await mailRecovery(core, HOME, "ada@home.example");
    await until(() => server.taken.length === 3);
    clock.pass(HOUR);
    expect(() => peekRecovery(core, tokenOf(server.taken[2] as ReceivedMail))).toThrow();
    const many = Array.from({ length: 40 }, () =>
      mailRecovery(core, HOME, "nobody").then(
        () => "",
        (e) => e.code,
      ),
    );
    expect(await Promise.all(many)).toContain("too_many_tries");
  },
);

test.concurrent(
  "resends the same mail after an outage, drops a refused one, and sends nothing without TLS",
  async () => {
    const port = await freePort();
    await using set = await stage(port);
    const { core } = set.world;
    const { caller } = await createSignedInMember(core, "ada");
    setMailAddress(core, caller, { address: "ada@home.example" });
    const id = () =>
      core.db.prepare<{ id: string; attempts: number }>("SELECT message_id AS id, attempts FROM mails").get();
    const first = id();
    {
      // A server that is down, full or closing does not use up an attempt of any mail.
      using away = closingServer(port);
      const closed = (times: number) =>
        until(() => away.closed === times && set.sender.health().running === 0);
      await closed(1);
      set.pass(MINUTE);
      await closed(2);
      expect(id()?.attempts).toBe(0);
    }
    let connections = 0;
    const onConnect: SMTPServerOptions["onConnect"] = (_, done) => {
      connections++;
      done();
    };
    await using server = await mailServer({ onConnect }, port);
    server.refusals.set("ada@home.example", 451);
    set.pass(MINUTE);
    await until(() => id()?.attempts === 1);
    server.refusals.clear();
    set.pass(5 * MINUTE);
    await until(() => set.waiting() === 0);
    expect(server.taken.map(({ headers }) => headers["message-id"])).toEqual([first?.id]);

    server.refusals.set("gone@home.example", 550);
    setMailAddress(core, signedInNow(core, caller), { address: "gone@home.example" });
    await until(() => set.waiting() === 0);
    expect(server.taken).toHaveLength(1);

    // Only the operator can fix a wrong password or an untrusted authority.
    for (const [smtpUrl, smtpCa] of [
      [`smtp://guild:wrong@127.0.0.1:${port}`, set.rules.smtpCa],
      [`smtp://guild:s3cret%3A%2F@127.0.0.1:${port}`, undefined],
    ] as const) {
      Object.assign(set.rules, { smtpUrl, smtpCa });
      core.db.prepare("DELETE FROM mails").run();
      set.world.clock.pass(2 * MINUTE);
      setMailAddress(core, signedInNow(core, caller), { address: "ada@other.example" });
      const before = connections;
      await until(() => connections > before && set.sender.health().running === 0);
      expect(set.waiting()).toBe(1);
    }
    expect(server.taken).toHaveLength(1);
    expect(transportOptions("smtp://mail.example", undefined)).toMatchObject({ port: 587, requireTLS: true });
    expect(transportOptions("smtps://mail.example", undefined)).toMatchObject({ port: 465, secure: true });
  },
);

function closingServer(port: number): Disposable & { closed: number } {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.destroy();
    created.closed++;
  }).listen(port, "127.0.0.1");
  const created = { closed: 0, [Symbol.dispose]: () => void server.close() };
  return created;
}

async function freePort(): Promise<number> {
  await using server = await mailServer();
  return server.port;
}

test("a server that responds byte by byte delays neither a slot nor a stop", async () => {
  using server = drippingServer();
  const rules = { smtpUrl: `smtp://127.0.0.1:${server.port}`, mailFrom: FROM };
  const send = createMailer(rules, silent, { silentMs: 1000, sendMaxMs: 100 });
  const text = { language: "en", subject: "hello", paragraphs: ["hello"], foot: [] };
  const sent = send({ from: "Guild", to: "ada@guild.test", messageId: "<1@guild.test>", date: 0, text });
  expect(await sent).toEqual({ kind: "later" });
  expect(server.drips).toBeGreaterThan(2);
});

/** Sends emails one after another. Returns how each one ended. */
async function sendEach(rules: MailRules, count: number, between = () => {}): Promise<string[]> {
  const send = createMailer(rules, silent);
  const text = { language: "en", subject: "hello", paragraphs: ["hello"], foot: [] };
  const ends: string[] = [];
  for (let n = 0; n < count; n++) {
    const letter = { from: "Guild", to: `ada${n}@guild.test`, messageId: `<${n}@guild.test>`, date: 0, text };
    ends.push((await send(letter)).kind);
    between();
  }
  return ends;
}

async function rulesFor(port: number): Promise<MailRules> {
  return { smtpUrl: `smtp://127.0.0.1:${port}`, smtpCa: (await authority()).pem, mailFrom: FROM };
}

test.concurrent("up to fifty emails in a row share a connection, which is closed afterwards", async () => {
  let opened = 0;
  let closed = 0;
  await using server = await mailServer({
    onConnect: (_, done) => {
      opened++;
      done();
    },
    onClose: () => void closed++,
  });

  const ends = await sendEach(await rulesFor(server.port), 60);

  expect(new Set(ends)).toEqual(new Set(["sent"]));
  expect(server.taken).toHaveLength(60);
  expect(opened).toBe(2);
  await until(() => closed === 2);
});

test.concurrent("opens a new connection when the server hangs up between two emails, or moved", async () => {
  const sessions: { destroy(): void }[] = [];
  await using server = await mailServer();
  await using other = await mailServer();
  const rules = await rulesFor(server.port);
  const hangUp = createServer((socket) => {
    const through = connect(server.port, "127.0.0.1");
    sessions.push(socket);
    socket.on("error", () => {}).pipe(through);
    through.on("error", () => {}).pipe(socket);
    socket.on("close", () => through.destroy());
  }).listen(0, "127.0.0.1");
  const { port } = hangUp.address() as AddressInfo;
  Object.assign(rules, { smtpUrl: `smtp://127.0.0.1:${port}` });

  const ends = await sendEach(rules, 4, () => {
    for (const each of sessions.splice(0)) each.destroy();
    if (server.taken.length === 3) Object.assign(rules, { smtpUrl: `smtp://127.0.0.1:${other.port}` });
  });
  hangUp.close();

  expect(ends).toEqual(["sent", "sent", "sent", "sent"]);
  expect([server.taken.length, other.taken.length]).toEqual([3, 1]);
});

test.concurrent(
  "a server that limits emails per connection gets the others later, and pauses nobody",
  async () => {
    const counts = new Map<string, number>();
    await using server = await mailServer({
      onMailFrom(_, { id }, done) {
        const count = (counts.get(id) ?? 0) + 1;
        counts.set(id, count);
        done(count > 2 ? Object.assign(new Error("too many mails"), { responseCode: 421 }) : null);
      },
    });

    expect(await sendEach(await rulesFor(server.port), 4)).toEqual(["sent", "sent", "later", "sent"]);
  },
);
