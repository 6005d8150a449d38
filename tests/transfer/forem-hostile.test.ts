// docs/threats.md#M11: a source may be hostile. Its data is bounded or refused with a message, and nothing is
// imported partially.
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { listFeed } from "../../src/core/community/feed/feed.ts";
import { OPERATOR, VISITOR } from "../../src/core/identity/access/caller.ts";
import type { Core } from "../../src/core/base/core.ts";
import { renderMarkdown } from "../../src/core/base/markdown.ts";
import { openForemFile } from "../../src/transfer/forem-file.ts";
import { importForem, type Report } from "../../src/transfer/forem.ts";
import { createLimitedGet } from "../../src/transfer/limited-get.ts";
import { TransferRefused } from "../../src/transfer/transfer-refused.ts";
import { foremApi } from "../../src/transfer/forem-api.ts";
import { createTestWorld } from "../support.ts";
import { fakeForem } from "./fake-forem.ts";

const OPTIONS = { from: "forem.example", author: undefined };

function file(content: string | Uint8Array): { path: string; [Symbol.dispose](): void } {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-forem-"));
  const path = join(folder, "export");
  writeFileSync(path, content);
  return { path, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

async function bring(core: Core, content: unknown): Promise<Report> {
  using export_ = file(typeof content === "string" ? content : JSON.stringify(content));
  const source = openForemFile(export_.path, OPTIONS);
  return importForem(core, OPERATOR, source, { isDry: false, progress: () => {} });
}

const good = (more: object = {}) => ({
  id: 1,
  path: "/ada/one",
  title: "One",
  body_markdown: "Text",
  published_at: "2023-05-01T10:00:00Z",
  user: { username: "ada", name: "Ada" },
  ...more,
});

const feed = (core: Core) => listFeed(core, VISITOR, {}, { limit: 100 }).nodes;

test("leaves out invalid values with a reason, and imports the rest", async () => {
  using world = createTestWorld();
  const { core } = world;
  const bad: [object | null | number | string, string][] = [
    [null, "is not an object"],
    [7, "is not an object"],
    [[], "is not an object"],
    [{}, "has neither a path nor an id"],
    [{ id: 1.5, path: 9 }, "has neither a path nor an id"],
    [good({ path: "/ada/a", title: 5 }), "has no title"],
    [good({ path: "/ada/b", user: "ada" }), "has no author"],
    [good({ path: "/ada/b2", user: { username: "x".repeat(1000) } }), "has no author"],
    [good({ path: "/ada/c", published_at: "yesterday" }), "has no readable date"],
    [good({ path: "/ada/d", published_at: 1_700_000_000 }), "has no readable date"],
    [good({ path: "/ada/e", published_at: "0000-01-01T00:00:00Z" }), "has a date before 1990"],
    [good({ path: "/ada/f", published_at: "2031-01-01T00:00:00Z" }), "has a date in the future"],
    [good({ path: "/ada/g", published_at: "2023-02-30T10:00:00Z" }), "has no readable date"],
    [good({ path: "/ada/h", published: false }), "is a draft"],
  ];
  const report = await bring(core, [...bad.map(([value]) => value), good()]);
  expect(report.skipped.map(({ reason }) => reason)).toEqual(bad.map(([, reason]) => reason));
  expect(report.skipped[0]?.location).toBe("article 1");
  expect(report.skipped.at(-1)?.location).toBe("/ada/h");
  expect(feed(core).map(({ text }) => text)).toEqual(["# One\n\nText"]);
});

test("deep, repeated, anonymous or invalid comments neither overflow the stack nor lose the article", async () => {
  using world = createTestWorld();
  const { core } = world;
  const user = { username: "bob", name: "Bob" };
  const comment = (id: string, more: object = {}) => ({
    id_code: id,
    created_at: "2023-05-02T10:00:00Z",
    body_html: `<p>${id}</p>`,
    user,
    ...more,
  });
  let deep: object = comment("c0");
  for (let i = 1; i < 2000; i++) deep = comment(`c${i}`, { children: [deep] });
  const comments = [
    deep,
    comment("c5"),
    comment("bad id!"),
    comment("e1", { body_html: 7 }),
    comment("e2", { created_at: null }),
    comment("e3", { user: [] }),
    comment("e4", { user: {} }),
    comment("e5", { body_html: "<p></p><script>alert(1)</script>" }),
    "nothing",
    comment("e6", { children: "none" }),
  ];
  const report = await bring(core, [good({ comments }), good({ path: "/ada/two", comments: { a: 1 } })]);
  expect(report.replies.created).toBe(2001);
  expect(report.skipped.map(({ location, reason }) => `${location} ${reason}`)).toEqual([
    "a comment on /ada/one has no id_code",
    "a comment on /ada/one (e4) was deleted or hidden there",
    "a comment on /ada/one is not an object",
    "a comment on /ada/one (e1) has no text",
    "a comment on /ada/one (e2) has no readable date",
    "a comment on /ada/one (e3) has no author",
    "a comment on /ada/one (e5) has no text",
    "the comments of /ada/two are not a list",
  ]);
  expect(feed(core).map(({ metrics }) => metrics.replies)).toContain(2001);
});

test("--author applies to texts without an author, and not to texts by an unknown person", async () => {
  using world = createTestWorld();
  const comment = { created_at: "2023-05-02T10:00:00Z", body_markdown: "Words" };
  const comments = [
    { ...comment, id_code: "a1" },
    { ...comment, id_code: "a2", user: [] },
  ];
  using export_ = file(JSON.stringify([good({ comments })]));
  const source = openForemFile(export_.path, { ...OPTIONS, author: "Cleo" });
  const report = await importForem(world.core, OPERATOR, source, { isDry: false, progress: () => {} });
  expect([report.people.created, report.replies.created]).toEqual([2, 1]);
  expect(report.skipped.map(({ reason }) => reason)).toEqual(["has no author"]);
});

test("lets no markup, script, control character or lone surrogate through", async () => {
  using world = createTestWorld();
  const { core } = world;
  const nasty = `<img src=x onerror=alert(1)><script>alert(1)</script><a href="javascript:alert(1)">x</a>[y](javascript:alert(1)) <iframe srcdoc="<script>alert(1)</script>"></iframe>\u0000 end`;
  const json = JSON.stringify([
    good({
      title: "<script>alert(1)</script>\n# two\u0000\u202e",
      body_markdown: nasty,
      user: { username: "ada", name: "A\u0000\u202eda<b>" },
    }),
    good({ path: "/ada/two", body_markdown: undefined, body_html: nasty }),
  ]).replace("end", "\\ud800 end");
  await bring(core, json);
  const posts = feed(core);
  expect(posts).toHaveLength(2);
  for (const { text, author } of posts) {
    expect(text.isWellFormed() && author.name.isWellFormed()).toBe(true);
    expect(text + author.name).not.toContain("\0");
    const html = renderMarkdown(text);
    expect(html).not.toMatch(/<(?:script|img|iframe)|href="javascript|onerror=(?!alert\(1\)&gt;)/i);
  }
});

test("refuses an invalid, damaged, highly compressed or oversized file in one line, and imports nothing", () => {
  const zip = (files: Record<string, string>) =>
    zipSync(Object.fromEntries(Object.entries(files).map(([k, v]) => [k, strToU8(v)])));
  const bomb = zip({ "articles.json": `[${" ".repeat(3_000_000)}]` });
  const lying = Uint8Array.from(zip({ "articles.json": "[]" }));
  lying.set([0xff, 0xff], lying.length - 60);
  const cases: [string | Uint8Array, string][] = [
    ["", "is not valid JSON"],
    ["<html>", "is not valid JSON"],
    ["{}", "is neither a list of articles"],
    ['{"articles": 5}', "The articles in"],
    [`${"[".repeat(2_000_000)}`, "is larger than 1 MiB"],
    [`${"[".repeat(500_000)}${"]".repeat(500_000)}`, ""],
    [Uint8Array.of(0x5b, 0xff, 0x5d), "is not UTF-8"],
    [Uint8Array.of(0x50, 0x4b, 3, 4, 1, 2, 3), "is a damaged ZIP"],
    [zip({ "readme.txt": "hello" }), "contains neither articles.json nor comments.json"],
    [zip({ "articles.json": "[" }), "articles.json in"],
    [zip({ "a/articles.json": "[]", "b/articles.json": "[]" }), "has more than one articles.json"],
    [bomb, "articles.json in"],
  ];
  expect(bomb.length).toBeLessThan(10_000);
  for (const [content, words] of cases) {
    using item = file(content);
    const open = () => openForemFile(item.path, { ...OPTIONS, most: 2 ** 20 });
    if (words === "") expect(Array.from(open().articles as Iterable<unknown>)).toHaveLength(1);
    else expect(open).toThrow(words);
    if (words !== "") expect(open).toThrow(TransferRefused);
  }
  expect(() => openForemFile("/nowhere/at/all", OPTIONS)).toThrow("cannot be read (ENOENT)");
  expect(() => openForemFile(import.meta.dir, OPTIONS)).toThrow("is not a file");
  using escaping = file(zip({ "../../articles.json": "[]", "/etc/comments.json": "[]" }));
  expect(openForemFile(escaping.path, OPTIONS).total).toBe(0);
  using nowhere = file("[]");
  expect(() => openForemFile(nowhere.path, { ...OPTIONS, from: "not a host" })).toThrow(
    "--from must be the host",
  );
});

test("a server is asked slowly, waits are obeyed, and a very long wait ends the import", async () => {
  await using forem = await fakeForem();
  using world = createTestWorld({ resolve: async () => ["127.0.0.1"], allow: ["forem.example"] });
  const waits: number[] = [];
  const messages: string[] = [];
  const get = createLimitedGet(forem.url, {
    targets: world.core.targets,
    ca: forem.ca,
    userAgent: "test",
    perSecond: 2,
    wait: async (ms) => void waits.push(ms),
    onDelay: (text) => void messages.push(text),
  });
  let times = 0;
  forem.instead = () =>
    ++times < 3 ? new Response("", { status: 429, headers: { "retry-after": "9" } }) : undefined;
  expect(await get("/api/articles/latest")).toEqual([]);
  expect(waits).toEqual([500, 9000, 500, 9000, 500]);
  expect(messages[0]).toEndWith("asks to wait 9 s: status 429.");
  forem.instead = () => new Response("", { status: 429, headers: { "retry-after": "3600" } });
  expect(get("/x")).rejects.toThrow("Run the command again later to continue.");
  await get("/x").catch(() => {});
  forem.instead = () => new Response("", { status: 503 });
  waits.length = 0;
  await get("/x").catch(() => {});
  expect(waits).toEqual([500, 1000, 500, 4000, 500, 16000, 500, 64000, 500]);
  expect(await outcomeOf(get, forem, () => new Response("no json"))).toContain("not valid JSON");
  expect(await outcomeOf(get, forem, () => new Response("", { status: 401 }))).toContain("status 401");
  expect(await outcomeOf(get, forem, () => new Response("x".repeat(17 * 2 ** 20)))).toContain(
    "larger than 16 MiB",
  );
  expect(await outcomeOf(get, forem, () => Response.redirect("/round", 302))).toContain("endless redirects");
  for (const inside of [
    "https://10.0.0.1/",
    "https://169.254.169.254/latest",
    "http://forem.example/",
    "https://localhost/",
  ]) {
    const text = await outcomeOf(get, forem, () => Response.redirect(inside, 301));
    expect([inside, text]).toEqual([
      inside,
      expect.stringMatching(/refuses \/x: .*(?:https|private|network)/),
    ]);
  }
});

async function outcomeOf(
  get: (path: string) => Promise<unknown>,
  forem: { instead: (path: string) => Response | undefined },
  answer: () => Response,
): Promise<string> {
  forem.instead = answer;
  try {
    return `answered ${JSON.stringify(await get("/x"))}`;
  } catch (error) {
    expect(error).toBeInstanceOf(TransferRefused);
    return error instanceof Error ? error.message : "";
  }
}

test("stops at a server whose pages repeat, or that is not a Forem", async () => {
  const walk = async (answer: (path: string) => unknown) => {
    const requested: string[] = [];
    const source = foremApi("forem.example", async (path) => {
      requested.push(path);
      return answer(path);
    });
    const found = await Array.fromAsync(source.articles);
    return { found, asked: requested };
  };
  const round = await walk(() => [good(), good()]);
  expect([round.found.length, round.asked.length]).toEqual([1, 2]);
  const nonsense = await walk((path) => (path.includes("page=1&") ? [null, 5] : []));
  expect(nonsense.found).toHaveLength(2);
  expect(walk(() => ({ error: "no" }))).rejects.toThrow("does not answer like a Forem");
  expect(walk(() => undefined)).rejects.toThrow("does not answer like a Forem");
});
