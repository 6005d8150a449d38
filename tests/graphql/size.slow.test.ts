// Tests docs/contract.md#8.8 and docs/contract.md#8.9.
import { expect, spyOn, test } from "bun:test";
import fc from "fast-check";
import { parse } from "graphql";
import { ConfigError, readConfig } from "../../src/config/config.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { publishJob } from "../../src/core/community/jobs/jobs.ts";
import { costOf, LIMITS } from "../../src/graphql/limits.ts";
import { writeJson } from "../../src/graphql/json-writer.ts";
import { schema } from "../../src/graphql/schema/index.ts";
import { jobDraft } from "../spec/rows.ts";
import { createMemberToken, type TestServer, createMember, openTestServer } from "../support.ts";
import { codes, graph } from "./ask.ts";

const aliases = (times: number, field: string): string =>
  Array.from({ length: times }, (_, i) => `a${i}: ${field}`).join(" ");
const LONG = "Über lange Texte. ".repeat(1200).slice(0, 20_000);
/** The shortest query with a huge response: nested lists whose rows have long texts. */
const board = (first: number, inner: string): string =>
  `jobs(first: ${first}) { edges { node { company { jobs(first: ${first}) { edges { node { ${inner} } } } } } } }`;

const costing = (text: string, variables = {}): number => {
  const document = parse(text);
  const [operation] = document.definitions;
  if (operation?.kind !== "OperationDefinition") throw new Error("no operation comes first");
  return costOf(schema, document, operation)(variables);
};

/** Creates `size` jobs of one company, each with a description of 20,000 characters. */
function createJobs({ core }: TestServer, size: number) {
  const { token, caller } = createMember(core, "ada");
  core.db.transact(() => {
    for (let i = 0; i < size; i++) {
      publishJob(core, caller, jobDraft({ title: `job ${i}`, description: LONG }));
      createPost(core, caller, { text: LONG.slice(0, 2_000) });
    }
  });
  return { token, caller };
}

test("counts every field times the lists above it, including aliases and fragments, and long texts most", () => {
  expect(costing("{ feed(first: 100) { edges { node { id } } } }")).toBe(120);
  expect(costing(`{ feed(first: 100) { edges { node { ${aliases(30, "id")} } } } }`)).toBe(410);
  expect(costing("{ jobs(first: 100) { edges { node { description } } } }")).toBe(510);
  expect(costing("{ jobs(first: 100) { edges { node { descriptionHtml } } } }")).toBe(5_110);
  expect(costing('{ jobs(first: 100, q: "a* b* c*") { edges { node { id } } } }')).toBe(220);
  expect(costing("query($q: String) { jobs(first: 100, q: $q) { edges { node { id } } } }")).toBe(120);
  expect(costing("{ tags { name count } }")).toBe(120);
  expect(costing("{ feed(first: 100) { edges { node { ...a } } } } fragment a on Post { id }")).toBe(120);
  expect(
    costing(
      "{ feed(first: 100) { edges { node { ...a ...b } } } } fragment a on Post { id ...b } fragment b on Post { author { id } }",
    ),
  ).toBe(340);
  expect(
    costing(
      "query($n: Int) { feed(first: $n) { edges { node { ...a } } } } fragment a on Post { replies(first: $n) { edges { cursor } } }",
      { n: 10 },
    ),
  ).toBe(230);
});

test("queries of real clients stay far below the limit", () => {
  const post = "id text tags createdAt liked author { id username name } metrics { likes replies }";
  const page = `pageInfo { hasNextPage endCursor }`;
  expect(costing(`{ feed(first: 20) { edges { cursor node { ${post} } } ${page} } }`)).toBeLessThan(
    LIMITS.queueCost / 2,
  );
  expect(costing(`{ feed(first: 100) { edges { cursor node { ${post} } } ${page} } }`)).toBeLessThan(
    LIMITS.cost / 20,
  );
  expect(
    costing(
      `{ feed(first: 100) { edges { cursor node { ${post} replies(first: 5) { edges { node { ${post} } } } } } ${page} } }`,
    ),
  ).toBeLessThan(LIMITS.cost / 2);
  expect(
    costing(
      "{ jobs(first: 100) { edges { node { id title description company { name slug } salary { min max currency } } } } }",
    ),
  ).toBeLessThan(LIMITS.cost / 10);
});

