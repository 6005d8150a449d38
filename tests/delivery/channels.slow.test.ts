// docs/contract.md#12.19 and docs/contract.md#12.20: notifications by push and mail.
import { expect, test } from "bun:test";
import { changeNotificationSettings } from "../../src/core/services/notifications/settings.ts";
import { markNotifications } from "../../src/core/services/notifications/notifications.ts";
import { queueNotifications, hasNotificationsToQueue } from "../../src/core/services/channels/queueing.ts";
import { nextDigest } from "../../src/core/services/channels/digest-times.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { block } from "../../src/core/community/messages/blocks.ts";
import { likePost } from "../../src/core/community/feed/likes.ts";
import { changeProfile } from "../../src/core/community/profiles/profiles.ts";
import type { BuilderCaller, Caller } from "../../src/core/identity/access/caller.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import {
  chooseMails,
  confirmMailAddress,
  setMailAddress,
  unsubscribe,
} from "../../src/core/identity/mail/mail.ts";
import { pushKey, subscribeToPush } from "../../src/core/outbox/push/push.ts";
import { type Push, settlePush } from "../../src/core/outbox/push/queue.ts";
import type { PushContent } from "../../src/delivery/push-request.ts";
import { pushContent } from "../../src/delivery/push-content.ts";
import { pushesDue } from "../due-messages.ts";
import { createTestWorld, createMember, NOON, signedInNow, type TestWorld } from "../support.ts";
import { mailServer, type ReceivedMail } from "./mail-server.ts";
import { mailsTried, startMailSenders } from "./mail-senders.ts";
import { authority, until } from "./receiver.ts";
import { makeBrowser } from "./push-service.ts";

function walk(core: Core): void {
  for (const channel of ["push", "mail"] as const)
    while (hasNotificationsToQueue(core, channel))
      if (!core.db.transact(() => queueNotifications(core, channel))) break;
}

/** Texts of the pushes that are due. Marks them as sent. */
function shown(core: Core): (PushContent | undefined)[] {
  walk(core);
  return pushesDue(core).map((push: Push) => {
    const content = pushContent(core, push);
    core.db.transact(() => settlePush(core, push, { kind: "taken" }));
    return content;
  });
}

async function withBrowser(core: Core, caller: Caller): Promise<BuilderCaller> {
  await pushKey(core);
  const person = signedInNow(core, caller);
  await subscribeToPush(core, person, {
    endpoint: `https://push.example.com/${person.username}`,
    ...makeBrowser().keys,
  });
  expect(shown(core)).toHaveLength(1);
  return person;
}

test.concurrent(
  "pushes a notification once, as the member sees it now, and none that was read, deleted or is by a blocked member",
  async () => {
    using world = createTestWorld();
    const { core, clock } = world;
    const { caller: ada } = createMember(core, "ada");
    const { caller: bob } = createMember(core, "bob");
    const { caller: cy } = createMember(core, "cy");
    const me = await withBrowser(core, ada);
    const post = createPost(core, ada, { text: "hello" });
    const reply = (text = "yes") => replyTo(core, bob, post.id, { text });
    const first = reply("words of a reply, which nobody reads on a locked screen");
    expect(shown(core)).toEqual([
      {
        title: "Guildhall",
        body: "Bob (@bob) replied to you",
        path: `/posts/${first.id}`,
        tag: expect.stringMatching(/^ntf_/),
      },
    ]);
    expect(shown(core)).toEqual([]);

    const deleted = reply();
    walk(core);
    deletePost(core, bob, deleted.id);
    expect(shown(core)).toEqual([undefined]);

    reply();
    walk(core);
    const { id: newest = "" } =
      core.db.prepare<{ id: string }>("SELECT id FROM notifications ORDER BY place DESC").get() ?? {};
    markNotifications(core, me, { up_to: newest });
    expect(shown(core)).toEqual([undefined]);

    reply();
    walk(core);
    block(core, ada, "bob");
    expect(shown(core)).toEqual([undefined]);

    // Likes are not pushed unless the member enables them. A growing group is pushed once.
    likePost(core, cy, post.id);
    expect(shown(core)).toEqual([]);
    changeNotificationSettings(core, ada, { like: "push", reply: "off" });
    const other = createPost(core, ada, { text: "more" });
    likePost(core, cy, other.id);
    walk(core);
    likePost(core, createMember(core, "dee").caller, other.id);
    expect(shown(core).map((content) => content?.body)).toEqual([
      "Dee (@dee) and 1 other like something you posted",
    ]);
    // After a day a notification is shown on the site only.
    likePost(core, cy, createPost(core, ada, { text: "old" }).id);
    clock.pass(DAY + SECOND);
    expect(shown(core)).toEqual([]);
  },
);

async function mailing(world: TestWorld, port: number) {
  const { core, clock } = world;
  const rules = {
    smtpUrl: `smtp://127.0.0.1:${port}`,
    smtpCa: (await authority()).pem,
    mailFrom: "guild@guild.test",
  };
  const sender = startMailSenders(core, rules);
  return {
    sender,
    pass(ms: number) {
      clock.pass(ms);
      sender.wake();
    },
    rest: () => mailsTried(core, sender),
    async [Symbol.asyncDispose]() {
      await sender.stop();
    },
  };
}

