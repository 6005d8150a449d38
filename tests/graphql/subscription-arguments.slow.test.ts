import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { claimDue, settle } from "../../src/core/outbox/deliveries/deliveries.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { createJobFilter } from "../../src/core/community/jobs/job-filters.ts";
import { changeJob, publishJob } from "../../src/core/community/jobs/jobs.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { hide } from "../moderate.ts";
import type { CheckedUrl } from "../../src/core/outbox/webhooks/target.ts";
import { registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { award } from "../../src/core/community/xp/xp.ts";
import { jobDraft } from "../spec/rows.ts";
import { type TestServer, createMember, openTestServer, limitOf } from "../support.ts";
import { listen } from "./stream.ts";

/**
 * Tests every argument of every subscription. First an event occurs that the argument excludes. A stream that
 * ignores the argument delivers this wrong event.
 */

const field = (document: string) => /\{ (\w+)/.exec(document)?.[1] ?? "";

async function first(
  server: TestServer,
  token: string,
  document: string,
  action: () => void,
): Promise<unknown> {
  await using stream = await listen(server, token, `subscription { ${document} }`);
  expect([document, stream.status]).toEqual([document, 200]);
  action();
  const received = (await stream.next())?.data as { data: Record<string, unknown> } | undefined;
  return received?.data[field(`{ ${document}`)];
}

async function refusal(server: TestServer, token: string, document: string): Promise<unknown> {
  // A client that also accepts JSON gets the refusal as an HTTP status.
  const headers = { accept: "application/json, text/event-stream" };
  const stream = await listen(server, token, `subscription { ${document} }`, { headers });
  return [stream.status, JSON.parse(await stream.text()).errors[0].extensions.code];
}

test("filters posts by tag, by author and by both", async () => {
  await using server = openTestServer();
  const { core } = server;
  const [ada, bo] = [createMember(core, "ada"), createMember(core, "bo")];
  const post = (caller: typeof ada, text: string, ...tags: string[]) =>
    createPost(core, caller.caller, { text, tags });
  const action = (): void => {
    post(ada, "neither");
    post(ada, "tag", "rust");
    post(bo, "author");
    post(bo, "both", "rust");
  };
  expect(await first(server, ada.token, 'postCreated(tag: "rust") { text }', action)).toEqual({
    text: "tag",
  });
  expect(await first(server, ada.token, 'postCreated(author: "BO") { text }', action)).toEqual({
    text: "author",
  });
  expect(await first(server, ada.token, 'postCreated(author: "bo", tag: "rust") { text }', action)).toEqual({
    text: "both",
  });
  expect(await refusal(server, ada.token, 'postCreated(tag: "Not a tag") { text }')).toEqual([
    400,
    "bad_request",
  ]);
});

test("sends replies to one post or to any at once, and none that was deleted or hidden meanwhile", async () => {
  await using server = openTestServer();
  const { core } = server;
  const [ada, bo] = [createMember(core, "ada"), createMember(core, "bo")];
  const [one, other] = ["one", "other"].map((text) => createPost(core, ada.caller, { text }));
  if (!one || !other) throw new Error("nothing was posted");
  const action = (): void =>
    core.db.transact(() => {
      createPost(core, bo.caller, { text: "no reply" });
      hide(core, OPERATOR, replyTo(core, bo.caller, other.id, { text: "hidden" }).id);
      deletePost(core, bo.caller, replyTo(core, bo.caller, other.id, { text: "gone" }).id);
      replyTo(core, bo.caller, other.id, { text: "to the other" });
      replyTo(core, bo.caller, one.id, { text: "to the one" });
    });
  expect(await first(server, ada.token, "replyAdded { text parent { id } }", action)).toEqual({
    text: "to the other",
    parent: { id: other.id },
  });
  expect(await first(server, ada.token, `replyAdded(post: "${one.id}") { text }`, action)).toEqual({
    text: "to the one",
  });
  expect(await refusal(server, ada.token, 'replyAdded(post: "post_x") { id }')).toEqual([404, "not_found"]);
});

test("replies resume after `after`, even if the last ones were deleted meanwhile", async () => {
  await using server = openTestServer();
  const { core } = server;
  const ada = createMember(core, "ada");
  const { id } = createPost(core, ada.caller, { text: "one" });
  const replies = ["a", "b"].map((text) => replyTo(core, ada.caller, id, { text }).id);
  deletePost(core, ada.caller, replies[1] ?? "");
  replyTo(core, ada.caller, id, { text: "c" });
  await using stream = await listen(
    server,
    ada.token,
    `subscription { replyAdded(after: "${replies[1]}") { text } }`,
  );
  expect((await stream.next())?.data).toMatchObject({ data: { replyAdded: { text: "c" } } });
});

test("filters published jobs by stack and by company", async () => {
  await using server = openTestServer();
  const { core } = server;
  const [ada, bo] = [createMember(core, "ada"), createMember(core, "bo")];
  const job = (title: string, stack: string[], slug: string) =>
    publishJob(core, bo.caller, jobDraft({ title, stack, company: { name: slug, slug } }));
  const action = (): void =>
    core.db.transact(() => {
      changeJob(core, bo.caller, job("closed at once", ["rust"], "ours").id, { open: false });
      job("neither", ["zig"], "ours");
      job("stack", ["rust"], "ours");
      job("company", ["zig"], "theirs");
    });
  expect(await first(server, ada.token, "jobPublished { title company { slug } }", action)).toEqual({
    title: "neither",
    company: { slug: "ours" },
  });
  expect(await first(server, ada.token, 'jobPublished(stack: ["c", "rust"]) { title }', action)).toEqual({
    title: "stack",
  });
  expect(await first(server, ada.token, 'jobPublished(company: "theirs") { title }', action)).toEqual({
    title: "company",
  });
});

test("filters matches by one filter, messages by one thread and deliveries by one endpoint", async () => {
  await using server = openTestServer();
  const { core } = server;
  const [ada, bo, cy] = [createMember(core, "ada"), createMember(core, "bo"), createMember(core, "cy")];
  const filters = ["rust", "zig"].map(
    (stack) => createJobFilter(core, ada.caller, { name: stack, stack: [stack] }).id,
  );
  const threads = [bo, cy].map(({ caller }) => sendMessage(core, caller, { to: "ada", text: "hi" }).threadId);
  const endpoints = ["a", "b"].map(
    (path) =>
      registerEndpoint(core, ada.caller, {
        url: `https://hooks.example.com/${path}` as CheckedUrl,
        events: ["post.created"],
      }).id,
  );
  const matched = await first(
    server,
    ada.token,
    `jobMatched(filter: "${filters[1]}") { job { title } }`,
    () => {
      for (const stack of ["rust", "zig"])
        publishJob(core, bo.caller, jobDraft({ title: stack, stack: [stack] }));
    },
  );
  expect(matched).toEqual({ job: { title: "zig" } });
  const received = await first(server, ada.token, `messageReceived(thread: "${threads[1]}") { text }`, () => {
    for (const { caller } of [bo, cy])
      sendMessage(core, caller, { to: "ada", text: `from ${caller.username}` });
  });
  expect(received).toEqual({ text: "from cy" });
  const settled = await first(
    server,
    ada.token,
    `deliverySettled(webhook: "${endpoints[1]}") { endpoint { id } }`,
    () => {
      createPost(core, bo.caller, { text: "told" });
      const { claims } = core.db.transact(() => claimDue(core, 100, "", limitOf(100)));
      const inOrder = claims.toSorted((a, b) => (a.endpointId < b.endpointId ? -1 : 1));
      core.db.transact(() =>
        inOrder.forEach((claim) => settle(core, claim, { durationMs: 1, status: 200 }, [0])),
      );
    },
  );
  expect(settled).toEqual({ endpoint: { id: endpoints[1] } });
  const others = [
    `jobMatched(filter: "${filters[0]}")`,
    `messageReceived(thread: "${threads[0]}")`,
    `deliverySettled(webhook: "${endpoints[0]}")`,
  ];
  for (const other of others)
    expect(await refusal(server, cy.token, `${other} { __typename }`)).toEqual([404, "not_found"]);
});

test("sends builders who reach a new level, all or one", async () => {
  await using server = openTestServer();
  const { core } = server;
  const [ada, bo] = [createMember(core, "ada"), createMember(core, "bo")];
  const climb = ({ caller }: typeof ada, giver: typeof ada): void => {
    for (let i = 0; i < 50; i++)
      award(core, caller.builderId ?? "", "like.received", `post_${i}`, giver.caller.builderId ?? "");
  };
  const document = "{ builder { username } fromLevel toLevel badge }";
  const up = (username: string) => ({ builder: { username }, fromLevel: 1, toLevel: 2, badge: "apprentice" });
  const action = (): void => {
    core.db.transact(() => {
      climb(ada, bo);
      climb(bo, ada);
    });
  };
  await using all = await listen(server, ada.token, `subscription { xpLeveledUp ${document} }`);
  expect(await first(server, ada.token, `xpLeveledUp(username: "BO") ${document}`, action)).toEqual(up("bo"));
  expect((await all.next())?.data).toMatchObject({ data: { xpLeveledUp: up("ada") } });
  expect(await refusal(server, ada.token, 'xpLeveledUp(username: "nobody") { badge }')).toEqual([
    404,
    "not_found",
  ]);
});
