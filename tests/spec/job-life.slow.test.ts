import { expect, test } from "bun:test";
import fc from "fast-check";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { DAY, HOUR, MINUTE } from "../../src/core/base/clock.ts";
import { expireJobs, unhideJob, hideJob } from "../../src/core/community/jobs/board.ts";
import { changeJob, getJob, publishJob, searchJobs } from "../../src/core/community/jobs/jobs.ts";
import { type JobQuery } from "../../src/core/community/jobs/job.ts";
import type { Page, PageRequest } from "../../src/core/base/page.ts";
import { addMember, createWorkspace } from "../../src/core/delegation/workspaces/workspaces.ts";
import { createToken } from "../../src/core/delegation/tokens/tokens.ts";
import { sized } from "../drill.ts";
import {
  BUILDER_SCOPES,
  type TestServer,
  createTestWorld,
  createMember,
  openTestServer,
  type TestWorld,
} from "../support.ts";
import { call, refusalOf } from "./client.ts";
import { jobDraft, publishJobs, rows } from "./rows.ts";

const events = (world: Pick<TestWorld, "core">) =>
  rows(world.core, "SELECT type FROM events ORDER BY id") as { type: string }[];

/** Returns the ids of a search in result order. */
const found = async (server: TestServer, token: string, query = ""): Promise<string[]> =>
  (await call(server, token, `GET /jobs?limit=100${query}`)).body.data.map(({ id }: { id: string }) => id);

async function publish(server: TestServer, token: string, change: Parameters<typeof jobDraft>[0] = {}) {
  const response = await call(server, token, "POST /jobs", { body: jobDraft(change) });
  expect([response.status, response.body.message]).toEqual([201, undefined]);
  return response.body as { id: string; state: string };
}

test("POST /jobs publishes a job for 60 days, as its publisher sees it; job.published fires once", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada");
  const reader = createMember(server.core, "bo", ["jobs:read"]);
  const response = await call(server, ada.token, "POST /jobs", {
    body: jobDraft({ title: "Rust Engineer" }),
  });
  const { id } = response.body;
  expect([response.status, response.body]).toStrictEqual([
    201,
    {
      id,
      title: "Rust Engineer",
      company: { name: "Tidewater Systems", slug: "tidewater-systems" },
      location: "Berlin, Germany",
      stack: ["rust", "postgres"],
      salary: { min: 85_000, max: 110_000, currency: "EUR" },
      posted_at: "2026-11-20T12:00:00.000Z",
      description: "You will own the storage engine.",
      apply_url: "https://tidewater.example.com/careers/engineer",
      city: "berlin",
      remote: false,
      seniority: "senior",
      state: "open",
      expires_at: "2027-01-19T12:00:00.000Z",
    },
  ]);
  const company = { name: "Tidewater Systems", slug: "tidewater-systems" };
  const url = `https://guild.test/jobs/${id}`;
  const { data: pulled } = (await call(server, ada.token, "GET /events")).body;
  expect(pulled.map(({ type, data }: any) => ({ type, data }))).toStrictEqual([
    { type: "job.published", data: { job: { id, title: "Rust Engineer", company, url } } },
  ]);
  for (const query of ["", "&q=rust", "&stack=rust&city=berlin"]) {
    expect(await found(server, reader.token, query)).toEqual([id]);
  }
  // Other members see only the fields that the contract lists.
  const seen = await call(server, reader.token, `GET /jobs/${id}`);
  const {
    city: _city,
    remote: _remote,
    seniority: _seniority,
    state: _state,
    expires_at: _at,
    ...shown
  } = response.body;
  expect(seen.body).toStrictEqual(shown);
  expect((await call(server, ada.token, `GET /jobs/${id}`)).body).toStrictEqual(response.body);
});

test("POST /jobs sent twice with one Idempotency-Key makes one job and one event", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const send = () =>
    call(server, token, "POST /jobs", { body: jobDraft(), headers: { "idempotency-key": "once" } });
  const [first, second] = [await send(), await send()];
  expect([first.status, second.status, second.body]).toEqual([201, 201, first.body]);
  expect(second.headers.get("idempotency-replayed")).toBe("true");
  expect(await found(server, token)).toEqual([first.body.id]);
  expect(events(server)).toHaveLength(1);
});