test.concurrent(
  "emails a digest of unread notifications at eight in the member's time zone, and none when all are read",
  async () => {
    using world = createTestWorld({ policy: { signup: "open", mailFrom: "guild@guild.test", name: "Bees" } });
    await using server = await mailServer();
    await using set = await mailing(world, server.port);
    const { core, clock } = world;
    const { caller: ada } = createMember(core, "ada");
    const { caller: bob } = createMember(core, "bob");
    changeProfile(core, ada, { time_zone: "Asia/Kolkata" });
    clock.pass(2 * DAY);
    const me = signedInNow(core, ada);
    setMailAddress(core, me, { address: "ada@home.example" });
    await set.rest();
    confirmMailAddress(core, /token=([\w-]{43})/.exec(server.taken[0]?.text ?? "")?.[1] ?? "", null);
    set.sender.wake();
    await set.rest();
    const post = createPost(core, ada, { text: "hello" });
    changeProfile(core, bob, { name: 'Bob <b>Evil</b> & "Co"' });
    replyTo(core, bob, post.id, { text: "secret words of a reply" });
    replyTo(core, bob, post.id, { text: "again" });
    await set.rest();
    expect(server.taken).toHaveLength(1);
    const eight = nextDigest(clock.now(), "Asia/Kolkata", "daily");
    expect(new Date(eight).toISOString()).toBe("2026-11-23T02:30:00.000Z");
    set.pass(eight - clock.now() - SECOND);
    await set.rest();
    expect(server.taken).toHaveLength(1);
    set.pass(2 * SECOND);
    await until(() => server.taken.length === 2);
    const digest = server.taken[1] as ReceivedMail;
    expect(digest.headers["subject"]).toBe("Bees: 2 notifications");
    expect(digest.text).toContain('- Bob <b>Evil</b> & "Co" (@bob) replied to you');
    expect(digest.raw.split("text/html")[1]).not.toContain("<b>");
    expect(digest.raw).not.toContain("secret words");
    expect(digest.headers).toMatchObject({ "list-unsubscribe-post": "List-Unsubscribe=One-Click" });
    await set.rest();
    set.pass(DAY);
    await set.rest();
    expect(server.taken).toHaveLength(2);
    replyTo(core, bob, post.id, { text: "a third" });
    const [, token = ""] = /unsubscribe\?token=([^>]+)>/.exec(digest.headers["list-unsubscribe"] ?? "") ?? [];
    expect(() => unsubscribe(core, `${token.slice(0, -1)}x`)).toThrow();
    core.db.transact(() => unsubscribe(core, token));
    set.pass(2 * DAY);
    await set.rest();
    expect(server.taken).toHaveLength(2);

    // Emails sent at once, at most thirty per day.
    chooseMails(core, me, { mails: "at_once" });
    changeProfile(core, bob, { name: "Bob" });
    for (let n = 0; n < 40; n++) replyTo(core, bob, post.id, { text: `reply ${n}` });
    await set.rest();
    expect(server.taken).toHaveLength(32);
    expect(server.taken[2]?.headers["subject"]).toBe("Bob (@bob) replied to you");
    expect(new Set(server.taken.map(({ headers }) => headers["message-id"])).size).toBe(32);
  },
);

test.concurrent(
  "a digest planned by a clock ahead is sent on its original schedule, with everything unread since",
  () => {
    using world = createTestWorld({ policy: { signup: "open", mailFrom: "guild@guild.test" } });
    const { core, clock } = world;
    const [ada, bob] = ["ada", "bob"].map((name) => createMember(core, name).caller) as [Caller, Caller];
    core.db
      .prepare("INSERT INTO mail_addresses (builder_id, address) VALUES (?, 'ada@home.example')")
      .run(ada.builderId);
    const post = createPost(core, ada, { text: "hello" });
    const digests = (): number =>
      core.db.prepare<{ n: number }>("SELECT count(*) AS n FROM mails WHERE kind = 'digest'").get()?.n ?? 0;
    walk(core);
    clock.step(400 * DAY);
    walk(core);
    expect(digests()).toBe(0);
    replyTo(core, bob, post.id, { text: "meanwhile" });
    clock.step(-400 * DAY);
    walk(core);
    expect(digests()).toBe(0);
    clock.pass(DAY);
    walk(core);
    expect(digests()).toBe(1);
  },
);

test.concurrent("finds eight in the morning once a day in every time zone, across every clock change", () => {
  const moments = [
    NOON,
    "2026-03-29T00:30Z",
    "2026-10-25T00:30Z",
    "2026-03-08T06:59Z",
    "2011-12-29T20:00Z",
  ].map((at) => (typeof at === "number" ? at : Date.parse(at)));
  for (const zone of [...Intl.supportedValuesOf("timeZone"), "UTC"])
    for (const from of moments) {
      const [first, weekly] = [nextDigest(from, zone, "daily"), nextDigest(from, zone, "weekly")];
      const second = nextDigest(first, zone, "daily");
      const local = (at: number) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
      expect([zone, local(first).hour, local(second).hour, local(weekly).dayOfWeek]).toEqual([zone, 8, 8, 1]);
      expect(first - from).toBeWithin(1, 26 * HOUR);
      expect(second - first).toBeWithin(22 * HOUR, 50 * HOUR);
      expect(weekly - from).toBeWithin(1, 8 * DAY + MINUTE);
    }
});
