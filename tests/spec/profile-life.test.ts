import { expect, test } from "bun:test";
import { getOwnProfile } from "../../src/core/community/profiles/profiles.ts";
import { PROJECTS_MAX } from "../../src/core/community/profiles/projects.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { createMember, openTestServer } from "../support.ts";
import { call, refusalOf } from "./client.ts";

test("PATCH /profiles/me changes only the given fields", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const change = (body: unknown) => call(server, token, "PATCH /profiles/me", { body });
  createPost(server.core, caller, { text: "here" });
  expect((await change({ name: "Ada 🦀 Okafor", bio: "Bread.\n\n*Queues.*" })).body).toMatchObject({
    username: "ada",
    name: "Ada 🦀 Okafor",
    bio: "Bread.\n\n*Queues.*",
  });
  expect((await change({ bio: "" })).body).toMatchObject({ name: "Ada 🦀 Okafor", bio: "" });
  const { body } = await change({ username: "bo", xp: 9000, badges: ["x"], role: "owner" });
  expect(body).toEqual((await call(server, token, "GET /profiles/ada")).body);
  expect(body).toMatchObject({ username: "ada", xp: 10, badges: ["first-post"] });
  const [post] = (await call(server, token, "GET /feed")).body.data;
  expect(post.author).toEqual({ username: "ada", name: "Ada 🦀 Okafor" });
});

test("PATCH /profiles/me refuses invalid fields and then changes nothing", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const table: [unknown, string][] = [
    [{ name: "" }, "400 name"],
    [{ name: "  " }, "400 name"],
    [{ name: "a\nb" }, "400 name"],
    [{ name: "x".repeat(101) }, "400 name"],
    [{ name: null }, "400 name"],
    [{ name: "New", bio: "x".repeat(501) }, "400 bio"],
    [{ bio: "a\0b" }, "400 bio"],
    [{ name: "New", time_zone: "Mars/Olympus" }, "422 time_zone"],
    [{ name: "New", place: "x".repeat(81) }, "400 place"],
    [{ place: "a\nb" }, "400 place"],
    [{ name: "New", links: ["http://ada.example.com"] }, "400 links.0"],
    [{ links: [1, 2, 3, 4, 5].map((n) => `https://a${n}.example.com`) }, "400 links"],
    [{ name: "New", pinned_project: "prj_01kafzq8e5f2r8v0j3n6s1t4wx" }, "404"],
    [[], "400"],
  ];
  for (const [body, refusal] of table) {
    const given = await refusalOf(server, token, "PATCH /profiles/me", { body });
    expect([body, given.trim()]).toEqual([body, refusal]);
  }
  expect((await call(server, token, "GET /profiles/me")).body).toMatchObject({ name: "Ada", bio: "" });
  const exact = { name: "🦀".repeat(100), bio: "🦀".repeat(500) };
  expect((await call(server, token, "PATCH /profiles/me", { body: exact })).body).toMatchObject(exact);
});

test("changing a profile and its projects needs profile:write, reading them profile:read", async () => {
  await using server = openTestServer();
  const reader = createMember(server.core, "ada", ["profile:read"]).token;
  const writer = createMember(server.core, "bo", ["profile:write"]).token;
  const init = { body: { title: "x", name: "x" } };
  for (const request of ["PATCH /profiles/me", "POST /profiles/me/projects"]) {
    expect([request, await refusalOf(server, reader, request, init)]).toEqual([request, "403"]);
  }
  const id = "prj_01kafzq8e5f2r8v0j3n6s1t4wx";
  expect(await refusalOf(server, reader, `PATCH /profiles/me/projects/${id}`, init)).toBe("403");
  expect(await refusalOf(server, reader, `DELETE /profiles/me/projects/${id}`)).toBe("403");
  for (const request of ["GET /profiles/me/projects", "GET /profiles/me/streak", "GET /profiles/me/xp"]) {
    expect([request, await refusalOf(server, writer, request)]).toEqual([request, "403"]);
    expect([request, await refusalOf(server, undefined, request)]).toEqual([request, "401"]);
  }
});

