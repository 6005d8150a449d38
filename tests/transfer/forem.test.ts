// docs/contract.md#12.7: a community is imported once and unchanged.
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { listUnclaimed, makeClaim } from "../../src/core/services/imported/imported.ts";
import { deleteAccount } from "../../src/core/services/deletion/deletion.ts";
import { listFeed } from "../../src/core/community/feed/feed.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { listReplies } from "../../src/core/community/feed/replies.ts";
import { listProfiles } from "../../src/core/community/profiles/directory.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";
import { OPERATOR, VISITOR } from "../../src/core/identity/access/caller.ts";
import { signIn } from "../../src/core/identity/accounts/accounts.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";
import { recover } from "../../src/core/identity/accounts/passwords.ts";
import type { Core } from "../../src/core/base/core.ts";
import { foremApi } from "../../src/transfer/forem-api.ts";
import { openForemFile } from "../../src/transfer/forem-file.ts";
import { importForem, type ForemSource, type Report } from "../../src/transfer/forem.ts";
import { createLimitedGet } from "../../src/transfer/limited-get.ts";
import { completeDeletion } from "../core/linked-community.ts";
import { withCaller, HOME, outcomeOf, PASSWORD, createSignedInMember, tokenIn } from "../core/people.ts";
import { createTestWorld, NOON, openTestServer } from "../support.ts";
import { createAccountOf, openSite, signedInAs, visibleText } from "../web/support.ts";
import { type FakeArticle, type FakeForem, fakeForem } from "./fake-forem.ts";

const PAGE = { limit: 100 };
const FIXTURES = `${import.meta.dir}/fixtures`;

function foremWorld() {
  return createTestWorld({ resolve: async () => ["127.0.0.1"], allow: ["forem.example"] });
}

/** Imports from a fake Forem without waiting. `waits` records the skipped waits in ms. */
function bring(
  core: Core,
  forem: FakeForem,
  { isDry = false, waits = [] as number[] } = {},
): Promise<Report> {
  const get = createLimitedGet(forem.url, {
    targets: core.targets,
    ca: forem.ca,
    userAgent: "Guildhall-Import/test",
    perSecond: 2,
    wait: async (ms) => void waits.push(ms),
    onDelay: () => {},
  });
  return take(core, foremApi(forem.host, get), isDry);
}

function take(core: Core, source: ForemSource, isDry = false): Promise<Report> {
  return importForem(core, OPERATOR, source, { isDry, progress: () => {} });
}

