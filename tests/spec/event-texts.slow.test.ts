// Tests docs/contract.md#5.8 and docs/contract.md#6.5: withdrawn texts disappear from events and deliveries.
import { beforeAll, expect, test } from "bun:test";
import { type TObject, type TSchema, TypeGuard } from "@sinclair/typebox";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deleteAccount, continueDeletion } from "../../src/core/services/deletion/deletion.ts";
import { hide, restore } from "../moderate.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { editPost } from "../../src/core/community/feed/revisions.ts";
import { changeJob, publishJob } from "../../src/core/community/jobs/jobs.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { MINUTE, SECOND } from "../../src/core/base/clock.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { claimDue, settle } from "../../src/core/outbox/deliveries/deliveries.ts";
import { RETRY_DELAYS_MS } from "../../src/core/outbox/deliveries/schedule.ts";
import { ALL_EVENT_NAMES, CATALOGUE } from "../../src/core/outbox/events/catalogue.ts";
import type { CheckedUrl } from "../../src/core/outbox/webhooks/target.ts";
import { registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { continueBatches } from "../../src/core/services/batches/batches.ts";
import { exportTo } from "../../src/transfer/export.ts";
import { createSignedInMember, openBrowser } from "../oauth/browser.ts";
import { nextUnlessSilent } from "../graphql/stream.ts";
import {
  createMemberToken,
  type TestServer,
  createMember,
  openTestServer,
  limitOf,
  type Snapshot,
  snapshot,
} from "../support.ts";
import { call } from "./client.ts";
import { jobDraft, rows } from "./rows.ts";

type Guild = Awaited<ReturnType<typeof guild>>;

let prepared: Guild;
let start: Snapshot;

beforeAll(async () => {
  await using server = openTestServer();
  prepared = await guild(server);
  start = snapshot(server);
});

/** Creates rea, who reads through an endpoint and a browser, and ada and cy, who write. */
async function guild(server: TestServer) {
  const { core } = server;
  const rea = createSignedInMember(server, "rea");
  const { token, caller } = createMemberToken(core, "rea");
  const [ada, cy] = [createMember(core, "ada").caller, createMember(core, "cy").caller];
  const endpoint = registerEndpoint(core, caller, {
    url: "https://hooks.example.com/in" as CheckedUrl,
    events: ["post.created", "post.updated", "post.deleted", "job.published", "dm.received"],
  });
  server.clock.pass(SECOND);
  return { token, caller, rea, ada, cy, endpointId: endpoint.id };
}

/** Attempts each due delivery once. The receiver echoes the event in its response. */
function deliver({ core }: TestServer, status: 200 | 500): string[] {
  const { claims } = core.db.transact(() => claimDue(core, 100, "", limitOf(100)));
  core.db.transact(() => {
    for (const claim of claims) {
      const failure = status === 500 ? { code: "status" as const, params: { status } } : undefined;
      settle(core, claim, { status, durationMs: 1, answer: claim.body, failure }, RETRY_DELAYS_MS);
    }
  });
  return claims.map(({ body }) => body);
}

async function graph(server: TestServer, token: string, query: string): Promise<string> {
  const answer = await fetch(`${server.url}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ query }),
  });
  return answer.text();
}

/** Returns the complete log as a stream sends it until it is silent. */
async function streamed(server: TestServer, token: string, headers: Record<string, string>): Promise<string> {
  const leaving = new AbortController();
  const answer = await fetch(`${server.url}/v1/events?since=2026-01-01T00:00:00Z`, {
    headers: { authorization: `Bearer ${token}`, accept: "text/event-stream", ...headers },
    signal: leaving.signal,
  });
  const reader = answer.body?.getReader();
  let text = "";
  for (let read = await nextUnlessSilent(reader?.read()); read && !read.done;) {
    text += Buffer.from(read.value).toString();
    read = await nextUnlessSilent(reader?.read());
  }
  leaving.abort();
  return text;
}

/** Returns the response of every route that shows events, deliveries or attempts. */
async function everyRoute(
  server: TestServer,
  { token, caller, rea, endpointId }: Guild,
): Promise<Record<string, string>> {
  const { core } = server;
  const browser = openBrowser(server, rea);
  const page = async (path: string) => (await browser.get(path)).text();
  const first = `evt_${"0".repeat(26)}`;
  const deliveries: string[] = rows(core, "SELECT id FROM deliveries ORDER BY id").map(({ id }) => id);
  const events: string[] = rows(core, "SELECT id FROM events ORDER BY id").map(({ id }) => id);
  const fields = `id data payload { __typename ... on PostAppeared { title } ... on PostChanged { title }
    ... on JobAppeared { title companySlug } ... on MessageArrived { preview } }`;
  const each = async (ids: string[], read: (id: string) => Promise<string>) =>
    (await Promise.all(ids.map(read))).join("\n");
  const exportedLog = async (builder?: { id: string; username: string }) => {
    const folder = join(server.folder, `export-${Math.random()}`);
    await exportTo(core, folder, { builder, version: "0.0.0-test", progress: () => {} });
    const files = ["events", "deliveries", "attempts"].map((name) => join(folder, `${name}.ndjson`));
    return files.map((file) => readFileSync(file, "utf8")).join("\n");
  };
  const text = async (route: string) => (await call(server, token, route)).text;
  const routes: Record<string, Promise<string>> = {
    // The streams wait for silence while the other routes are read.
    stream: streamed(server, token, {}),
    "stream resumed": streamed(server, token, { "last-event-id": first }),
    pull: text("GET /events?limit=100"),
    "pull since": text("GET /events?since=2026-01-01T00:00:00Z"),
    "graph events": graph(
      server,
      token,
      `{ node(id: "${caller.workspaceId}") { ... on Workspace { events(first: 50) { edges { node { ${fields} } } } } } }`,
    ),
    "graph event": each(events, (id) =>
      graph(server, token, `{ node(id: "${id}") { ... on Event { ${fields} } } }`),
    ),
    "delivery list": text(`GET /webhooks/${endpointId}/deliveries?limit=100`),
    delivery: each(deliveries, (id) => text(`GET /deliveries/${id}`)),
    "graph delivery": each(deliveries, (id) =>
      graph(server, token, `{ delivery(id: "${id}") { event { ${fields} } log { answer } } }`),
    ),
    "endpoint page": page(`/settings/webhooks/${endpointId}`),
    "delivery page": each(deliveries, (id) => page(`/settings/deliveries/${id}`)),
  };
  const answers = await Promise.all(
    Object.entries(routes).map(async ([route, answer]) => [route, await answer] as const),
  );
  return {
    ...Object.fromEntries(answers),
    // An export needs its own transaction.
    "exported log": await exportedLog(),
    "own exported log": await exportedLog({ id: String(caller.builderId), username: "rea" }),
    "stored log": JSON.stringify([
      rows(core, "SELECT * FROM events"),
      rows(core, "SELECT * FROM deliveries"),
      rows(core, "SELECT * FROM fan_outs"),
    ]),
  };
}

async function routesWith(server: TestServer, reader: Guild, content: string): Promise<string[]> {
  return Object.entries(await everyRoute(server, reader)).flatMap(([route, text]) =>
    text.includes(content) ? [route] : [],
  );
}

const SHOWN = ["pull", "pull since", "stream", "stream resumed", "graph events", "graph event"];

interface Pulled {
  id: string;
  type: string;
  data: { post: { id: string; title?: string } };
}

async function pull(server: TestServer, token: string, query = ""): Promise<Pulled[]> {
  return (await call(server, token, `GET /events?limit=100${query}`)).body.data;
}

/** Each way to withdraw a text. The function writes `text` and returns a function that withdraws it. */
const WITHDRAWALS: Readonly<Record<string, (server: TestServer, guild: Guild, text: string) => () => void>> =
  {
    "a deleted post": ({ core }, { ada }, text) => {
      const { id } = createPost(core, ada, { text: `# ${text}` });
      return () => deletePost(core, ada, id);
    },
    "a hidden post": ({ core }, { ada }, text) => {
      const { id } = createPost(core, ada, { text: `# ${text}` });
      return () => void hide(core, OPERATOR, id);
    },
    "an edited post": ({ core }, { ada }, text) => {
      const { id } = createPost(core, ada, { text: `# ${text}` });
      return () => void editPost(core, ada, id, { text: "# Other text" });
    },
    "a post edited twice": (server, { ada }, text) => {
      const { core, clock } = server;
      const { id } = createPost(core, ada, { text: "# First text" });
      clock.pass(SECOND);
      editPost(core, ada, id, { text: `# ${text}` });
      clock.pass(SECOND);
      return () => void editPost(core, ada, id, { text: "# Third text" });
    },
    "a post of a deleted account": ({ core }, { cy }, text) => {
      createPost(core, cy, { text: `# ${text}` });
      return () => deleteAccount(core, OPERATOR, "cy", "cy");
    },
    "a hidden job": ({ core }, _guild, text) => {
      const { id } = publishJob(core, OPERATOR, jobDraft({ title: text }));
      return () => void hide(core, OPERATOR, id);
    },
    "a closed job": ({ core }, { ada }, text) => {
      const company = { name: "Tidewater", slug: "tidewater" };
      const { id } = publishJob(core, ada, jobDraft({ title: text, company }));
      return () => void changeJob(core, ada, id, { open: false });
    },
    "a job with an edited title": ({ core }, { ada }, text) => {
      const company = { name: "Tidewater", slug: "tidewater" };
      const { id } = publishJob(core, ada, jobDraft({ title: text, company }));
      return () => void changeJob(core, ada, id, { title: "Other title" });
    },
    "the company of a hidden job": ({ core }, _guild, text) => {
      const company = { name: text, slug: "tidewater" };
      const { id } = publishJob(core, OPERATOR, jobDraft({ company }));
      return () => void hide(core, OPERATOR, id);
    },
    "a job of a deleted account": ({ core }, { cy }, text) => {
      publishJob(core, cy, jobDraft({ title: text, company: { name: "Cy", slug: "cy" } }));
      return () => deleteAccount(core, OPERATOR, "cy", "cy");
    },
    "a message of a deleted account": ({ core }, { cy }, text) => {
      sendMessage(core, cy, { to: "rea", text });
      return () => deleteAccount(core, OPERATOR, "cy", "cy");
    },
  };

for (const [name, write] of Object.entries(WITHDRAWALS)) {
  test(`the text of ${name} disappears from every route`, async () => {
    await using server = openTestServer({ from: start });
    const { core, clock } = server;
    const reader = prepared;
    const takeBack = write(server, reader, "Marked words");
    deliver(server, 200);
    const shown = await routesWith(server, reader, "Marked words");
    expect(shown).toEqual(expect.arrayContaining([...SHOWN, "delivery", "graph delivery", "delivery page"]));
    expect(shown).not.toContain("exported log");
    expect(shown).not.toContain("own exported log");

    clock.pass(SECOND);
    takeBack();

    expect(await routesWith(server, reader, "Marked words")).toEqual([]);
    while (core.db.transact(() => continueDeletion(core)));
    expect(await routesWith(server, reader, "Marked words")).toEqual([]);
  });

  test(`the text of ${name} is in no later attempt, retry or recovery`, async () => {
    await using server = openTestServer({ from: start });
    const { core, clock } = server;
    const reader = prepared;
    const takeBack = write(server, reader, "Marked words");
    expect(deliver(server, 500).join("\n")).toContain("Marked words");
    const gone: string[] = rows(core, "SELECT id FROM deliveries").map(({ id }) => id);

    clock.pass(MINUTE);
    takeBack();

    expect(deliver(server, 200).join("\n")).not.toContain("Marked words");
    for (const id of gone) await call(server, reader.token, `POST /deliveries/${id}/retry`);
    const body = { since: "2026-01-01T00:00:00Z", state: "any", missed: true };
    await call(server, reader.token, `POST /webhooks/${reader.endpointId}/recover`, { body });
    for (let more = true; more;) more = core.db.transact(() => continueBatches(core));
    clock.pass(MINUTE);
    expect(deliver(server, 200).join("\n")).not.toContain("Marked words");
  });
}

test("a waiting delivery whose subject is gone fails as `subject_gone`, and cannot be resent", async () => {
  await using server = openTestServer({ from: start });
  const { core, clock } = server;
  const { token, ada, endpointId } = prepared;
  const post = createPost(core, ada, { text: "Soon deleted" });
  deliver(server, 500);
  const [{ id }] = rows(core, "SELECT id FROM deliveries") as [{ id: string }];
  clock.pass(MINUTE);
  deletePost(core, ada, post.id);

  const sent = deliver(server, 200).map((body) => JSON.parse(body).type);

  expect(sent).toEqual(["post.deleted"]);
  const { body } = await call(server, token, `GET /deliveries/${id}`);
  expect(body).toMatchObject({ state: "failed", attempts: 1, next_attempt_at: null });
  expect(body.given_up.code).toBe("subject_gone");
  const retried = await call(server, token, `POST /deliveries/${id}/retry`);
  expect([retried.status, retried.body.code]).toEqual([409, "delivery_subject_gone"]);
  const since = { since: "2026-01-01T00:00:00Z" };
  const recovered = await call(server, token, `POST /webhooks/${endpointId}/recover`, { body: since });
  expect(recovered.body.recovered).toBe(0);
  expect((await call(server, token, `GET /deliveries/${id}`)).body.state).toBe("failed");
});

test("a waiting delivery of an edited post is sent with the current title, before its post.updated", async () => {
  await using server = openTestServer({ from: start });
  const { core, clock } = server;
  const { ada } = prepared;
  const { id } = createPost(core, ada, { text: "First" });
  deliver(server, 500);
  clock.pass(MINUTE);
  editPost(core, ada, id, { text: "Second" });

  const sent = deliver(server, 200).map((body) => JSON.parse(body) as Pulled);

  expect(sent.map(({ type, data }) => [type, data.post.title])).toEqual([
    ["post.created", "Second"],
    ["post.updated", "Second"],
  ]);
});

test("the pull omits post.created of an edited post, and post.updated has the current title", async () => {
  await using server = openTestServer({ from: start });
  const { core, clock } = server;
  const { token, ada } = prepared;
  const { id } = createPost(core, ada, { text: "First" });
  const [created] = await pull(server, token);
  clock.pass(SECOND);
  editPost(core, ada, id, { text: "Second" });
  clock.pass(SECOND);
  editPost(core, ada, id, { text: "Third" });

  const pulled = await pull(server, token);

  expect(pulled.map(({ type, data }) => [type, data.post.title])).toEqual([
    ["post.updated", "Third"],
    ["post.updated", "Third"],
  ]);
  // The id of an unlisted event is still a valid position.
  expect(await pull(server, token, `&after=${created?.id}`)).toEqual(pulled);
  deletePost(core, ada, id);
  const left = await pull(server, token, `&after=${pulled[1]?.id}`);
  expect(left.map(({ type }) => type)).toEqual(["post.deleted"]);
});

test("job.published has the current title, and is skipped while the job is closed", async () => {
  await using server = openTestServer({ from: start });
  const { core } = server;
  const { token, ada } = prepared;
  const company = { name: "Tidewater", slug: "tidewater" };
  const { id } = publishJob(core, ada, jobDraft({ title: "Marked words", company }));
  changeJob(core, ada, id, { title: "Other title", open: false });
  expect((await call(server, token, "GET /events")).body.data).toEqual([]);
  changeJob(core, ada, id, { open: true });
  const [published] = (await call(server, token, "GET /events")).body.data;
  const url = `https://guild.test/jobs/${id}`;
  expect(published.data.job).toEqual({ id, title: "Other title", company, url });
  expect(deliver(server, 200).join("\n")).not.toContain("Marked words");
});

test("the receiver's response is shown only for deliveries sent after the title of the job changed", async () => {
  await using server = openTestServer({ from: start });
  const { core, clock } = server;
  const reader = prepared;
  const company = { name: "Tidewater", slug: "tidewater" };
  const { id } = publishJob(core, reader.ada, jobDraft({ title: "First title", company }));
  deliver(server, 500);
  changeJob(core, reader.ada, id, { location: "Porto" });
  expect(await routesWith(server, reader, "First title")).toContain("delivery page");
  clock.pass(SECOND);
  changeJob(core, reader.ada, id, { title: "Other title" });
  clock.pass(MINUTE);
  deliver(server, 200);

  const { delivery = "" } = await everyRoute(server, reader);

  expect(delivery).not.toContain("First title");
  expect(delivery).toContain("Other title");
});

test("an event fetched by its id has empty text once its subject is gone", async () => {
  await using server = openTestServer({ from: start });
  const { core } = server;
  const { token, ada } = prepared;
  const post = createPost(core, ada, { text: "Marked words" });
  const [{ id }] = (await pull(server, token)) as [Pulled];
  deletePost(core, ada, post.id);
  const query = `{ node(id: "${id}") { id ... on Event { payload { ... on PostAppeared { postId title } } } } }`;
  expect(JSON.parse(await graph(server, token, query)).data.node).toEqual({
    id,
    payload: { postId: post.id, title: "" },
  });
});

test("events of a hidden post return when it is restored; post.deleted is always listed", async () => {
  await using server = openTestServer({ from: start });
  const { core, clock } = server;
  const { token, ada } = prepared;
  const { id } = createPost(core, ada, { text: "Here again" });
  const types = async () => (await pull(server, token)).map(({ type }) => type);
  clock.pass(SECOND);
  hide(core, OPERATOR, id);
  expect(await types()).toEqual(["post.deleted"]);
  clock.pass(SECOND);
  restore(core, OPERATOR, id);
  expect(await types()).toEqual(["post.created", "post.deleted", "post.updated"]);
});

test("a page is full even when many events before it are skipped", async () => {
  await using server = openTestServer({ from: start });
  const { core, clock } = server;
  const { token, ada } = prepared;
  const posts = Array.from({ length: 30 }, (_, n) => {
    clock.pass(SECOND);
    return createPost(core, ada, { text: `Post ${n}` }).id;
  });
  for (const id of posts.slice(0, 25)) hide(core, OPERATOR, id);
  const { body } = await call(server, token, "GET /events?limit=3");
  expect(body.data.map(({ data }: Pulled) => data.post.title)).toEqual(["Post 25", "Post 26", "Post 27"]);
  const next = await call(server, token, `GET /events?limit=3&cursor=${body.next}`);
  expect(next.body.data.slice(0, 2).map(({ data }: Pulled) => data.post.title)).toEqual([
    "Post 28",
    "Post 29",
  ]);
});

/** Payload texts that the server writes, and usernames, which stay reserved after the end of an account. */
const OURS = [
  "builder.joined builder.username",
  "builder.removed builder.username",
  "decision.made decision.act",
  "webhook.endpoint_disabled endpoint.reason",
  "xp.level_up badge",
];

test("every event type with text of members names its subject", () => {
  for (const type of ALL_EVENT_NAMES) {
    const { data, subject } = CATALOGUE[type];
    const words = textsOf(data, "").filter((path) => !OURS.includes(`${type} ${path}`));
    expect([type, words.length > 0]).toEqual([type, subject !== null]);
  }
});

/** Returns the paths of texts other than ids, URLs and dates. */
function textsOf(schema: TSchema, path: string): string[] {
  if (TypeGuard.IsObject(schema))
    return Object.entries((schema as TObject).properties).flatMap(([name, inner]) =>
      textsOf(inner, path === "" ? name : `${path}.${name}`),
    );
  if (TypeGuard.IsUnion(schema)) return schema.anyOf.flatMap((inner) => textsOf(inner, path));
  const isWord = TypeGuard.IsString(schema) && schema.format === undefined && !/(^|[._])id$/.test(path);
  return isWord ? [path] : [];
}
