// Tests docs/contract.md#8.13.
import { expect, test } from "bun:test";
import { type OperationDefinitionNode, parse } from "graphql";
import { fillDemo } from "../../src/demo/demo.ts";
import { costOf } from "../../src/graphql/limits.ts";
import { schema } from "../../src/graphql/schema/index.ts";
import { type TestServer, createMember, openTestServer } from "../support.ts";
import { codes, graph, type GraphInit } from "./ask.ts";
import { fillCommunity } from "./fixture-community.ts";

test("each mutation costs one token plus its selection, and searches, counts and nodes have their own cost", () => {
  const cost = (text: string, variables: Record<string, unknown> = {}) => {
    const document = parse(text);
    return costOf(schema, document, document.definitions[0] as OperationDefinitionNode)(variables);
  };
  const post = (name: string) => `${name}: createPost(input: { text: "x" }) { post { id } }`;
  const value = cost(`mutation { ${post("a")} }`);
  expect([value, cost(`mutation { ${post("a")} ${post("b")} }`) - value]).toEqual([103, 102]);
  const jobs = (query: string, shown = "nodes { id }") =>
    cost(`query($q: String) { jobs${query} { ${shown} } }`);
  expect([jobs("(first: 1)"), jobs("(first: 100)"), jobs("")]).toEqual([12, 120, 32]);
  expect(jobs("(first: 1)", "totalCount nodes { id }") - jobs("(first: 1)")).toBe(50);
  expect(jobs('(first: 1, q: "rust")') - jobs("(first: 1)")).toBe(100);
  const queryText = "query($q: String) { jobs(first: 1, q: $q) { nodes { id } } }";
  expect([cost(queryText), cost(queryText, { q: "rust" })]).toEqual([12, 112]);
});

/**
 * Longest response to an abusive request, in bytes. Refusing a flood must cost less than sending it
 * (docs/threats.md#G02).
 */
const ANSWER_MAX_BYTES = 10_000;
/** CPU time, not wall time, so that a busy machine does not fail the test. */
const CPU_MAX_MS = 200;

const nested = (depth: number): string =>
  "feed { edges { node { ".concat("parent { ".repeat(depth - 3), "id", " }".repeat(depth));
const repeat = (times: number, part: (i: number) => string): string =>
  Array.from({ length: times }, (_, i) => part(i)).join(" ");
/** Fragments that each spread the next one twice. */
const doubling = (times: number): string =>
  `${repeat(times, (i) => `fragment f${i} on Query { ...f${i + 1} ...f${i + 1} }`)} fragment f${times} on Query { rateLimit { cost } }`;

