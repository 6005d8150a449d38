import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { readConfig } from "../../src/config/config.ts";
import { start } from "../../src/app/server.ts";
import { revokeToken } from "../../src/core/delegation/tokens/tokens.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { BUILDER_SCOPES } from "../../src/core/identity/access/scopes.ts";
import { deleteAccount } from "../../src/core/services/deletion/deletion.ts";
import { claimDue, settle } from "../../src/core/outbox/deliveries/deliveries.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { createJobFilter } from "../../src/core/community/jobs/job-filters.ts";
import { publishJob } from "../../src/core/community/jobs/jobs.ts";
import { listThreads, sendMessage } from "../../src/core/community/messages/messages.ts";
import type { CheckedUrl } from "../../src/core/outbox/webhooks/target.ts";
import { registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { jobDraft } from "../spec/rows.ts";
import {
  createMemberToken,
  type TestServer,
  createMember,
  openTestServer,
  limitOf,
  writeEmptyCommunity,
} from "../support.ts";
import { listen } from "./stream.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";

const POSTS = "subscription { postCreated { id text author { username } } }";

const deliver = ({ core }: TestServer, isFailed = false): void => {
  const claims = core.db.transact(() => claimDue(core, 100, "", limitOf(100)).claims);
  core.db.transact(() =>
    claims.forEach((claim) =>
      settle(core, claim, { durationMs: 1, ...(isFailed && { failure: { code: "connection_reset" } }) }, [0]),
    ),
  );
};

test("sends each new post once and in order, without replies", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada");
  const bo = createMember(server.core, "bo");
  createPost(server.core, bo.caller, { text: "before" });
  await using stream = await listen(server, ada.token, POSTS);
  expect([stream.status, stream.headers.get("content-type")]).toEqual([
    200,
    "text/event-stream; charset=utf-8",
  ]);
  const first = createPost(server.core, bo.caller, { text: "one" });
  replyTo(server.core, bo.caller, first.id, { text: "not told" });
  server.core.db.transact(() => ["two", "three"].map((text) => createPost(server.core, bo.caller, { text })));
  const received = [await stream.next(), await stream.next(), await stream.next()];
  expect(received.map((event) => [event?.event, event?.data.data.postCreated.text])).toEqual([
    ["next", "one"],
    ["next", "two"],
    ["next", "three"],
  ]);
  expect(received[0]?.data.data.postCreated).toEqual({
    id: first.id,
    text: "one",
    author: { username: "bo" },
  });
  expect(received[0]?.id).toStartWith("evt_");
});

test("sends nothing of a transaction that was rolled back", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada");
  await using stream = await listen(server, ada.token, POSTS);
  expect(() =>
    server.core.db.transact(() => {
      createPost(server.core, ada.caller, { text: "never" });
      throw new Error("no");
    }),
  ).toThrow("no");
  createPost(server.core, ada.caller, { text: "ever" });
  expect((await stream.next())?.data.data.postCreated.text).toBe("ever");
});

test("an interrupted stream resumes after `Last-Event-ID` or `after`, and loses nothing, however long the gap", async () => {
  await using server = openTestServer();
  const { core } = server;
  const ada = createMember(core, "ada");
  const stream = await listen(server, ada.token, POSTS);
  createPost(core, ada.caller, { text: "0" });
  const seen = await stream.next();
  await stream[Symbol.asyncDispose]();
  core.db.transact(() => {
    for (let i = 1; i <= 450; i++) createPost(core, ada.caller, { text: String(i) });
  });
  await using again = await listen(server, ada.token, POSTS, {
    headers: { "last-event-id": seen?.id ?? "" },
  });
  await using after = await listen(
    server,
    ada.token,
    "subscription($after: ID) { postCreated(after: $after) { text } }",
    {
      variables: { after: seen?.id },
    },
  );
  for (const resumed of [again, after]) {
    for (let i = 1; i <= 450; i++) expect((await resumed.next())?.data.data.postCreated.text).toBe(String(i));
  }
  const bad = await listen(server, ada.token, POSTS, { headers: { "last-event-id": "nonsense" } });
  expect((await bad.next())?.data.errors[0].extensions.code).toBe("bad_request");
  expect((await bad.next())?.event).toBe("complete");
});

test("sends new events even after the machine's clock was set back", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada");
  await using stream = await listen(server, ada.token, POSTS);
  createPost(server.core, ada.caller, { text: "now" });
  server.clock.step(-3_600_000);
  createPost(server.core, ada.caller, { text: "an hour ago" });
  expect(
    [await stream.next(), await stream.next()].map((event) => event?.data.data.postCreated.text),
  ).toEqual(["now", "an hour ago"]);
});

