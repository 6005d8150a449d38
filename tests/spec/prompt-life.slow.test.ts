// Tests docs/contract.md#4.10.
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Caller } from "../../src/core/identity/access/caller.ts";
import {
  getPrompt,
  getPrompts,
  listOwnPrompts,
  listPrompts,
  submitPrompt,
} from "../../src/core/community/prompts/prompts.ts";
import { ratePrompt, starsAmong } from "../../src/core/community/prompts/ratings.ts";
import { deletePrompt, dropRemovedPrompts } from "../../src/core/community/prompts/removal.ts";
import { rankOf, scoreOf } from "../../src/core/community/prompts/score.ts";
import { listVersions, revisePrompt, VERSIONS_MAX } from "../../src/core/community/prompts/versions.ts";
import { sized } from "../drill.ts";
import {
  createMemberToken,
  type TestServer,
  createTestWorld,
  createMember,
  openTestServer,
} from "../support.ts";
import { call, clientOf, refusalOf } from "./client.ts";
import { addPrompts, rows } from "./rows.ts";

const draft = { title: "Review a diff", body: "You maintain this …", model: "sonnet", category: "review" };

const submit = async (server: TestServer, token: string, change = {}): Promise<string> =>
  (await call(server, token, "POST /prompts", { body: { ...draft, ...change } })).body.id;

test("a prompt is submitted, retrieved in full and listed in the documented shape", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const { data, response } = await clientOf(server, token).POST("/prompts", { body: draft });
  const id = data?.id ?? "";
  const inFull = {
    id,
    ...draft,
    score: 0,
    author: { username: "ada" },
    version: 1,
    note: "",
    ratings: 0,
    created_at: "2026-11-20T12:00:00.000Z",
    revised_at: null,
    stars: null,
    hidden: false,
  };
  expect([response.status, data]).toStrictEqual([201, inFull]);
  expect((await call(server, token, `GET /prompts/${id}`)).body).toStrictEqual(inFull);
  expect((await call(server, token, "GET /prompts")).body.data).toStrictEqual([
    { id, ...draft, score: 0, author: { username: "ada" } },
  ]);
  for (const [change, refusal] of [
    [{ title: undefined }, "400 title"],
    [{ title: "two\nlines" }, "400 title"],
    [{ body: " " }, "400 body"],
    [{ body: "x".repeat(20_001) }, "400 body"],
    [{ model: "Not A Slug" }, "400 model"],
    [{ category: "" }, "400 category"],
  ] as const)
    expect(await refusalOf(server, token, "POST /prompts", { body: { ...draft, ...change } })).toBe(refusal);
  const reader = createMemberToken(server.core, "ada", ["prompts:read"]).token;
  expect((await call(server, reader, "POST /prompts", { body: draft })).status).toBe(403);
  for (const unknown of ["x", server.core.makeId("prompt", 0), server.core.makeId("post", 0)])
    expect((await call(server, token, `GET /prompts/${unknown}`)).status).toBe(404);
});

test("drafts, versions and ratings cannot set server-owned fields", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada");
  const bo = createMember(server.core, "bo");
  const owned = {
    id: "prompt_x",
    authorId: bo.caller.builderId,
    score: 5,
    rank: 5,
    ratingCount: 9,
    ratingSum: 45,
    version: 7,
    createdAt: 0,
    hiddenAt: 1,
    removedAt: 1,
    category: "stolen",
  };
  const id = await submit(server, ada.token, { ...owned, category: "review" });
  await call(server, ada.token, `POST /prompts/${id}/versions`, {
    body: { body: "new", note: "n", ...owned },
  });
  const { version: _version, ...rating } = owned;
  await call(server, bo.token, `PUT /prompts/${id}/rating`, { body: { stars: 2, ...rating } });
  expect(getPrompt(server.core, ada.caller, id)).toMatchObject({
    id,
    authorId: ada.caller.builderId ?? "",
    category: "review",
    version: 2,
    score: 2,
    ratings: 1,
    createdAt: server.clock.now(),
    hiddenAt: null,
  });
});

