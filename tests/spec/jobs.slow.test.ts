// Tests docs/contract.md#V2.2, docs/contract.md#V4.8, docs/contract.md#V4.9, docs/contract.md#2.14,
// docs/contract.md#2.15, docs/contract.md#4.5 and docs/contract.md#4.7.
import { expect, test } from "bun:test";
import { SENIORITIES } from "../../src/core/community/jobs/job.ts";
import { openTestServer } from "../support.ts";
import { call, clientOf, refusalOf } from "./client.ts";
import { openJobBoard, publishJobs } from "./rows.ts";

test("a job in the list has exactly id, title, company, location, stack, salary and posted_at", async () => {
  await using server = openTestServer();
  const { token, ids } = openJobBoard(server, { title: "Engineer" });
  const { data } = await clientOf(server, token).GET("/jobs");
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

test("a job's detail has description and apply_url, and also location, salary and posted_at", async () => {
  await using server = openTestServer();
  const { token, ids } = openJobBoard(server, { title: "Engineer" });
  const [id = ""] = ids;
  const { data } = await clientOf(server, token).GET("/jobs/{id}", { params: { path: { id } } });
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

test("GET /jobs/{id} returns 404 for an unknown id", async () => {
  await using server = openTestServer();
  const { token, ids } = openJobBoard(server, {});
  const other = ids[0]?.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  const wrong = [
    other,
    ids[0]?.toUpperCase(),
    "1",
    "me",
    "post_01kafzq8e5f2r8v0j3n6s1t4wx",
    "%F0%9F%A6%80",
    "a%2Fb",
    "-1",
  ];
  for (const id of wrong) {
    const { status, body } = await call(server, token, `GET /jobs/${id}`);
    expect([id, status, body]).toEqual([
      id,
      404,
      {
        error: "not_found",
        code: "job_unknown",
        message: "There is no job with that id.",
        docs: expect.any(String),
      },
    ]);
  }
});

test("limit: 1 to 100, default 20", async () => {
  await using server = openTestServer();
  const { token, search } = openJobBoard(server);
  server.core.db.transact(() => publishJobs(server, ...Array.from({ length: 101 }, () => ({}))));
  for (const more of ["", "&q=storage", "&stack=rust"]) {
    expect(await search(more)).toHaveLength(20);
    expect(await search(`limit=1${more}`)).toHaveLength(1);
    expect(await search(`limit=100${more}`)).toHaveLength(100);
    for (const limit of ["0", "101", "1.5", "abc", "-1", ""]) {
      expect(await refusalOf(server, token, `GET /jobs?limit=${limit}${more}`)).toBe("400 limit");
    }
  }
});

test("stack: matches any of the given slugs, in three equivalent encodings", async () => {
  await using server = openTestServer();
  const { token, search } = openJobBoard(
    server,
    { title: "rust", stack: ["rust"] },
    { title: "go", stack: ["go"] },
    { title: "both", stack: ["go", "rust"] },
    { title: "node", stack: ["node.js"] },
    { title: "none", stack: [] },
  );
  const anyOf = ["both", "go", "rust"];
  const encodings = [
    "stack=rust&stack=go",
    "stack=rust,go",
    "stack[]=rust&stack[]=go",
    "stack%5B%5D=rust&stack=go",
  ];
  for (const query of [
    ...encodings,
    "stack=rust%2Cgo",
    "stack=go,go,rust",
    "stack=go,cobol&stack[]=rust",
    "stack=rust,&stack=,go,",
  ]) {
    expect([query, ...(await search(query))]).toEqual([query, ...anyOf]);
  }
  const { data } = await clientOf(server, token).GET("/jobs", {
    params: { query: { stack: ["rust", "go"] } },
  });
  expect(data?.data.map(({ title }) => title)).toEqual(anyOf);
  expect(await search("stack=rust")).toEqual(["both", "rust"]);
  expect(await search("stack=node.js")).toEqual(["node"]);
  expect(await search("stack=node")).toEqual([]);
  const many = (count: number) => `stack=${Array.from({ length: count }, (_, i) => `s${i}`).join(",")}`;
  expect(await search(many(20))).toEqual([]);
  expect(await refusalOf(server, token, `GET /jobs?${many(21)}`)).toBe("400 stack");
  for (const [query, field] of [
    ["stack=rust&stack[]=Go", "stack.1"],
    ["stack=c%2B%2B", "stack.0"],
    [`stack=${"a".repeat(51)}`, "stack.0"],
  ]) {
    expect([query, await refusalOf(server, token, `GET /jobs?${query}`)]).toEqual([query, `400 ${field}`]);
  }
});

test("city: that city; with remote=true, that city or fully remote; remote=true alone: remote only", async () => {
  await using server = openTestServer();
  const { token, search } = openJobBoard(
    server,
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
    // Adding a word that every job contains does not change the result.
    expect([query, (await search(`${query}&q=storage`)).join(" ")]).toEqual([query, titles]);
  }
  for (const remote of ["TRUE", "yes", "", "2", "null", "true&remote=true"]) {
    expect(await refusalOf(server, token, `GET /jobs?remote=${remote}`)).toBe("400 remote");
  }
  for (const city of ["Berlin", "new%20york", "a&city=b"]) {
    expect(await refusalOf(server, token, `GET /jobs?city=${city}`)).toBe("400 city");
  }
});

test("seniority filter: any of intern, junior, mid, senior, staff, principal, lead, else 400", async () => {
  await using server = openTestServer();
  const { token, search } = openJobBoard(
    server,
    ...SENIORITIES.map((seniority) => ({ title: seniority, seniority })),
  );
  for (const item of SENIORITIES) expect(await search(`seniority=${item}`)).toEqual([item]);
  for (const query of [
    "seniority=mid,lead",
    "seniority=lead&seniority=mid",
    "seniority[]=mid&seniority[]=lead",
  ]) {
    expect(await search(query)).toEqual(["lead", "mid"]);
  }
  expect(await search(`seniority=${SENIORITIES.join(",")}`)).toEqual([...SENIORITIES].reverse());
  for (const [value, field] of [
    ["boss", "seniority.0"],
    ["Senior", "seniority.0"],
    ["mid,boss", "seniority.1"],
  ]) {
    expect(await refusalOf(server, token, `GET /jobs?seniority=${value}`)).toBe(`400 ${field}`);
  }
});

test("filters combine: each narrows the result of the others", async () => {
  await using server = openTestServer();
  const { search } = openJobBoard(
    server,
    { title: "A", stack: ["rust"], city: "berlin", seniority: "senior", description: "storage" },
    { title: "B", stack: ["rust"], city: "berlin", seniority: "junior", description: "storage" },
    { title: "C", stack: ["rust"], city: "paris", seniority: "senior", description: "storage" },
    { title: "D", stack: ["go"], city: "berlin", seniority: "senior", description: "storage" },
    { title: "E", stack: ["rust"], city: "berlin", seniority: "senior", description: "compilers" },
  );
  expect(await search("stack=rust&city=berlin&seniority=senior&q=storage")).toEqual(["A"]);
  expect(await search("stack=rust&city=berlin&seniority=senior")).toEqual(["E", "A"]);
  expect(await search("stack=rust,go&seniority=senior,junior&q=storage&remote=false")).toEqual([
    "D",
    "C",
    "B",
    "A",
  ]);
  expect(await search("stack=rust&city=berlin&seniority=senior&q=storage&remote=true")).toEqual(["A"]);
  expect(await search("stack=cobol&q=storage")).toEqual([]);
});
