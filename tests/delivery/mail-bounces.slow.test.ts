// docs/contract.md#12.20.1: mailboxes that reject mail.
import { expect, test } from "bun:test";
import { partsOf } from "../../src/core/services/transfer/exporting.ts";
import { queueNotifications, hasNotificationsToQueue } from "../../src/core/services/channels/queueing.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { secureAccount } from "../../src/core/delegation/securing/securing.ts";
import { inviteMember } from "../../src/core/delegation/workspaces/invitations.ts";
import { createWorkspace } from "../../src/core/delegation/workspaces/workspaces.ts";
import { DAY, HOUR, MINUTE } from "../../src/core/base/clock.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { inviteNewcomer } from "../../src/core/identity/mail/invitation.ts";
import {
  chooseMails,
  confirmMailAddress,
  getMailSettings,
  mailRecovery,
  removeMailAddress,
  setMailAddress,
} from "../../src/core/identity/mail/mail.ts";
import { notify } from "../../src/core/identity/notifications/notify.ts";
import { pushKey, subscribeToPush } from "../../src/core/outbox/push/push.ts";
import { settlePush } from "../../src/core/outbox/push/queue.ts";
import { pushContent } from "../../src/delivery/push-content.ts";
import { HOME } from "../core/people.ts";
import { createMemberToken, createMember, signedInNow } from "../support.ts";
import { createAccountOf, signedInAs, visibleText } from "../web/support.ts";
import { openMailingSite } from "./mail-senders.ts";
import { pushesDue } from "../due-messages.ts";
import { mailServer } from "./mail-server.ts";
import { makeBrowser } from "./push-service.ts";
import { until } from "./receiver.ts";

const ADDRESS = "ada@home.example";
const GONE = "550 5.1.1 no such user";

/**
 * A site that sends mail. Ada's email address is confirmed, and she gets an email about each notification at
 * once.
 */
async function stage() {
  const mailing = await openMailingSite();
  const { server, site, rules, sender } = mailing;
  const { core, clock } = site;
  await createAccountOf(site, "ada");
  const { token, caller } = createMemberToken(core, "ada");
  const { caller: bob } = createMember(core, "bob");
  const post = createPost(core, caller, { text: "hello" });
  const created = {
    site,
    core,
    clock,
    server,
    rules,
    token,
    ada: () => signedInNow(core, caller),
    settled: mailing.settled,
    running: () => sender.health().running,
    subjects: () => server.taken.map(({ to, headers }) => `${to[0]}: ${headers["subject"]}`),
    reply: () => replyTo(core, bob, post.id, { text: "yes" }),
    isMarked: () => getMailSettings(core, created.ada()).bouncedAt !== null,
    bells: () =>
      core.db.prepare("SELECT 1 FROM notifications WHERE kind = 'mail_bounced' AND read_at IS NULL").all()
        .length,
    async confirm(address: string) {
      clock.pass(MINUTE);
      setMailAddress(core, created.ada(), { address });
      await created.settled();
      const [, link = ""] = /confirm\?token=([\w-]{43})/.exec(server.taken.at(-1)?.text ?? "") ?? [];
      core.db.transact(() => confirmMailAddress(core, link, null));
    },
    [Symbol.asyncDispose]: () => mailing[Symbol.asyncDispose](),
  };
  chooseMails(core, created.ada(), { mails: "at_once" });
  await created.confirm(ADDRESS);
  server.taken.length = 0;
  return created;
}