test("a refused or rolled-back publication leaves no job, company, event or search entry", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada");
  const reader = createMember(server.core, "bo", ["jobs:read"]);
  const swapped = jobDraft({ salary: { min: 2, max: 1, currency: "EUR" } });
  expect(await refusalOf(server, ada.token, "POST /jobs", { body: swapped })).toBe("422 salary");
  expect(await refusalOf(server, reader.token, "POST /jobs", { body: jobDraft() })).toBe("403");
  const long = jobDraft({ title: "x".repeat(201) });
  expect(await refusalOf(server, ada.token, "POST /jobs", { body: long })).toBe("400 title");
  expect(() =>
    server.core.db.transact(() => {
      publishJob(server.core, ada.caller, jobDraft());
      throw new Error("changed my mind");
    }),
  ).toThrow("changed my mind");
  for (const table of ["jobs", "companies", "events", "deliveries", "job_matchings"]) {
    expect([table, rows(server.core, `SELECT count(*) AS n FROM ${table}`)]).toEqual([table, [{ n: 0 }]]);
  }
  expect(await found(server, ada.token, "&q=storage")).toEqual([]);
});

test("a company belongs to the first publisher and their workspace; other members cannot publish for it", async () => {
  await using server = openTestServer();
  const [ada, bo, cy] = ["ada", "bo", "cy"].map((name) => createMember(server.core, name));
  if (!ada || !bo || !cy) throw new Error("a member is missing");
  const shared = createWorkspace(server.core, OPERATOR, "ada", { name: "Tidewater" });
  addMember(server.core, OPERATOR, shared, "bo");
  const draft = {
    name: "shared",
    scopes: [...BUILDER_SCOPES],
    tier: "enterprise" as const,
    workspaceId: shared,
  };
  const { token } = createToken(server.core, OPERATOR, "ada", draft);
  await publish(server, token);
  // Any token of a workspace member works, because only the membership is checked.
  await publish(server, ada.token, { company: { name: "Renamed", slug: "tidewater-systems" } });
  await publish(server, bo.token);
  const refused = await call(server, cy.token, "POST /jobs", { body: jobDraft() });
  expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining("Tidewater Systems")]);
  publishJob(server.core, OPERATOR, jobDraft());
  const names = (await call(server, cy.token, "GET /jobs")).body.data.map(({ company }: any) => company.name);
  expect(names).toEqual(Array(4).fill("Tidewater Systems"));
  publishJob(server.core, OPERATOR, jobDraft({ company: { name: "Guild", slug: "guild" } }));
  const body = jobDraft({ company: { name: "Guild", slug: "guild" } });
  expect(await refusalOf(server, ada.token, "POST /jobs", { body })).toBe("403 company.slug");
  // A former member of the workspace cannot publish for it.
  server.core.db.transact(() =>
    server.core.db
      .prepare("DELETE FROM workspace_members WHERE builder_id = ? AND role = 'member'")
      .run(bo.caller.builderId),
  );
  expect(await refusalOf(server, bo.token, "POST /jobs", { body: jobDraft() })).toBe("403 company.slug");
});

test("a job is changed only by its publisher, and is found by its current text", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada");
  const bo = createMember(server.core, "bo");
  const { id } = await publish(server, ada.token, { title: "Plumber", stack: ["pipes"] });
  const change = { title: "Gardener", stack: ["spades", "spades"], city: null, seniority: "lead" };
  expect(await refusalOf(server, bo.token, `PATCH /jobs/${id}`, { body: change })).toBe("403");
  const admin = { ...bo.caller, scopes: new Set([...bo.caller.scopes, "admin" as const]) };
  expect(() => changeJob(server.core, admin, id, { title: "Mine" })).toThrow("Only the member who published");
  const response = await call(server, ada.token, `PATCH /jobs/${id}`, { body: change });
  expect([response.status, response.body]).toMatchObject([
    200,
    { id, title: "Gardener", stack: ["spades"], city: null, seniority: "lead", state: "open" },
  ]);
  expect(response.body.description).toBe("You will own the storage engine.");
  for (const query of [
    "&q=gardener",
    "&stack=spades",
    "&seniority=lead",
    "&q=storage",
    "&q=gardener%20storage",
  ]) {
    expect([query, await found(server, bo.token, query)]).toEqual([query, [id]]);
  }
  for (const query of ["&q=plumber", "&stack=pipes", "&city=berlin", "&seniority=senior"]) {
    expect([query, await found(server, bo.token, query)]).toEqual([query, []]);
  }
  const refuse = (body: object) => refusalOf(server, ada.token, `PATCH /jobs/${id}`, { body });
  expect(await refuse({ salary: { min: 9, max: 1, currency: "EUR" } })).toBe("422 salary");
  expect(await refuse({ title: " " })).toBe("400 title");
  expect(await refuse({ city: "Berlin" })).toBe("400 city");
  expect(await refusalOf(server, ada.token, `PATCH /jobs/${id}0`, { body: {} })).toBe("404");
  changeJob(server.core, OPERATOR, id, { title: "Operator's word" });
  expect(await found(server, bo.token, "&q=word")).toEqual([id]);
  expect(events(server).map(({ type }) => type)).toEqual(["job.published"]);
});

