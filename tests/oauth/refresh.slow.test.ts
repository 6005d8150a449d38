// Tests docs/contract.md#7.7.
import { expect, test } from "bun:test";
import { listConnectedApps, revokeGrant } from "../../src/core/delegation/grants/grants.ts";
import { sized } from "../drill.ts";
import { openTestServer } from "../support.ts";
import {
  basic,
  connect,
  exchange,
  obtainCode,
  post,
  refresh,
  refillRateLimit,
  isTokenAccepted,
} from "./app-client.ts";
import { makeApp, createSignedInMember, openBrowser, signIn } from "./browser.ts";

test("rotates a refresh token on each use, and the new token opens the same scopes", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada, { kind: "public" });
  let token = (await connect(server, openBrowser(server, ada), app)).refresh;
  for (let round = 0; round < 5; round++) {
    server.clock.pass(20 * 24 * 3600 * 1000);
    const { status, body } = await refresh(server, app, token);
    expect(status).toBe(200);
    expect(body["refresh_token"]).not.toBe(token);
    expect(await isTokenAccepted(server, body["access_token"])).toBe(true);
    token = body["refresh_token"] ?? "";
  }
  server.clock.pass(30 * 24 * 3600 * 1000 + 1000);
  expect((await refresh(server, app, token)).body["error"]).toBe("invalid_grant");
});

test("a client that lost the response gets the same next token within ten seconds", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const first = await connect(server, openBrowser(server, ada), app);
  const lost = await refresh(server, app, first.refresh);
  server.clock.pass(9_000);
  const again = await refresh(server, app, first.refresh);
  expect(again.status).toBe(200);
  expect(again.body["refresh_token"]).toBe(lost.body["refresh_token"] ?? "");
  expect(await isTokenAccepted(server, again.body["access_token"])).toBe(true);
  expect((await refresh(server, app, again.body["refresh_token"] ?? "")).status).toBe(200);
});

test("a refresh token used again after its grace period ends the whole family", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const first = await connect(server, openBrowser(server, ada), app);
  const second = await refresh(server, app, first.refresh);
  server.clock.pass(10_000);
  const replay = await refresh(server, app, first.refresh);
  expect([replay.status, replay.body["error"]]).toEqual([400, "invalid_grant"]);
  for (const token of [first.access, second.body["access_token"]])
    expect(await isTokenAccepted(server, token)).toBe(false);
  expect((await refresh(server, app, second.body["refresh_token"] ?? "")).body["error"]).toBe(
    "invalid_grant",
  );
});

test("a refresh token used again within its grace period ends the family if the next token was used", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const first = await connect(server, openBrowser(server, ada), app);
  const second = await refresh(server, app, first.refresh);
  const third = await refresh(server, app, second.body["refresh_token"] ?? "");
  expect(third.status).toBe(200);
  expect((await refresh(server, app, first.refresh)).body["error"]).toBe("invalid_grant");
  expect((await refresh(server, app, third.body["refresh_token"] ?? "")).body["error"]).toBe("invalid_grant");
  expect(await isTokenAccepted(server, third.body["access_token"])).toBe(false);
});

test("twenty simultaneous refreshes never leave two live tokens", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  let token = (await connect(server, openBrowser(server, ada), app)).refresh;
  for (let round = 0; round < sized(15, 50); round++) {
    refillRateLimit(server);
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(server, app, token)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(new Set(answers.map(({ body }) => body["refresh_token"])).size).toBe(1);
    const live = server.core.db
      .prepare<{ n: number }>(
        "SELECT count(*) AS n FROM oauth_records WHERE model = 'RefreshToken' AND consumed_at IS NULL",
      )
      .get();
    expect(live?.n).toBe(1);
    token = answers[0]?.body["refresh_token"] ?? "";
  }
});

test("a refresh token works only for its own app, and an attempt by another app does no harm", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const [app, other] = [makeApp(server, ada), makeApp(server, ada, { name: "Other" })];
  const { refresh: token } = await connect(server, openBrowser(server, ada), app);
  expect((await refresh(server, other, token)).body["error"]).toBe("invalid_grant");
  expect((await refresh(server, app, token)).status).toBe(200);
});

test("a refresh never grants more than the original scopes, and grants fewer on request", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const { refresh: token } = await connect(server, openBrowser(server, ada), app, "feed:read feed:write");
  expect((await refresh(server, app, token, "feed:read jobs:read")).body["error"]).toBe("invalid_scope");
  const less = await refresh(server, app, token, "feed:read");
  expect([less.status, less.body["scope"]]).toEqual([200, "feed:read"]);
  const posted = await server.request(less.body["access_token"], "/feed", {
    method: "POST",
    body: { text: "hi" },
  });
  expect(posted.status).toBe(403);
  const full = await refresh(server, app, less.body["refresh_token"] ?? "");
  expect(full.body["scope"]).toBe("feed:read feed:write");
});

test("revoking or disconnecting an app during a token request also ends the new tokens", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const browser = openBrowser(server, ada);
  const isOver = async (body: Record<string, string>) => {
    const { status } = await refresh(server, app, body["refresh_token"] ?? "none");
    return status === 400 && !(await isTokenAccepted(server, body["access_token"]));
  };
  for (let round = 0; round < sized(10, 50); round++) {
    refillRateLimit(server);
    signIn(server, browser, ada);
    const { access, refresh: token } = await connect(server, browser, app);
    const [rotated, , again] = await Promise.all([
      refresh(server, app, token),
      post(server, "revoke", { token }, basic(app)),
      refresh(server, app, token),
    ]);
    expect([round, await isTokenAccepted(server, access)]).toEqual([round, false]);
    expect([round, await isOver(rotated.body), await isOver(again.body)]).toEqual([round, true, true]);

    const code = await obtainCode(server, browser, app);
    const answers = [exchange(server, app, code), exchange(server, app, code)];
    for (let step = 0; step < round % 5; step++) await new Promise(setImmediate);
    revokeGrant(server.core, ada.caller, listConnectedApps(server.core, ada.caller)[0]?.id ?? "");
    for (const { body } of await Promise.all(answers))
      expect([round, await isOver(body)]).toEqual([round, true]);
  }
});
