import { expect, test } from "bun:test";
import fc from "fast-check";
import { DAY, HOUR, MINUTE } from "../../src/core/clock.ts";
import { type JobDraft, SENIORITIES } from "../../src/core/jobs/jobs.ts";
import { type House, moveIn, openHouse } from "../support.ts";
import { call, clientOf, refusalOf } from "./client.ts";
import { post } from "./rows.ts";

/** A board with these jobs, oldest first, and the titles that a search finds, in its order. */
function board(house: House, ...jobs: Partial<JobDraft>[]) {
  const { token } = moveIn(house.core, "ada", ["jobs:read"]);
  const ids = post(house, ...jobs);
  const search = async (query: string): Promise<string[]> =>
    (await call(house, token, `GET /jobs?${query}`)).body.data.map(({ title }: { title: string }) => title);
  const find = (q: string): Promise<string[]> => search(`q=${encodeURIComponent(q)}`);
  return { token, ids, search, find };
}

test("§2 a job in the list has id, title, company, location, stack, salary and posted_at, and nothing else", async () => {
  await using house = openHouse();
  const { token, ids } = board(house, { title: "Engineer" });
  const { data } = await clientOf(house, token).GET("/jobs");
  expect(data).toStrictEqual({
    data: [
      {
        id: ids[0] ?? "",
        title: "Engineer",
        company: { name: "Tidewater Systems", slug: "tidewater-systems" },
        location: "Berlin, Germany",
        stack: ["rust", "postgres"],
        salary: { min: 85_000, max: 110_000, currency: "EUR" },
        posted_at: "2026-11-20T12:01:00.000Z",
      },
    ],
    next: null,
  });
});

test("§2 a job's detail has description and apply_url, and also location, salary and posted_at", async () => {
  await using house = openHouse();
  const { token, ids } = board(house, { title: "Engineer" });
  const [id = ""] = ids;
  const { data } = await clientOf(house, token).GET("/jobs/{id}", { params: { path: { id } } });
  expect(data).toStrictEqual({
    id,
    title: "Engineer",
    company: { name: "Tidewater Systems", slug: "tidewater-systems" },
    location: "Berlin, Germany",
    stack: ["rust", "postgres"],
    salary: { min: 85_000, max: 110_000, currency: "EUR" },
    posted_at: "2026-11-20T12:01:00.000Z",
    description: "You will own the storage engine.",
    apply_url: "https://tidewater.example.com/careers/engineer",
  });
});

test("§4 GET /jobs/{id}: 404, no job with that id", async () => {
  await using house = openHouse();
  const { token, ids } = board(house, {});
  const other = ids[0]?.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  const wrong = [other, ids[0]?.toUpperCase(), "1", "me", "post_01kafzq8e5f2r8v0j3n6s1t4wx", "%F0%9F%A6%80", "a%2Fb", "-1"];
  for (const id of wrong) {
    const { status, body } = await call(house, token, `GET /jobs/${id}`);
    expect([id, status, body]).toEqual([
      id,
      404,
      { error: "not_found", message: "There is no job with that id." },
    ]);
  }
});

test("§4 limit: 1 to 100, default 20", async () => {
  await using house = openHouse();
  const { token, search } = board(house);
  house.core.db.transact(() => post(house, ...Array.from({ length: 101 }, () => ({}))));
  for (const more of ["", "&q=storage", "&stack=rust"]) {
    expect(await search(more)).toHaveLength(20);
    expect(await search(`limit=1${more}`)).toHaveLength(1);
    expect(await search(`limit=100${more}`)).toHaveLength(100);
    for (const limit of ["0", "101", "1.5", "abc", "-1", ""]) {
      expect(await refusalOf(house, token, `GET /jobs?limit=${limit}${more}`)).toBe("400 limit");
    }
  }
});

test("§4 stack: one or more stack slugs, any of, in three encodings that mean the same", async () => {
  await using house = openHouse();
  const { token, search } = board(
    house,
    { title: "rust", stack: ["rust"] },
    { title: "go", stack: ["go"] },
    { title: "both", stack: ["go", "rust"] },
    { title: "node", stack: ["node.js"] },
    { title: "none", stack: [] },
  );
  const anyOf = ["both", "go", "rust"];
  const encodings = ["stack=rust&stack=go", "stack=rust,go", "stack[]=rust&stack[]=go", "stack%5B%5D=rust&stack=go"];
  for (const query of [...encodings, "stack=rust%2Cgo", "stack=go,go,rust", "stack=go,cobol&stack[]=rust"]) {
    expect([query, ...(await search(query))]).toEqual([query, ...anyOf]);
  }
  const { data } = await clientOf(house, token).GET("/jobs", { params: { query: { stack: ["rust", "go"] } } });
  expect(data?.data.map(({ title }) => title)).toEqual(anyOf);
  expect(await search("stack=rust")).toEqual(["both", "rust"]);
  expect(await search("stack=node.js")).toEqual(["node"]);
  expect(await search("stack=node")).toEqual([]);
  const many = (count: number) => `stack=${Array.from({ length: count }, (_, i) => `s${i}`).join(",")}`;
  expect(await search(many(20))).toEqual([]);
  expect(await refusalOf(house, token, `GET /jobs?${many(21)}`)).toBe("400 stack");
  for (const [query, field] of [
    ["stack=", "stack.0"],
    ["stack=rust,", "stack.1"],
    ["stack=rust&stack[]=Go", "stack.1"],
    ["stack=c%2B%2B", "stack.0"],
    [`stack=${"a".repeat(51)}`, "stack.0"],
  ]) {
    expect([query, await refusalOf(house, token, `GET /jobs?${query}`)]).toEqual([query, `400 ${field}`]);
  }
});

