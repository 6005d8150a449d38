import { expect, test } from "bun:test";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { suspendBuilder } from "../moderate.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { graph } from "../graphql/ask.ts";
import { createMemberToken, type TestServer, createMember, openTestServer } from "../support.ts";
import { publishJobs, publishPosts } from "./rows.ts";

/** docs/contract.md#4.19 */

interface Found {
  kind: string;
  id: string;
  title: string;
  snippet: string;
  url: string;
  author: string | null;
  root_id: string | null;
}

async function found(
  server: TestServer,
  token: string,
  query: Readonly<Record<string, string>>,
): Promise<Found[]> {
  const answer = await server.request(token, `/search?${new URLSearchParams(query)}`);
  expect([query, answer.status]).toEqual([query, 200]);
  return ((await answer.json()) as { data: Found[] }).data;
}

/** Creates one object of each kind that contains “lantern”, and their author. */
function settle(server: TestServer) {
  const { core } = server;
  const { caller, token } = createMember(core, "lantern-ada");
  const [postId = ""] = publishPosts(server, caller, { text: "A lantern\nof brass", tags: ["brass"] });
  const reply = replyTo(core, caller, postId, { text: "What a lantern!" });
  const [jobId = ""] = publishJobs(server, {
    title: "Lantern maker",
    description: "Make lanterns",
    stack: ["brass"],
  });
  const prompt = submitPrompt(core, caller, {
    title: "Describe it",
    body: "Describe a lantern.",
    model: "brass",
    category: "code",
  });
  return { caller, token, postId, reply, jobId, prompt };
}

test("a search without a kind returns the first three of each kind; a kind has its own paged list", async () => {
  await using server = openTestServer();
  const { caller, token, postId, reply, jobId, prompt } = settle(server);
  const all = await found(server, token, { q: "lantern" });
  expect(all.map(({ kind, id }) => `${kind} ${id}`).sort()).toEqual(
    [
      `post ${postId}`,
      `post ${reply.id}`,
      `job ${jobId}`,
      `prompt ${prompt.id}`,
      "builder lantern-ada",
    ].sort(),
  );
  expect(all.find(({ id }) => id === reply.id)).toMatchObject({
    root_id: postId,
    author: "lantern-ada",
    snippet: "What a <mark>lantern</mark>!",
    url: `https://guild.test/posts/${reply.id}`,
  });
  expect((await found(server, token, { q: "tag:brass" })).map(({ kind }) => kind).sort()).toEqual([
    "builder",
    "job",
    "post",
    "prompt",
  ]);
  expect(
    (await found(server, token, { q: "author:lantern-ada after:2026" })).map(({ kind }) => kind),
  ).toEqual(["post", "post", "prompt"]);
  expect(await found(server, token, { q: "" })).toEqual([]);
  for (let i = 0; i < 4; i++) publishPosts(server, caller, `lantern ${i}`);
  const together = await server.request(token, "/search?q=lantern&limit=1");
  const { data, next } = (await together.json()) as { data: Found[]; next: string | null };
  expect([data.filter(({ kind }) => kind === "post").length, next]).toEqual([3, null]);
  const first = await server.request(token, "/search?q=lantern&kind=post&limit=4");
  const page = (await first.json()) as { data: Found[]; next: string };
  const second = await found(server, token, { q: "lantern", kind: "post", cursor: page.next });
  expect(new Set([...page.data, ...second].map(({ id }) => id)).size).toBe(6);
  for (const query of ["q=other&kind=post", "q=lantern&kind=prompt", "q=lantern"])
    expect((await server.request(token, `/search?${query}&cursor=${page.next}`)).status).toBe(400);
});

test("a kind without its scope is omitted, or refused when requested; suspended builders are not found", async () => {
  await using server = openTestServer();
  const { token } = settle(server);
  const reader = createMemberToken(server.core, "lantern-ada", ["jobs:read"]).token;
  expect((await found(server, reader, { q: "lantern" })).map(({ kind }) => kind)).toEqual(["job"]);
  for (const kind of ["post", "prompt", "builder"]) {
    const refused = await server.request(reader, `/search?q=lantern&kind=${kind}`);
    expect([kind, refused.status]).toEqual([kind, 403]);
  }
  const none = createMemberToken(server.core, "lantern-ada", ["messages:read"]).token;
  expect((await server.request(none, "/search?q=lantern")).status).toBe(403);
  createMember(server.core, "lantern-bo");
  expect(await found(server, token, { q: "lantern", kind: "builder" })).toHaveLength(2);
  suspendBuilder(server.core, OPERATOR, "lantern-bo");
  expect(await found(server, token, { q: "lantern", kind: "builder" })).toHaveLength(1);
});

test("no search text causes a syntax error, and no content breaks out of a snippet", async () => {
  await using server = openTestServer();
  const { caller, token } = createMember(server.core, "ada");
  const hostile = `<script>alert(1)</script> "x" & <mark>y</mark> <img src=x onerror=alert(2)> zebra </mark><b>`;
  createPost(server.core, caller, { text: `\`${hostile}\` and ${hostile}` });
  const [one] = await found(server, token, { q: "zebra script" });
  const bare = one?.snippet.replaceAll(/<\/?mark>/g, "") ?? "";
  expect([one?.snippet.includes("<mark>zebra</mark>"), /[<>"]/.test(bare)]).toEqual([true, false]);
  const odd = [
    '"',
    "*",
    "AND",
    "OR NOT",
    "a NEAR/2 b",
    "title : x",
    "^x",
    "-x",
    "{a b} : c",
    "(((",
    "x* *y",
    "\u{E000}tag",
  ];
  const fields = [
    "tag:",
    "tag:*",
    "author:@",
    "before:9999-99-99",
    "after:",
    'tag:"x"',
    "before:2026 after:2027",
    "++",
    "#",
  ];
  for (const q of [
    ...odd,
    ...fields,
    "\\",
    "'; DROP TABLE posts; --",
    "%_",
    "😀",
    "a".repeat(1000),
    '"'.repeat(999),
  ])
    for (const kind of ["post", "job", "prompt", "builder"]) await found(server, token, { q, kind });
  expect((await server.request(token, `/search?q=${"a".repeat(1001)}`)).status).toBe(400);
});

test("the graph returns the same results, each with its node", async () => {
  await using server = openTestServer();
  const { token, jobId } = settle(server);
  const document = `{ search(q: "lantern") { nodes { kind title snippet node { id __typename } } } }`;
  const { body } = await graph(server, token, document);
  expect(body.errors).toBeUndefined();
  const rest = await found(server, token, { q: "lantern" });
  const seen = body.data.search.nodes as {
    kind: string;
    snippet: string;
    node: { id: string; __typename: string };
  }[];
  expect(seen.map(({ kind, snippet }) => [kind, snippet])).toEqual(
    rest.map(({ kind, snippet }) => [kind, snippet]),
  );
  expect(seen.find(({ kind }) => kind === "job")?.node).toEqual({ id: jobId, __typename: "Job" });
  expect(seen.find(({ kind }) => kind === "builder")?.node.__typename).toBe("Builder");
});
