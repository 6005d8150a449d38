// docs/contract.md#12.20: which notifications a digest lists, and at which hour it is sent.
import { expect, test } from "bun:test";
import { queueNotifications, hasNotificationsToQueue } from "../../src/core/services/channels/queueing.ts";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import { changeProfile } from "../../src/core/community/profiles/profiles.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { likePost } from "../../src/core/community/feed/likes.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { chooseMails } from "../../src/core/identity/mail/mail.ts";
import { WAITING_MAX } from "../../src/core/base/queue-limits.ts";
import { mailsDue } from "../due-messages.ts";
import { mailContent } from "../../src/delivery/mail-content.ts";
import { createTestWorld, createMember, signedInNow, type TestWorld } from "../support.ts";

function mailingWorld() {
  return createTestWorld({ policy: { signup: "open", mailFrom: "guild@guild.test" } });
}

function withAddress(world: TestWorld, name: string) {
  const member = createMember(world.core, name).caller;
  world.core.db
    .prepare("INSERT INTO mail_addresses (builder_id, address) VALUES (?, ?)")
    .run(member.builderId, `${name}@home.example`);
  return member;
}

function gather(core: Core): void {
  while (hasNotificationsToQueue(core, "mail"))
    if (!core.db.transact(() => queueNotifications(core, "mail"))) return;
}

function digests({ core }: TestWorld) {
  return mailsDue(core, "ordinary")
    .filter(({ kind }) => kind === "digest")
    .map((mail) => ({ builderId: mail.builderId, text: mailContent(core, mail, "Bees") }));
}

test("a digest names an unread reply behind 105 likes that appear only on the site", () => {
  using world = mailingWorld();
  const { core, clock } = world;
  const ada = withAddress(world, "ada");
  const bob = createMember(core, "bob").caller;
  gather(core);
  const post = createPost(core, ada, { text: "hello" });
  replyTo(core, bob, post.id, { text: "yes" });
  for (let n = 0; n < 105; n++) likePost(core, bob, createPost(core, ada, { text: `post ${n}` }).id);
  clock.pass(DAY);
  gather(core);
  const [digest] = digests(world);
  expect(digest?.text?.subject).toBe("Bees: 1 notification");
  expect(digest?.text?.items?.map(({ text: words }) => words)).toEqual([
    expect.stringContaining("replied to you"),
  ]);
});

test("a digest is sent at eight by the community's clock to a member without a time zone", () => {
  using world = mailingWorld();
  const { core, clock } = world;
  changeCommunitySettings(core, OPERATOR, { zone: "America/New_York" });
  const ada = withAddress(world, "ada");
  const own = withAddress(world, "own");
  changeProfile(core, own, { time_zone: "Asia/Tokyo" });
  const bob = createMember(core, "bob").caller;
  gather(core);
  for (const member of [ada, own])
    replyTo(core, bob, createPost(core, member, { text: "hello" }).id, { text: "yes" });
  const sentAt = new Map<string | null, string>();
  for (let hour = 0; hour < 48; hour++) {
    clock.pass(HOUR);
    gather(core);
    for (const { builderId } of digests(world))
      if (!sentAt.has(builderId)) sentAt.set(builderId, new Date(clock.now()).toISOString());
  }
  expect(Object.fromEntries(sentAt)).toEqual({
    // 8:00 in New York and in Tokyo.
    [String(ada.builderId)]: "2026-11-20T13:00:00.000Z",
    [String(own.builderId)]: "2026-11-20T23:00:00.000Z",
  });
});

test("a digest waits until eight by the new time zone after the community's or member's zone changed, and loses nothing", () => {
  using world = mailingWorld();
  const { core, clock } = world;
  const ada = withAddress(world, "ada");
  const weekly = withAddress(world, "weekly");
  chooseMails(core, signedInNow(core, weekly), { mails: "weekly" });
  const bob = createMember(core, "bob").caller;
  gather(core);
  for (const member of [ada, weekly])
    replyTo(core, bob, createPost(core, member, { text: "hello" }).id, { text: "yes" });
  // Planned for 8:00 UTC, which is 3:00 in New York; 2026-11-23 is a Monday.
  changeCommunitySettings(core, OPERATOR, { zone: "America/New_York" });
  clock.pass(20 * HOUR + SECOND);
  gather(core);
  expect(digests(world)).toEqual([]);
  clock.pass(5 * HOUR);
  gather(core);
  expect(digests(world).map(({ builderId }) => builderId)).toEqual([ada.builderId]);
  clock.pass(2 * DAY - 5 * HOUR);
  gather(core);
  expect(digests(world).map(({ builderId }) => builderId)).not.toContain(weekly.builderId);
  clock.pass(5 * HOUR);
  gather(core);
  expect(digests(world).map(({ builderId, text }) => [builderId, text?.items?.length])).toContainEqual([
    weekly.builderId,
    1,
  ]);
});

test("retries a digest after 15 minutes if its domain's queue is full, so that every member gets one that day", () => {
  using world = mailingWorld();
  const { core, clock } = world;
  const members = Array.from({ length: 30 }, (_, n) => withAddress(world, `m${n}`));
  const bob = createMember(core, "bob").caller;
  gather(core);
  for (const member of members)
    replyTo(core, bob, createPost(core, member, { text: "hello" }).id, { text: "yes" });
  fillDomain(core, "home.example", WAITING_MAX.mail.host - 10);
  const asleep = (): boolean => !hasNotificationsToQueue(core, "mail");
  const countDigests = (): number =>
    core.db.prepare("SELECT 1 FROM mails WHERE kind = 'digest'").all().length;
  // A minute late, because the queue is never read in the exact second.
  clock.pass(nextEight(clock.now()) - clock.now() + MINUTE);

  const counts = Array.from({ length: 4 }, () => {
    gather(core);
    const queued = countDigests();
    clock.pass(14 * MINUTE);
    expect([asleep(), countDigests()]).toEqual([true, queued]);
    emptyDomain(core, 10);
    clock.pass(MINUTE);
    return queued;
  });

  expect(counts).toEqual([10, 20, 30, 30]);
  const lists = digests(world).map(({ builderId, text }) => [builderId, text?.items?.length]);
  expect(lists.sort()).toEqual(members.map(({ builderId }) => [builderId, 1]).sort());
  core.db.prepare("DELETE FROM mails").run();
  for (const member of members)
    replyTo(core, bob, createPost(core, member, { text: "again" }).id, { text: "yes" });
  clock.pass(nextEight(clock.now()) - clock.now() - MINUTE);
  gather(core);
  expect(countDigests()).toBe(0);
  clock.pass(MINUTE);
  gather(core);
  expect(countDigests()).toBe(30);
  expect(digests(world).every(({ text }) => text?.items?.length === 1)).toBe(true);
});

function nextEight(now: number): number {
  const eight = new Date(now).setUTCHours(8, 0, 0, 0);
  return eight > now ? eight : eight + DAY;
}

function fillDomain(core: Core, host: string, count: number): void {
  core.db
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO mails (kind, address, message_id, created_at, due_at, ends_at, host)
       SELECT 'applied', 'x@' || ?, '<filler' || i || '@guild.test>', 0, 9e15, 9e15, ? FROM n`,
    )
    .run(count, host, host);
}

function emptyDomain(core: Core, count: number): void {
  core.db
    .prepare("DELETE FROM mails WHERE seq IN (SELECT seq FROM mails WHERE kind = 'applied' LIMIT ?)")
    .run(count);
}