test.concurrent(
  "marks a mailbox that refuses mail: its owner is notified once, ordinary mail stops, security mail is tried",
  async () => {
    await using set = await stage();
    const { site, core, clock, server, token } = set;
    await pushKey(core);
    await subscribeToPush(core, set.ada(), {
      endpoint: "https://push.example.com/ada",
      ...makeBrowser().keys,
    });
    // Discards the mail about the browser that was subscribed above.
    await set.settled();
    server.taken.length = 0;
    // The notification about rejected mail is never mailed, even if its kind is set to mail.
    const patched = await site.request(token, "/notifications/settings", {
      method: "PATCH",
      body: { mail_bounced: "mail" },
    });
    expect(await patched.json()).toMatchObject({ mail_bounced: "mail" });

    server.refusals.set(ADDRESS, GONE);
    set.reply();
    set.reply();
    await set.settled();
    expect([set.isMarked(), set.bells()]).toEqual([true, 1]);
    const ada = signedInAs(site, "ada");
    for (const [language, sentence, advice, button] of [
      ["en", "Your mailbox rejects email", "Correct the address below.", "Send the link again"],
      ["de", "Dein Postfach lehnt E-Mails ab", "Korrigiere die Adresse unten.", "Link erneut senden"],
      ["es", "Tu buzón rechaza los correos", "Corrige la dirección más abajo.", "Enviar el enlace de nuevo"],
    ] as const) {
      const asking = { headers: { "accept-language": language } };
      const list = await ada.open("/notifications?kind=mail_bounced", asking);
      expect(visibleText(list.html)).toContain(sentence);
      const page = visibleText((await ada.open("/settings/mail", asking)).html);
      for (const text of [ADDRESS, advice, button]) expect(page).toContain(text);
    }
    // Tokens do not see this notification, but both APIs know its kind.
    const listed = await site.request(token, "/notifications?kind=mail_bounced");
    expect([listed.status, await listed.json()]).toEqual([200, expect.objectContaining({ data: [] })]);
    const graph = await fetch(`${site.url}/graphql`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({
        query: "{ viewer { notifications(first: 5, kind: mail_bounced) { nodes { id } } } }",
      }),
    });
    expect(await graph.json()).toEqual({ data: { viewer: { notifications: { nodes: [] } } } });
    const pushed: unknown[] = [];
    while (hasNotificationsToQueue(core, "push")) core.db.transact(() => queueNotifications(core, "push"));
    for (let push = pushesDue(core)[0]; push; push = pushesDue(core)[0]) {
      pushed.push(pushContent(core, push)?.body);
      settlePush(core, push, { kind: "taken" });
    }
    expect(pushed).toContain("Your mailbox rejects email: check your email address");
    const [exported] = [...partsOf(core, { at: clock.now(), builderId: set.ada().builderId })]
      .filter(({ name }) => name === "mail_addresses")
      .map(({ lines }) => [...lines]);
    expect(exported).toMatchObject([{ address: ADDRESS, bounced_at: expect.stringMatching(/^2026-/) }]);

    // The mailbox works again, but the server cannot know that.
    server.refusals.clear();
    set.reply();
    await set.settled();
    chooseMails(core, set.ada(), { mails: "daily" });
    await set.settled();
    set.reply();
    clock.pass(DAY);
    await set.settled();
    expect(set.subjects()).toEqual([]);
    await mailRecovery(core, HOME, "ada");
    const subject = { type: "session", id: "one" } as const;
    notify(core, { to: set.ada().builderId, kind: "sign_in", subject, about: "Firefox on Linux" });
    await set.settled();
    expect(set.subjects().toSorted()).toEqual([
      `${ADDRESS}: A new browser signed in to your account`,
      `${ADDRESS}: Set a new password for Guildhall`,
    ]);
    expect(set.bells()).toBe(1);

    // Requests a new link with the button on the page.
    clock.pass(HOUR);
    const owner = signedInAs(site, "ada");
    const page = await owner.open("/settings/mail");
    const form = page.forms.find(({ fields }) =>
      fields.some(([name, value]) => name === "address" && value === ADDRESS),
    );
    await owner.post("/settings/mail", Object.fromEntries(form?.fields ?? []));
    await set.settled();
    const link = /\/mail\/confirm\?token=[\w-]{43}/.exec(server.taken.at(-1)?.text ?? "")?.[0] ?? "";
    await owner.submit(await owner.open(link), "/mail/confirm");
    expect([set.isMarked(), set.bells()]).toEqual([false, 0]);
    expect(visibleText((await owner.open("/settings/mail")).html)).toContain(`Email is sent to ${ADDRESS}`);
    // The digest lists what arrived meanwhile. No mail mentions the rejection.
    server.taken.length = 0;
    clock.pass(DAY);
    await set.settled();
    expect(set.subjects()).toEqual([`${ADDRESS}: Guildhall: 1 notification`]);
    expect(server.taken[0]?.raw).not.toContain("refuses");

    server.refusals.set(ADDRESS, 550);
    set.reply();
    clock.pass(DAY);
    await set.settled();
    expect([set.isMarked(), set.bells()]).toEqual([true, 1]);
  },
);

