// Tests docs/contract.md#8.4.
import { expect, test } from "bun:test";
import { SCOPE_NAMES } from "../../src/core/identity/access/scopes.ts";
import { ALL_EVENT_NAMES, CATALOGUE } from "../../src/core/outbox/events/catalogue.ts";
import { createJobFilter } from "../../src/core/community/jobs/job-filters.ts";
import { publishJob } from "../../src/core/community/jobs/jobs.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { award } from "../../src/core/community/xp/xp.ts";
import { jobDraft } from "../spec/rows.ts";
import { createMemberToken, createMember, openTestServer } from "../support.ts";
import { graph } from "./ask.ts";
import { fillCommunity } from "./fixture-community.ts";

const upper = (name: string): string => name.replaceAll(/\W/g, "_").toUpperCase();

test("a value with fixed choices has an enum field beside the text of REST", async () => {
  await using server = openTestServer();
  const { ada } = await fillCommunity(server);
  const { body } = await graph(
    server,
    ada.token,
    `{ viewer { grantedScopes scopes xpEntries { nodes { reason rule } } builder { badges honours }
       workspace { webhooks { events eventTypes deliveries { nodes { eventType kind event { type kind } } } } } } }`,
  );
  expect(body.errors).toBeUndefined();
  const { viewer } = body.data;
  expect(viewer.grantedScopes).toEqual(viewer.scopes.map(upper));
  expect(viewer.scopes.toSorted()).toEqual(SCOPE_NAMES.toSorted());
  expect(viewer.builder.honours).toEqual(viewer.builder.badges.map(upper));
  expect(viewer.builder.honours).toContain("FIRST_POST");
  for (const { reason, rule } of viewer.xpEntries.nodes) expect(rule).toBe(upper(reason));
  for (const { events, eventTypes, deliveries } of viewer.workspace.webhooks) {
    expect(eventTypes).toEqual(events.map(upper));
    for (const { eventType, kind, event } of deliveries.nodes)
      expect([kind, event.kind, event.type]).toEqual([upper(eventType), upper(eventType), eventType]);
  }
});

test("endpoints accept their types as enums or as the texts of REST", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const register = async (input: object) =>
    (
      await graph(
        server,
        token,
        "mutation($input: RegisterWebhookInput!) { registerWebhook(input: $input) { webhook { id events } } }",
        { variables: { input } },
      )
    ).body;
  const url = "https://hooks.example.com/";
  const typed = await register({ url: `${url}a`, eventTypes: ["POST_CREATED", "DM_RECEIVED"] });
  expect(typed.data.registerWebhook.webhook.events.toSorted()).toEqual(["dm.received", "post.created"]);
  const both = await register({ url: `${url}b`, eventTypes: ["POST_CREATED"], events: ["job.published"] });
  expect(both.data.registerWebhook.webhook.events.toSorted()).toEqual(["job.published", "post.created"]);
  const none = await register({ url: `${url}c` });
  expect(none.errors?.[0]).toMatchObject({
    message: "`eventTypes` is missing.",
    extensions: { code: "bad_request", reason: "missing", details: [{ path: "eventTypes" }] },
  });
  const { id } = typed.data.registerWebhook.webhook;
  const change =
    "mutation($input: ChangeWebhookInput!) { changeWebhook(input: $input) { webhook { eventTypes } } }";
  const changed = await graph(server, token, change, {
    variables: { input: { id, eventTypes: ["XP_LEVEL_UP"] } },
  });
  expect(changed.body.data.changeWebhook.webhook.eventTypes).toEqual(["XP_LEVEL_UP"]);
});

const PAYLOADS = `{ viewer { workspace { events(first: 100) { nodes { kind data payload { __typename
  ... on PostAppeared { postId post { id text } author { username } title url }
  ... on PostRemoved { postId }
  ... on JobAppeared { jobId job { title } companySlug url }
  ... on MatchFound { jobId job { id } builder { username } score }
  ... on MessageArrived { threadId thread { lastMessage { text } } from { username } preview }
  ... on LevelUp { builder { username } fromLevel toLevel badge }
  ... on EndpointTested { webhookId webhook { url } } } } } } } }`;

test("an event's payload has its own type with the objects themselves, and null for deleted ones", async () => {
  await using server = openTestServer();
  const { core } = server;
  const [ada, bo] = [createMember(core, "ada"), createMember(core, "bo")];
  createJobFilter(core, ada.caller, { name: "all" });
  const kept = createPost(core, bo.caller, { text: "kept" });
  const gone = createPost(core, bo.caller, { text: "gone" });
  deletePost(core, bo.caller, gone.id);
  const job = publishJob(core, bo.caller, jobDraft());
  const message = sendMessage(core, bo.caller, { to: "ada", text: "hi" });
  for (let i = 0; i < 50; i++)
    award(core, ada.caller.builderId ?? "", "like.received", `post_${i}`, bo.caller.builderId ?? "");
  // The background loop creates job matches. It does not run in this test.
  const { body } = await graph(server, ada.token, PAYLOADS);
  expect(body.errors).toBeUndefined();
  const events = body.data.viewer.workspace.events.nodes;
  const describedType = (type: string) =>
    events
      .filter((event: { payload: { __typename: string } }) => event.payload.__typename === type)
      .map(({ payload: { __typename, ...payload } }: any) => payload);
  const page = (id: string) => `https://guild.test/posts/${id}`;
  expect(describedType("PostAppeared")).toEqual([
    {
      postId: kept.id,
      post: { id: kept.id, text: "kept" },
      author: { username: "bo" },
      title: "kept",
      url: page(kept.id),
    },
  ]);
  expect(describedType("PostRemoved")).toEqual([{ postId: gone.id }]);
  expect(describedType("JobAppeared")).toMatchObject([
    { jobId: job.id, job: { title: "Engineer" }, companySlug: "tidewater-systems" },
  ]);
  expect(describedType("MessageArrived")).toEqual([
    {
      threadId: message.threadId,
      thread: { lastMessage: { text: "hi" } },
      from: { username: "bo" },
      preview: "hi",
    },
  ]);
  expect(describedType("LevelUp")).toEqual([
    { builder: { username: "ada" }, fromLevel: 1, toLevel: 2, badge: "apprentice" },
  ]);
  for (const { kind, data } of events) {
    expect(ALL_EVENT_NAMES.map(upper)).toContain(kind);
    expect(typeof data).toBe("object");
  }
});

test("an event is visible only to a token with the scope of its content", async () => {
  await using server = openTestServer();
  const { core } = server;
  const ada = createMember(core, "ada");
  createPost(core, ada.caller, { text: "public" });
  sendMessage(core, createMember(core, "bo").caller, { to: "ada", text: "private" });
  for (const type of ["post.created", "dm.received"] as const) {
    const { token } = createMemberToken(core, "ada", ["webhooks:read", CATALOGUE[type].scope]);
    const { body } = await graph(
      server,
      token,
      "{ viewer { workspace { events { nodes { kind payload { __typename } } } } } }",
    );
    expect(body.data.viewer.workspace.events.nodes.map(({ kind }: { kind: string }) => kind)).toEqual([
      upper(type),
    ]);
  }
});
