// Tests docs/contract.md#V4.8, docs/contract.md#4.1, docs/contract.md#4.5 and docs/contract.md#4.6.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { DAY, HOUR, MINUTE } from "../../src/core/base/clock.ts";
import { openTestServer } from "../support.ts";
import { call, refusalOf } from "./client.ts";
import { openJobBoard, publishJobs, spyOnDatabase } from "./rows.ts";

test("letters with a second spelling are found in either form: ł, ß, ligatures, full width", async () => {
  await using server = openTestServer();
  const { find } = openJobBoard(
    server,
    {
      title: "Weaver in Łódź",
      description: "Große Straße, cœur, Ærø, eﬃcient oﬃce, Ｒｕｓｔ and Ｃ＋＋, Kotlin™",
    },
    {
      title: "Weaver in Lodz",
      description: "Grosse Strasse, coeur, Aero, efficient office, Rust and C++, Kotlin",
    },
  );
  const both = ["Weaver in Lodz", "Weaver in Łódź"];
  const queries = [
    "lodz",
    "ŁÓDŹ",
    "Łód*",
    "strasse",
    "straße",
    "STRAẞE",
    '"grosse straße"',
    "cœur",
    "COEUR",
    "ærø",
    "aero",
    "eﬃcient",
  ];
  for (const q of [
    ...queries,
    "office",
    "ｒｕｓｔ",
    "rust",
    "c++",
    "ｃ＋＋",
    "Kotlin",
    "kotlin™",
    "stras*",
    "straß*",
  ])
    expect([q, (await find(q)).toSorted()]).toEqual([q, both]);
});

test("q: full-text query over title and description; words, phrases, a trailing *, any case, any accents", async () => {
  await using server = openTestServer();
  const { find } = openJobBoard(
    server,
    { title: "Rust engineer", description: "You build distributed storage systems in Zürich." },
    { title: "Go engineer", description: "You build storage; the systems are distributed." },
    {
      title: "Cook",
      description: "Crème brûlée and naïve café, Straße 5, Ελλάδα, 東京",
      company: { name: "Rust", slug: "rust" },
    },
  );
  const table: [q: string, titles: string[]][] = [
    ["rust", ["Rust engineer"]], // not the company's name, not the stack
    ["RUST Engineer", ["Rust engineer"]],
    ["engineer distributed", ["Go engineer", "Rust engineer"]],
    ["distributed rust", ["Rust engineer"]],
    ["rust go", []],
    ['"distributed storage"', ["Rust engineer"]],
    ['"storage distributed"', []],
    ['engineer "Storage Systems"', ["Rust engineer"]],
    // without a closing quote this is not a phrase
    ['"distributed storage', ["Go engineer", "Rust engineer"]],
    ['"distributed stor"*', ["Rust engineer"]],
    ["eng*", ["Go engineer", "Rust engineer"]],
    ["eng", []],
    ["e* distrib*", ["Go engineer", "Rust engineer"]],
    ["zurich", ["Rust engineer"]],
    ["ZÜRICH", ["Rust engineer"]],
    ["Zu\u0308rich", ["Rust engineer"]],
    ["creme brulee", ["Cook"]],
    ["CRÈME NAÏVE", ["Cook"]],
    ["ΕΛΛΆΔΑ", ["Cook"]],
    ["東京", ["Cook"]],
    ["berlin", []], // neither the location nor the city
    ["storage-engine", []],
    ["distributed-storage", ["Rust engineer"]],
    ["title:cook", []],
    ["engineer NOT rust", []],
    ["engineer OR cook", []],
    ["(engineer) ; distributed, systems!", ["Go engineer", "Rust engineer"]],
  ];
  for (const [q, titles] of table) expect([q, ...(await find(q))]).toEqual([q, ...titles]);
  for (const nothing of ["", " ", '"', '""', "*", "***", '"*"', "- ! ? ( ) ' ; ,", "\u0301"]) {
    expect([nothing, await find(nothing)]).toEqual([nothing, ["Cook", "Go engineer", "Rust engineer"]]);
  }
});

test("q: distinguishes C++ and C# from C", async () => {
  await using server = openTestServer();
  const { find } = openJobBoard(
    server,
    { title: "C developer", description: "Kernel work." },
    { title: "C++ developer", description: "Engine work." },
    { title: "C#/.NET developer", description: "Office work." },
  );
  expect(await find("C")).toEqual(["C developer"]);
  expect(await find("c++")).toEqual(["C++ developer"]);
  expect(await find("c#")).toEqual(["C#/.NET developer"]);
  expect(await find("c# .net")).toEqual(["C#/.NET developer"]);
  expect(await find("c*")).toHaveLength(3);
  expect(await find('"c++ developer"')).toEqual(["C++ developer"]);
});