test("a builder rates a version once, may change the rating, and cannot rate their own prompt", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada");
  const [bo, cy] = [createMember(server.core, "bo").token, createMember(server.core, "cy").token];
  const id = await submit(server, ada.token);
  const rate = async (token: string, stars: unknown, more = {}) => {
    const response = await call(server, token, `PUT /prompts/${id}/rating`, { body: { stars, ...more } });
    return response.status === 200
      ? [response.body.score, response.body.ratings, response.body.stars]
      : response.status;
  };
  expect(await rate(bo, 5)).toEqual([5, 1, 5]);
  expect(await rate(cy, 4)).toEqual([4.5, 2, 4]);
  expect(await rate(bo, 2)).toEqual([3, 2, 2]);
  expect(await rate(bo, 2)).toEqual([3, 2, 2]);
  expect(await rate(ada.token, 5)).toBe(403);
  for (const stars of [0, 6, 1.5, "5", null, undefined])
    expect([stars, await rate(cy, stars)]).toEqual([stars, 400]);
  expect(await rate(createMemberToken(server.core, "cy", ["prompts:read"]).token, 5)).toBe(403);
  expect((await call(server, cy, "PUT /prompts/x/rating", { body: { stars: 5 } })).status).toBe(404);
  expect((await call(server, cy, `GET /prompts/${id}`)).body.stars).toBe(4);
  expect((await call(server, ada.token, `GET /prompts/${id}`)).body.stars).toBeNull();
  const atOnce = await Promise.all(Array.from({ length: 20 }, (_, i) => rate(cy, (i % 5) + 1)));
  expect(atOnce.every((received) => Array.isArray(received) && received[1] === 2)).toBe(true);
});

test("a new version has a note, starts unrated and appears in the list; the old version keeps its score", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada");
  const bo = createMember(server.core, "bo").token;
  const [id, other] = [await submit(server, ada.token), await submit(server, ada.token, { title: "Other" })];
  await call(server, bo, `PUT /prompts/${id}/rating`, { body: { stars: 5 } });
  const order = async () =>
    (await call(server, bo, "GET /prompts")).body.data.map((prompt: { id: string }) => prompt.id);
  expect(await order()).toEqual([id, other]);
  server.clock.pass(60_000);
  const path = `POST /prompts/${id}/versions`;
  const response = await call(server, ada.token, path, {
    body: { body: "Better.", note: "Shorter", model: "opus" },
  });
  expect([response.status, response.body]).toMatchObject([
    201,
    { version: 2, note: "Shorter", body: "Better.", model: "opus", title: draft.title, score: 0, ratings: 0 },
  ]);
  expect(response.body.revised_at).toBe("2026-11-20T12:01:00.000Z");
  expect(await order()).toEqual([other, id]);
  const titled = async (model: string) =>
    (await call(server, bo, `GET /prompts?model=${model}`)).body.data.length;
  expect([await titled("sonnet"), await titled("opus")]).toEqual([1, 1]);
  const rate = (body: object) => call(server, bo, `PUT /prompts/${id}/rating`, { body });
  expect((await rate({ stars: 1, version: 1 })).status).toBe(409);
  expect((await rate({ stars: 3, version: 2 })).body).toMatchObject({ score: 3, ratings: 1, version: 2 });
  const { data } = (await call(server, bo, `GET /prompts/${id}/versions`)).body;
  expect(data).toStrictEqual([
    {
      version: 2,
      note: "Shorter",
      ratings: 1,
      title: draft.title,
      body: "Better.",
      model: "opus",
      score: 3,
      created_at: "2026-11-20T12:01:00.000Z",
    },
    {
      version: 1,
      note: "",
      ratings: 1,
      title: draft.title,
      body: draft.body,
      model: "sonnet",
      score: 5,
      created_at: "2026-11-20T12:00:00.000Z",
    },
  ]);
  expect((await call(server, bo, path, { body: { body: "x", note: "mine" } })).status).toBe(403);
  expect(await refusalOf(server, ada.token, path, { body: { body: "x" } })).toBe("400 note");
  expect(
    (await call(server, ada.token, "POST /prompts/x/versions", { body: { body: "x", note: "n" } })).status,
  ).toBe(404);
});

test("versions are paged both ways, and a prompt has at most a hundred", () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  const { id } = submitPrompt(core, caller, draft);
  core.db.transact(() => {
    for (let n = 2; n <= VERSIONS_MAX; n++) revisePrompt(core, caller, id, { body: `v${n}`, note: `n${n}` });
  });
  expect(() => revisePrompt(core, caller, id, { body: "x", note: "y" })).toThrow("has 100 versions");
  const all = Array.from({ length: VERSIONS_MAX }, (_, i) => VERSIONS_MAX - i);
  expect(listVersions(core, caller, id, { limit: 100 }).nodes.map(({ version }) => version)).toEqual(all);
  for (const backwards of [false, true]) {
    const seen: number[] = [];
    let cursor: string | undefined;
    for (;;) {
      const page = listVersions(core, caller, id, { limit: 7, backwards, cursor });
      const numbers = page.nodes.map(({ version }) => version);
      if (backwards) seen.unshift(...numbers);
      else seen.push(...numbers);
      const edge = backwards ? page.nodes[0] : page.nodes.at(-1);
      if (!(backwards ? page.hasPreviousPage : page.hasNextPage) || !edge) break;
      cursor = page.cursorOf(edge);
    }
    expect(seen).toEqual(all);
  }
});