const DOCUMENTS: Readonly<Record<string, { document: string; says: RegExp; init?: GraphInit }>> = {
  "15 levels": { document: `{ ${nested(15)} }`, says: /more than 12 levels deep/ },
  "500 levels": { document: `{ ${nested(500)} }`, says: /levels deep|token/i },
  "15 levels through fragments": {
    document: `{ feed { edges { node { ...a } } } } ${repeat(12, (i) => `fragment ${"a".repeat(i + 1)} on Post { parent { ${i < 11 ? `...${"a".repeat(i + 2)}` : "id"} } }`)}`,
    says: /more than 12 levels deep/,
  },
  "15 levels through inline fragments": {
    document: `{ feed { edges { node { ${"... on Post { parent { ".repeat(12)} id ${"} }".repeat(12)} } } } }`,
    says: /more than 12 levels deep/,
  },
  "a fragment that spreads itself": {
    document: "{ ...a } fragment a on Query { rateLimit { cost } ...a }",
    says: /A fragment includes itself/,
  },
  "two fragments that spread each other": {
    document: "{ ...a } fragment a on Query { ...b } fragment b on Query { rateLimit { cost } ...a }",
    says: /A fragment includes itself/,
  },
  "an unused fragment that spreads itself": {
    document: "{ rateLimit { cost } } fragment a on Query { ...a }",
    says: /A fragment includes itself/,
  },
  "10,000 aliases": { document: `{ ${repeat(10_000, (i) => `a${i}: rateLimit { cost }`)} }`, says: /token/i },
  "31 aliases": {
    document: `{ rateLimit { ${repeat(31, (i) => `a${i}: cost`)} } }`,
    says: /more than 30 aliases/,
  },
  "21 fields at the top": {
    document: `{ ${repeat(21, (i) => `a${i}: rateLimit { cost }`)} }`,
    says: /more than 20 top-level fields/,
  },
  "21 fields at the top, in fragments": {
    document: `{ ...f ...f ... on Query { ...f } } fragment f on Query { ${repeat(7, () => "rateLimit { cost }")} }`,
    says: /more than 20 top-level fields/,
  },
  "a field 1,500 times": {
    document: `{ rateLimit { ${repeat(1500, () => "cost")} } }`,
    says: /more than 1,000 fields/,
  },
  "31 directives": {
    document: `{ rateLimit { cost ${repeat(31, () => "@include(if: true)")} } }`,
    says: /more than 30 directives/,
  },
  "1,000 directives that nobody knows": {
    document: `{ rateLimit { cost ${repeat(600, (i) => `@a${i}`)} } }`,
    says: /more than 30 directives/,
  },
  "fragments that double twenty times": {
    document: `{ ...f0 } ${doubling(20)}`,
    says: /has more than/,
  },
  "fragments that double sixty times": {
    document: `{ ...f0 } ${doubling(60)}`,
    says: /has more than/,
  },
  "100 × 100 × 100": {
    document:
      "{ feed(first: 100) { edges { node { replies(first: 100) { edges { node { replies(first: 100) { edges { cursor } } } } } } } } }",
    says: /costs 1,\d{3},\d{3}, and the limit is 10,000/,
  },
  "100 × 100 × 100 by variables": {
    document:
      "query($n: Int!) { feed(first: $n) { edges { node { replies(first: $n) { edges { node { replies(first: $n) { edges { cursor } } } } } } } } }",
    init: { variables: { n: 100 } },
    says: /costs 1,\d{3},\d{3}, and the limit is 10,000/,
  },
  "100 × 100 × 100 by the defaults of variables": {
    document:
      "query($n: Int = 100) { feed(last: $n) { edges { node { replies(last: $n) { edges { node { replies(last: $n) { edges { cursor } } } } } } } } }",
    says: /costs 1,\d{3},\d{3}, and the limit is 10,000/,
  },
  "100 nodes with 100 replies each": {
    document:
      "query($ids: [ID!]!) { nodes(ids: $ids) { ... on Post { replies(first: 100) { edges { cursor } } } } }",
    init: { variables: { ids: Array.from({ length: 100 }, () => "post_01kafzq8e5f2r8v0j3n6s1t4wx") } },
    says: /costs 12,101, and the limit is 10,000/,
  },
  "20,000 open braces": { document: "{".repeat(20_000), says: /./ },
  "50,000 brackets": { document: `{ nodes(ids: ${"[".repeat(50_000)}`, says: /token/i },
  "5,000 brackets, closed": {
    document: `{ nodes(ids: ${"[".repeat(900)}${"]".repeat(900)}) { id } }`,
    says: /./,
  },
  "a name of 200 KB": { document: `{ ${"a".repeat(200_000)} }`, says: /Cannot query field/ },
  "2 MB": { document: `{ ${"a ".repeat(1_000_000)} }`, says: /longer than 256 KiB/ },
  "a variable nested 1,000 deep": {
    document: "",
    init: {
      body: `{"query":"{ rateLimit { cost } }","variables":{"a":${"[".repeat(1000)}${"]".repeat(1000)}}}`,
    },
    says: /nested more than 32 levels deep/,
  },
  "a list of 20,000 ids that are no ids": {
    document: "query($ids: [ID!]!) { nodes(ids: $ids) { id } }",
    init: { variables: { ids: Array.from({ length: 20_000 }, () => ({})) } },
    says: /Variable/,
  },
  "a list of 20,000 ids": {
    document: "query($ids: [ID!]!) { nodes(ids: $ids) { id } }",
    init: { variables: { ids: Array.from({ length: 20_000 }, () => "x") } },
    says: /costs 22,001, and the limit is 10,000/,
  },
  "5,000 variables that nobody uses": {
    document: `query(${repeat(400, (i) => `$a${i}: Int`)}) { rateLimit { cost } }`,
    says: /never used/,
  },
  "1,000 unknown fields": {
    document: `{ rateLimit { ${repeat(900, (i) => `a${i}`)} } }`,
    says: /Cannot query field/,
  },
  "500 values of a wrong type": {
    document: `{ jobs(stack: [${repeat(1500, () => "1")}]) { edges { cursor } } }`,
    says: /String cannot represent/,
  },
  "long texts under thirty names, under two lists": {
    document: `{ jobs(first: 90) { edges { node { company { jobs(first: 90) { edges { node { ${repeat(30, (i) => `a${i}: description`)} } } } } } } } }`,
    says: /costs 9\d\d,\d{3}, and the limit is 10,000/,
  },
  "a fragment of long texts, spread under two lists": {
    document: `{ jobs(first: 90) { edges { node { company { jobs(first: 90) { edges { node { ...a ...b } } } } } } } } fragment a on Job { ${repeat(15, (i) => `a${i}: description`)} } fragment b on Job { ${repeat(15, (i) => `b${i}: description`)} }`,
    says: /costs 9\d\d,\d{3}, and the limit is 10,000/,
  },
  "a hundred thousand short fields": {
    document: `{ feed(first: 100) { edges { node { replies(first: 100) { edges { node { ${repeat(29, (i) => `a${i}: id`)} } } } } } } }`,
    says: /costs \d\d,\d{3}, and the limit is 10,000/,
  },
  "the whole of introspection, twenty times": {
    document: `{ ${repeat(20, (i) => `a${i}: __schema { types { ...t } }`)} } fragment t on __Type { name fields { name args { name type { ...r } } type { ...r } } inputFields { name type { ...r } } } fragment r on __Type { name ofType { name ofType { name } } }`,
    says: /costs 1\d,\d{3}, and the limit is 10,000/,
  },
  "300 times one author": {
    document: `{ feed { edges { node { ${repeat(300, () => "author { id name }")} } } } }`,
    says: /selects the same fields too often/,
  },
  "100 fragments that ask the same": {
    document: `{ feed { edges { node { ${repeat(100, (i) => `...f${i}`)} } } } } ${repeat(100, (i) => `fragment f${i} on Post { id text author { id name } }`)}`,
    says: /selects the same fields too often/,
  },
  "60 fragments that each spread ten at one object": {
    document: `{ feed { nodes { ${repeat(60, (i) => `...f${i}`)} } } } ${repeat(60, (i) => `fragment f${i} on Post { author { ${repeat(10, (j) => `...g${j}`)} } }`)} ${repeat(10, (j) => `fragment g${j} on Builder { id }`)}`,
    says: /selects the same fields too often/,
  },
  "80 operations of one large fragment": {
    document: `${repeat(80, (i) => `query q${i} { feed { edges { node { ...f } } } }`)} fragment f on Post { ${repeat(140, (i) => `author { ${i % 2 ? "id" : "name"} }`)} }`,
    says: /selects the same fields too often/,
  },
  "introspection inside of introspection": {
    document: `{ __schema { types { ${"fields { type { ".repeat(8)} name ${"} }".repeat(8)} } } }`,
    says: /introspection/i,
  },
  "a subscription that is told too much": {
    document:
      "subscription { postCreated { replies(first: 100) { edges { node { parent { replies(first: 10) { edges { cursor } } } } } } } }",
    init: { headers: { accept: "application/json, text/event-stream" } },
    says: /the limit is 500/,
  },
};

