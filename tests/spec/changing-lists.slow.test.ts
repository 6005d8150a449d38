// Tests docs/contract.md#2.12.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { type Caller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { DAY, HOUR } from "../../src/core/base/clock.ts";
import { createPost, type FeedFilter, listFeed } from "../../src/core/community/feed/feed.ts";
import { publishJob, searchJobs } from "../../src/core/community/jobs/jobs.ts";
import { type JobQuery } from "../../src/core/community/jobs/job.ts";
import { searchScore } from "../../src/core/community/fulltext/ranking.ts";
import type { Page, PageRequest } from "../../src/core/base/page.ts";
import { listPrompts } from "../../src/core/community/prompts/prompts.ts";
import { sized } from "../drill.ts";
import { createTestWorld, createMember, type TestWorld } from "../support.ts";
import { addPrompts, jobDraft } from "./rows.ts";

/** Reads all nodes of a list page by page and calls `meanwhile` between pages. */
function walk<Node>(
  list: (request: PageRequest) => Page<Node>,
  limit: number,
  meanwhile: () => void,
): Node[] {
  const nodes: Node[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < 1000; pages++) {
    const page = list({ limit, cursor });
    nodes.push(...page.nodes);
    const last = page.nodes.at(-1);
    if (!page.hasNextPage || last === undefined) return nodes;
    cursor = page.cursorOf(last);
    meanwhile();
  }
  throw new Error("the walk does not end");
}

const authors = ["ada", "bo"] as const;
const tags = ["rust", "go", "zig"] as const;

const someText = fc.record({
  author: fc.constantFrom(...authors),
  tags: fc.uniqueArray(fc.constantFrom(...tags)),
  /** Milliseconds since the previous post. Zero is frequent. */
  gap: fc.constantFrom(0, 0, 1, 50_000),
});
type Sketch = typeof someText extends fc.Arbitrary<infer Value> ? Value : never;

function write(world: TestWorld, callers: Record<string, Caller>, { author, tags, gap }: Sketch): string {
  world.clock.pass(gap);
  return createPost(world.core, callers[author] as Caller, { text: "x", tags }).id;
}

test("feed: posts published between pages never drop, repeat or reorder existing posts", () => {
  fc.assert(
    fc.property(
      fc.array(someText, { maxLength: 25 }),
      fc.array(someText, { maxLength: 3 }),
      fc.record({
        tag: fc.option(fc.constantFrom(...tags), { nil: undefined }),
        author: fc.option(fc.constantFrom(...authors), { nil: undefined }),
        sinceIndex: fc.option(fc.nat(24), { nil: undefined }),
      }),
      fc.integer({ min: 1, max: 8 }),
      fc.constantFrom(0, 0, -HOUR, HOUR),
      (before, between, { tag, author, sinceIndex }, limit, step) => {
        using world = createTestWorld();
        const callers = Object.fromEntries(
          authors.map((name) => [name, createMember(world.core, name).caller]),
        );
        const there = world.core.db.transact(() =>
          before.map((sketch) => ({ ...sketch, id: write(world, callers, sketch), at: world.clock.now() })),
        );
        const since = sinceIndex === undefined ? undefined : there[sinceIndex]?.at;
        const expected = there
          .filter((post) => tag === undefined || post.tags.includes(tag))
          .filter((post) => author === undefined || post.author === author)
          .filter((post) => since === undefined || post.at > since)
          .map(({ id }) => id)
          .reverse();
        const filter: FeedFilter = { tag, author, since };
        let isSet = false;
        const meanwhile = () => {
          // The system clock may be set back. New posts are then sorted between older ones.
          if (!isSet) world.clock.step(step);
          isSet = true;
          world.core.db.transact(() => {
            for (const sketch of between) write(world, callers, sketch);
          });
        };
        const seen = walk(
          (request) => listFeed(world.core, callers["ada"] as Caller, filter, request),
          limit,
          meanwhile,
        );
        const ids = seen.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.filter((id) => expected.includes(id))).toEqual(expected);
        if (step >= 0) expect(ids).toEqual(expected);
      },
    ),
    { numRuns: sized(50, 750) },
  );
});

test("prompts: prompts added between pages never drop, repeat or reorder existing prompts", () => {
  const ratings = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 3 });
  fc.assert(
    fc.property(
      fc.array(ratings, { maxLength: 20 }),
      fc.array(ratings, { maxLength: 3 }),
      fc.integer({ min: 1, max: 8 }),
      (before, between, limit) => {
        using world = createTestWorld();
        const { caller } = createMember(world.core, "ada");
        const add = (all: number[][]) =>
          world.core.db.transact(() => addPrompts(world, caller, ...all.map((ratings) => ({ ratings }))));
        add(before);
        const list = (request: PageRequest) => listPrompts(world.core, caller, {}, request);
        const expected = list({ limit: 100 }).nodes.map(({ id }) => id);
        expect(expected).toHaveLength(before.length);
        const ids = walk(list, limit, () => void add(between)).map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.filter((id) => expected.includes(id))).toEqual(expected);
      },
    ),
    { numRuns: sized(20, 250) },
  );
});

