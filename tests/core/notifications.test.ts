import { expect, test } from "bun:test";
import {
  forgetOldNotifications,
  NOTIFICATIONS_RETENTION_MS,
} from "../../src/core/services/notifications/notifications.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { likePost, unlikePost } from "../../src/core/community/feed/likes.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { block } from "../../src/core/community/messages/blocks.ts";
import {
  GROUP_MAX,
  PER_KIND_MAX,
  type NewNotification,
  notify,
  withdrawNotification,
} from "../../src/core/identity/notifications/notify.ts";
import { DAY } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import { createTestWorld, createMember } from "../support.ts";

interface Stored {
  to: string;
  kind: string;
  subject: string;
  by: string;
}

/** All stored notifications except badges and levels, newest first: recipient, kind, subject, actor. */
function stored(core: Core): Stored[] {
  return core.db
    .prepare<Stored>(
      `SELECT b.username AS "to", n.kind, n.subject_id AS subject,
              (SELECT group_concat(a.username, ' ') FROM notification_facts f JOIN builders a ON a.id = f.actor_id
               WHERE f.group_id = n.group_id ORDER BY f.place) AS "by"
       FROM notifications n JOIN builders b ON b.id = n.builder_id
       WHERE n.kind NOT IN ('badge', 'level_up') ORDER BY n.place DESC`,
    )
    .all();
}

function guild() {
  const world = createTestWorld();
  const { core } = world;
  const [ada, bo, cy] = ["ada", "bo", "cy"].map((name) => createMember(core, name).caller) as [
    ReturnType<typeof createMember>["caller"],
    ReturnType<typeof createMember>["caller"],
    ReturnType<typeof createMember>["caller"],
  ];
  const post = createPost(core, ada, { text: "Shipped" });
  return { world, core, ada, bo, cy, post };
}

test("likes of a post share a notification; a withdrawn like leaves its group, and the last one deletes the notification", () => {
  const { world, core, ada, bo, cy, post } = guild();
  using _world = world;
  likePost(core, ada, post.id);
  expect(stored(core)).toEqual([]);
  likePost(core, bo, post.id);
  likePost(core, cy, post.id);
  likePost(core, cy, post.id);
  const like = { to: "ada", kind: "like", subject: post.id };
  expect(stored(core)).toEqual([{ ...like, by: "bo cy" }]);
  unlikePost(core, bo, post.id);
  expect(stored(core)).toEqual([{ ...like, by: "cy" }]);
  unlikePost(core, cy, post.id);
  expect(stored(core)).toEqual([]);
  expect(core.db.prepare("SELECT 1 FROM notification_facts WHERE actor_id IS NOT NULL").all()).toEqual([]);
});

test("a reply notifies the replied-to author and the thread's author once each, unless they blocked the replier", () => {
  const { world, core, ada, bo, cy, post } = guild();
  using _world = world;
  const first = replyTo(core, bo, post.id, { text: "Does it keep the order?" });
  const second = replyTo(core, cy, first.id, { text: "It does" });
  block(core, ada, "bo");
  replyTo(core, bo, post.id, { text: "Again" });
  expect(stored(core)).toEqual([
    { to: "ada", kind: "reply", subject: second.id, by: "cy" },
    { to: "bo", kind: "reply", subject: second.id, by: "cy" },
    { to: "ada", kind: "reply", subject: first.id, by: "bo" },
  ]);
  likePost(core, ada, second.id);
  deletePost(core, ada, post.id);
  expect(stored(core)).toEqual([]);
});

test("keeps the newest of each kind, independent of other kinds, and never reuses a position", () => {
  const { world, core, ada, bo, post } = guild();
  using _world = world;
  likePost(core, bo, post.id);
  const notificationTo = (i: number) =>
    ({
      to: ada.builderId ?? "",
      kind: "mention",
      by: bo.builderId ?? "",
      subject: { type: "post", id: `post_${i}` },
    }) satisfies NewNotification;
  core.db.transact(() => {
    for (let i = 0; i < PER_KIND_MAX + 5; i++) notify(core, notificationTo(i));
  });
  const subjects = stored(core).map(({ subject }) => subject);
  expect(subjects).toEqual([
    ...Array.from({ length: PER_KIND_MAX }, (_, i) => `post_${PER_KIND_MAX + 4 - i}`),
    post.id,
  ]);
  const newest = () =>
    core.db.prepare<{ place: number }>("SELECT max(place) AS place FROM notifications").get() ?? { place: 0 };
  const { place } = newest();
  core.db.transact(() => {
    withdrawNotification(core, { ...notificationTo(PER_KIND_MAX + 4) });
    notify(core, notificationTo(1));
  });
  expect(newest()).toEqual({ place: place + 1 });
});

test("notifications stored while the clock was ahead keep no old ones alive", async () => {
  const { world, core, ada, bo, cy, post } = guild();
  using _world = world;
  core.db.prepare("DELETE FROM notifications").run();
  world.clock.step(400 * DAY);
  const subject = { type: "post", id: post.id } as const;
  for (let i = 0; i < PER_KIND_MAX; i++)
    for (const { builderId } of [ada, bo])
      notify(core, { to: builderId ?? "", kind: "reply", by: cy.builderId ?? "", subject });
  world.clock.step(-400 * DAY);
  likePost(core, bo, post.id);
  world.clock.pass(NOTIFICATIONS_RETENTION_MS + DAY);
  await forgetOldNotifications(core);
  expect(stored(core)).toHaveLength(2 * PER_KIND_MAX);
  expect(stored(core).filter(({ kind }) => kind === "like")).toEqual([]);
  world.clock.pass(401 * DAY);
  await forgetOldNotifications(core);
  expect(stored(core)).toEqual([]);
});

test("a reply with hundreds of names notifies twenty-two members, and a full group starts another", () => {
  const { world, core, ada, bo, cy, post } = guild();
  using _world = world;
  const names = Array.from({ length: 30 }, (_, i) => `b${i}`);
  for (const name of names) createMember(core, name);
  const first = replyTo(core, cy, post.id, { text: "First" });
  const before = stored(core).length;
  replyTo(core, bo, first.id, {
    text: names
      .map((name) => `@${name}`)
      .join(" ")
      .repeat(10),
  });
  expect(stored(core).length - before).toBe(22);

  const like = (by: string): NewNotification => ({
    to: ada.builderId ?? "",
    kind: "like",
    subject: { type: "post", id: post.id },
    fact: by,
  });
  core.db.transact(() => {
    for (let i = 0; i <= GROUP_MAX; i++) notify(core, like(`somebody ${i}`));
  });
  const sizes = core.db
    .prepare(
      "SELECT count(*) AS n FROM notification_facts JOIN notifications USING (group_id) WHERE kind = 'like' GROUP BY group_id ORDER BY n",
    )
    .all();
  expect(sizes).toEqual([{ n: 1 }, { n: GROUP_MAX }]);
});