test("rejects too deep, wide, expensive or large documents with one short error before execution", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  await graph(server, token, "{ rateLimit { cost } }");
  const statements = counted(server);
  for (const [name, { document, says, init }] of Object.entries(DOCUMENTS)) {
    const before = process.cpuUsage();
    const answer = await graph(server, token, document, init);
    const { user, system } = process.cpuUsage(before);
    expect([name, answer.body.data]).toEqual([name, undefined]);
    expect([name, ...new Set(codes(answer))]).toEqual([name, "bad_request"]);
    expect(answer.body.errors?.[0]?.message, name).toMatch(says);
    expect(answer.text.length, name).toBeLessThan(ANSWER_MAX_BYTES);
    expect((user + system) / 1000, name).toBeLessThan(CPU_MAX_MS);
  }
  expect(statements.filter((sql) => !sql.includes("FROM tokens"))).toEqual([]);
});

test("explains errors in a document of ten thousand lines without line numbers, which are costly to compute", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const cases: [name: string, document: string, init?: GraphInit][] = [
    ["unknown fields", "{ a b c d e f }"],
    ["variables", "query($a: [String!]) { jobs(stack: $a) { nodes { id } } }", { variables: { a: [1, 2] } }],
  ];
  for (const [name, document, init] of cases)
    for (const [lines, has] of [
      [9_000, true],
      [10_001, false],
    ] as const) {
      const { errors } = (await graph(server, token, "\n".repeat(lines) + document, init)).body;
      expect([name, lines, errors?.length]).toEqual([name, lines, expect.any(Number)]);
      for (const { locations } of errors ?? [])
        expect([name, lines, locations?.[0]?.line]).toEqual([name, lines, has ? lines + 1 : undefined]);
    }
});

