import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Caller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import {
  matchResultOf,
  type JobFacts,
  type FilterCriteria,
} from "../../src/core/community/jobs/match-reasons.ts";
import { createJobFilter, type JobFilterInput } from "../../src/core/community/jobs/job-filters.ts";
import { indexedTextOfJob } from "../../src/core/community/jobs/indexed-text.ts";
import { publishJob, searchJobs } from "../../src/core/community/jobs/jobs.ts";
import { type JobDraft, SENIORITIES } from "../../src/core/community/jobs/job.ts";
import { sized } from "../drill.ts";
import { createTestWorld, createMember, openTestServer, type TestWorld } from "../support.ts";
import { call, refusalOf } from "./client.ts";
import { jobDraft, rows } from "./rows.ts";

const save = (world: Pick<TestWorld, "core">, caller: Caller, input: Partial<JobFilterInput> = {}) =>
  createJobFilter(world.core, caller, { name: "mine", ...input });

const publish = (world: Pick<TestWorld, "core">, change: Partial<JobDraft> = {}, caller: Caller = OPERATOR) =>
  publishJob(world.core, caller, jobDraft(change));

test("a builder saves, lists, shows, changes and deletes only their own filters", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const other = createMember(server.core, "bo").token;
  const reader = createMember(server.core, "cy", ["jobs:read"]).token;
  const body = {
    name: "Rust in Berlin",
    q: 'engine* "storage engine"',
    stack: ["rust", "go", "rust"],
    city: "berlin",
    remote: true,
    seniority: ["senior"],
    salary: { min: 80_000, currency: "EUR" },
  };
  const created = await call(server, token, "POST /job-filters", { body });
  expect([created.status, created.body]).toStrictEqual([
    201,
    { ...body, id: created.body.id, stack: ["rust", "go"], created_at: "2026-11-20T12:00:00.000Z" },
  ]);
  const at = `/job-filters/${created.body.id}`;
  expect((await call(server, token, `GET ${at}`)).body).toEqual(created.body);
  expect((await call(server, token, "GET /job-filters")).body).toEqual({ data: [created.body], next: null });

  const change = {
    name: "Anything",
    q: "",
    stack: [],
    city: null,
    remote: null,
    salary: null,
    seniority: [],
  };
  const changed = await call(server, token, `PATCH ${at}`, { body: { name: "Anywhere", city: null } });
  expect(changed.body).toEqual({ ...created.body, name: "Anywhere", city: null });
  expect((await call(server, token, `PATCH ${at}`, { body: change })).body).toMatchObject(change);
  expect((await call(server, token, "POST /job-filters", { body: { name: "Empty" } })).body).toMatchObject({
    ...change,
    name: "Empty",
  });

  expect((await call(server, other, "GET /job-filters")).body).toEqual({ data: [], next: null });
  for (const request of [`GET ${at}`, `PATCH ${at}`, `DELETE ${at}`, "GET /job-filters/flt_x"]) {
    const init = request.startsWith("PATCH") ? { body: {} } : {};
    expect([request, await refusalOf(server, other, request, init)]).toEqual([request, "404"]);
  }
  expect(await refusalOf(server, reader, "POST /job-filters", { body })).toBe("403");
  for (const [part, field] of [
    [{ name: " " }, "name"],
    [{ stack: ["Rust"] }, "stack.0"],
    [{ city: "" }, "city"],
    [{ remote: "yes" }, "remote"],
    [{ seniority: ["boss"] }, "seniority.0"],
    [{ salary: { min: -1, currency: "EUR" } }, "salary"],
    [{ salary: { min: 1 } }, "salary"],
    [{ q: "x".repeat(1001) }, "q"],
  ] as const) {
    const refused = await refusalOf(server, token, "POST /job-filters", { body: { ...body, ...part } });
    expect([field, refused]).toEqual([field, `400 ${field}`]);
  }
  expect((await call(server, token, `DELETE ${at}`)).status).toBe(204);
  expect(await refusalOf(server, token, `GET ${at}`)).toBe("404");
  expect(rows(server.core, "SELECT count(*) AS n FROM job_filters")).toEqual([{ n: 1 }]);
});

