import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { continueDeletion, deleteAccount } from "../../src/core/services/deletion/deletion.ts";
import { MINUTE } from "../../src/core/base/clock.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { hide, restore, restoreBuilder, suspendBuilder } from "../moderate.ts";
import { changeProfile } from "../../src/core/community/profiles/profiles.ts";
import { addProject } from "../../src/core/community/profiles/projects.ts";
import { type TestServer, createMember, openTestServer } from "../support.ts";
import { call } from "./client.ts";

/** Returns the usernames of a search, page by page. */
async function found(server: TestServer, token: string, q?: string, limit = 100): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({
      ...(q === undefined ? {} : { q }),
      ...(cursor === null ? {} : { cursor }),
      limit: String(limit),
    });
    const { status, body } = await call(server, token, `GET /profiles?${query}`);
    expect(status).toBe(200);
    names.push(...body.data.map(({ username }: { username: string }) => username));
    cursor = body.next;
  } while (cursor !== null);
  return names;
}

test("the directory lists every builder once, newest first, in the shape of a profile", async () => {
  await using server = openTestServer();
  const names = Array.from({ length: 7 }, (_, i) => `b${i}`);
  const [token = ""] = names.map((name) => createMember(server.core, name).token);
  for (const limit of [1, 2, 7, 100])
    expect(await found(server, token, undefined, limit)).toEqual(names.toReversed());
  const [first] = (await call(server, token, "GET /profiles?limit=1")).body.data;
  expect(first).toEqual((await call(server, token, "GET /profiles/b6")).body);
});

test("each search word matches a prefix in the username, the name or a tag of the builder's posts", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { token, caller: ada } = createMember(core, "ada");
  const bo = createMember(core, "bo-ngo").caller;
  const cy = createMember(core, "cy").caller;
  changeProfile(core, ada, { name: "Ádá O’Kafor", bio: "Berlin, and zig." });
  changeProfile(core, bo, { name: "Грета Rust" });
  changeProfile(core, cy, { name: "王小明" });
  createPost(core, ada, { text: "one", tags: ["rust", "web-assembly"] });
  createPost(core, cy, { text: "about zig", tags: ["next.js"] });
  for (const [q, names] of Object.entries({
    ada: ["ada"],
    ADA: ["ada"],
    "@ada": ["ada"],
    "a o k": ["ada"],
    "o’kaf": ["ada"],
    kafor: ["ada"],
    afor: [],
    rust: ["bo-ngo", "ada"],
    "#rust": ["bo-ngo", "ada"],
    "rust ada": ["ada"],
    "rust rust": ["bo-ngo", "ada"],
    "rust cy": [],
    assem: ["ada"],
    "web-assembly": ["ada"],
    "next.js": ["cy"],
    ngo: ["bo-ngo"],
    грета: ["bo-ngo"],
    ГРЕТА: ["bo-ngo"],
    王小: ["cy"],
    zig: [],
    berlin: [],
    "": ["cy", "bo-ngo", "ada"],
    " \t!? ": ["cy", "bo-ngo", "ada"],
  }))
    expect([q, await found(server, token, q)]).toEqual([q, names]);
});

test("no search text causes a syntax error", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const signs = [
    `"`,
    `""`,
    "*",
    "a*",
    "^a",
    "a AND",
    "NOT a",
    "names : a",
    "{tags}:a",
    "NEAR(a b)",
    "(a",
    "-a",
    "a'--",
    "+",
    "\u0301",
    "ก็",
    "\u{E000}a",
    "😀",
  ];
  for (const q of signs) {
    const { status } = await call(server, token, `GET /profiles?q=${encodeURIComponent(q)}`);
    expect([q, status]).toEqual([q, 200]);
  }
  const { status, body } = await call(server, token, `GET /profiles?q=${"a".repeat(101)}`);
  expect([status, body.error]).toEqual([400, "bad_request"]);
});