function file(content: string | Uint8Array): { path: string; [Symbol.dispose](): void } {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-forem-"));
  const path = join(folder, "export");
  writeFileSync(path, content);
  return { path, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

const article = (id: number, more: Partial<FakeArticle> = {}): FakeArticle => ({
  id,
  user: "ada",
  slug: `text-${id}`,
  title: `Text ${id}`,
  body: `What text ${id} says.`,
  at: new Date(Date.parse("2023-05-01T10:00:00Z") + id * 60_000).toISOString(),
  ...more,
});

const TALK: FakeArticle = article(1, {
  title: "Talk",
  tags: ["rust", "webdev", "c#", "日本"],
  cover: "https://images.example.com/talk.png",
  comments: [
    {
      id: "aa1",
      user: "bob",
      html: "<p>Good &amp; <strong>short</strong></p>",
      at: "2023-05-02T10:00:00Z",
      children: [
        { id: "aa2", user: "ada", html: "<p>Thanks</p>", at: "2023-05-02T11:00:00Z" },
        {
          id: "aa3",
          user: null,
          html: "",
          at: "2023-05-02T12:00:00Z",
          children: [{ id: "aa4", user: "Cleo", html: "<p>To nobody</p>", at: "2023-05-02T13:00:00Z" }],
        },
      ],
    },
  ],
});

const feed = (core: Core) => listFeed(core, VISITOR, {}, PAGE).nodes;
const rows = (core: Core, table: string) =>
  core.db.prepare<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n;

test("imports articles, comments, people, tags and times, without events, notifications or XP", async () => {
  await using forem = await fakeForem([TALK, article(2)]);
  forem.people.set("ada", { name: "Ada Okafor", summary: "Compilers by day." });
  using world = foremWorld();
  const { core } = world;
  const report = await bring(core, forem);
  expect(report).toMatchObject({
    people: { created: 3, alreadyThere: 0 },
    posts: { created: 2, alreadyThere: 0 },
    replies: { created: 3, alreadyThere: 0 },
    shortened: 0,
    skippedCount: 1,
  });
  expect(report.skipped[0]?.reason).toBe("was deleted or hidden there");
  const [second, talk] = feed(core);
  expect(second?.text).toBe("# Text 2\n\nWhat text 2 says.");
  expect(talk).toMatchObject({
    author: { username: "ada", name: "Ada Okafor" },
    text: "# Talk\n\nWhat text 1 says.",
    tags: ["rust", "webdev", "csharp", "riben"],
    media: ["https://images.example.com/talk.png"],
    createdAt: Date.parse("2023-05-01T10:01:00Z"),
    metrics: { likes: 0, replies: 3 },
  });
  const replies = listReplies(core, VISITOR, talk?.id ?? "", PAGE).nodes;
  expect(replies.map(({ author, text, createdAt }) => [author.username, text, createdAt])).toEqual([
    ["bob", "Good & **short**", Date.parse("2023-05-02T10:00:00Z")],
    ["ada", "@bob Thanks", Date.parse("2023-05-02T11:00:00Z")],
    ["cleo", "To nobody", Date.parse("2023-05-02T13:00:00Z")],
  ]);
  for (const table of ["events", "deliveries", "xp_entries", "streaks"])
    expect([table, rows(core, table)]).toEqual([table, 0]);
  const reader = await createSignedInMember(core, "reader");
  const found = (q: string) =>
    listProfiles(core, reader.caller, { q }, PAGE).nodes.map((node) => node.username);
  expect(found("okafor rust")).toEqual(["ada"]);
  expect(listFeed(core, VISITOR, { tag: "rust" }, PAGE).nodes.map(({ id }) => id)).toEqual([talk?.id ?? ""]);
});

test("a second run imports only new content without repeated requests, and an interrupted run continues", async () => {
  await using forem = await fakeForem([TALK, article(2), article(3)]);
  using world = foremWorld();
  const { core } = world;
  forem.instead = (path) =>
    path.startsWith("/api/articles/2") ? new Response("", { status: 403 }) : undefined;
  expect(bring(core, forem)).rejects.toThrow(`${forem.host} refuses /api/articles/2: status 403`);
  await bring(core, forem).catch(() => {});
  expect(feed(core).map(({ text }) => text.slice(0, 8))).toEqual(["# Text 3"]);
  forem.instead = () => undefined;
  const second = await bring(core, forem);
  expect([second.posts, second.replies.created]).toEqual([{ created: 2, alreadyThere: 1 }, 3]);
  forem.asked.length = 0;
  const before = rows(core, "posts");
  const third = await bring(core, forem);
  expect([third.posts, third.people.created]).toEqual([{ created: 0, alreadyThere: 3 }, 0]);
  expect(forem.asked.every((path) => path.startsWith("/api/articles/latest"))).toBe(true);
  expect(rows(core, "posts")).toBe(before);
  TALK.comments?.push({ id: "aa9", user: "bob", html: "<p>Late</p>", at: "2023-06-01T10:00:00Z" });
  const fourth = await bring(core, forem);
  TALK.comments?.pop();
  expect([fourth.posts.created, fourth.replies]).toEqual([0, { created: 1, alreadyThere: 3 }]);
  expect(feed(core).at(-1)?.metrics.replies).toBe(4);
});

test("a dry run reports the same and writes nothing", async () => {
  await using forem = await fakeForem([TALK, article(2, { user: "admin" }), article(3, { user: "Admin" })]);
  using world = foremWorld();
  const before = rows(world.core, "builders");
  const dry = await bring(world.core, forem, { isDry: true });
  for (const table of ["posts", "arrivals", "audit_entries"])
    expect([table, rows(world.core, table)]).toEqual([table, 0]);
  expect(rows(world.core, "builders")).toBe(before);
  expect(await bring(world.core, forem)).toEqual(dry);
});

test("replaces names that are taken, reserved or invalid, and reports them", async () => {
  const users = ["ada", "admin", "_ada_", "ADA__", "…", "x".repeat(40)];
  await using forem = await fakeForem(users.map((user, i) => article(i + 1, { user })));
  using world = foremWorld();
  const { core } = world;
  const { renamed, skippedCount } = await bring(core, forem);
  expect(renamed).toEqual([
    { from: "x".repeat(40), to: "x".repeat(26) },
    { from: "…", to: "member" },
    { from: "ADA__", to: "ada" },
    { from: "_ada_", to: "ada-2" },
    { from: "admin", to: "admin-2" },
    { from: "ada", to: "ada-3" },
  ]);
  expect(skippedCount).toBe(0);
});

test("nobody can use an imported account until its person claims it by a link", async () => {
  await using forem = await fakeForem([TALK]);
  using world = foremWorld();
  const { core } = world;
  await bring(core, forem);
  expect(listUnclaimed(core, OPERATOR, "", 10)).toEqual([
    { username: "ada", host: forem.host, name: "ada" },
    { username: "bob", host: forem.host, name: "bob" },
    { username: "cleo", host: forem.host, name: "Cleo" },
  ]);
  expect(await outcomeOf(() => signIn(core, HOME, { username: "ada", password: PASSWORD }))).toBe(
    "unauthorized",
  );
  expect(await outcomeOf(() => listUnclaimed(core, VISITOR, "", 10))).toBe("forbidden");
  expect(await outcomeOf(() => makeClaim(core, VISITOR, "ada"))).toBe("forbidden");
  const { url, expiresAt } = makeClaim(core, OPERATOR, "ada");
  expect(expiresAt - NOON).toBe(7 * 86_400_000);
  const ada = withCaller(core, await recover(core, HOME, { token: tokenIn(url), password: PASSWORD }));
  expect(ada.caller.username).toBe("ada");
  expect(listUnclaimed(core, OPERATOR, "", 10).map(({ username }) => username)).toEqual(["bob", "cleo"]);
  expect(await outcomeOf(() => recover(core, HOME, { token: tokenIn(url), password: PASSWORD }))).toBe(
    "not_found",
  );
  deletePost(core, ada.caller, feed(core)[0]?.id ?? "");
  expect(feed(core)).toEqual([]);
  const late = { id: "ab1", user: "bob", html: "<p>Late</p>", at: "2023-06-01T10:00:00Z" };
  forem.articles = [{ ...TALK, comments: [...(TALK.comments ?? []), late] }];
  const again = await bring(core, forem);
  expect([again.posts, again.replies.created]).toEqual([{ created: 0, alreadyThere: 1 }, 0]);
  expect(again.skipped.map(({ reason }) => reason)).toContain(
    "replies to a post that is deleted or hidden here",
  );
  expect(feed(core)).toEqual([]);
});

test("content deleted, hidden or suspended here is unchanged by an import", async () => {
  await using forem = await fakeForem([TALK, article(2, { user: "bob" })]);
  using world = foremWorld();
  const { core } = world;
  await bring(core, forem);
  setSuspended(core, OPERATOR, "ada", true);
  deleteAccount(core, OPERATOR, "bob", "bob");
  completeDeletion(core);
  const kept = core.db
    .prepare<{ name: string | null }>("SELECT name FROM arrivals WHERE kind = 'person'")
    .all();
  expect(kept.map(({ name }) => name).sort()).toEqual(["Cleo", "ada", null]);
  forem.articles.push(article(3), article(4, { user: "bob" }));
  const report = await bring(core, forem);
  expect(report.posts).toEqual({ created: 0, alreadyThere: 2 });
  expect(report.skipped.map(({ reason }) => reason).sort()).toEqual([
    "is by a member who is suspended here",
    "is by a member whose account was deleted here",
  ]);
  expect(listUnclaimed(core, OPERATOR, "", 10).map(({ username }) => username)).toEqual(["cleo"]);
});

test("a text that exceeds the length of a post becomes an excerpt with a link to the full text", async () => {
  const body = Array.from({ length: 200 }, (_, i) => `Paragraph ${i} says something.`).join("\n\n");
  await using forem = await fakeForem([
    article(1, { body }),
    article(2, { body: `${"word ".repeat(100)}\n\n\`\`\`ts\n${"let a = 1;\n".repeat(300)}\`\`\`\n` }),
    article(3, { canonical: "https://blog.example/a" }),
  ]);
  using world = foremWorld();
  expect((await bring(world.core, forem)).shortened).toBe(2);
  const [third, second, first] = feed(world.core);
  expect(third?.text).toEndWith("[First published at blog.example](https://blog.example/a)");
  for (const post of [first, second]) expect([...(post?.text ?? "")].length).toBeLessThanOrEqual(2000);
  expect(first?.text).toEndWith(` …\n\n[Read the full text at ${forem.host}](${forem.url}/ada/text-1)`);
  expect(second?.text.match(/```/g)).toHaveLength(2);
});

test("reads a member's own export as Forem packs it, without drafts and comments on others' articles", async () => {
  const parts = await Promise.all(
    ["articles.json", "comments.json"].map(async (name) => [
      name,
      new Uint8Array(await Bun.file(`${FIXTURES}/${name}`).arrayBuffer()),
    ]),
  );
  using zip = file(zipSync(Object.fromEntries(parts)));
  using world = createTestWorld();
  const { core } = world;
  expect(() => openForemFile(zip.path, { from: undefined, author: undefined })).toThrow("Add --from");
  const options = { from: "dev.to", author: undefined };
  const report = await take(core, openForemFile(zip.path, options));
  expect(report.skipped).toEqual([
    { location: "/ada_o/temp-slug-1", reason: "is a draft" },
    { location: `a comment on ${zip.path} (2c3e)`, reason: "replies to an article that is not here" },
  ]);
  const [post] = feed(core);
  expect(post).toMatchObject({
    author: { username: "ada_o", name: "Ada Okafor" },
    tags: ["rust", "queues"],
    media: ["https://images.example.com/queue.png"],
    createdAt: Date.parse("2024-03-01T10:00:00Z"),
    metrics: { replies: 1 },
  });
  expect(post?.text).toBe(
    "# Queues that keep their order\n\nA queue is a promise.\n\nhttps://github.com/ada/queue\n\n```rust\nlet queue: Vec<Job> = vec![]; // {% raw %} stays\n```",
  );
  const again = await take(core, openForemFile(zip.path, options));
  expect([again.posts, again.replies]).toEqual([
    { created: 0, alreadyThere: 1 },
    { created: 0, alreadyThere: 1 },
  ]);
});

test("the page of an imported account names its origin, and that it is unclaimed, until the claim", async () => {
  await using forem = await fakeForem([TALK]);
  await using server = openTestServer({ resolve: async () => ["127.0.0.1"], allow: ["forem.example"] });
  const { core } = server;
  await bring(core, forem);
  const page = async (path: string) => (await fetch(server.url + path)).text();
  const shown = `<a href="https://${forem.host}/ada" rel="nofollow noopener ugc">${forem.host}/@ada</a>`;
  expect(await page("/@ada")).toContain(`${shown}. Nobody has claimed this account yet.`);
  await recover(core, HOME, { token: tokenIn(makeClaim(core, OPERATOR, "ada").url), password: PASSWORD });
  expect(await page("/@ada")).toContain(`${shown}.</p>`);
  createBuilder(core, OPERATOR, { username: "dee", name: "Dee", role: "member" });
  expect(await page("/@dee")).not.toContain("Imported");
});

test("an admin makes a claim link on the builder's page, valid for seven days", async () => {
  await using forem = await fakeForem([TALK]);
  await using site = openSite({ resolve: async () => ["127.0.0.1"], allow: ["forem.example"] });
  const { core } = site;
  await bring(core, forem);
  await createAccountOf(site, "root", { role: "admin" });
  const root = signedInAs(site, "root");
  const page = await root.open("/admin/builders/ada");
  expect(visibleText(page.html)).toContain(`This account was imported from ${forem.host}/@ada`);
  expect(page.html).not.toContain("Forgotten password");
  const created = await root.submit(page, "/admin/builders/ada/recovery");
  const token = /recover\?token=([\w-]{43})/.exec(created.html)?.[1] ?? "";
  expect(created.html).toContain("2026-11-27");
  const url = `${site.core.origin}/recover?token=${token}`;
  await recover(core, HOME, { token: tokenIn(url), password: PASSWORD });
  expect((await root.open("/admin/builders/ada")).html).toContain("Forgotten password");
});