test("a closed job is visible only to its publisher; reopened, it keeps its position and fires no second event", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada");
  const bo = createMember(server.core, "bo");
  const first = await publish(server, ada.token);
  server.clock.pass(DAY);
  const second = await publish(server, ada.token, { title: "Later" });
  const lists = ["", "&q=storage", "&stack=rust", "&q=engine&city=berlin"];
  const patch = (open: boolean) => call(server, ada.token, `PATCH /jobs/${first.id}`, { body: { open } });
  for (let round = 0; round < 2; round++) {
    expect((await patch(false)).body.state).toBe("closed");
    for (const query of lists) expect(await found(server, bo.token, query)).toEqual([second.id]);
    expect(await refusalOf(server, bo.token, `GET /jobs/${first.id}`)).toBe("404");
    expect(await refusalOf(server, bo.token, `PATCH /jobs/${first.id}`, { body: { open: true } })).toBe(
      "404",
    );
    expect((await call(server, ada.token, `GET /jobs/${first.id}`)).body.state).toBe("closed");
    expect(getJob(server.core, OPERATOR, first.id).state).toBe("closed");
    expect((await patch(false)).status).toBe(200);
    expect((await patch(true)).body).toMatchObject({ state: "open", posted_at: "2026-11-20T12:00:00.000Z" });
    expect((await patch(true)).status).toBe(200);
    for (const query of ["", "&stack=rust"])
      expect(await found(server, bo.token, query)).toEqual([second.id, first.id]);
    expect((await call(server, bo.token, `GET /jobs/${first.id}`)).status).toBe(200);
  }
  expect(events(server).map(({ type }) => type)).toEqual(["job.published", "job.published"]);
  const mine = await call(server, ada.token, "GET /jobs/mine");
  expect(mine.body.data.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id]);
  expect((await call(server, bo.token, "GET /jobs/mine")).body).toEqual({ data: [], next: null });
});

test("a job leaves every list the moment its 60 days end, before any cleanup, and cannot be reopened", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada");
  const bo = createMember(server.core, "bo");
  const old = await publish(server, ada.token);
  server.clock.pass(10 * DAY);
  const young = await publish(server, ada.token, { title: "Younger" });
  const closed = await publish(server, ada.token, { title: "Closed" });
  await call(server, ada.token, `PATCH /jobs/${closed.id}`, { body: { open: false } });
  const lists = ["", "&q=storage", "&stack=rust", "&q=engine&city=berlin"];
  const indexed = () => rows(server.core, "SELECT count(*) AS n FROM job_search")[0].n;

  server.clock.pass(50 * DAY - 1);
  for (const query of lists) expect(await found(server, bo.token, query)).toContain(old.id);
  await expireJobs(server.core);
  expect(indexed()).toBe(2);
  server.clock.pass(1);
  for (const query of lists) expect(await found(server, bo.token, query)).toEqual([young.id]);
  expect(await refusalOf(server, bo.token, `GET /jobs/${old.id}`)).toBe("404");
  expect(indexed()).toBe(2);
  await expireJobs(server.core);
  expect(indexed()).toBe(1);
  for (const query of lists) expect(await found(server, bo.token, query)).toEqual([young.id]);

  expect((await call(server, ada.token, `GET /jobs/${old.id}`)).body.state).toBe("expired");
  expect(await refusalOf(server, ada.token, `PATCH /jobs/${old.id}`, { body: { open: true } })).toBe("409");
  await call(server, ada.token, `PATCH /jobs/${old.id}`, { body: { title: "Still expired" } });
  expect(await found(server, bo.token, "&q=expired")).toEqual([]);
  server.clock.pass(10 * DAY);
  await expireJobs(server.core);
  expect(indexed()).toBe(0);
  expect(await found(server, bo.token)).toEqual([]);
  expect(await refusalOf(server, ada.token, `PATCH /jobs/${closed.id}`, { body: { open: true } })).toBe(
    "409",
  );
});

test("jobs that expire at once all leave the board, in batches", async () => {
  await using server = openTestServer();
  server.core.db.transact(() => publishJobs(server, ...Array.from({ length: 130 }, () => ({}))));
  server.clock.pass(60 * DAY);
  await expireJobs(server.core);
  expect(rows(server.core, "SELECT count(*) AS n FROM jobs WHERE on_board = 1")).toEqual([{ n: 0 }]);
  expect(rows(server.core, "SELECT count(*) AS n FROM job_search")).toEqual([{ n: 0 }]);
});