test("sends messages, matches and settled deliveries only to their recipients", async () => {
  await using server = openTestServer();
  const { core } = server;
  const [ada, bo, cy] = ["ada", "bo", "cy"].map((name) => createMember(core, name));
  if (!ada || !bo || !cy) throw new Error("a member is missing");
  for (const { caller } of [ada, bo]) {
    createJobFilter(core, caller, { name: "rust", stack: [caller.username === "ada" ? "rust" : "zig"] });
    const url = `https://${caller.username}.example.com/` as CheckedUrl;
    registerEndpoint(core, caller, { url, events: ["post.created"] });
  }
  const messageSubscription = "subscription { messageReceived { text from { username } thread { unread } } }";
  const matches = "subscription { jobMatched { score job { title } filter { name } why { stack } } }";
  const settled = "subscription { deliverySettled { state endpoint { url } event { type } log { error } } }";
  await using m = await listen(server, ada.token, messageSubscription);
  await using notForBo = await listen(server, bo.token, messageSubscription);
  await using j = await listen(server, ada.token, matches);
  const notificationSubscription =
    "subscription { notificationAdded { kind actors { username } subject { id } } }";
  await using n = await listen(server, ada.token, notificationSubscription);
  await using d = await listen(server, ada.token, settled);
  sendMessage(core, cy.caller, { to: "ada", text: "hi" });
  sendMessage(core, ada.caller, { to: "cy", text: "mine is not told to me" });
  sendMessage(core, cy.caller, { to: "bo", text: "for bo" });
  expect((await m.next())?.data).toMatchObject({
    data: { messageReceived: { text: "hi", from: { username: "cy" }, thread: { unread: 1 } } },
  });
  expect((await notForBo.next())?.data.data.messageReceived.text).toBe("for bo");
  sendMessage(core, cy.caller, { to: "ada", text: "again" });
  expect((await m.next())?.data.data.messageReceived.text).toBe("again");

  const [began] = listThreads(core, ada.caller, {}, { limit: 1 }).nodes;
  expect((await n.next())?.data).toMatchObject({
    data: {
      notificationAdded: { kind: "message", actors: [{ username: "cy" }], subject: { id: began?.id } },
    },
  });

  publishJob(core, cy.caller, jobDraft({ title: "for bo", stack: ["zig"] }));
  publishJob(core, cy.caller, jobDraft({ title: "for ada", stack: ["rust"] }));
  expect((await j.next())?.data).toMatchObject({
    data: {
      jobMatched: { score: 1, job: { title: "for ada" }, filter: { name: "rust" }, why: { stack: 1 } },
    },
  });

  createPost(core, cy.caller, { text: "an event" });
  deliver(server);
  createPost(core, cy.caller, { text: "another" });
  deliver(server, true);
  expect([await d.next(), await d.next()].map((event) => event?.data.data.deliverySettled)).toEqual([
    {
      state: "acknowledged",
      endpoint: { url: "https://ada.example.com/" },
      event: { type: "post.created" },
      log: [{ error: null }],
    },
    {
      state: "failed",
      endpoint: { url: "https://ada.example.com/" },
      event: { type: "post.created" },
      log: [{ error: "The receiver closed the connection without a response." }],
    },
  ]);
});

test("each subscription needs its scope before anything is sent", async () => {
  await using server = openTestServer();
  createMember(server.core, "ada");
  const needs = {
    "postCreated { id }": "feed:read",
    "jobMatched { score }": "jobs:read",
    "messageReceived { id }": "messages:read",
    "notificationAdded { id }": "notifications:read",
    "deliverySettled { id }": "webhooks:read",
    "replyAdded { id }": "feed:read",
    "jobPublished { id }": "jobs:read",
    "xpLeveledUp { badge }": "profile:read",
  } as const;
  for (const [field, scope] of Object.entries(needs)) {
    const { token } = createMemberToken(
      server.core,
      "ada",
      BUILDER_SCOPES.filter((name) => name !== scope),
    );
    const refused = await listen(server, token, `subscription { ${field} }`);
    expect((await refused.next())?.data.errors[0]).toMatchObject({
      message: `This token lacks the scope \`${scope}\`. Create a token that has it.`,
      extensions: { code: "forbidden" },
    });
    expect((await refused.next())?.event).toBe("complete");
    expect(await refused.next()).toBeUndefined();
    // A client that also accepts JSON gets the refusal as an HTTP status.
    const stream = await listen(server, token, `subscription { ${field} }`, {
      headers: { accept: "application/json, text/event-stream" },
    });
    expect([stream.status, JSON.parse(await stream.text()).errors[0].extensions.code]).toEqual([
      403,
      "forbidden",
    ]);
  }
});