test("the directory hides suspended builders until they are restored", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { token } = createMember(core, "ada");
  const bo = createMember(core, "bo").caller;
  createPost(core, bo, { text: "hello", tags: ["rust"] });
  suspendBuilder(core, OPERATOR, "bo");
  for (const q of [undefined, "bo", "rust"]) expect(await found(server, token, q)).not.toContain("bo");
  expect((await call(server, token, "GET /profiles/bo")).status).toBe(200);
  restoreBuilder(core, OPERATOR, "bo");
  for (const q of [undefined, "bo", "rust"]) expect(await found(server, token, q)).toContain("bo");
});

test("a tag finds a builder only while a visible post of the builder has the tag", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { token, caller } = createMember(core, "ada");
  const [one, two] = ["one", "two"].map((text) => createPost(core, caller, { text, tags: ["rust"] }).id);
  createPost(core, caller, { text: "three", tags: ["zig"] });
  hide(core, OPERATOR, one ?? "");
  expect(await found(server, token, "rust")).toEqual(["ada"]);
  deletePost(core, caller, two ?? "");
  expect(await found(server, token, "rust")).toEqual([]);
  expect(await found(server, token, "zig ada")).toEqual(["ada"]);
  restore(core, OPERATOR, one ?? "");
  expect(await found(server, token, "rust zig")).toEqual(["ada"]);
  changeProfile(core, caller, { name: "Grace" });
  expect(await found(server, token, "grace rust")).toEqual(["ada"]);
  changeProfile(core, caller, { name: "Ada" });
  expect(await found(server, token, "grace")).toEqual([]);
});

test("an account deletion removes the builder from the directory and its index at once", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { token } = createMember(core, "ada");
  const bo = createMember(core, "bo").caller;
  createPost(core, bo, { text: "hello", tags: ["rust"] });
  deleteAccount(core, OPERATOR, "bo", "bo");
  for (const q of [undefined, "bo", "deleted", "rust"])
    expect(await found(server, token, q)).not.toContain("bo");
  expect(await found(server, token)).toEqual(["ada"]);
  while (core.db.transact(() => continueDeletion(core)));
  expect(await found(server, token)).toEqual(["ada"]);
  expect(await found(server, token, "rust")).toEqual([]);
  expect(core.db.prepare("SELECT rowid FROM directory_search").all()).toEqual(
    core.db.prepare("SELECT seq AS rowid FROM directory").all(),
  );
});

test("pages neither repeat nor lose a builder when others join, leave or rename themselves", async () => {
  await using server = openTestServer();
  const { core } = server;
  const names = Array.from({ length: 6 }, (_, i) => `b${i}`);
  const [one] = names.map((name) => createMember(core, name));
  const { body } = await call(server, one?.token, "GET /profiles?limit=2&q=b");
  createMember(core, "bobby");
  suspendBuilder(core, OPERATOR, "b4");
  changeProfile(core, one?.caller as never, { name: "Zoe" });
  const rest = await call(server, one?.token, `GET /profiles?limit=100&q=b&cursor=${body.next}`);
  const shown = [...body.data, ...rest.body.data].map(({ username }) => username);
  expect(shown).toEqual(names.toReversed());
  // The cursor also works with the same query in another spelling, but not with another query.
  expect((await call(server, one?.token, `GET /profiles?q=%20B&cursor=${body.next}`)).status).toBe(200);
  expect((await call(server, one?.token, `GET /profiles?q=c&cursor=${body.next}`)).status).toBe(400);
  expect((await call(server, one?.token, `GET /profiles?cursor=${body.next}`)).status).toBe(400);
});

test("the directory shows the same fields of a builder as the profile", async () => {
  await using server = openTestServer();
  const { core, clock } = server;
  const { token } = createMember(core, "ada");
  const bo = createMember(core, "bo").caller;
  clock.pass(MINUTE);
  addProject(core, bo, { title: "tinyqueue" });
  changeProfile(core, bo, { bio: "Bread.", time_zone: "Pacific/Chatham" });
  const { text } = await call(server, token, "GET /profiles?q=bo");
  expect(Object.keys(JSON.parse(text).data[0]).sort()).toEqual(
    ["username", "name", "bio", "xp", "streak_days", "badges", "projects"].sort(),
  );
  for (const secret of ["Chatham", bo.builderId ?? "", bo.workspaceId ?? ""])
    expect(text).not.toContain(secret);
});
