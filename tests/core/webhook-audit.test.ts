// docs/contract.md#6.7: audit entries of webhook operations.
import { expect, test } from "bun:test";
import { createToken } from "../../src/core/delegation/tokens/tokens.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { listAudit } from "../../src/core/identity/audit/audit.ts";
import { addMember, createWorkspace } from "../../src/core/delegation/workspaces/workspaces.ts";
import { graph } from "../graphql/ask.ts";
import { call } from "../spec/client.ts";
import { type TestServer, createMember, openTestServer } from "../support.ts";

/** Returns the entries since the previous call, oldest first. */
function logOf(server: TestServer) {
  let known = 0;
  return (): string[] => {
    const { nodes } = listAudit(server.core, OPERATOR, { of: "all" }, { limit: 100 });
    const entries = nodes.toReversed().filter(({ act }) => act.startsWith("endpoint."));
    const fresh = entries.slice(known);
    known = entries.length;
    return fresh.map(({ words, actor, subject }) => `${actor} → ${subject}: ${words}`);
  };
}

const A = "https://a.example.com/";
const B = "https://b.example.com/";

test("the security log records every webhook operation over REST", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const log = logOf(server);
  const { id } = (await call(server, token, "POST /webhooks", { body: { url: A, events: ["post.created"] } }))
    .body;
  expect(log()).toEqual([`ada → ada: Added the webhook endpoint ${A}`]);
  const change = (body: object) => call(server, token, `PATCH /webhooks/${id}`, { body });
  for (const [body, words] of [
    [{ url: B }, [`Changed the URL of the webhook endpoint from ${A} to ${B}`]],
    [
      { events: ["xp.level_up", "job.published"] },
      [`Changed the events of the webhook endpoint ${B} to job.published, xp.level_up`],
    ],
    [{ url: B, events: ["job.published", "xp.level_up"], enabled: true }, []],
    [{ enabled: false }, [`Paused the webhook endpoint ${B}`]],
    [{ enabled: false }, []],
    [{ enabled: true }, [`Resumed the webhook endpoint ${B}`]],
  ] as const) {
    await change(body);
    expect([body, log()]).toEqual([body, words.map((line) => `ada → ada: ${line}`)]);
  }
  await call(server, token, `POST /webhooks/${id}/rotate-secret`);
  expect(log()).toEqual([`ada → ada: Rotated the signing secret of the webhook endpoint ${B}`]);
  await call(server, token, `DELETE /webhooks/${id}`);
  expect(log()).toEqual([`ada → ada: Deleted the webhook endpoint ${B}`]);
  await call(server, token, `DELETE /webhooks/${id}`);
  await call(server, token, "POST /webhooks", {
    body: { url: "https://10.0.0.1/", events: ["post.created"] },
  });
  expect(log()).toEqual([]);
});

test("the security log records every webhook operation over GraphQL", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const log = logOf(server);
  const run = async (name: string, input: object, selection: string) => {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input!`;
    const query = `mutation($input: ${type}) { ${name}(input: $input) { ${selection} } }`;
    return (await graph(server, token, query, { variables: { input } })).body.data[name];
  };
  const { webhook } = await run("registerWebhook", { url: A, events: ["post.created"] }, "webhook { id }");
  await run("changeWebhook", { id: webhook.id, url: B }, "webhook { id }");
  await run("rotateWebhookSecret", { id: webhook.id }, "secret");
  await run("deleteWebhook", { id: webhook.id }, "deletedId");
  expect(log()).toEqual([
    `ada → ada: Added the webhook endpoint ${A}`,
    `ada → ada: Changed the URL of the webhook endpoint from ${A} to ${B}`,
    `ada → ada: Rotated the signing secret of the webhook endpoint ${B}`,
    `ada → ada: Deleted the webhook endpoint ${B}`,
  ]);
});

test("both logs record what a workspace member does to another member's endpoint", async () => {
  await using server = openTestServer();
  const { core } = server;
  createMember(core, "ada");
  createMember(core, "bo");
  const workspaceId = createWorkspace(core, OPERATOR, "ada", { name: "Tools" });
  addMember(core, OPERATOR, workspaceId, "bo");
  const [ada = "", bo = ""] = ["ada", "bo"].map(
    (username) =>
      createToken(core, OPERATOR, username, {
        name: "x",
        scopes: ["webhooks:write", "feed:read"],
        workspaceId,
        tier: "enterprise",
      }).token,
  );
  const { id } = (await call(server, ada, "POST /webhooks", { body: { url: A, events: ["post.created"] } }))
    .body;
  const log = logOf(server);
  log();
  await call(server, bo, `DELETE /webhooks/${id}`);
  expect(log().sort()).toEqual([
    `bo → ada: Deleted the webhook endpoint ${A}`,
    `bo → bo: Deleted the webhook endpoint ${A}`,
  ]);
});