test("a stream ends with its token and with the account", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada");
  const bo = createMember(server.core, "bo");
  await using a = await listen(server, ada.token, POSTS);
  await using b = await listen(server, bo.token, POSTS);
  revokeToken(server.core, OPERATOR, ada.token);
  expect((await a.next())?.event).toBe("complete");
  expect(await a.next()).toBeUndefined();
  setSuspended(server.core, OPERATOR, "bo", true);
  createPost(server.core, OPERATOR.builderId === null ? createMember(server.core, "cy").caller : ada.caller, {
    text: "unheard",
  });
  expect((await b.next())?.event).toBe("complete");
  expect(await b.next()).toBeUndefined();
});

test("a stream ends when its account is deleted, and sends nothing more", async () => {
  await using server = openTestServer();
  const [ada, bo] = [createMember(server.core, "ada"), createMember(server.core, "bo")];
  await using posts = await listen(server, bo.token, POSTS);
  await using messages = await listen(server, bo.token, "subscription { messageReceived { text } }");
  // Writes everything in one transaction, so that a stream finds the new content and the deletion together.
  server.core.db.transact(() => {
    sendMessage(server.core, ada.caller, { to: "bo", text: "unheard" });
    createPost(server.core, ada.caller, { text: "unheard" });
    deleteAccount(server.core, OPERATOR, "bo", "bo");
  });
  for (const stream of [posts, messages]) {
    expect((await stream.next())?.event).toBe("complete");
    expect(await stream.next()).toBeUndefined();
  }
  expect((await listen(server, bo.token, POSTS)).status).toBe(401);
});

test("an account has at most five streams, and closing one frees a slot", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada");
  const bo = createMember(server.core, "bo");
  const open = await Promise.all(Array.from({ length: 5 }, () => listen(server, ada.token, POSTS)));
  const sixth = await listen(server, createMemberToken(server.core, "ada").token, POSTS);
  expect([sixth.status, JSON.parse(await sixth.text()).errors[0].extensions.code]).toEqual([409, "conflict"]);
  await using another = await listen(server, bo.token, POSTS);
  expect(another.status).toBe(200);
  await open[0]?.[Symbol.asyncDispose]();
  let status = 409;
  // The server notices the closed connection after a delay.
  while (status === 409) {
    await using next = await listen(server, ada.token, POSTS);
    status = next.status;
  }
  expect(status).toBe(200);
  for (const stream of open) await stream[Symbol.asyncDispose]();
});

test("refuses a subscription that is not requested as a stream, and answers a streamed query once", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada");
  const refused = await listen(server, ada.token, POSTS, { headers: { accept: "application/json" } });
  expect([refused.status, JSON.parse(await refused.text()).errors[0].extensions.code]).toEqual([
    406,
    "bad_request",
  ]);
  const query = await listen(server, ada.token, "{ rateLimit { cost } }");
  expect(await query.next()).toEqual({ id: "", event: "next", data: { data: { rateLimit: { cost: 2 } } } });
  expect(await query.next()).toEqual({ id: "", event: "complete", data: null });
  expect(await query.next()).toBeUndefined();
  expect(query.headers.get("x-accel-buffering")).toBe("no");
  for (const wrong of [
    "{",
    "{ nothing }",
    "subscription { nothing }",
    "query($a: Int!) { feed(first: $a) { edges { cursor } } }",
  ]) {
    await using refusedQuery = await listen(server, ada.token, wrong);
    expect((await refusedQuery.next())?.data.errors[0].extensions.code).toBe("bad_request");
    expect((await refusedQuery.next())?.event).toBe("complete");
  }
});

test("a server that stops ends its streams at once, without marking them as complete", async () => {
  const data = mkdtempSync(join(tmpdir(), "guildhall-stop-"));
  writeEmptyCommunity(data);
  const running = start(readConfig({}, { data, port: "0" }), pino({ level: "silent" }));
  const { token } = createMember(running.core, "ada");
  await using stream = await listen(running as never, token, POSTS);
  expect(stream.status).toBe(200);
  await running.stop();
  expect(await stream.next()).toBeUndefined();
  rmSync(data, { recursive: true });
});
