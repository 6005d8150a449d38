import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { SCOPE_NAMES } from "../../src/core/identity/access/scopes.ts";
import { claimDue, settle } from "../../src/core/outbox/deliveries/deliveries.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { likePost } from "../../src/core/community/feed/likes.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { createJobFilter } from "../../src/core/community/jobs/job-filters.ts";
import { publishJob } from "../../src/core/community/jobs/jobs.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { report } from "../../src/core/services/moderation/reports.ts";
import { addProject } from "../../src/core/community/profiles/projects.ts";
import { submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { revisePrompt } from "../../src/core/community/prompts/versions.ts";
import type { CheckedUrl } from "../../src/core/outbox/webhooks/target.ts";
import { registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { jobDraft } from "../spec/rows.ts";
import { createMemberToken, type TestServer, createMember, openTestServer, limitOf } from "../support.ts";
import { graph } from "./ask.ts";
import { listen } from "./stream.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";

/**
 * Creates `size` objects of each type: authors, posts, replies, jobs, matches, prompts, endpoints,
 * deliveries, threads and reports.
 */
function populate({ core }: TestServer, size: number): string {
  createBuilder(core, OPERATOR, { username: "ada", name: "Ada", role: "admin" });
  const { token, caller: ada } = createMemberToken(core, "ada", SCOPE_NAMES);
  createJobFilter(core, ada, { name: "all" });
  core.db.transact(() => {
    for (let i = 0; i < Math.min(size, 50); i++) {
      registerEndpoint(core, ada, {
        url: `https://hooks.example.com/${i}` as CheckedUrl,
        events: ["post.created"],
      });
      addProject(core, ada, { title: `p${i}` });
    }
    for (let i = 0; i < size; i++) {
      const { caller } = createMember(core, `b${i}`);
      const post = createPost(core, caller, { text: `post ${i} of @ada and @b${i}`, tags: ["rust"] });
      replyTo(core, ada, post.id, { text: "yes" });
      likePost(core, ada, post.id);
      addProject(core, caller, { title: "own" });
      publishJob(core, caller, jobDraft({ company: { name: `c${i}`, slug: `c${i}` } }));
      const prompt = submitPrompt(core, caller, { title: "t", body: "b", model: "m", category: "c" });
      revisePrompt(core, caller, prompt.id, { body: `c of @ada and @b${i}`, note: "d" });
      sendMessage(core, caller, { to: "ada", text: `hi @ada from @b${i}` });
      report(core, caller, { kind: "prompt", id: prompt.id }, { reason: "Odd." });
    }
  });
  const claims = core.db.transact(() => claimDue(core, 100, "", limitOf(100)).claims);
  core.db.transact(() =>
    claims.forEach((claim) =>
      settle(core, claim, { durationMs: 1, failure: { code: "connection_reset" } }, [0, 1]),
    ),
  );
  return token;
}

/** Counts the statements that `work` runs, at the database driver. */
async function statementsOf(server: TestServer, work: () => Promise<unknown>): Promise<number> {
  const { db } = server.core;
  let runs = 0;
  const core = server.core as { db: typeof db };
  core.db = {
    ...db,
    prepare: ((sql: string) => {
      const statement = db.prepare(sql);
      return new Proxy(statement, {
        get(target, name) {
          const value = Reflect.get(target, name, target);
          if (typeof value !== "function") return value;
          if (["get", "all", "run", "iterate"].includes(String(name))) runs++;
          return value.bind(target);
        },
      });
    }) as typeof db.prepare,
  };
  try {
    await work();
  } finally {
    core.db = db;
  }
  return runs;
}

const DOCUMENTS: Readonly<Record<string, string>> = {
  "the feed with all that hangs on a post": `query($n: Int!) { feed(first: $n) { edges { node {
      id text liked media author { username name bio xp streakDays badges projects { id title url description } }
      replies(first: 3) { edges { node { text liked parent { id author { bio } } author { username xp } } } } } } } }`,
  "the board with details and companies": `query($n: Int!) { jobs(first: $n) { edges { node {
      title company { id name } description applyUrl city remote seniority state expiresAt } } } }`,
  "builders with their posts, prompts and projects": `query($n: Int!) { builders(first: $n) { edges { node {
      username bio xp projects { id url } posts(first: 2) { edges { node { text liked author { username bio } replies(first: 1) { edges { node { id } } } } } }
      prompts(last: 2) { edges { node { title stars author { xp } } } } } } } }`,
  "a search of builders": `query($n: Int!) { builders(first: $n, q: "b rust") { edges { node { username posts { edges { node { id } } } } } } }`,
  "companies with what they have on the board": `query($n: Int!) { jobs(first: $n) { edges { node {
      company { name jobs(first: 2) { edges { node { title description company { jobs(last: 1) { edges { node { id } } } } } } } } } } } }`,
  "prompts with authors, own stars and versions": `query($n: Int!) { prompts(first: $n) { edges { node {
      title stars author { username name bio } versions(first: 2) { edges { node { version note } } } } } } }`,
  "endpoints, deliveries, events and attempts": `query($n: Int!) { viewer { workspace { webhooks { url
      deliveries(last: $n) { edges { node { state event { type data } endpoint { url } log { status delivery { state } } } } } } } } }`,
  "matches with their jobs and filters": `query($n: Int!) { viewer { jobMatches(first: $n) { edges { node {
      score job { title description company { name } } filter { name } } } } } }`,
  "threads with their messages": `query($n: Int!) { viewer { threads(first: $n) { edges { node {
      with { username name bio } lastMessage { text mine thread { unread } } messages(first: 2) { edges { node { text textHtml from { username xp } thread { unread } } } } } } } } }`,
  "how many replies, posts and jobs there are": `query($n: Int!) { feed(first: $n) { totalCount nodes { id replies(first: 0) { totalCount } } edges { node { id } } } }`,
  "all that pages show of posts, jobs and prompts": `query($n: Int!) { feed(first: $n) { edges { node { id textHtml url viewerCanLike viewerCanReply viewerCanDelete revisions(first: 2) { edges { node { text at } } }
      author { url joinedAt bioHtml honours viewerHasBlocked level { number next progress } } } } }
      jobs(first: $n) { nodes { descriptionHtml url viewerCanChange viewerCanModerate } } }`,
  "prompts with what one can do": `query($n: Int!) { prompts(first: $n) { edges { node { url bodyHtml viewerCanRate viewerCanDelete author { level { name } viewerHasBlocked } } } } }`,
  "words to filter by": `query($n: Int!) { feed(first: $n) { edges { node { id } } } tags { name count } stacks { name } cities { name } models { name } categories { name }
      company(slug: "c0") { name } }`,
  "events with what they are about": `query($n: Int!) { feed(first: $n) { edges { node { id } } } viewer { workspace { events(last: 100) { edges { node { kind payload { __typename
      ... on PostAppeared { post { text liked } author { username name } } ... on JobAppeared { job { title } }
      ... on MessageArrived { thread { unread lastMessage { text } } from { xp } } ... on LevelUp { builder { name } } } } } } } } }`,
  reports: `query($n: Int!) { reports(first: $n) { edges { node { reason subjectTitle subjectOwner { name } subject { __typename ... on Prompt { title author { name } } } } } } }`,
};

test("no N+1: a hundred rows need as many statements as one", async () => {
  await using item = openTestServer();
  await using hundred = openTestServer();
  const servers = [
    [item, populate(item, 1), 1],
    [hundred, populate(hundred, 100), 100],
  ] as const;
  for (const [name, document] of Object.entries(DOCUMENTS)) {
    const counts: number[] = [];
    for (const [server, token, size] of servers) {
      // Lists of 100 are read in batches of 20, so that no single statement blocks for long.
      const most = name.startsWith("endpoints") ? 10 : name.startsWith("how many") ? 20 : 90;
      const n = Math.min(size, most);
      counts.push(
        await statementsOf(server, async () => {
          const { body } = await graph(server, token, document, { variables: { n } });
          expect(body.errors).toBeUndefined();
          expect(JSON.stringify(body.data).split('"node"').length).toBeGreaterThan(size === 1 ? 1 : n);
        }),
      );
    }
    expect([name, counts[1]]).toEqual([name, counts[0]]);
    expect(counts[0], name).toBeLessThan(20);
    expect(counts[0], name).toBeGreaterThan(0);
  }
});

test("no N+1: a hundred ids of every kind need one or two statements per kind", async () => {
  await using server = openTestServer();
  const token = populate(server, 20);
  const all = await graph(
    server,
    token,
    `{ feed { edges { node { id author { id } } } } jobs { edges { node { id company { id } } } } prompts { edges { node { id } } }
       viewer { workspace { webhooks { id } events(first: 20) { edges { node { id } } } } threads { edges { node { id lastMessage { id } } } } xpEntries { edges { node { id } } } } reports { edges { node { id } } } }`,
  );
  const ids = [
    ...new Set([...JSON.stringify(all.body.data).matchAll(/"id":"([a-z]+_\w{26})"/g)].map(([, id]) => id)),
  ];
  const kinds = new Set(ids.map((id) => id?.split("_")[0]));
  expect(kinds.size).toBe(11);
  const some = [...kinds].flatMap((kind) => ids.filter((id) => id?.startsWith(`${kind}_`)).slice(0, 9));
  const runs = await statementsOf(server, async () => {
    const { body } = await graph(server, token, "query($ids: [ID!]!) { nodes(ids: $ids) { id } }", {
      variables: { ids: some },
    });
    expect(body.data.nodes.map((node: { id: string } | null) => node?.id)).toEqual(some);
  });
  expect(runs).toBeLessThan(2 * kinds.size + 2);
});

test("every read of GraphQL uses an index, and none scans a table or sorts", async () => {
  await using server = openTestServer();
  const token = populate(server, 30);
  const { db } = server.core;
  db.prepare("ANALYZE").run();
  const seen = new Set<string>();
  (server.core as { db: typeof db }).db = {
    ...db,
    prepare: ((sql: string) => (seen.add(sql), db.prepare(sql))) as typeof db.prepare,
  };
  for (const document of Object.values(DOCUMENTS))
    expect((await graph(server, token, document, { variables: { n: 5 } })).body.errors).toBeUndefined();
  const { body } = await graph(
    server,
    token,
    "{ viewer { workspace { events(last: 3) { edges { node { id } } } webhooks { deliveries(state: failed) { edges { node { id } } } } } } }",
  );
  expect(body.errors).toBeUndefined();
  const fields = [
    "postCreated { id }",
    "jobMatched { score }",
    "messageReceived { id }",
    "notificationAdded { id }",
    "deliverySettled { id }",
    "replyAdded { id }",
    "jobPublished { id }",
    "xpLeveledUp { badge }",
  ];
  for (const field of fields)
    (await listen(server, token, `subscription { ${field} }`))[Symbol.asyncDispose]();
  (server.core as { db: typeof db }).db = db;
  const reads = [...seen].filter((sql) => /^\s*SELECT/.test(sql));
  expect(reads.length).toBeGreaterThan(25);
  const offences = reads.flatMap((sql) =>
    db
      .prepare<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...(sql.match(/\?/g) ?? []).map(() => "1"))
      .map(({ detail }) => detail)
      .filter((step) => /^SCAN|TEMP B-TREE/.test(step))
      // Allows scans of small or temporary data: requested ids, the full-text index, an earlier batch, a
      // builder's badges.
      .filter((step) => !/VIRTUAL TABLE|^SCAN (?:wanted|fresh|\(subquery)|FOR json_group_array/.test(step))
      // Allows two queries: the newest row of a log, and the merged page of events of several types.
      .filter(() => !/ORDER BY rowid DESC LIMIT 1$|events_by_audience/.test(sql))
      .map((step) => `${step}: ${sql}`),
  );
  expect(offences).toEqual([]);
});