test("a hidden job is visible only to its publisher and moderators until it is restored", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada");
  const bo = createMember(server.core, "bo");
  const { db } = server.core;
  const { id } = await publish(server, ada.token);
  expect(db.transact(() => hideJob(server.core, id))).toBe(true);
  expect(await found(server, bo.token, "&q=storage")).toEqual([]);
  expect(await refusalOf(server, bo.token, `GET /jobs/${id}`)).toBe("404");
  const opened = await call(server, ada.token, `PATCH /jobs/${id}`, {
    body: { open: true, title: "Please" },
  });
  expect(opened.body.state).toBe("hidden");
  expect(await found(server, bo.token)).toEqual([]);
  const moderator = { ...bo.caller, scopes: new Set([...bo.caller.scopes, "moderation" as const]) };
  expect(getJob(server.core, moderator, id).state).toBe("hidden");

  await call(server, ada.token, `PATCH /jobs/${id}`, { body: { open: false } });
  expect(db.transact(() => unhideJob(server.core, id))).toBe(true);
  expect((await call(server, ada.token, `GET /jobs/${id}`)).body.state).toBe("closed");
  await call(server, ada.token, `PATCH /jobs/${id}`, { body: { open: true } });
  expect(await found(server, bo.token, "&q=please")).toEqual([id]);
  expect(db.transact(() => hideJob(server.core, `${id}0`))).toBe(false);
});

/** Reads all nodes forwards or backwards. */
function walk<Node>(list: (request: PageRequest) => Page<Node>, limit: number, backwards: boolean): Node[] {
  const pages: Node[][] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = list({ limit, cursor, backwards });
    pages.push(page.nodes);
    const edge = backwards ? page.nodes[0] : page.nodes.at(-1);
    expect(backwards ? page.hasNextPage : page.hasPreviousPage).toBe(cursor !== undefined);
    if (!(backwards ? page.hasPreviousPage : page.hasNextPage) || edge === undefined) break;
    cursor = page.cursorOf(edge);
  }
  return (backwards ? pages.reverse() : pages).flat();
}

test("a search walked backwards returns the same jobs, order and cursors as forwards", () => {
  for (const [count, limit] of [
    [1203, 100],
    [1000, 77],
    [501, 99],
    [3, 2],
    [0, 2],
  ] as const) {
    using world = createTestWorld();
    world.core.db.transact(() => {
      for (let i = 0; i < count; i++) {
        world.clock.pass(i % 4 === 0 ? HOUR : 0);
        const title = ["Engineer", "Storage hand", "Engine hand"][(i * 7) % 3] ?? "";
        publishJob(world.core, OPERATOR, jobDraft({ title, remote: i % 2 === 0 }));
      }
    });
    for (const query of [
      {},
      { remote: true },
      { q: "storage engine" },
      { q: "engine", remote: true },
    ] as JobQuery[]) {
      const list = (request: PageRequest) => searchJobs(world.core, OPERATOR, query, request);
      const forwards = walk(list, limit, false).map(({ id }) => id);
      expect(walk(list, limit, true).map(({ id }) => id)).toEqual(forwards);
      // A forward cursor also works backwards, from the middle to the start.
      const first = list({ limit });
      const second = list({
        limit,
        cursor: first.nodes.length ? first.cursorOf(first.nodes.at(-1)!) : undefined,
      });
      const from = second.nodes[0];
      if (!first.hasNextPage || !from) continue;
      const back = list({ limit, cursor: second.cursorOf(from), backwards: true });
      expect(back.nodes.map(back.cursorOf)).toEqual(first.nodes.map(first.cursorOf));
      expect([back.hasPreviousPage, back.hasNextPage]).toEqual([false, true]);
    }
  }
}, 60_000);

test("jobs that are closed, changed and reopened between pages do not move other jobs", () => {
  const step = fc.record({ which: fc.nat(30), act: fc.constantFrom("close", "open", "change") });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 30 }),
      fc.array(step, { maxLength: 8 }),
      fc.integer({ min: 1, max: 7 }),
      fc.constantFrom<JobQuery>({}, { q: "storage" }, { stack: ["rust"] }),
      (count, steps, limit, query) => {
        using world = createTestWorld();
        const ids = world.core.db.transact(() =>
          publishJobs(world, ...Array.from({ length: count }, () => ({}))),
        );
        const touched = new Set<string>();
        const seen: string[] = [];
        let cursor: string | undefined;
        for (;;) {
          const page = searchJobs(world.core, OPERATOR, query, { limit, cursor });
          seen.push(...page.nodes.map(({ id }) => id));
          const last = page.nodes.at(-1);
          if (!page.hasNextPage || !last) break;
          cursor = page.cursorOf(last);
          const next = steps.shift();
          const id = ids[(next?.which ?? 0) % ids.length] ?? "";
          if (!next) continue;
          touched.add(id);
          world.clock.pass(MINUTE);
          changeJob(
            world.core,
            OPERATOR,
            id,
            next.act === "change" ? { title: "Storage" } : { open: next.act === "open" },
          );
        }
        expect(new Set(seen).size).toBe(seen.length);
        const untouched = ids.filter((id) => !touched.has(id)).reverse();
        expect(seen.filter((id) => !touched.has(id))).toEqual(untouched);
      },
    ),
    { numRuns: sized(20, 250) },
  );
});
