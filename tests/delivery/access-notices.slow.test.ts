// docs/contract.md#9.1.1, docs/threats.md#M43: notices to an owner about new access to their account.
import { expect, test } from "bun:test";
import { ACCESS_KINDS, type AccessKind } from "../../src/core/delegation/securing/access.ts";
import { secureAccount } from "../../src/core/delegation/securing/securing.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";
import { registerApp } from "../../src/core/delegation/apps/apps.ts";
import { grantAccess } from "../../src/core/delegation/grants/grants.ts";
import { createToken } from "../../src/core/delegation/tokens/tokens.ts";
import { inviteMember } from "../../src/core/delegation/workspaces/invitations.ts";
import { createWorkspace } from "../../src/core/delegation/workspaces/workspaces.ts";
import { DAY, HOUR, MINUTE } from "../../src/core/base/clock.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { changePassword, makeRecovery } from "../../src/core/identity/accounts/passwords.ts";
import { renewFeedAddress } from "../../src/core/identity/feed-address/feed-address.ts";
import {
  chooseMails,
  confirmMailAddress,
  getMailSettings,
  ownAddress,
  removeMailAddress,
  setMailAddress,
} from "../../src/core/identity/mail/mail.ts";
import { forgetNotMeLinks } from "../../src/core/identity/mail/not-me-links.ts";
import type { AddedAccess } from "../../src/core/identity/notifications/kinds.ts";
import type { CheckedUrl } from "../../src/core/outbox/webhooks/target.ts";
import { changeEndpoint, registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { KINDS } from "../core/access-kinds.ts";
import { outcomeOf } from "../core/people.ts";
import { createMemberToken, signedInNow } from "../support.ts";
import { callerOf } from "../web/sample-site.ts";
import {
  createAccountOf,
  PASSWORD,
  signUpMember,
  signedInAs,
  type ShownPage,
  visit,
  visibleText,
} from "../web/support.ts";
import { openMailingSite } from "./mail-senders.ts";

const OWNER = "ada@home.example";
const THIEF = "thief@evil.example";

/** A site that sends mail. Ada has had an email address since sign-up. */
async function stage() {
  const mailing = await openMailingSite({ origin: "https://guild.test" });
  const { server, site } = mailing;
  const { core, clock } = site;
  await createAccountOf(site, "maker");
  const ada = await signUpMember(site, "ada");
  const caller = callerOf(site, ada);
  // The first sign-in is settled before the account has an email address, so the sign-in sends no mail.
  await mailing.settled();
  core.db.transact(() => ownAddress(core, caller.builderId, OWNER));
  const created = {
    site,
    core,
    clock,
    server,
    ada,
    caller,
    owner: () => signedInNow(core, caller),
    /** Returns due emails by recipient, because two may be sent at once. */
    async sent() {
      await mailing.settled();
      const taken = server.taken.splice(0).sort((a, b) => (a.to.join() < b.to.join() ? -1 : 1));
      return taken.map(({ to, headers, text }) => ({
        to: to.join(),
        subject: headers["subject"] ?? "",
        unsubscribe: headers["list-unsubscribe"],
        notMe: /\/mail\/not-me\?token=[\w-]{43}/.exec(text)?.[0],
        confirm: /confirm\?token=([\w-]{43})/.exec(text)?.[1],
      }));
    },
    bells: () =>
      core.db
        .prepare<{ kind: string; what: string }>(
          `SELECT kind, subject_id AS what FROM notifications
           WHERE builder_id = ? AND kind IN ('access_added', 'sign_in') ORDER BY place`,
        )
        .all(caller.builderId)
        .map(({ kind, what }) => (kind === "sign_in" ? "sessions" : what)),
    makeToken: (name: string) =>
      createToken(core, created.owner(), "ada", { name, scopes: ["feed:read"], tier: "personal" }),
    /** Sets an email address and confirms it by its link. Returns the other emails. */
    async move(address: string) {
      clock.pass(MINUTE);
      setMailAddress(core, created.owner(), { address });
      const link = (await created.sent()).find(({ confirm }) => confirm !== undefined)?.confirm ?? "";
      core.db.transact(() => confirmMailAddress(core, link, null));
      return created.sent();
    },
    addressNow: () => getMailSettings(core, created.owner()).address,
    [Symbol.asyncDispose]: () => mailing[Symbol.asyncDispose](),
  };
  core.db.prepare("DELETE FROM notifications").run();
  return created;
}

/** Notice of each kind of access, or why that kind has no notice. */
const NOTICES: Readonly<Record<AccessKind, AddedAccess | `none: ${string}`>> = {
  sessions: "sessions",
  devices: "none: made by a sign-in",
  passkeys: "passkeys",
  mail: "none: an address from sign-up; a later one has tests of its own",
  pendingMail: "none: opens nothing before it is confirmed",
  tokens: "tokens",
  endpoints: "endpoints",
  apps: "apps",
  deviceCodes: "apps",
  feed: "feed",
  push: "push",
  links: "none: the operator's recovery link; others have a test of their own",
  notMeLinks: "none: part of a notice",
};

test.concurrent(
  "new access of each kind notifies the owner on the site and by email with a link, whatever their settings",
  async () => {
    await using set = await stage();
    const { core, site, caller } = set;
    // Turns off mail, as a thief would do first.
    chooseMails(core, caller, { mails: "off" });
    const { token } = createMemberToken(core, "ada");
    const body = { access_added: "off" };
    const answer = await site.request(token, "/notifications/settings", { method: "PATCH", body });
    expect(await answer.json()).not.toHaveProperty("access_added");

    for (const kind of ACCESS_KINDS.filter((item) => item !== "sessions")) {
      const notice = NOTICES[kind];
      const before = set.bells().length;
      await KINDS[kind].add(core, { builderId: caller.builderId, caller: set.owner(), device: "" });
      const mails = (await set.sent()).filter(({ confirm }) => confirm === undefined);

      const expected = notice.startsWith("none") ? [] : [notice];
      expect([kind, set.bells().slice(before)]).toEqual([kind, expected as string[]]);
      expect([kind, mails.map(({ to }) => to)]).toEqual([kind, expected.map(() => OWNER)]);
      for (const { notMe, unsubscribe } of mails)
        expect([typeof notMe, unsubscribe]).toEqual(["string", undefined]);
    }
  },
);

test.concurrent("a sign-in with a new browser is mailed with the link as well", async () => {
  await using set = await stage();

  await KINDS.sessions.add(set.core, { builderId: set.caller.builderId, caller: set.caller, device: "" });

  expect(await set.sent()).toMatchObject([{ to: OWNER, notMe: expect.any(String) }]);
  expect(set.bells()).toEqual(["sessions"]);
});

test.concurrent("a link into a workspace, and a recovery link by an admin, notify the owner", async () => {
  await using set = await stage();
  await createAccountOf(set.site, "root", { role: "admin" });
  const root = callerOf(set.site, signedInAs(set.site, "root"));

  inviteMember(set.core, set.owner(), createWorkspace(set.core, set.owner(), "ada", { name: "Tidewater" }));
  makeRecovery(set.core, root, "ada");

  expect((await set.sent()).map(({ to }) => to)).toEqual([OWNER, OWNER]);
  expect(set.bells()).toEqual(["links", "links"]);
});

test.concurrent(
  "more scopes of an app, another address of an endpoint and a new password notify the owner",
  async () => {
    await using set = await stage();
    const { core } = set;
    const { app } = registerApp(core, set.owner(), set.caller.workspaceId, {
      name: "Digest",
      kind: "public",
      redirectUris: ["https://app.example/cb"],
      scopes: ["feed:read", "jobs:read"],
    });
    const grant = { appId: app.id, workspaceId: set.caller.workspaceId };
    const url = (path: string) => `https://hooks.example.com/${path}` as CheckedUrl;
    grantAccess(core, set.owner(), { ...grant, scopes: ["feed:read"] });
    const { id } = registerEndpoint(core, set.owner(), { url: url("1"), events: ["post.created"] });
    const before = set.bells().length;

    grantAccess(core, set.owner(), { ...grant, scopes: ["jobs:read"] });
    // The app asks again for the same scopes.
    grantAccess(core, set.owner(), { ...grant, scopes: ["jobs:read"] });
    changeEndpoint(core, set.owner(), id, { url: url("2") });
    changeEndpoint(core, set.owner(), id, { url: url("2") });
    await changePassword(core, set.owner(), { current: PASSWORD, password: "a wholly new password" });

    expect(set.bells().slice(before)).toEqual(["apps", "endpoints", "password"]);
  },
);

test.concurrent(
  "approving a device of a connected app needs a recent sign-in and notifies the owner",
  async () => {
    await using set = await stage();
    const { core, clock } = set;
    const { app } = registerApp(core, set.owner(), set.caller.workspaceId, {
      name: "Command line",
      kind: "public",
      redirectUris: [],
      scopes: ["feed:read"],
    });
    const device = {
      appId: app.id,
      scopes: ["feed:read"],
      workspaceId: set.caller.workspaceId,
      isDevice: true,
    };
    const stale = set.owner();
    grantAccess(core, stale, device);
    clock.pass(2 * HOUR);

    expect(await outcomeOf(() => grantAccess(core, stale, device))).toBe("forbidden");
    grantAccess(core, set.owner(), device);

    expect(set.bells()).toEqual(["apps", "apps"]);
  },
);

test.concurrent("a flood of one kind of access hides no other kind", async () => {
  await using set = await stage();
  for (let n = 0; n < 30; n++) renewFeedAddress(set.core, set.owner());
  set.makeToken("hidden");
  for (let n = 0; n < 250; n++) renewFeedAddress(set.core, set.owner());

  expect(set.bells().filter((label) => label === "tokens")).toHaveLength(1);
  expect(set.bells().filter((label) => label === "feed")).toHaveLength(10);
  expect((await set.sent()).filter(({ subject }) => subject.includes("access token"))).toHaveLength(1);
});

test.concurrent(
  "after an address change, notices go to the former address for 24 hours, and none to the new one",
  async () => {
    await using set = await stage();

    expect(await set.move(THIEF)).toMatchObject([{ to: OWNER, notMe: expect.any(String) }]);
    expect(set.bells()).toEqual(["mail"]);
    set.makeToken("first");
    expect(await set.sent()).toMatchObject([{ to: OWNER, notMe: expect.any(String) }]);
    // After a second change, the owner's email address still gets the link. The thief's first email address
    // gets a notice without a link.
    expect((await set.move("other@evil.example")).map(({ to, notMe }) => [to, notMe !== undefined])).toEqual([
      [OWNER, true],
      [THIEF, false],
    ]);
    set.clock.pass(DAY - HOUR);
    set.makeToken("second");
    expect(await set.sent()).toMatchObject([{ to: OWNER, notMe: expect.any(String) }]);

    set.clock.pass(HOUR);
    set.makeToken("third");
    expect(await set.sent()).toMatchObject([{ to: "other@evil.example", notMe: expect.any(String) }]);
  },
);

test.concurrent(
  "notifies a removed address, and still sends it notices when another address follows",
  async () => {
    await using set = await stage();

    removeMailAddress(set.core, set.owner());
    expect(await set.sent()).toMatchObject([{ to: OWNER, notMe: expect.any(String) }]);

    expect(await set.move(THIEF)).toMatchObject([{ to: OWNER, notMe: expect.any(String) }]);
  },
);

test.concurrent("a first address gets notices for its first 24 hours, without a recovery link", async () => {
  await using set = await stage();
  set.core.db.prepare("DELETE FROM mail_addresses").run();
  expect(await set.move("new@home.example")).toEqual([]);

  set.makeToken("early");
  expect(await set.sent()).toMatchObject([{ to: "new@home.example", notMe: undefined }]);
  expect(await set.move(THIEF)).toMatchObject([{ to: "new@home.example", notMe: undefined }]);
  set.makeToken("later");
  expect(await set.sent()).toMatchObject([{ to: "new@home.example", notMe: undefined }]);
  await set.move("new@home.example");
  set.clock.pass(DAY);
  set.makeToken("late");
  expect(await set.sent()).toMatchObject([{ to: "new@home.example", notMe: expect.any(String) }]);
});

test.concurrent(
  "opening the link changes nothing; its button ends all access and offers a new password",
  async () => {
    await using set = await stage();
    const { core, site, caller } = set;
    const works = new Map<AccessKind, () => boolean | Promise<boolean>>();
    for (const kind of ACCESS_KINDS.filter((item) => item !== "mail" && item !== "devices"))
      works.set(
        kind,
        await KINDS[kind].add(core, { builderId: caller.builderId, caller: set.owner(), device: "" }),
      );
    await set.sent();
    const [mail] = await set.move(THIEF);
    const link = mail?.notMe ?? "";
    const before = core.db.prepare("SELECT count(*) AS n FROM audit_entries").get();

    for (const [language, words] of [
      ["en", "Your account has a new email address"],
      ["de", "Dein Konto hat eine neue E-Mail-Adresse"],
      ["es", "Tu cuenta tiene una nueva dirección de correo"],
    ] as const) {
      const page = await visit(site).open(link, { headers: { "accept-language": language } });
      expect([page.status, visibleText(page.html)]).toEqual([200, expect.stringContaining(words)]);
    }
    expect(core.db.prepare("SELECT count(*) AS n FROM audit_entries").get()).toEqual(before);
    for (const [kind, look] of works)
      // A new email address replaces the pending address and invalidates recovery links. All other kinds of
      // access still work.
      if (kind !== "pendingMail" && kind !== "links") expect([kind, await look()]).toEqual([kind, true]);
    expect(set.addressNow()).toBe(THIEF);

    const reader = visit(site);
    const form = await reader.submit(await reader.open(link), "/mail/not-me");
    expect(form.address).toStartWith("/recover?token=");
    for (const [kind, look] of works) expect([kind, await look()]).toEqual([kind, false]);
    expect(set.addressNow()).toBe(OWNER);
    const thief = visit(site);
    const refused = await thief.submit(await thief.open("/sign-in"), "/sign-in", {
      username: "ada",
      password: PASSWORD,
    });
    expect(refused.status).not.toBe(200);
    expect(await set.sent()).toMatchObject([{ to: THIEF, notMe: undefined }]);
    // A second press of the button, such as a double click, leads to the page for a new password again.
    const again = visit(site);
    const second = await again.submit(await again.open(link), "/mail/not-me");
    expect(second.address).toStartWith("/recover?token=");
    const list = await again.submit(second, "/recover", { password: "a wholly new password" });
    expect(list.address).toStartWith("/settings/account/secure");
    const entries = core.db.prepare<{ act: string }>("SELECT act FROM audit_entries ORDER BY id").all();
    for (const action of [
      "password.removed",
      "passkey.removed",
      "mail.removed",
      "endpoint.deleted",
      "feed.ended",
    ])
      expect(entries.map((each) => each.act)).toContain(action);

    set.clock.pass(HOUR);
    expect((await visit(site).open(link)).status).toBe(404);
  },
);

test.concurrent(
  "refuses a link after three days, for a suspended account, and after the account was secured",
  async () => {
    await using set = await stage();
    const { core, site } = set;
    const linkOf = async (name: string): Promise<string> => {
      set.makeToken(name);
      return (await set.sent()).at(-1)?.notMe ?? "";
    };
    const open = async (link: string): Promise<[ShownPage["status"], ShownPage["status"]]> => {
      const reader = visit(site);
      const form_token =
        /name="form_token" value="([^"]*)"/.exec((await reader.open("/sign-in")).html)?.[1] ?? "";
      const token = link.split("=")[1] ?? "";
      const posted = await reader.post("/mail/not-me", { token, form_token });
      return [(await reader.open(link)).status, posted.status];
    };

    const late = await linkOf("late");
    set.clock.pass(3 * DAY);
    expect(await open(late)).toEqual([404, 404]);
    const secured = await linkOf("secured");
    const kept = { passkeys: "all", password: true } as const;
    secureAccount(core, set.owner(), "ada", kept);
    expect(await open(secured)).toEqual([404, 404]);
    await set.sent();
    core.db.transact(() => ownAddress(core, set.caller.builderId, OWNER));
    const suspended = await linkOf("suspended");
    setSuspended(core, OPERATOR, "ada", true);
    expect(await open(suspended)).toEqual([404, 404]);
    expect(await open(`/mail/not-me?token=${"x".repeat(43)}`)).toEqual([404, 404]);
  },
);