test("aborts a response above the operator's limit with one error and no data", async () => {
  await using server = openTestServer({ env: { GUILDHALL_GRAPHQL_ANSWER_MAX: "300kB" } });
  const { token } = createJobs(server, 20);
  const tooLong = [
    `{ jobs(first: 3) { edges { node { ${aliases(10, "description")} } } } }`,
    `{ jobs(first: 20) { edges { node { description } } } }`,
    `{ ${board(12, aliases(6, "description"))} }`,
    `{ feed(first: 20) { edges { node { ${aliases(30, "text")} } } } }`,
    `{ feed(first: 20) { edges { ${"k".repeat(20_000)}: cursor } } }`,
  ];
  for (const document of tooLong) {
    const refused = await graph(server, token, document);
    expect([refused.status, codes(refused), refused.body.data]).toEqual([200, ["bad_request"], undefined]);
    expect(refused.body.errors?.[0]?.extensions).toMatchObject({
      reason: "answer_too_long",
      params: { max: 300_000 },
    });
    expect(refused.body.errors?.[0]?.message).toBe(
      "The response is longer than 300,000 bytes. Request smaller pages or fewer long texts.",
    );
  }
  const newer = await graph(server, token, tooLong[1] ?? "", {
    headers: { accept: "application/graphql-response+json" },
  });
  expect(newer.status).toBe(400);
  const fits = await graph(server, token, "{ jobs(first: 10) { edges { node { description } } } }");
  expect(fits.body.data.jobs.edges.length).toBe(10);
  expect(fits.body.data.jobs.edges[9].node.description).toBe(LONG);
});

test("reports a mutation that ran but whose response is too long", async () => {
  await using server = openTestServer({ env: { GUILDHALL_GRAPHQL_ANSWER_MAX: "100kB" } });
  const { token } = createJobs(server, 10);
  const refused = await graph(
    server,
    token,
    `mutation { a: createPost(input: { text: "one" }) { post { author { posts(first: 10) { edges { node { ${aliases(28, "text")} } } } } } }
                b: createPost(input: { text: "two" }) { post { id } } }`,
  );
  expect(refused.body.errors?.[0]?.message).toContain("All mutations of the request were run");
  const after = await graph(server, token, "{ feed(first: 2) { edges { node { text } } } }");
  expect(after.body.data.feed.edges.map((edge: { node: { text: string } }) => edge.node.text)).toEqual([
    "two",
    "one",
  ]);
});

test("serves other requests while it builds an expensive response", async () => {
  await using server = openTestServer();
  const { token } = createJobs(server, 60);
  const { token: other } = createMember(server.core, "bo");
  // Sends three requests in sequence. Fewer would finish too fast to measure.
  const ask = () => graph(server, token, `{ ${board(55, `${aliases(20, "title")}`)} }`);
  const expensive = ask().then(ask).then(ask);
  let isCreated = false;
  void expensive.then(() => (isCreated = true));
  let answered = 0;
  while (!isCreated) {
    await (await server.request(other, "/feed?limit=1")).text();
    answered++;
  }
  expect((await expensive).body.errors).toBeUndefined();
  expect(answered).toBeGreaterThan(10);
});

test("renders Markdown of a batch one text at a time, each once, and only what the response includes", async () => {
  await using server = openTestServer({ env: { GUILDHALL_GRAPHQL_ANSWER_MAX: "3MB" } });
  const { token, caller } = createMember(server.core, "ada");
  const { token: other } = createMember(server.core, "bo");
  for (let i = 0; i < 13; i++) {
    const description = `${i} words\n\n${"- \n".repeat(7_000)}`.slice(0, 20_000);
    publishJob(server.core, caller, jobDraft({ title: `job ${i}`, description }));
  }
  const created = spyOn(Bun.markdown, "react");
  try {
    const askFor = async (times: number) => {
      created.mockClear();
      const jobs = `jobs(first: 13) { nodes { ${aliases(times, "descriptionHtml")} } }`;
      const pending = graph(server, token, `{ jobs(first: 1) { nodes { company { ${jobs} } } } }`);
      let isCreated = false;
      void pending.then(() => (isCreated = true));
      const between = new Set<number>();
      const otherClient = async (): Promise<void> => {
        while (!isCreated) {
          await (await server.request(other, "/feed?limit=1")).text();
          between.add(created.mock.calls.length);
        }
      };
      // Sends four requests, because a single request may be slow on a busy machine.
      await Promise.all([otherClient(), otherClient(), otherClient(), otherClient()]);
      return { answer: await pending, between, times: created.mock.calls.length };
    };
    const whole = await askFor(2);
    expect(whole.answer.body.errors).toBeUndefined();
    const nodes = whole.answer.body.data.jobs.nodes[0].company.jobs.nodes;
    expect(nodes.length).toBe(13);
    for (const { a0, a1 } of nodes) {
      expect(a0).toContain("<li>");
      expect(a1).toBe(a0);
    }
    expect(whole.times).toBe(13);
    // Other requests were answered while the texts were being rendered.
    expect([...whole.between].filter((count) => count > 0 && count < 13).length).toBeGreaterThan(3);

    const cut = await askFor(7);
    expect(codes(cut.answer)).toEqual(["bad_request"]);
    expect(cut.answer.body.errors?.[0]?.extensions.reason).toBe("answer_too_long");
    expect(cut.times).toBeLessThan(13);
  } finally {
    created.mockRestore();
  }
});

