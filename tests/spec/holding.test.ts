// docs/contract.md#12.39
import { expect, test } from "bun:test";
import { DAY } from "../../src/core/base/clock.ts";
import { tokensOf } from "../../src/core/base/held-lists.ts";
import { approvePost } from "../../src/core/community/feed/approval.ts";
import { createPost, getPost, listFeed } from "../../src/core/community/feed/feed.ts";
import { listReplies, replyTo } from "../../src/core/community/feed/replies.ts";
import { heldAmong } from "../../src/core/community/holding/holding.ts";
import { signUp } from "../../src/core/identity/accounts/accounts.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import type { Core } from "../../src/core/base/core.ts";
import { createMember, createMemberToken, createTestWorld } from "../support.ts";

const PAGE = { limit: 20, backwards: false };

async function newcomer(core: Core, username: string) {
  await signUp(core, { address: "203.0.113.7", agent: "" }, { username, password: "correct horse battery" });
  return createMemberToken(core, username, undefined, "personal").caller;
}

const brakeOn = (core: Core, id: string) => heldAmong(core, [id]).get(id)?.brake;

test("holds a newcomer's post with an unknown host, and publishes it with its event and XP at the approval", async () => {
  await using world = createTestWorld({ signup: "open" });
  const { core } = world;
  const nia = await newcomer(core, "nia");
  const ada = createMember(core, "ada").caller;
  const count = (sql: string) => core.db.prepare<{ n: number }>(sql).get()?.n;
  const events = () => count("SELECT count(*) AS n FROM events WHERE type = 'post.created'");
  const xp = () => count("SELECT xp AS n FROM builders WHERE username = 'nia'");

  const post = createPost(core, nia, { text: "@ada see https://spam.example/x", tags: ["rust"] });

  expect(brakeOn(core, post.id)).toBe("newcomer_links");
  expect(listFeed(core, ada, {}, PAGE).nodes).toEqual([]);
  expect(listFeed(core, ada, { tag: "rust" }, PAGE).nodes).toEqual([]);
  expect(() => getPost(core, ada, post.id)).toThrow();
  expect(getPost(core, nia, post.id).hiddenAt).not.toBeNull();
  expect([events(), xp()]).toEqual([0, 0]);
  const mentions = () => count("SELECT count(*) AS n FROM notifications WHERE kind = 'mention'");
  expect(mentions()).toBe(0);

  core.db.transact(() => approvePost(core, post.id));

  expect(listFeed(core, ada, { tag: "rust" }, PAGE).nodes.map(({ id }) => id)).toEqual([post.id]);
  expect(getPost(core, ada, post.id).createdAt).toBe(post.createdAt);
  expect(events()).toBe(1);
  expect(xp()).toBeGreaterThan(0);
  expect(mentions()).toBe(1);
  expect(core.db.transact(() => approvePost(core, post.id))).toBe(false);
});

test("publishes a newcomer's link to a host that an established member linked, until 90 days later", async () => {
  await using world = createTestWorld({ signup: "open" });
  const { core, clock } = world;
  createPost(core, createMember(core, "ada").caller, { text: "https://www.known.example/" });

  const first = createPost(core, await newcomer(core, "nia"), { text: "https://known.example/a" });
  expect(brakeOn(core, first.id)).toBeUndefined();

  clock.pass(91 * DAY);
  const second = createPost(core, await newcomer(core, "noa"), { text: "https://known.example/a" });
  expect(brakeOn(core, second.id)).toBe("newcomer_links");
});

test("holds words and hosts of the charter, whatever their case and look-alike letters", async () => {
  await using world = createTestWorld();
  const { core } = world;
  changeCommunitySettings(core, OPERATOR, { heldWords: "free coins", heldLinkHosts: "Spam.example" });
  const ada = createMember(core, "ada").caller;
  const brakes = ["FREE **coins**!", "frее соins", "free coinsworth", "https://a.spam.example/", "fine"].map(
    (text) => brakeOn(core, createPost(core, ada, { text }).id),
  );

  expect(brakes).toEqual(["held_word", "held_word", undefined, "held_host", undefined]);
  expect(tokensOf("Ünï\u00ADcode 买药")).toBe(" unicode 买 药 ");
});

test("holds the third equal text of newcomers within a day, and no short text", async () => {
  await using world = createTestWorld({ signup: "open" });
  const { core, clock } = world;
  const text = "This advertisement has certainly more than forty letters in it";
  const authors = [await newcomer(core, "nia"), await newcomer(core, "noa"), await newcomer(core, "nea")];
  const ids = authors.map((caller, n) => createPost(core, caller, { text: `${text} ${n}` }).id);
  expect(ids.map((id) => brakeOn(core, id))).toEqual([undefined, undefined, "equal_text"]);
  for (const caller of authors)
    expect(brakeOn(core, createPost(core, caller, { text: "Hello" }).id)).toBeUndefined();
  clock.pass(DAY + 1);
  const later = createPost(core, authors[0] ?? OPERATOR, { text });
  expect(brakeOn(core, later.id)).toBeUndefined();
});

test("a held reply counts, notifies and is listed from the approval on", async () => {
  await using world = createTestWorld({ signup: "open" });
  const { core } = world;
  const ada = createMember(core, "ada").caller;
  const { id } = createPost(core, ada, { text: "Who is there?" });
  const reply = replyTo(core, await newcomer(core, "nia"), id, { text: "https://spam.example" });
  const notified = () =>
    core.db.prepare<{ n: number }>("SELECT count(*) AS n FROM notifications WHERE kind = 'reply'").get()?.n;

  expect(listReplies(core, ada, id, PAGE).nodes).toEqual([]);
  expect([getPost(core, ada, id).metrics.replies, notified()]).toEqual([0, 0]);
  core.db.transact(() => approvePost(core, reply.id));
  expect(listReplies(core, ada, id, PAGE).nodes.map((each) => each.id)).toEqual([reply.id]);
  expect([getPost(core, ada, id).metrics.replies, notified()]).toEqual([1, 1]);
});