test("q: no text is a syntax error, up to 1,000 characters", async () => {
  await using server = openTestServer();
  const { token, find } = openJobBoard(server, {});
  expect(await find("東".repeat(1000))).toEqual([]);
  expect(await find(`${"🦀".repeat(996)} you`)).toEqual(["Engineer"]); // the maximum length of a URL
  expect(await find("x ".repeat(500))).toEqual([]);
  expect(await refusalOf(server, token, `GET /jobs?q=${"x".repeat(1001)}`)).toBe("400 q");
  expect(await refusalOf(server, token, "GET /jobs?q=a%00b")).toBe("400 q");
  expect(await refusalOf(server, token, "GET /jobs?q=%C3")).toBe("400 q");
  const odd = [
    "AND",
    "NOT",
    "NEAR(a b, 2)",
    "{title} : x",
    "a AND",
    "^a",
    "a + b",
    "'; DROP TABLE jobs; --",
    "a\tb\n",
    "%",
    "_",
  ];
  for (const q of odd) await find(q);
  const letters = fc.constantFrom(
    ..."ab\"*+#-^:(){}'é\u0301٣Ⅷ㎏🦀\u200d\ue000 \t".split(""),
    "AND",
    "NEAR",
    "ﷺ",
  );
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.array(letters, { maxLength: 30 }).map((all) => all.join("")),
  );
  await fc.assert(
    fc.asyncProperty(text, async (q) => {
      const isText = q.isWellFormed() && !q.includes("\0");
      const response = await call(server, token, `GET /jobs?q=${encodeURIComponent(q.toWellFormed())}`);
      if (isText) expect(response.status).toBe(200);
    }),
    { numRuns: 300 },
  );
});

test("results are ranked by recency and relevance: newer jobs first, titles before descriptions at the same age", async () => {
  await using server = openTestServer();
  const { search, find } = openJobBoard(server);
  const at = (title: string, description: string) => publishJobs(server, { title, description });
  at("Old hand", "rust");
  server.clock.pass(DAY);
  at("New hand", "rust");
  expect(await find("rust")).toEqual(["New hand", "Old hand"]);
  expect(await search("")).toEqual(["New hand", "Old hand"]);
  at("Rust hand", "anything");
  server.clock.pass(-MINUTE); // undoes the minute that `publishJobs` adds: both jobs have the same age
  at("Last hand", "rust");
  expect(await find("rust")).toEqual(["Rust hand", "Last hand", "New hand", "Old hand"]);
  expect(await find("hand rust")).toEqual(["Rust hand", "Last hand", "New hand", "Old hand"]);
  expect(await search("")).toEqual(["Last hand", "Rust hand", "New hand", "Old hand"]);
});

test("job ranking: score = relevance × recency, and recency halves every 14 days", async () => {
  // A word in the title counts three times as much as in the description. With one word, the scores are equal
  // at an age of log2(3) half-lives. With two words, one of them in the title, the relevance is doubled, so
  // the scores are equal after one half-life.
  for (const [title, q, level] of [
    ["Rust", "rust", Math.round(Math.log2(3) * 14 * DAY)],
    ["Rust", "rust engine", 14 * DAY],
  ] as const) {
    for (const [gap, first] of [
      [level - HOUR, title],
      [level + HOUR, "Plain"],
    ] as const) {
      await using server = openTestServer();
      const { find } = openJobBoard(server, { title, description: "engine" });
      server.clock.pass(gap - MINUTE);
      publishJobs(server, { title: "Plain", description: "rust engine" });
      server.clock.pass(3 * DAY);
      expect((await find(q))[0]).toBe(first);
    }
  }
});

test("a search reads one window of matches, and no jobs without matches", async () => {
  await using server = openTestServer();
  const { find } = openJobBoard(server, { title: "Weaver", description: "We weave." });
  const run = spyOnDatabase(server.core);
  const countOf = async (q: string) => {
    run.length = 0;
    await find(q);
    return [
      run.filter((sql) => sql.includes("MATCH")).length,
      run.filter((sql) => sql.includes("json_each")).length,
    ];
  };
  expect([await countOf("weaver"), await countOf("smith")]).toEqual([
    [1, 1],
    [1, 0],
  ]);
});