test("a builder has at most twenty filters and can page through them", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  for (let i = 0; i < 20; i++) {
    expect((await call(server, token, "POST /job-filters", { body: { name: `f${i}` } })).status).toBe(201);
  }
  expect(await refusalOf(server, token, "POST /job-filters", { body: { name: "f20" } })).toBe("409");
  const names: string[] = [];
  let next = "";
  do {
    const page = await call(server, token, `GET /job-filters?limit=7${next && `&cursor=${next}`}`);
    names.push(...page.body.data.map(({ name }: { name: string }) => name));
    next = page.body.next;
  } while (next !== null);
  expect(names).toEqual(Array.from({ length: 20 }, (_, i) => `f${19 - i}`));
});

test("the score is the weighted mean of the criteria that a filter sets", () => {
  using world = createTestWorld();
  const job = jobDraft({ title: "Rust Engineer", description: "storage", remote: true });
  const facts: JobFacts = { ...job, city: "berlin", words: indexedTextOfJob(world.core, job) };
  const nothing: FilterCriteria = { terms: [], salary: null };
  const word = (word: string) => ({ words: [word], isPrefix: false });
  const eur = (min: number) => ({ min, currency: "EUR" });
  const table: [wishes: Partial<FilterCriteria>, fit: ReturnType<typeof matchResultOf>][] = [
    [{}, { score: 1, why: {} }],
    [{ terms: [word("rust")] }, { score: 1, why: { words: 1 } }],
    [{ terms: [word("storage")] }, { score: 0.5, why: { words: 0.5 } }],
    [{ terms: [word("storage"), word("rust")] }, { score: 0.75, why: { words: 0.75 } }],
    [{ terms: [word("storage"), word("cobol")] }, undefined],
    [{ stack: ["rust"] }, { score: 1, why: { stack: 1 } }],
    [{ stack: ["rust", "go"] }, { score: 0.5, why: { stack: 0.5 } }],
    [{ stack: ["rust", "go", "postgres"] }, { score: 1, why: { stack: 1 } }],
    [{ stack: ["go"] }, undefined],
    [{ city: "berlin" }, { score: 1, why: { place: 1 } }],
    [
      { city: "paris", remote: true },
      { score: 0.8, why: { place: 0.8 } },
    ],
    [{ city: "paris" }, undefined],
    [{ remote: true }, { score: 1, why: { place: 1 } }],
    [{ city: "berlin", remote: false }, undefined],
    [{ seniority: ["lead", "senior"] }, { score: 1, why: { seniority: 1 } }],
    [{ seniority: ["lead"] }, undefined],
    [{ salary: eur(85_000) }, { score: 1, why: { salary: 1 } }],
    [{ salary: eur(97_500) }, { score: 0.75, why: { salary: 0.75 } }],
    [{ salary: eur(110_000) }, { score: 0.5, why: { salary: 0.5 } }],
    [{ salary: eur(110_001) }, undefined],
    [{ salary: { min: 1, currency: "USD" } }, undefined],
    // The expected score is (3 × 0.5 + 3 × 0.5 + 2 × 0.8 + 2 × 0.5 + 1) / 11 = 0.6.
    [
      {
        terms: [word("storage")],
        stack: ["rust", "go"],
        city: "paris",
        remote: true,
        salary: eur(110_000),
        seniority: ["senior"],
      },
      { score: 0.6, why: { words: 0.5, stack: 0.5, place: 0.8, salary: 0.5, seniority: 1 } },
    ],
  ];
  for (const [wishes, fit] of table)
    expect([wishes, matchResultOf({ ...nothing, ...wishes }, facts)]).toEqual([wishes, fit]);
});

const someOf = <Value>(values: readonly Value[], maxLength = 3) =>
  fc.uniqueArray(fc.constantFrom(...values), { maxLength });