test("§4 city: that city; with remote=true, that city or fully remote; remote=true alone, remote only", async () => {
  await using house = openHouse();
  const { token, search } = board(
    house,
    { title: "berlin", city: "berlin", remote: false },
    { title: "berlin-remote", city: "berlin", remote: true },
    { title: "paris", city: "paris", remote: false },
    { title: "paris-remote", city: "paris", remote: true },
    { title: "sao-paulo", city: "sao-paulo", remote: false },
  );
  const table: [query: string, titles: string][] = [
    ["city=berlin", "berlin-remote berlin"],
    ["city=berlin&remote=true", "paris-remote berlin-remote berlin"],
    ["city=berlin&remote=1", "paris-remote berlin-remote berlin"],
    ["city=berlin&remote=false", "berlin"],
    ["remote=true", "paris-remote berlin-remote"],
    ["remote=false", "sao-paulo paris berlin"],
    ["remote=0", "sao-paulo paris berlin"],
    ["city=sao-paulo", "sao-paulo"],
    ["city=sao", ""],
    ["city=nowhere", ""],
    ["city=nowhere&remote=true", "paris-remote berlin-remote"],
  ];
  for (const [query, titles] of table) {
    expect([query, (await search(query)).join(" ")]).toEqual([query, titles]);
    // The same with words that stand in every job.
    expect([query, (await search(`${query}&q=storage`)).join(" ")]).toEqual([query, titles]);
  }
  for (const remote of ["TRUE", "yes", "", "2", "null", "true&remote=true"]) {
    expect(await refusalOf(house, token, `GET /jobs?remote=${remote}`)).toBe("400 remote");
  }
  for (const city of ["", "Berlin", "new%20york", "a&city=b"]) {
    expect(await refusalOf(house, token, `GET /jobs?city=${city}`)).toBe("400 city");
  }
});

test("§4 seniority filter: any of intern, junior, mid, senior, staff, principal, lead, else 400", async () => {
  await using house = openHouse();
  const { token, search } = board(house, ...SENIORITIES.map((seniority) => ({ title: seniority, seniority })));
  for (const one of SENIORITIES) expect(await search(`seniority=${one}`)).toEqual([one]);
  for (const query of ["seniority=mid,lead", "seniority=lead&seniority=mid", "seniority[]=mid&seniority[]=lead"]) {
    expect(await search(query)).toEqual(["lead", "mid"]);
  }
  expect(await search(`seniority=${SENIORITIES.join(",")}`)).toEqual([...SENIORITIES].reverse());
  for (const [value, field] of [
    ["boss", "seniority.0"],
    ["Senior", "seniority.0"],
    ["", "seniority.0"],
    ["mid,boss", "seniority.1"],
  ]) {
    expect(await refusalOf(house, token, `GET /jobs?seniority=${value}`)).toBe(`400 ${field}`);
  }
});

test("§4 filters combine: each narrows what the others left", async () => {
  await using house = openHouse();
  const { search } = board(
    house,
    { title: "A", stack: ["rust"], city: "berlin", seniority: "senior", description: "storage" },
    { title: "B", stack: ["rust"], city: "berlin", seniority: "junior", description: "storage" },
    { title: "C", stack: ["rust"], city: "paris", seniority: "senior", description: "storage" },
    { title: "D", stack: ["go"], city: "berlin", seniority: "senior", description: "storage" },
    { title: "E", stack: ["rust"], city: "berlin", seniority: "senior", description: "compilers" },
  );
  expect(await search("stack=rust&city=berlin&seniority=senior&q=storage")).toEqual(["A"]);
  expect(await search("stack=rust&city=berlin&seniority=senior")).toEqual(["E", "A"]);
  expect(await search("stack=rust,go&seniority=senior,junior&q=storage&remote=false")).toEqual(["D", "C", "B", "A"]);
  expect(await search("stack=rust&city=berlin&seniority=senior&q=storage&remote=true")).toEqual(["A"]);
  expect(await search("stack=cobol&q=storage")).toEqual([]);
});