test("only its author deletes a prompt, with its versions and ratings", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada");
  const bo = createMember(server.core, "bo");
  const id = await submit(server, ada.token);
  revisePrompt(server.core, ada.caller, id, { body: "x", note: "y" });
  ratePrompt(server.core, bo.caller, id, { stars: 5 });
  expect((await call(server, bo.token, `DELETE /prompts/${id}`)).status).toBe(403);
  expect((await call(server, ada.token, "DELETE /prompts/x")).status).toBe(404);
  expect((await call(server, ada.token, `DELETE /prompts/${id}`)).status).toBe(204);
  for (const request of [`GET /prompts/${id}`, `GET /prompts/${id}/versions`, `DELETE /prompts/${id}`])
    expect([request, (await call(server, ada.token, request)).status]).toEqual([request, 404]);
  for (const table of ["prompts", "prompt_versions", "prompt_ratings"])
    expect(rows(server.core, `SELECT * FROM ${table}`)).toEqual([]);
});

test("a prompt with many ratings is deleted in batches, and disappears with the first batch", async () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  const [id = ""] = addPrompts(world, caller, {});
  core.db.transact(() => {
    // One builder rates many versions instead of many builders rating one version. Each rating is one row in
    // both cases.
    for (let version = 1; version <= 450; version++)
      core.db.prepare("INSERT INTO prompt_ratings VALUES (?, ?, ?, 5, 0)").run(id, version, caller.builderId);
  });
  deletePrompt(core, caller, id);
  expect(rows(core, "SELECT count(*) AS n FROM prompt_ratings")[0].n).toBe(250);
  expect([getPrompts(core, caller, [id]), listPrompts(core, caller, {}, { limit: 9 }).nodes]).toEqual([
    [],
    [],
  ]);
  expect(listOwnPrompts(core, caller, { limit: 9 }).nodes).toEqual([]);
  await dropRemovedPrompts(core);
  expect(rows(core, "SELECT id FROM prompts")).toEqual([]);
});

test("scores, ranks and counts stay exact after any interleaving of ratings and versions", () => {
  const step = fc.record({
    who: fc.nat(2),
    which: fc.nat(1),
    stars: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 40 }), (steps) => {
      using world = createTestWorld();
      const { core } = world;
      const author = createMember(core, "ada").caller;
      const raters = ["bo", "cy", "di"].map((name) => createMember(core, name).caller);
      const ids = addPrompts(world, author, {}, {});
      const given = ids.map(() => [new Map<Caller, number>()]);
      core.db.transact(() => {
        for (const { who, which, stars } of steps) {
          const [id, versions] = [ids[which] ?? "", given[which] ?? []];
          if (stars === undefined) {
            revisePrompt(core, author, id, { body: "x", note: "y" });
            versions.push(new Map());
          } else {
            ratePrompt(core, raters[who] as Caller, id, { stars });
            versions.at(-1)?.set(raters[who] as Caller, stars);
          }
        }
      });
      const sumOf = (ratings: Map<Caller, number>) =>
        [...ratings.values()].reduce((sum, value) => sum + value, 0);
      for (const [i, id] of ids.entries()) {
        const versions = listVersions(core, author, id, { limit: 100 }).nodes.reverse();
        expect(versions.map(({ score, ratings }) => [score, ratings])).toEqual(
          (given[i] ?? []).map((ratings) => [scoreOf(sumOf(ratings), ratings.size), ratings.size]),
        );
        const current = given[i]?.at(-1) ?? new Map<Caller, number>();
        expect(rows(core, "SELECT rank FROM prompts WHERE id = ?", id)).toEqual([
          { rank: rankOf(sumOf(current), current.size) },
        ]);
        for (const rater of raters)
          expect(starsAmong(core, rater, ids).get(id)).toBe(current.get(rater) as number);
      }
    }),
    { numRuns: sized(20, 300) },
  );
});

test("the library walked backwards, with and without filters, lists the same prompts as forwards", () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  addPrompts(
    world,
    caller,
    ...Array.from({ length: 14 }, (_, i) => ({ model: i % 2 ? "odd" : "even", ratings: [1 + (i % 3), 4] })),
  );
  for (const filter of [{}, { model: "odd" }, { category: "review" }, { model: "odd", min_score: 3 }]) {
    const forwards = listPrompts(core, caller, filter, { limit: 100 }).nodes.map(({ id }) => id);
    const backwards: string[] = [];
    let cursor: string | undefined;
    for (;;) {
      const page = listPrompts(core, caller, filter, { limit: 2, backwards: true, cursor });
      backwards.unshift(...page.nodes.map(({ id }) => id));
      const first = page.nodes[0];
      if (!page.hasPreviousPage || !first) break;
      cursor = page.cursorOf(first);
    }
    expect(backwards).toEqual(forwards);
    expect(forwards.length).toBeGreaterThan(1);
  }
});
