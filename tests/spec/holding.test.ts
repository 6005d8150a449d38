// docs/contract.md#12.39
import { expect, test } from "bun:test";
import { DAY } from "../../src/core/base/clock.ts";
import { tokensOf } from "../../src/core/base/held-lists.ts";
import { approvePost } from "../../src/core/community/feed/approval.ts";
import { editPost } from "../../src/core/community/feed/revisions.ts";
import type { JobDraft } from "../../src/core/community/jobs/job.ts";
import { changeJob, getJob, publishJob, searchJobs } from "../../src/core/community/jobs/jobs.ts";
import { listPrompts, submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { searchPrompts } from "../../src/core/community/prompts/search.ts";
import { revisePrompt } from "../../src/core/community/prompts/versions.ts";
import { decide } from "../../src/core/services/moderation/decisions.ts";
import { createPost, getPost, listFeed } from "../../src/core/community/feed/feed.ts";
import { listReplies, replyTo } from "../../src/core/community/feed/replies.ts";
import { fillKnownHosts } from "../../src/core/community/holding/first-known-hosts.ts";
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

test("holds disguised links of newcomers, and text that names a held host", async () => {
  await using world = createTestWorld({ signup: "open" });
  const { core } = world;
  const ada = createMember(core, "ada").caller;
  createPost(core, ada, { text: "https://known.example/" });
  const nia = await newcomer(core, "nia");
  const brakeOf = (caller: typeof nia, text: string) => brakeOn(core, createPost(core, caller, { text }).id);
  const disguised = [
    "hxxps://spam.example/x",
    "ftp://spam.example/x",
    "HTTPS://SPAM.EXAMPLE./",
    "https://known.example@spam.example/x",
    "https://spаm.example/x",
    "ht\u200btps://spam.example/x",
    "&#104;ttps://spam.example/x",
    "<b>https\\://spam.example</b>",
    "[a][b]\n\n[b]: //spam.example/x",
    "![a](https://spam.example/a.png)",
  ];
  for (const text of disguised) expect([text, brakeOf(nia, text)]).toEqual([text, "newcomer_links"]);
  for (const text of [
    "`curl http://api.example/`",
    "hxxps://known.example/",
    "http://localhost:3000",
    "Node.js/Express",
  ])
    expect([text, brakeOf(nia, text)]).toEqual([text, undefined]);

  changeCommunitySettings(core, OPERATOR, { heldLinkHosts: "spam.example" });
  for (const text of ["Visit spam.example today", "`www.Spam.example/x`", "spam.example。"])
    expect([text, brakeOf(ada, text)]).toEqual([text, "held_host"]);
  expect(brakeOf(ada, "notspam.example")).toBeUndefined();
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

test("notes the hosts in the posts of the last 90 days once, after an upgrade", async () => {
  await using world = createTestWorld({ signup: "open" });
  const { core, clock } = world;
  const ada = createMember(core, "ada").caller;
  createPost(core, ada, { text: "https://old.example/" });
  clock.pass(91 * DAY);
  for (let n = 0; n < 250; n++) createPost(core, ada, { text: `https://known${n}.example/` });
  core.db.prepare("DELETE FROM known_hosts").run();

  await fillKnownHosts(core);
  core.db.prepare("DELETE FROM known_hosts WHERE host = 'known7.example'").run();
  await fillKnownHosts(core);

  const hosts = core.db.prepare<{ host: string }>("SELECT host FROM known_hosts").all();
  expect(hosts).toHaveLength(249);
  expect(hosts.map(({ host }) => host)).not.toContain("old.example");
  const nia = await newcomer(core, "nia");
  expect(brakeOn(core, createPost(core, nia, { text: "https://known249.example/a" }).id)).toBeUndefined();
});

test("holds words and hosts of the charter, whatever their case and look-alike letters", async () => {
  await using world = createTestWorld();
  const { core } = world;
  changeCommunitySettings(core, OPERATOR, { heldWords: "free coins", heldLinkHosts: "Spam.example" });
  const ada = createMember(core, "ada").caller;
  const spelled = ["free c o i n s", "free [co](/a)ins", "free c&#111;ins", "ｆｒｅｅ cóîns"];
  for (const text of spelled)
    expect([text, brakeOn(core, createPost(core, ada, { text }).id)]).toEqual([text, "held_word"]);
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

const UNKNOWN = "https://spam.example/x";
const JOB = {
  ...{ title: "Night shift", company: { name: "Acme", slug: "acme" }, location: "Berlin", remote: true },
  ...{ seniority: "mid", stack: ["rust"], salary: { min: 1, max: 2, currency: "EUR" } },
  ...{ description: "Apply at the town hall", apply_url: "https://jobs.example/apply" },
} satisfies JobDraft as JobDraft;
const PROMPT = { title: "Review", body: "You review diffs", model: "claude-sonnet", category: "review" };
const noEvents = (core: Core, type: string) =>
  core.db.prepare<{ n: number }>("SELECT count(*) AS n FROM events WHERE type = ?").get(type)?.n;
const xpOf = (core: Core, username: string) =>
  core.db.prepare<{ xp: number }>("SELECT xp FROM builders WHERE username = ?").get(username)?.xp ?? 0;

test("a held job is on no list until its approval, which fires its event and awards its XP", async () => {
  await using world = createTestWorld({ signup: "open" });
  const { core } = world;
  const nia = await newcomer(core, "nia");
  const ada = createMember(core, "ada").caller;
  createPost(core, ada, { text: "https://jobs.example/" });
  const job = publishJob(core, nia, { ...JOB, description: UNKNOWN });
  const found = () => [
    searchJobs(core, ada, {}, PAGE).nodes.length,
    searchJobs(core, ada, { q: "night" }, PAGE).nodes.length,
  ];

  expect(job.state).toBe("hidden");
  expect([brakeOn(core, job.id), ...found()]).toEqual(["newcomer_links", 0, 0]);
  expect([noEvents(core, "job.published"), xpOf(core, "nia")]).toEqual([0, 0]);
  expect(() => getJob(core, ada, job.id)).toThrow();
  const { act } = decide(core, OPERATOR, job.id, { act: "restore" });
  expect([act, ...found()]).toEqual(["approve", 1, 1]);
  expect([noEvents(core, "job.published"), xpOf(core, "nia") > 0]).toEqual([1, true]);
  expect(getJob(core, ada, job.id).postedAt).toBe(job.postedAt);
});

test("a held prompt is on no list until its approval, which notifies the mentioned members", async () => {
  await using world = createTestWorld({ signup: "open" });
  const { core } = world;
  const nia = await newcomer(core, "nia");
  const ada = createMember(core, "ada").caller;
  const prompt = submitPrompt(core, nia, { ...PROMPT, body: `@ada ${UNKNOWN}` });
  const seen = () => [
    listPrompts(core, ada, {}, PAGE).nodes.length,
    searchPrompts(core, ada, "review", PAGE).nodes.length,
    core.db.prepare<{ n: number }>("SELECT count(*) AS n FROM notifications WHERE kind = 'mention'").get()?.n,
  ];

  expect([brakeOn(core, prompt.id), ...seen()]).toEqual(["newcomer_links", 0, 0, 0]);
  expect(xpOf(core, "nia")).toBe(0);
  decide(core, OPERATOR, prompt.id, { act: "approve" });
  expect(seen()).toEqual([1, 1, 1]);
  expect(xpOf(core, "nia")).toBeGreaterThan(0);
});

test("an edit that a brake catches hides the content again, and the approval restores it", async () => {
  await using world = createTestWorld({ signup: "open" });
  const { core } = world;
  const nia = await newcomer(core, "nia");
  const ada = createMember(core, "ada").caller;
  createPost(core, ada, { text: "https://jobs.example/" });
  const post = createPost(core, nia, { text: "Good evening" });
  const job = publishJob(core, nia, JOB);
  const prompt = submitPrompt(core, nia, PROMPT);
  const xp = xpOf(core, "nia");
  const visible = () => [
    listFeed(core, ada, { author: "nia" }, PAGE).nodes.length,
    searchJobs(core, ada, {}, PAGE).nodes.length,
    listPrompts(core, ada, {}, PAGE).nodes.length,
    searchPrompts(core, ada, "review", PAGE).nodes.length,
  ];
  expect(visible()).toEqual([1, 1, 1, 1]);

  editPost(core, nia, post.id, { text: `@ada ${UNKNOWN}` });
  changeJob(core, nia, job.id, { description: UNKNOWN });
  revisePrompt(core, nia, prompt.id, { body: UNKNOWN, note: "Adds a site" });

  const ids = [post.id, job.id, prompt.id];
  expect(ids.map((id) => brakeOn(core, id))).toEqual(ids.map(() => "newcomer_links"));
  expect(visible()).toEqual([0, 0, 0, 0]);
  expect([noEvents(core, "post.updated"), noEvents(core, "post.deleted")]).toEqual([0, 1]);
  expect(xpOf(core, "nia")).toBeLessThan(xp);
  for (const id of ids) decide(core, OPERATOR, id, { act: "approve" });
  expect(visible()).toEqual([1, 1, 1, 1]);
  expect(xpOf(core, "nia")).toBe(xp);
  expect([noEvents(core, "post.created"), noEvents(core, "job.published")]).toEqual([2, 1]);
});

test("content of an ordinary newcomer without links is not held, nor an edit of it", async () => {
  await using world = createTestWorld({ signup: "open" });
  const { core } = world;
  const nia = await newcomer(core, "nia");
  createPost(core, createMember(core, "ada").caller, { text: "https://jobs.example/" });
  const post = createPost(core, nia, { text: "Good evening, all. I am new here and like compilers." });
  const reply = replyTo(core, nia, post.id, { text: "One more thing: [my profile](/builders/nia)" });
  const job = publishJob(core, nia, JOB);
  const prompt = submitPrompt(core, nia, PROMPT);
  editPost(core, nia, post.id, { text: "Good evening, all. I am new here and like parsers, too." });
  changeJob(core, nia, job.id, { open: false });
  revisePrompt(core, nia, prompt.id, { body: "You review large diffs", note: "Larger" });

  expect([...heldAmong(core, [post.id, reply.id, job.id, prompt.id])]).toEqual([]);
  expect(listFeed(core, nia, { author: "nia" }, PAGE).nodes.map(({ id }) => id)).toEqual([post.id]);
});

test("links to email addresses and to redirects of apps count as unknown, and an approved host as known", async () => {
  await using world = createTestWorld({ signup: "open" });
  const { core } = world;
  const nia = await newcomer(core, "nia");
  const brakeFor = (text: string) => brakeOn(core, createPost(core, nia, { text }).id);
  expect(brakeFor("[write to me](mailto:nia@spam.example)")).toBe("newcomer_links");
  expect(brakeFor(`[sign in](${core.origin}/v1/oauth/authorize?client_id=x)`)).toBe("newcomer_links");

  const { id } = createPost(core, nia, { text: UNKNOWN });
  decide(core, OPERATOR, id, { act: "approve" });
  expect(brakeFor("https://spam.example/again")).toBeUndefined();
});
