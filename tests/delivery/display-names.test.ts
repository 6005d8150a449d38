// docs/contract.md#9.16, docs/contract.md#12.20: display names that contain a link or an encoded word.
import { expect, test } from "bun:test";
import { queueNotifications, hasNotificationsToQueue } from "../../src/core/services/channels/queueing.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { changeProfile } from "../../src/core/community/profiles/profiles.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { apply } from "../../src/core/identity/applications/applications.ts";
import { createAccount, signUp } from "../../src/core/identity/accounts/accounts.ts";
import { chooseMails } from "../../src/core/identity/mail/mail.ts";
import { publicName } from "../../src/core/identity/builders/author.ts";
import { pushesDue } from "../due-messages.ts";
import { pushKey, subscribeToPush } from "../../src/core/outbox/push/push.ts";
import { pushContent } from "../../src/delivery/push-content.ts";
import { HOME, PASSWORD, refusalOf } from "../core/people.ts";
import { createTestWorld, createMember, signedInNow } from "../support.ts";
import { openSite, signUpMember as visitorOf, visibleText } from "../web/support.ts";
import { mailServer, type ReceivedMail } from "./mail-server.ts";
import { startMailSenders } from "./mail-senders.ts";
import { makeBrowser } from "./push-service.ts";
import { authority, until } from "./receiver.ts";

const REFUSED = [
  "https://evil.example",
  "see www.evil.example",
  "ｗｗｗ．evil.example",
  "evil.example/verify",
  "evil。example/verify",
  "10.0.0.1/verify",
  "evil.example:8080/verify",
  "evil.xn--p1ai/pay",
  "evil.भारत/pay",
  "https:\\\\evil.com",
  "https:/\\evil.com",
  "mailto:a@evil.com",
  "evil․example/verify",
  "=?utf-8?q?You_are_hacked?=",
  "Ada =?UTF-8?B?SGFja2Vk?=",
];
const ALLOWED = [
  "Ada Okafor",
  "A/B tester",
  "C++",
  "C/C++ and Node.js",
  "Node.js dev",
  "AC/DC",
  "TCP/IP",
  "R&D (infra)",
  "24/7",
  "1.5/2 stars",
  "Dr. Okafor",
  "Ada :/",
  "Ada: builder",
  "example.org",
  "Dr. St. John",
  "evil.example",
  "Why? =)",
  "50 %/week",
];

/** Decodes a header as lenient mail programs do: encoded words anywhere, also within quotes. */
function decodedHeader(header: string): string {
  return header
    .replaceAll(/\?=\s+=\?/g, "?==?")
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, coding: string, text: string) =>
      coding.toLowerCase() === "b"
        ? Buffer.from(text, "base64").toString()
        : Buffer.from(
            text
              .replaceAll("_", " ")
              .replaceAll(/=([0-9a-f]{2})/gi, (__, hex: string) =>
                String.fromCharCode(Number.parseInt(hex, 16)),
              ),
            "latin1",
          ).toString(),
    );
}

