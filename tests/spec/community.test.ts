// Tests docs/contract.md#11.3 and docs/contract.md#12.25: community data that programs can read without a
// token.
import { type TProperties, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { expect, test } from "bun:test";
import { changeCommunitySettings } from "../../src/core/services/community-settings/community-settings.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { MINUTE } from "../../src/core/base/clock.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { type TestServer, createMember, openTestServer, signedInNow } from "../support.ts";

const SAID = {
  name: "The Weavers",
  line: "Cloth",
  rules: "1. Be kind",
  contact: "hello@weavers.example",
  joining: "approval",
} as const;

async function graph(server: TestServer, token: string | undefined): Promise<Response> {
  return fetch(`${server.url}/graphql`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      query:
        "{ community { name line rules contact joining reading timeZone about signUp counts { members posts replies } } }",
    }),
  });
}

test("GET /v1/community describes the community to guests, with an ETag; GraphQL returns the same to token holders", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { token, caller } = createMember(core, "ada", ["messages:read", "feed:write", "feed:read"]);
  signedInNow(core, caller);
  const post = createPost(core, caller, { text: "hello" });
  replyTo(core, caller, post.id, { text: "hi" });
  changeCommunitySettings(core, OPERATOR, SAID);
  for (const credentials of [undefined, token, "guild_pat_nonsense"]) {
    const answer = await server.request(credentials, "/community");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-ratelimit-limit")).not.toBeNull();
    expect(await answer.json()).toEqual({
      ...SAID,
      welcome: "",
      language: "en",
      time_zone: "UTC",
      reading: "everybody",
      about: "https://guild.test/about",
      sign_up: "https://guild.test/sign-up",
      counts: { members: 1, active_month: 1, active_half_year: 1, posts: 1, replies: 1, jobs: 0, prompts: 0 },
    });
    const etag = answer.headers.get("etag") ?? "";
    const again = await server.request(credentials, "/community", { headers: { "if-none-match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  }
  expect((await graph(server, undefined)).status).toBe(401);
  expect(await (await graph(server, token)).json()).toMatchObject({
    data: {
      community: {
        ...SAID,
        timeZone: "UTC",
        about: "https://guild.test/about",
        counts: { members: 1, posts: 1, replies: 1 },
      },
    },
  });
  expect((await server.request(undefined, "/community", { method: "POST", body: {} })).status).toBe(404);
  changeCommunitySettings(core, OPERATOR, { joining: "closed", contact: "" });
  expect(await (await server.request(undefined, "/community")).json()).toMatchObject({
    sign_up: null,
    contact: null,
  });
});

test("a members-only community hides its size from guests and shows it to members", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada", ["messages:read"]);
  changeCommunitySettings(server.core, OPERATOR, { ...SAID, reading: "members" });
  const body = await (await server.request(undefined, "/community")).json();
  expect(body).toMatchObject({ name: SAID.name, rules: SAID.rules, reading: "members", counts: null });
  expect(JSON.stringify(body)).not.toContain("ada");
  expect((await (await server.request(token, "/community")).json()).counts.members).toBe(1);
});

test("GET /v1/community is rate-limited without a token", async () => {
  await using server = openTestServer();
  const first = await server.request(undefined, "/community");
  const left = Number(first.headers.get("x-ratelimit-remaining"));
  const responses = await Promise.all(
    Array.from({ length: left + 1 }, () => server.request(undefined, "/community")),
  );
  expect(responses.filter(({ status }) => status === 429).length).toBe(1);
  server.clock.pass(MINUTE);
  expect((await server.request(undefined, "/community")).status).toBe(200);
});

const exactly = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false });
const counted = Type.Optional(Type.Integer({ minimum: 0 }));
const url = Type.Optional(Type.String());

/**
 * The schema of NodeInfo 2.1, except for `protocols`. That list requires at least one of ten protocols.
 * Guildhall supports none of them and returns an empty list.
 */
const NODE_INFO = exactly({
  version: Type.Literal("2.1"),
  software: exactly({
    name: Type.String({ pattern: "^[a-z0-9-]+$" }),
    version: Type.String(),
    repository: url,
    homepage: url,
  }),
  protocols: Type.Array(Type.Never(), { maxItems: 0 }),
  services: exactly({
    inbound: Type.Array(Type.Never(), { maxItems: 0 }),
    outbound: Type.Array(Type.Never(), { maxItems: 0 }),
  }),
  openRegistrations: Type.Boolean(),
  usage: exactly({
    users: exactly({ total: counted, activeHalfyear: counted, activeMonth: counted }),
    localPosts: counted,
    localComments: counted,
  }),
  metadata: Type.Object({}, { additionalProperties: true }),
});

test("NodeInfo is served at its well-known address in its schema; a members-only community omits the counts", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { caller } = createMember(core, "ada");
  signedInNow(core, caller);
  createPost(core, caller, { text: "hello" });
  changeCommunitySettings(core, OPERATOR, SAID);
  const found = await (await fetch(`${server.url}/.well-known/nodeinfo`)).json();
  const [link] = found.links;
  expect(link.rel).toBe("http://nodeinfo.diaspora.software/ns/schema/2.1");
  expect(link.href).toBe("https://guild.test/nodeinfo/2.1");
  const readCommunity = async () => {
    const answer = await fetch(`${server.url}/nodeinfo/2.1`);
    expect(answer.headers.get("content-type")).toContain(`profile="${link.rel}#"`);
    const info = await answer.json();
    expect([...Value.Errors(NODE_INFO, info)].map(({ path, message }) => `${path}: ${message}`)).toEqual([]);
    return info;
  };
  expect(await readCommunity()).toMatchObject({
    software: { name: "guildhall" },
    openRegistrations: true,
    usage: { users: { total: 1, activeMonth: 1, activeHalfyear: 1 }, localPosts: 1, localComments: 0 },
    metadata: { nodeName: SAID.name, nodeDescription: SAID.line },
  });
  changeCommunitySettings(core, OPERATOR, { reading: "members", joining: "invite" });
  expect(await readCommunity()).toMatchObject({ openRegistrations: false, usage: { users: {} } });
  expect((await readCommunity()).usage).toEqual({ users: {} });
});
