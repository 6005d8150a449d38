// docs/contract.md#4.5 and docs/contract.md#4.6: compares the search with reading every job.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { updateListing } from "../../src/core/community/jobs/board.ts";
import { ensureCompany, insertJob, updateJob } from "../../src/core/community/jobs/jobs-store.ts";
import type { JobQuery } from "../../src/core/community/jobs/job.ts";
import { searchJobs } from "../../src/core/community/jobs/jobs.ts";
import { parseQuery } from "../../src/core/community/fulltext/language.ts";
import { DAY, MINUTE } from "../../src/core/base/clock.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { pick, randomFor } from "../../src/demo/random.ts";
import { createTestWorld, type TestWorld } from "../support.ts";

/**
 * Most jobs contain the first words, few the last ones. More words begin with `archite` than a search
 * expands.
 */
const WORDS = [
  ..."the the the team team engineering Engineering engineer engineers Ingénieur".split(" "),
  ..."Straße Strassenbau c++ 東京 architect architects Łódź developer developers développeur".split(" "),
  ...Array.from({ length: 120 }, (_, i) => `architec${i}`),
];
const CITIES = ["berlin", "berlin", "berlin", "berlin", "berlin", "berlin", "lodz"];
const JOBS = 3150;
/**
 * Number of the oldest jobs. All of them are in Gdańsk, and only few later jobs are. So a filter by this rare
 * city matches more jobs than one window holds.
 */
const OLD = 1100;
const SHOWN = 100;

interface Written {
  seq: number;
  id: string;
  city: string;
  at: number;
  parts: readonly (readonly string[])[];
}

/** Fills a board with two and a half windows of jobs in posting order, and removes some. */
function fillBoard({ core, clock }: TestWorld): Written[] {
  const company = {
    slug: "mill",
    name: "Mill",
    createdAt: clock.now(),
    id: core.makeId("company", clock.now()),
  };
  const all = core.db.transact(() => {
    const { id: companyId } = ensureCompany(core, company);
    return Array.from({ length: JOBS }, (_, i): Written => {
      clock.pass(20 * MINUTE);
      const at = clock.now();
      const random = randomFor(7, 1, i);
      // Words at the start of the list are more frequent.
      const some = (count: number): string =>
        Array.from({ length: count }, () => WORDS[Math.floor(random() ** 3 * WORDS.length)]).join(" ");
      const written = {
        id: core.makeId("job", at),
        title: some(2),
        description: some(9),
        city: i < OLD || i % 45 === 0 ? "gdansk" : pick(random, CITIES),
      };
      insertJob(core, {
        ...written,
        companyId,
        location: "Somewhere",
        remote: false,
        seniority: "mid",
        stack: ["rust"],
        salaryMin: 1,
        salaryMax: 2,
        currency: "EUR",
        applyUrl: "https://mill.example.com",
        postedAt: at,
      });
      const parts = [wordsOf(written.title), wordsOf(written.description)];
      return { id: written.id, city: written.city, seq: i, at, parts };
    });
  });
  return all.filter(({ id, seq }) => {
    if (seq % 13 !== 0) return true;
    core.db.transact(() => {
      updateJob(core, id, { closedAt: clock.now() });
      updateListing(core, id);
    });
    return false;
  });
}

/** Naive tokenizer of the model. */
const wordsOf = (text: string): string[] =>
  text
    .replaceAll("ß", "ss")
    .replaceAll(/[łŁ]/g, "l")
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[\p{L}\p{N}+#]+/gu) ?? [];

interface WordQuery {
  text: string;
  isPrefix: boolean;
}

function isPresent({ text, isPrefix }: WordQuery, words: readonly string[]): boolean {
  const queryWords = wordsOf(text);
  return words.some((_, from) =>
    queryWords.every((word, i) => {
      const there = words[from + i];
      return isPrefix && i === queryWords.length - 1 ? there?.startsWith(word) : there === word;
    }),
  );
}

/** Expected result by reading every job: windows of the newest 500 matches, each sorted by rank. */
function naively(
  all: readonly Written[],
  terms: readonly WordQuery[],
  city: string | undefined,
  now: number,
): string[] {
  const matches = all
    .filter((job) => city === undefined || job.city === city)
    .map((job) => ({ ...job, held: terms.map((term) => job.parts.map((part) => isPresent(term, part))) }))
    .filter(({ held }) => held.every((parts) => parts.includes(true)))
    .map(({ id, seq, at, held }) => {
      const hits = held.filter(([inTitle]) => inTitle).length;
      return { id, seq, score: (1 + (2 * hits) / terms.length) * 2 ** ((at - now) / (14 * DAY)) };
    })
    .reverse();
  const windows = Array.from({ length: Math.ceil(matches.length / 500) }, (_, i) =>
    matches.slice(500 * i, 500 * (i + 1)),
  );
  return windows.flatMap((window) =>
    window.sort((a, b) => b.score - a.score || b.seq - a.seq).map(({ id }) => id),
  );
}

function walk({ core }: TestWorld, query: JobQuery, backwards: boolean): string[] {
  const shown: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = searchJobs(core, OPERATOR, query, { limit: SHOWN, cursor, backwards });
    shown[backwards ? "unshift" : "push"](...page.nodes.map(({ id }) => id));
    const end = page.nodes.at(backwards ? 0 : -1);
    if (!end || !(backwards ? page.hasPreviousPage : page.hasNextPage)) return shown;
    cursor = page.cursorOf(end);
  }
}

const term = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...WORDS.slice(0, 22)).map((text) => ({ text, isPrefix: false })) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...WORDS.slice(0, 24)), fc.integer({ min: 1, max: 10 }))
      .map(([word, letters]) => ({ text: [...word].slice(0, letters).join(""), isPrefix: true })),
  },
  fc
    .tuple(
      fc.constantFrom("the team", "the engineer", "team the", "the archite", "engineers c++"),
      fc.boolean(),
    )
    .map(([text, isPrefix]) => ({ text, isPrefix })),
);
const question = fc.record({
  terms: fc.uniqueArray(term, {
    minLength: 1,
    maxLength: 4,
    selector: ({ text, isPrefix }) => text + isPrefix,
  }),
  city: fc.constantFrom(undefined, undefined, "berlin", "lodz", "gdansk"),
});

/** Compares the search result of a query with the naive one. Returns the number of jobs. */
function check(world: TestWorld, all: readonly Written[], q: string, city: string | undefined): number {
  const expected = naively(all, parseQuery(q), city, world.clock.now());
  for (const backwards of [false, true])
    expect([q, city, walk(world, { q, city }, backwards)]).toEqual([q, city, expected]);
  return expected.length;
}

test("a job search returns what reading every job returns, in its order, in both directions", () => {
  using world = createTestWorld();
  const all = fillBoard(world);
  const found = { some: 0, windows: 0, none: 0 };
  fc.assert(
    fc.property(question, ({ terms, city }) => {
      const q = terms.map(({ text, isPrefix }) => `"${text}"${isPrefix ? "*" : ""}`).join(" ");
      const count = check(world, all, q, city);
      found[count === 0 ? "none" : count > 500 ? "windows" : "some"]++;
    }),
    { numRuns: 60 },
  );
  expect(Object.entries(found).filter(([, times]) => times < 2)).toEqual([]);
  for (const q of [
    "the t* e*",
    "e* the team* engi*",
    't* e* te* "the team"',
    "t* e* te* Straße",
    "t* the e* lodz archit*",
    "t* e* te* engineering c++ architec7*",
  ])
    check(world, all, q, "gdansk");
  expect(check(world, all, "the t* e*", "gdansk")).toBeGreaterThan(500);
});