test("refuses links and encoded words in a new display name, on every path", async () => {
  await using site = openSite({ policy: { signup: "open" } });
  const { core } = site;
  const { caller, token } = createMember(core, "ada");
  const nobody = { role: "member", password: PASSWORD } as const;
  let count = 0;
  const byName = (name: string): (() => unknown)[] => [
    () => signUp(core, HOME, { username: `new${count++}`, name, password: PASSWORD, agrees: true }),
    () => createAccount(core, OPERATOR, { username: `new${count++}`, name, ...nobody }),
    () => changeProfile(core, caller, { name }),
  ];
  for (const name of REFUSED)
    for (const set of byName(name)) {
      const refusal = await refusalOf(set);
      expect([name, refusal.error, refusal.details?.[0]?.path]).toEqual([name, "bad_request", "name"]);
    }
  for (const name of ALLOWED) for (const set of byName(name)) await set();

  const name = "evil.example/verify";
  const rest = await site.request(token, "/profiles/me", { method: "PATCH", body: { name } });
  expect([rest.status, await rest.json()]).toEqual([
    400,
    expect.objectContaining({ details: [expect.objectContaining({ path: "name", code: "name_has_link" })] }),
  ]);
  const graph = await fetch(`${site.url}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({
      query: `mutation { changeProfile(input: { name: "${name}" }) { errors { code } } }`,
    }),
  });
  expect(JSON.stringify(await graph.json())).toContain("name_has_link");
  const visitor = await visitorOf(site, "bob");
  const page = await visitor.open("/settings/profile");
  const shownPage = await visitor.submit(page, "/settings/profile", { name });
  expect([shownPage.status, shownPage.html.includes(`value="${name}"`)]).toEqual([400, true]);
  expect(visibleText(shownPage.html)).toContain("Leave out web addresses, such as example.org/page");
});

test("refuses links in the name of an application", async () => {
  using world = createTestWorld({ policy: { signup: "open" } });
  const { core } = world;
  changeCommunitySettings(core, OPERATOR, { joining: "approval" });
  const form = { password: PASSWORD, why: "I build.", language: "en", agrees: true } as const;
  const refusal = await refusalOf(() =>
    apply(core, HOME, { ...form, username: "eve", name: "evil.example/verify" }),
  );
  expect(refusal.details?.[0]).toMatchObject({ path: "name" });
  await apply(core, HOME, { ...form, username: "eve", name: "evil.example" });
});

test("keeps an existing name in an edit that does not change the name", () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  core.db.prepare("UPDATE builders SET name = 'evil.example/verify' WHERE username = 'ada'").run();
  expect(changeProfile(core, caller, { name: "evil.example/verify", bio: "hello" })).toMatchObject({
    name: "evil.example/verify",
    bio: "hello",
  });
});

test("outside the site, breaks schemes, slashes and dots of an existing name, and keeps its letters", () => {
  const outside: Record<string, string> = {
    "https://evil.example/pay": "https:|/|/evil.|example/pay",
    "https://2130706433/x": "https:|/|/2130706433/x",
    "https:\\\\evil.com": "https:|\\|\\evil.|com",
    "https:/2130706433": "https:|/2130706433",
    "//evil/x": "/|/evil/x",
    "mailto:a@evil": "mailto:|a@evil",
    "evil․example": "evil․|example",
    "evil。example．com": "evil。|example．|com",
    "A/B tester: Ada": "A/B tester: Ada",
  };
  for (const [name, broken] of Object.entries(outside)) {
    const shown = publicName({ name, username: "ada" });
    expect(shown).toBe(`${broken.replaceAll("|", "\u2060")} (@ada)`);
    expect(shown.replaceAll("\u2060", "")).toBe(`${name} (@ada)`);
  }
});

test("shows @username beside a name in mail and push, breaks links in its dots, and decodes no encoded word", async () => {
  await using server = await mailServer();
  const from = "=?utf-8?q?Bank?=";
  using world = createTestWorld({
    allow: ["push.example.com"],
    resolve: async () => ["127.0.0.1"],
    policy: { signup: "open", mailFrom: "guild@guild.test", name: from },
  });
  const { core } = world;
  const [ada, bob] = ["ada", "bob"].map((name) => createMember(core, name).caller);
  if (!ada || !bob) throw new Error("nobody moved in");
  const me = signedInNow(core, ada);
  core.db
    .prepare("INSERT INTO mail_addresses (builder_id, address) VALUES (?, 'ada@home.example')")
    .run(ada.builderId);
  chooseMails(core, me, { mails: "at_once" });
  await pushKey(core);
  await subscribeToPush(core, me, { endpoint: "https://push.example.com/1", ...makeBrowser().keys });
  // Deletes the push that greets the subscribed browser, and the notification about that browser.
  core.db.prepare("DELETE FROM pushes").run();
  core.db.prepare("DELETE FROM notifications").run();
  const name = "https://evil.example/verify =?utf-8?q?You=20are=20hacked?=";
  core.db.prepare("UPDATE builders SET name = ? WHERE username = 'bob'").run(name);
  replyTo(core, bob, createPost(core, ada, { text: "hello" }).id, { text: "yes" });
  const rules = {
    smtpUrl: `smtp://127.0.0.1:${server.port}`,
    smtpCa: (await authority()).pem,
    mailFrom: "guild@guild.test",
  };
  await using _senders = startMailSenders(core, rules);
  await until(() => server.taken.length === 1);
  const mail = server.taken[0] as ReceivedMail;
  const broken = name.replace("https://", "https:\u2060/\u2060/").replaceAll(".", ".\u2060");
  const sentence = `${broken} (@bob) replied to you`;
  expect(decodedHeader(mail.headers["subject"] ?? "")).toBe(sentence);
  expect(decodedHeader(mail.headers["from"] ?? "")).toBe(`${from}\u2060 <guild@guild.test>`);
  expect(mail.text).toContain(sentence);
  expect(mail.text).not.toContain("evil.example");
  expect(Buffer.from(mail.raw, "latin1").toString()).not.toContain("evil.example");
  while (hasNotificationsToQueue(core, "push")) core.db.transact(() => queueNotifications(core, "push"));
  const [push] = pushesDue(core);
  if (!push) throw new Error("no push message waits");
  expect(pushContent(core, push)?.body).toBe(sentence);
});