test.concurrent(
  "securing the account emails a link to an address that is at least 30 days old, and none to a newer one",
  async () => {
    await using set = await stage();
    const secure = () => secureAccount(set.core, set.owner(), "ada", { passkeys: "all", password: true });

    // A thief changes the email address and secures the account before the owner reads the mail.
    await set.move(THIEF);
    secure();
    expect((await set.sent()).map(({ to, notMe }) => [to, notMe !== undefined])).toEqual([
      [OWNER, true],
      [THIEF, false],
    ]);
    await set.move(THIEF);
    set.clock.pass(29 * DAY);
    secure();
    expect(await set.sent()).toMatchObject([{ to: THIEF, notMe: undefined }]);
  },
);

test.concurrent("deletes expired links and former addresses", async () => {
  await using set = await stage();
  set.makeToken("quick");
  await set.sent();
  await set.move(THIEF);
  const left = () => [
    set.core.db.prepare("SELECT 1 FROM not_me_links").all().length,
    set.core.db.prepare("SELECT 1 FROM mail_addresses WHERE former IS NOT NULL").all().length,
  ];
  await forgetNotMeLinks(set.core);
  expect(left()).toEqual([2, 1]);

  set.clock.pass(DAY);
  await forgetNotMeLinks(set.core);
  expect(left()).toEqual([2, 0]);
  set.clock.pass(2 * DAY);
  await forgetNotMeLinks(set.core);
  expect(left()).toEqual([0, 0]);
});

test.concurrent("emails the notice even if a thief reads the notification first", async () => {
  await using set = await stage();
  set.core.db.transact(() => {
    set.makeToken("quick");
    set.core.db.prepare("UPDATE notifications SET read_at = created_at").run();
  });

  expect((await set.sent()).map(({ to }) => to)).toEqual([OWNER]);
});

test.concurrent("emails at most ten additions of a kind a day, and every change of the address", async () => {
  await using set = await stage();
  for (let n = 0; n < 40; n++) set.makeToken(`token ${n}`);

  expect((await set.sent()).length).toBe(10);
  expect(await set.move(THIEF)).toMatchObject([{ to: OWNER, notMe: expect.any(String) }]);
  set.clock.pass(DAY);
  set.makeToken("next day");
  expect((await set.sent()).length).toBe(1);
});