test("cancels work whose client disconnected, and starts none that waited behind it", async () => {
  await using server = openTestServer();
  const { token } = createJobs(server, 60);
  const { db } = server.core;
  let reads = 0;
  (server.core as { db: typeof db }).db = {
    ...db,
    prepare: ((sql: string) => {
      if (/FROM jobs/.test(sql)) reads++;
      return db.prepare(sql);
    }) as typeof db.prepare,
  };
  const leave = async (times: number): Promise<void> => {
    const leaving = new AbortController();
    const pending = Array.from({ length: times }, async () => {
      const body = JSON.stringify({ query: `{ ${board(55, aliases(20, "title"))} }` });
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      await fetch(`${server.url}/graphql`, { method: "POST", headers, body, signal: leaving.signal }).catch(
        () => {},
      );
    });
    while (reads === 0) await Bun.sleep(1);
    leaving.abort();
    await Promise.all(pending);
  };
  await leave(20);
  expect((await graph(server, token, `{ ${board(55, "id")} }`)).body.errors).toBeUndefined();
  // The cancelled requests together read at most one list with its nested lists. The last request reads the
  // same amount.
  expect(reads).toBeLessThanOrEqual(8);
  expect(server.logged.filter((line) => line.includes('"status":499')).length).toBeGreaterThan(0);
});

test("limits repeated refusals of one field to fifty errors, and returns null for all", async () => {
  await using server = openTestServer();
  createJobs(server, 60);
  const { token } = createMemberToken(server.core, "ada", ["feed:read"]);
  for (const first of [20, 60]) {
    const answer = await graph(
      server,
      token,
      `{ feed(first: ${first}) { edges { node { author { name ${aliases(10, "bio")} } } } } }`,
    );
    expect(answer.body.errors?.length).toBe(50);
    const authors = answer.body.data.feed.edges.map((edge: any) => edge.node.author);
    expect(authors.length).toBe(first);
    for (const author of authors) {
      expect(author).toEqual({
        name: "Ada",
        ...Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`a${i}`, null])),
      });
    }
  }
});

test("treats two aliases of one list with different page arguments as two lists", async () => {
  await using server = openTestServer();
  const { token } = createJobs(server, 12);
  for (const first of [2, 12]) {
    const answer = await graph(
      server,
      token,
      `{ jobs(first: ${first}) { edges { node { company { a: jobs(first: 1) { edges { node { title } } } b: jobs(first: 3) { edges { node { title } } } c: jobs(last: 2) { edges { node { title } } } } } } } }`,
    );
    for (const { node } of answer.body.data.jobs.edges) {
      const titles = (list: { edges: { node: { title: string } }[] }) =>
        list.edges.map((edge) => edge.node.title);
      expect([titles(node.company.a), titles(node.company.b), titles(node.company.c)]).toEqual([
        ["job 11"],
        ["job 11", "job 10", "job 9"],
        ["job 1", "job 0"],
      ]);
    }
  }
});

test("a response written in chunks is the same JSON, and stops at its limit", async () => {
  /** Objects without a prototype, as graphql-js creates them. */
  const bare = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(bare);
    if (typeof value !== "object" || value === null) return value;
    return Object.assign(
      Object.create(null),
      Object.fromEntries(Object.entries(value).map(([name, part]) => [name, bare(part)])),
    );
  };
  const nested = fc.jsonValue({ maxDepth: 6 });
  await fc.assert(
    fc.asyncProperty(nested, nested, fc.string({ unit: "binary" }), async (value, json, text) => {
      const body = {
        errors: [{ message: text }],
        data: bare({ value, json: [{ text }, text], list: [] }),
        extensions: json,
      };
      const expected = JSON.stringify(body);
      const bytes = Buffer.byteLength(expected);
      expect(Buffer.from((await writeJson(body, bytes)) ?? []).toString()).toBe(expected);
      expect(await writeJson(body, bytes - 1)).toBeUndefined();
    }),
  );
});

test("refuses an invalid size limit in the configuration", () => {
  expect(readConfig({}).graphql.answerMaxBytes).toBe(8_000_000);
  expect(readConfig({ GUILDHALL_GRAPHQL_ANSWER_MAX: "500kB" }).graphql.answerMaxBytes).toBe(500_000);
  for (const wrong of ["8", "8mb", "0MB", "63kB", "101MB", "-1MB", "8 MB"])
    expect(() => readConfig({ GUILDHALL_GRAPHQL_ANSWER_MAX: wrong })).toThrow(ConfigError);
});