test("§4 q: full-text query over title and description; words, phrases, a trailing *, any case, any accents", async () => {
  await using house = openHouse();
  const { find } = board(
    house,
    { title: "Rust engineer", description: "You build distributed storage systems in Zürich." },
    { title: "Go engineer", description: "You build storage; the systems are distributed." },
    { title: "Cook", description: "Crème brûlée and naïve café, Straße 5, Ελλάδα, 東京", company: { name: "Rust", slug: "rust" } },
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
    ['"distributed storage', ["Go engineer", "Rust engineer"]], // no phrase without its second quote
    ['"distributed stor"*', ["Rust engineer"]],
    ["eng*", ["Go engineer", "Rust engineer"]],
    ["eng", []],
    ["e* distrib*", ["Go engineer", "Rust engineer"]],
    ["zurich", ["Rust engineer"]],
    ["ZÜRICH", ["Rust engineer"]],
    ["Zu\u0308rich", ["Rust engineer"]],
    ["creme brulee", ["Cook"]],
    ["CRÈME NAÏVE", ["Cook"]],
    ["ελλαδα", ["Cook"]],
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

test("§4 q: C++ and C# are not C", async () => {
  await using house = openHouse();
  const { find } = board(
    house,
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

test("§4 q: no input is a syntax error, at most 1,000 characters", async () => {
  await using house = openHouse();
  const { token, find } = board(house, {});
  expect(await find("🦀".repeat(1000))).toEqual([]);
  expect(await find("x ".repeat(500))).toEqual([]);
  expect(await refusalOf(house, token, `GET /jobs?q=${"x".repeat(1001)}`)).toBe("400 q");
  expect(await refusalOf(house, token, "GET /jobs?q=a%00b")).toBe("400");
  expect(await refusalOf(house, token, "GET /jobs?q=%C3")).toBe("400");
  const odd = ["AND", "NOT", "NEAR(a b, 2)", "{title} : x", "a AND", "^a", "a + b", "'; DROP TABLE jobs; --", "a\tb\n", "%", "_"];
  for (const q of odd) await find(q);
  const letters = fc.constantFrom(..."ab\"*+#-^:(){}'é\u0301٣Ⅷ㎏🦀\u200d\ue000 \t".split(""), "AND", "NEAR", "ﷺ");
  const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.array(letters, { maxLength: 30 }).map((all) => all.join("")));
  await fc.assert(
    fc.asyncProperty(text, async (q) => {
      const isText = q.isWellFormed() && !q.includes("\0");
      const told = await call(house, token, `GET /jobs?q=${encodeURIComponent(q.toWellFormed())}`);
      if (isText) expect(told.status).toBe(200);
    }),
    { numRuns: 300 },
  );
});

test("§4 results are ranked by recency and relevance: newer beats older, title beats description at the same age", async () => {
  await using house = openHouse();
  const { search, find } = board(house);
  const at = (title: string, description: string) => post(house, { title, description });
  at("Old hand", "rust");
  house.clock.pass(DAY);
  at("New hand", "rust");
  expect(await find("rust")).toEqual(["New hand", "Old hand"]);
  expect(await search("")).toEqual(["New hand", "Old hand"]);
  at("Rust hand", "anything");
  house.clock.pass(-MINUTE); // `post` lets a minute pass: the next one is as old as the one before
  at("Last hand", "rust");
  expect(await find("rust")).toEqual(["Rust hand", "Last hand", "New hand", "Old hand"]);
  expect(await find("hand rust")).toEqual(["Rust hand", "Last hand", "New hand", "Old hand"]);
  expect(await search("")).toEqual(["Last hand", "Rust hand", "New hand", "Old hand"]);
});

test("CONTRACT job ranking: score = relevance × recency, recency halving every 14 days", async () => {
  // All words in the title weigh three times as much as in the description: they are level at an age of log2(3)
  // half-lives, and one word of two weighs 2, which is one half-life.
  for (const [title, q, level] of [
    ["Rust", "rust", Math.round(Math.log2(3) * 14 * DAY)],
    ["Rust", "rust engine", 14 * DAY],
  ] as const) {
    for (const [gap, first] of [
      [level - HOUR, title],
      [level + HOUR, "Plain"],
    ] as const) {
      await using house = openHouse();
      const { find } = board(house, { title, description: "engine" });
      house.clock.pass(gap - MINUTE);
      post(house, { title: "Plain", description: "rust engine" });
      house.clock.pass(3 * DAY);
      expect((await find(q))[0]).toBe(first);
    }
  }
});