test("projects are added, changed and removed, and the profile shows their ids and titles in order of creation", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const add = async (body: unknown) =>
    (await call(server, token, "POST /profiles/me/projects", { body })).body;
  const queue = await add({ title: "tinyqueue" });
  expect(queue).toEqual({
    id: expect.stringMatching(/^prj_/),
    title: "tinyqueue",
    url: null,
    description: null,
    created_at: "2026-11-20T12:00:00.000Z",
  });
  server.clock.pass(1);
  const loaf = await add({ title: "loaf", url: "https://loaf.example.com/a", description: "*Bread.*" });
  const shown = async () => (await call(server, token, "GET /profiles/ada")).body.projects;
  expect(await shown()).toEqual([queue, loaf].map(({ id, title }) => ({ id, title })));
  const path = `/profiles/me/projects/${loaf.id}`;
  const changed = await call(server, token, `PATCH ${path}`, { body: { title: "Loaf 2", url: null } });
  expect(changed.body).toEqual({ ...loaf, title: "Loaf 2", url: null });
  expect((await call(server, token, "GET /profiles/me/projects")).body).toEqual({
    data: [changed.body, queue],
    next: null,
  });
  const first = await call(server, token, "GET /profiles/me/projects?limit=1");
  expect(
    (await call(server, token, `GET /profiles/me/projects?limit=1&cursor=${first.body.next}`)).body,
  ).toEqual({
    data: [queue],
    next: null,
  });
  expect((await call(server, token, `DELETE ${path}`)).status).toBe(204);
  expect(await refusalOf(server, token, `DELETE ${path}`)).toBe("404");
  expect(await refusalOf(server, token, `PATCH ${path}`, { body: { title: "x" } })).toBe("404");
  expect(await shown()).toEqual([{ id: queue.id, title: "tinyqueue" }]);
});

test("a profile has a place, links, and a pinned project until that project is removed", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const { body: loaf } = await call(server, token, "POST /profiles/me/projects", { body: { title: "loaf" } });
  const change = async (body: unknown) => {
    expect((await call(server, token, "PATCH /profiles/me", { body })).status).toBe(200);
    const { place, links, pinnedProjectId } = getOwnProfile(server.core, caller);
    return { place, links, pinnedProjectId };
  };
  const links = ["https://ada.example.com", "https://bread.example.org/ada"];
  const all = { place: "Enns", links, pinnedProjectId: loaf.id };
  const body = { place: " Enns ", links: [...links, links[0]], pinned_project: loaf.id };
  expect(await change(body)).toEqual(all);
  expect(await change({ place: "" })).toEqual({ ...all, place: "" });
  expect(await change({ pinned_project: null, links: [] })).toEqual({
    place: "",
    links: [],
    pinnedProjectId: null,
  });
  await change({ pinned_project: loaf.id });
  await call(server, token, `DELETE /profiles/me/projects/${loaf.id}`);
  expect(getOwnProfile(server.core, caller).pinnedProjectId).toBeNull();
});

test("a project of another member answers like an unknown id when changed, pinned or removed", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada").token;
  const bo = createMember(server.core, "bo").token;
  const { body: project } = await call(server, ada, "POST /profiles/me/projects", {
    body: { title: "loaf" },
  });
  const unknown = "prj_01kafzq8e5f2r8v0j3n6s1t4wx";
  for (const method of ["PATCH", "DELETE"]) {
    const init = method === "PATCH" ? { body: { title: "mine" } } : {};
    const answers = [project.id, unknown, "x", "me"].map(async (id) => {
      const { status, text } = await call(server, bo, `${method} /profiles/me/projects/${id}`, init);
      return `${status} ${text}`;
    });
    expect(new Set(await Promise.all(answers)).size).toBe(1);
    expect(await answers[0]).toStartWith("404");
  }
  const pinned = [project.id, unknown].map(async (id) => {
    const { status, text } = await call(server, bo, "PATCH /profiles/me", { body: { pinned_project: id } });
    return `${status} ${text}`;
  });
  expect(await pinned[0]).toStartWith("404");
  expect(await pinned[0]).toBe((await pinned[1]) as never);
  expect((await call(server, ada, "GET /profiles/me/projects")).body.data).toEqual([project]);
});

test("project fields are validated, and a builder has at most fifty projects", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const table: [unknown, string][] = [
    [{}, "400 title"],
    [{ title: " " }, "400 title"],
    [{ title: "x".repeat(201) }, "400 title"],
    [{ title: "x", url: "http://plain.example.com" }, "400 url"],
    [{ title: "x", url: "javascript:alert(1)" }, "400 url"],
    [{ title: "x", url: "" }, "400 url"],
    [{ title: "x", description: "x".repeat(1001) }, "400 description"],
    [{ title: "x", description: 7 }, "400 description"],
  ];
  for (const [body, refusal] of table) {
    expect([body, await refusalOf(server, token, "POST /profiles/me/projects", { body })]).toEqual([
      body,
      refusal,
    ]);
  }
  for (let nth = 0; nth < PROJECTS_MAX; nth++) {
    const { status } = await call(server, token, "POST /profiles/me/projects", {
      body: { title: `p${nth}` },
    });
    expect(status).toBe(201);
  }
  expect(await refusalOf(server, token, "POST /profiles/me/projects", { body: { title: "more" } })).toBe(
    "409",
  );
  expect((await call(server, token, "GET /profiles/me")).body.projects).toHaveLength(PROJECTS_MAX);
});