test.concurrent(
  "marks a mailbox at DATA only by the mailbox's own codes, so that another member's text stops no mail",
  async () => {
    await using set = await stage();
    const { server } = set;
    for (const reply of ["554 5.7.1 spam", "550 rejected", "552 5.3.4 too large"]) {
      server.dataRefusals.set(ADDRESS, reply);
      set.reply();
      await set.settled();
    }
    expect([set.isMarked(), set.bells(), server.taken.length]).toEqual([false, 0, 0]);
    server.dataRefusals.set(ADDRESS, "550 5.2.1 mailbox disabled");
    set.reply();
    await set.settled();
    expect([set.isMarked(), set.bells()]).toEqual([true, 1]);
  },
);

test.concurrent("marks nobody for an address that is not, or no longer, their confirmed one", async () => {
  await using set = await stage();
  const { core, clock, server } = set;
  for (const name of ["new", "guest"]) server.refusals.set(`${name}@home.example`, GONE);
  clock.pass(MINUTE);
  setMailAddress(core, set.ada(), { address: "new@home.example" });
  const workspace = createWorkspace(core, set.ada(), "ada", { name: "Loom" });
  inviteMember(core, set.ada(), workspace, { address: "guest@home.example" });
  inviteNewcomer(core, OPERATOR, { address: ADDRESS });
  await set.settled();
  // The old email address rejects the notice about the change of address.
  server.refusals.set(ADDRESS, GONE);
  await set.confirm("ada@other.example");
  await set.settled();
  expect(core.db.prepare("SELECT 1 FROM mails").all()).toEqual([]);
  expect([set.isMarked(), set.bells()]).toEqual([false, 0]);
});

test.concurrent(
  "marks nobody where the server refuses the sender or the sign-in, which the operator can correct",
  async () => {
    await using set = await stage();
    const { core, clock, server, rules } = set;
    server.refusals.set(ADDRESS, "554 5.7.1 Relay access denied");
    set.reply();
    await set.settled();
    let refusals = 0;
    const refuse = (done: (err: Error) => void, text: string, responseCode: number): void => {
      refusals++;
      done(Object.assign(new Error(text), { responseCode }));
    };
    await using strict = await mailServer({
      onMailFrom: (_, __, done) => refuse(done, "5.1.1 no such sender", 550),
      onAuth: (_, __, done) => refuse(done, "5.7.8 wrong password", 535),
    });
    for (const [user, count] of [
      ["", 1],
      ["guild:wrong@", 2],
    ] as const) {
      rules.smtpUrl = `smtp://${user}127.0.0.1:${strict.port}`;
      clock.pass(MINUTE);
      set.reply();
      await until(() => {
        // Wakes the senders, which otherwise check the queue once per second.
        core.wake();
        return refusals === count && set.running() === 0;
      });
    }
    expect([set.isMarked(), set.bells()]).toEqual([false, 0]);
    expect(core.db.prepare("SELECT 1 FROM mails").all()).toHaveLength(2);
  },
);

test.concurrent(
  "clears the mark and its notification when the address is removed, replaced or removed by securing the account",
  async () => {
    await using set = await stage();
    const { core, server } = set;
    const mark = async (address: string) => {
      server.refusals.set(address, GONE);
      set.reply();
      await set.settled();
      expect([address, set.isMarked(), set.bells()]).toEqual([address, true, 1]);
      server.refusals.clear();
    };
    await mark(ADDRESS);
    removeMailAddress(core, set.ada());
    expect([set.isMarked(), set.bells()]).toEqual([false, 0]);
    await set.confirm(ADDRESS);
    await mark(ADDRESS);
    await set.confirm("ada@other.example");
    expect([set.isMarked(), set.bells()]).toEqual([false, 0]);
    await mark("ada@other.example");
    secureAccount(core, set.ada(), "ada", { passkeys: "all", password: true });
    expect([set.isMarked(), set.bells()]).toEqual([false, 0]);
  },
);