const STACKS = ["rust", "go", "node.js", "zig"] as const;
const CITIES = ["berlin", "paris", "sao-paulo"] as const;
const TEXTS = [
  "Rust engineer",
  "rust Engineering",
  "C++ developer",
  "C#/.NET",
  "c",
  "Zürich",
  "zurich storage",
  "storage engine",
  "engine storage",
  "日本 東京",
  "naïve café",
  "e",
  "🦀 crab",
  "Straße 5",
  "ENGINE-room",
  "a b c d e",
] as const;
const QUERIES = [
  "rust",
  "engin*",
  "e*",
  "en*",
  '"storage engine"',
  '"storage eng"*',
  '"engine storage"',
  "c",
  "c++",
  "c#",
  ".net",
  "zürich",
  "ZURICH",
  "東京",
  "naive",
  "rust engin*",
  "🦀",
  "crab 🦀",
  "straße",
  "storage-engine",
  "engine room",
  '"c d"*',
  "\u0301",
  "*",
  "\u{1F980}x",
  "㎏",
  "b d",
  '"🦀"*',
] as const;

/** Most parts of a filter are empty, because a filter with many parts would match no job. */
const seldom = <Value, Empty>(part: fc.Arbitrary<Value>, empty: Empty) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(empty) }, { weight: 1, arbitrary: part });
const someFilter = fc.record({
  name: fc.constant("f"),
  q: fc.oneof(
    fc.constant(""),
    fc.constantFrom(...QUERIES),
    someOf(QUERIES, 2).map((all) => all.join(" ")),
  ),
  stack: seldom(someOf(STACKS), []),
  city: seldom(fc.constantFrom(...CITIES), null),
  remote: seldom(fc.boolean(), null),
  seniority: seldom(someOf(SENIORITIES.slice(0, 3)), []),
  salary: seldom(
    fc.record({ min: fc.integer({ min: 0, max: 9 }), currency: fc.constantFrom("EUR", "USD") }),
    null,
  ),
});
const someJob = fc.record({
  title: fc.constantFrom(...TEXTS),
  description: someOf(TEXTS).map((all) => all.join(" ") || "nothing"),
  stack: someOf(STACKS),
  city: fc.option(fc.constantFrom(...CITIES), { nil: undefined }),
  remote: fc.boolean(),
  seniority: fc.constantFrom(...SENIORITIES.slice(0, 3)),
  salary: fc
    .tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }), fc.constantFrom("EUR", "USD"))
    .map(([a, b, currency]) => ({ min: Math.min(a, b), max: Math.max(a, b), currency })),
});

test("the reverse index finds exactly the builders whose filters match the job in a search", () => {
  let some = 0;
  fc.assert(
    fc.property(
      fc.array(someJob, { maxLength: 4 }),
      fc.array(fc.array(someFilter, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 }),
      fc.array(someJob, { minLength: 1, maxLength: 3 }),
      (before, filters, jobs) => {
        using world = createTestWorld();
        // Filters are stored under keys. The choice of keys depends on the jobs that are already
        // on the board.
        for (const { city, ...job } of before) publish(world, { ...job, ...(city ? { city } : {}) });
        const callers = world.core.db.transact(() =>
          filters.map((own, i) => {
            const { caller } = createMember(world.core, `b${i}`);
            for (const filter of own) save(world, caller, filter);
            return caller;
          }),
        );
        for (const { city, ...sketch } of jobs) {
          const { city: _berlin, ...draft } = jobDraft(sketch);
          const job = publishJob(world.core, OPERATOR, { ...draft, ...(city ? { city } : {}) });
          const expected = callers.filter((_, i) =>
            filters[i]?.some(({ q, stack, city, remote, seniority, salary }) => {
              const paid =
                !salary || (job.salary.currency === salary.currency && job.salary.max >= salary.min);
              const query = { q, stack, city: city ?? undefined, remote: remote ?? undefined, seniority };
              const found = searchJobs(world.core, OPERATOR, query, { limit: 100 }).nodes;
              return paid && found.some(({ id }) => id === job.id);
            }),
          );
          some += expected.length;
          const actual = rows(
            world.core,
            "SELECT builder_id AS id FROM job_matches WHERE job_id = ?",
            job.id,
          );
          expect(actual.map(({ id }) => id).sort()).toEqual(
            expected.map(({ builderId }) => builderId ?? "").sort(),
          );
        }
      },
    ),
    { numRuns: sized(35, 500) },
  );
  expect(some).toBeGreaterThan(100);
}, 60_000);