/**
 * Creates `count` jobs over three months, each with the words “storage” and “engine”. Many have equal ranks.
 */
function fillBoard(world: TestWorld, count: number, step: (i: number) => number) {
  return world.core.db.transact(() =>
    Array.from({ length: count }, (_, i) => {
      world.clock.pass(step(i));
      const title = ["Engineer", "Storage hand", "Engine hand", "Storage engine hand"][(i * 7) % 4] ?? "";
      const stack = i % 3 === 0 ? ["rust"] : ["go"];
      const { id } = publishJob(
        world.core,
        OPERATOR,
        jobDraft({ title, stack, description: "storage engine" }),
      );
      const titleHits = Number(/storage/i.test(title)) + Number(/engine /i.test(title));
      return { id, titleHits, postedAt: world.clock.now(), stack };
    }),
  );
}

test("jobs: a search over more than two windows of 500 matches reaches its end, even when new jobs are published", () => {
  for (const [count, limit, step] of [
    // Groups of ten jobs with equal ranks. Some groups cross the boundary between two windows of 500 jobs.
    [1301, 100, (i: number) => (i % 10 === 0 ? 8 * HOUR : 0)],
    [1000, 77, () => 0], // all at the same time
    [501, 100, () => HOUR],
    [500, 100, () => HOUR],
    [1203, 53, (i: number) => (i % 2) * HOUR],
  ] as const) {
    using world = createTestWorld();
    const there = fillBoard(world, count, step);
    world.clock.pass(DAY);
    const at = world.clock.now();
    const meanwhile = () => {
      world.clock.pass(3 * HOUR);
      fillBoard(world, 2, () => 0);
    };
    for (const filter of [{ q: "storage engine" }, { q: "storage engine", stack: ["rust"] }] as JobQuery[]) {
      const expected = there.filter(({ stack }) => !filter.stack || stack[0] === "rust");
      const isThere = new Set(expected.map(({ id }) => id));
      const seen = walk((request) => searchJobs(world.core, OPERATOR, filter, request), limit, meanwhile);
      const old = seen.filter(({ id }) => isThere.has(id)).map(({ id }) => id);
      expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
      expect(old.toSorted()).toEqual([...isThere].sort());
      // The search ranks jobs in windows of 500, each window separately.
      if (filter.stack) continue;
      expect(old).toHaveLength(seen.length);
      const scores = new Map(
        expected.map(({ id, titleHits, postedAt }) => [id, searchScore(titleHits, 2, at - postedAt)]),
      );
      for (let start = 0; start < old.length; start += 500) {
        const window = old.slice(start, start + 500).map((id) => scores.get(id) ?? 0);
        expect(window).toEqual(window.toSorted((a, b) => b - a));
      }
    }
  }
}, 60_000);

test("jobs: jobs published between pages never drop, repeat or reorder existing jobs", () => {
  const sketch = fc.record({
    title: fc.constantFrom("Engineer", "Storage engineer", "Storage engine"),
    remote: fc.boolean(),
    gap: fc.constantFrom(0, 0, HOUR, 2 * DAY),
  });
  const filters: JobQuery[] = [
    {},
    { q: "storage" },
    { q: "eng* storage" },
    { remote: true },
    { q: "storage", remote: true },
  ];
  fc.assert(
    fc.property(
      fc.array(sketch, { maxLength: 20 }),
      fc.array(sketch, { maxLength: 3 }),
      fc.constantFrom(...filters),
      fc.integer({ min: 1, max: 8 }),
      (before, between, filter, limit) => {
        using world = createTestWorld();
        const add = (all: typeof before) =>
          world.core.db.transact(() => {
            for (const { gap, ...part } of all) {
              world.clock.pass(gap);
              publishJob(world.core, OPERATOR, jobDraft(part));
            }
          });
        add(before);
        const list = (request: PageRequest) => searchJobs(world.core, OPERATOR, filter, request);
        const expected = list({ limit: 100 }).nodes.map(({ id }) => id);
        expect(expected).toHaveLength(before.filter(({ remote }) => !filter.remote || remote).length);
        expect(walk(list, limit, () => add(between)).map(({ id }) => id)).toEqual(expected);
      },
    ),
    { numRuns: sized(35, 500) },
  );
});
