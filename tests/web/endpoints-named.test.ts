import { expect, test } from "bun:test";
import { makeRecovery } from "../../src/core/identity/accounts/passwords.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { grantAccess } from "../../src/core/delegation/grants/grants.ts";
import type { CheckedUrl } from "../../src/core/outbox/webhooks/target.ts";
import { registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { authorizeUrl, makeVerifier } from "../oauth/app-client.ts";
import { makeApp, createSignedInMember, openBrowser } from "../oauth/browser.ts";
import { createMemberToken, openTestServer } from "../support.ts";

const HOOKS = ["webhooks:read", "webhooks:write"] as const;

test("endpoints are named wherever a decision affects them: connected apps, revoking a token, recovery, securing the account", async () => {
  await using server = openTestServer();
  const { core } = server;
  const ada = createSignedInMember(server, "ada");
  const mae = createSignedInMember(server, "mae");
  const { app } = makeApp(server, mae, { scopes: [...HOOKS, "feed:read"] });
  const grant = grantAccess(core, ada.caller, {
    appId: app.id,
    scopes: [...HOOKS, "feed:read"],
    workspaceId: ada.workspaceId,
  });
  const inApp = { ...ada.caller, means: "app", credentialId: grant.id, appId: app.id } as const;
  const { caller } = createMemberToken(core, "ada");
  const url = (name: string) => `https://hooks.example.com/${name}` as CheckedUrl;
  registerEndpoint(core, inApp, { url: url("by-app"), events: ["post.created"] });
  registerEndpoint(core, caller, { url: url("by-token"), events: ["dm.received"] });
  const browser = openBrowser(server, ada);
  const page = async (address: string) => {
    const answer = await browser.get(address);
    expect([address, answer.status]).toEqual([address, 200]);
    return answer.text();
  };
  expect(await page("/settings/connected")).toContain(url("by-app"));
  expect(await page("/settings/connected")).toContain("A member publishes a post");
  const tokens = await page("/settings/tokens");
  expect(tokens).toContain(`/settings/tokens/${caller.credentialId}/revoke`);
  const revoke = await page(`/settings/tokens/${caller.credentialId}/revoke`);
  expect(revoke).toContain(url("by-token"));
  expect(revoke).not.toContain(url("by-app"));
  const secure = await page("/settings/account/secure");
  const { pathname, search } = new URL(makeRecovery(core, OPERATOR, "ada").url);
  const recovery = await page(`${pathname}${search}`);
  for (const named of [secure, recovery])
    for (const name of ["by-app", "by-token"]) expect(named).toContain(url(name));
});

test("the consent page describes the events that an app may receive", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada, { scopes: [...HOOKS, "feed:read", "messages:read"] });
  const browser = openBrowser(server, ada);
  const ask = async (scope: string) => {
    let answer = await browser.get(authorizeUrl(server, app, makeVerifier(), { scope }));
    for (let to = answer.headers.get("location"); to !== null; to = answer.headers.get("location"))
      answer = await browser.get(to);
    return answer.text();
  };
  const both = await ask("webhooks:write feed:read messages:read");
  expect(both).toContain("The app gets a webhook event when");
  expect(both).toContain("A member sends you a message");
  expect(both).toContain("A member publishes a post");
  const posts = await ask("webhooks:write feed:read");
  expect(posts).toContain("A member publishes a post");
  expect(posts).not.toContain("A member sends you a message");
  expect(await ask("feed:read")).not.toContain("webhook event");
});