/** Records each statement that is prepared after this call. */
function counted(server: TestServer): string[] {
  const { db } = server.core;
  const seen: string[] = [];
  (server.core as { db: typeof db }).db = {
    ...db,
    prepare: ((sql: string) => (seen.push(sql), db.prepare(sql))) as typeof db.prepare,
  };
  return seen;
}

test("accepts documents at the limits: the widest page, twelve levels, thirty aliases", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  await fillDemo(server.core, { builders: 20, posts: 300, jobs: 10, prompts: 10 }, 7, () => {}).catch(
    () => {},
  );
  const fine = [
    `{ ${nested(11)} }`,
    `{ rateLimit { ${repeat(30, (i) => `a${i}: cost`)} } }`,
    `{ ${repeat(20, (i) => `${i < 20 ? `a${i}: ` : ""}rateLimit { cost }`)} }`,
    "{ feed(first: 90) { edges { node { replies(first: 90) { edges { cursor } } } } } }",
    // Thirty components that each read the author of a post, with ten own or shared fragments each.
    `{ feed { nodes { ${repeat(30, (i) => `...f${i}`)} } } } ${repeat(30, (i) => `fragment f${i} on Post { author { ${repeat(10, (j) => `...g${j}`)} } }`)} ${repeat(10, (j) => `fragment g${j} on Builder { id }`)}`,
  ];
  for (const document of fine) expect((await graph(server, token, document)).body.errors).toBeUndefined();
});

test("returns the same null for forged ids, unknown ids and ids of other members' objects", async () => {
  await using server = openTestServer();
  const { ids, ada, bo } = await fillCommunity(server);
  const stranger = createMember(server.core, "zed").token;
  const attempt = await graph(
    server,
    ada.token,
    `{ delivery(id: "${ids.delivery}") { event { id } log { id } } viewer { workspace { id } } }`,
  );
  const { delivery, viewer } = attempt.body.data;
  const theirs = [
    ids.hidden,
    ids.filter,
    ids.endpoint,
    ids.delivery,
    delivery.log[0].id,
    viewer.workspace.id,
    ids.thread,
    ids.message,
    // The event is about a message to ada, so only ada may read the event.
    server.core.db.prepare<{ id: string }>("SELECT id FROM events WHERE type = 'dm.received'").get()?.id ??
      "",
  ];
  const forged = [
    "",
    "x",
    "post_",
    "post_01KAFZQ8E5F2R8V0J3N6S1T4WX",
    "post_01kafzq8e5f2r8v0j3n6s1t4wx",
    `${ids.post} `,
    `${ids.post}'--`,
    "__proto___01kafzq8e5f2r8v0j3n6s1t4wx",
    "constructor_01kafzq8e5f2r8v0j3n6s1t4wx",
    "tok_01kafzq8e5f2r8v0j3n6s1t4wx",
    "job_81kafzq8e5f2r8v0j3n6s1t4wx",
    ids.post.replace("post_", "job_"),
    ids.post.replace("post_", "builder_"),
    "x".repeat(10_000),
    ids.report,
  ];
  const query = "query($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }";
  const strange = await graph(server, stranger, query, { variables: { ids: [...theirs, ...forged] } });
  expect(strange.body).toEqual({ data: { nodes: [...theirs, ...forged].map(() => null) } });
  for (const id of theirs) {
    const graphAnswer = await graph(server, stranger, "query($id: ID!) { node(id: $id) { __typename } }", {
      variables: { id },
    });
    expect(graphAnswer.body).toEqual({ data: { node: null } });
  }
  const own = await graph(server, ada.token, query, { variables: { ids: theirs } });
  expect(own.body.data.nodes.map((node: { __typename: string } | null) => node?.__typename)).toEqual([
    "Post",
    "JobFilter",
    "WebhookEndpoint",
    "Delivery",
    "Attempt",
    "Workspace",
    "Thread",
    "Message",
    "Event",
  ]);
  const theirThread = await graph(server, bo.token, query, { variables: { ids: [ids.thread, ids.filter] } });
  expect(theirThread.body.data.nodes).toEqual([{ __typename: "Thread", id: ids.thread }, null]);
});
