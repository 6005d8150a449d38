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
  await using house = openTestServer();
  const ada = createSignedInMember(house, "ada");
  const app = makeApp(house, ada, { kind: "public" });
  let token = (await connect(house, openBrowser(house, ada), app)).refresh;
  for (let round = 0; round < 5; round++) {
    house.clock.pass(20 * 24 * 3600 * 1000);
    const { status, body } = await refresh(house, app, token);
    expect(status).toBe(200);
    expect(body["refresh_token"]).not.toBe(token);
    expect(await isTokenAccepted(house, body["access_token"])).toBe(true);
    token = body["refresh_token"] ?? "";
  }
  house.clock.pass(30 * 24 * 3600 * 1000 + 1000);
  expect((await refresh(house, app, token)).body["error"]).toBe("invalid_grant");
});

test("a client that lost the response gets the same next token within ten seconds", async () => {
  await using house = openTestServer();
  const ada = createSignedInMember(house, "ada");
  const app = makeApp(house, ada);
  const first = await connect(house, openBrowser(house, ada), app);
  const lost = await refresh(house, app, first.refresh);
  house.clock.pass(9_000);
  const again = await refresh(house, app, first.refresh);
  expect(again.status).toBe(200);
  expect(again.body["refresh_token"]).toBe(lost.body["refresh_token"] ?? "");
  expect(await isTokenAccepted(house, again.body["access_token"])).toBe(true);
  expect((await refresh(house, app, again.body["refresh_token"] ?? "")).status).toBe(200);
});

test("a refresh token used again after its grace period ends the whole family", async () => {
  await using house = openTestServer();
  const ada = createSignedInMember(house, "ada");
  const app = makeApp(house, ada);
  const first = await connect(house, openBrowser(house, ada), app);
  const second = await refresh(house, app, first.refresh);
  house.clock.pass(10_000);
  const replay = await refresh(house, app, first.refresh);
  expect([replay.status, replay.body["error"]]).toEqual([400, "invalid_grant"]);
  for (const token of [first.access, second.body["access_token"]])
    expect(await isTokenAccepted(house, token)).toBe(false);
  expect((await refresh(house, app, second.body["refresh_token"] ?? "")).body["error"]).toBe("invalid_grant");
});

test("a refresh token used again within its grace period ends the family if the next token was used", async () => {
  await using house = openTestServer();
  const ada = createSignedInMember(house, "ada");
  const app = makeApp(house, ada);
  const first = await connect(house, openBrowser(house, ada), app);
  const second = await refresh(house, app, first.refresh);
  const third = await refresh(house, app, second.body["refresh_token"] ?? "");
  expect(third.status).toBe(200);
  expect((await refresh(house, app, first.refresh)).body["error"]).toBe("invalid_grant");
  expect((await refresh(house, app, third.body["refresh_token"] ?? "")).body["error"]).toBe("invalid_grant");
  expect(await isTokenAccepted(house, third.body["access_token"])).toBe(false);
});

test("twenty simultaneous refreshes never leave two live tokens", async () => {
  await using house = openTestServer();
  const ada = createSignedInMember(house, "ada");
  const app = makeApp(house, ada);
  let token = (await connect(house, openBrowser(house, ada), app)).refresh;
  for (let round = 0; round < sized(15, 50); round++) {
    refillRateLimit(house);
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(house, app, token)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(new Set(answers.map(({ body }) => body["refresh_token"])).size).toBe(1);
    const live = house.core.db
      .prepare<{ n: number }>(
        "SELECT count(*) AS n FROM oauth_records WHERE model = 'RefreshToken' AND consumed_at IS NULL",
      )
      .get();
    expect(live?.n).toBe(1);
    token = answers[0]?.body["refresh_token"] ?? "";
  }
});

test("a refresh token works only for its own app, and an attempt by another app does no harm", async () => {
  await using house = openTestServer();
  const ada = createSignedInMember(house, "ada");
  const [app, other] = [makeApp(house, ada), makeApp(house, ada, { name: "Other" })];
  const { refresh: token } = await connect(house, openBrowser(house, ada), app);
  expect((await refresh(house, other, token)).body["error"]).toBe("invalid_grant");
  expect((await refresh(house, app, token)).status).toBe(200);
});

test("a refresh never grants more than the original scopes, and grants fewer on request", async () => {
  await using house = openTestServer();
  const ada = createSignedInMember(house, "ada");
  const app = makeApp(house, ada);
  const { refresh: token } = await connect(house, openBrowser(house, ada), app, "feed:read feed:write");
  expect((await refresh(house, app, token, "feed:read jobs:read")).body["error"]).toBe("invalid_scope");
  const less = await refresh(house, app, token, "feed:read");
  expect([less.status, less.body["scope"]]).toEqual([200, "feed:read"]);
  const posted = await house.request(less.body["access_token"], "/feed", {
    method: "POST",
    body: { text: "hi" },
  });
  expect(posted.status).toBe(403);
  const full = await refresh(house, app, less.body["refresh_token"] ?? "");
  expect(full.body["scope"]).toBe("feed:read feed:write");
});

test("revoking or disconnecting an app during a token request also ends the new tokens", async () => {
  await using house = openTestServer();
  const ada = createSignedInMember(house, "ada");
  const app = makeApp(house, ada);
  const browser = openBrowser(house, ada);
  const isOver = async (body: Record<string, string>) => {
    const { status } = await refresh(house, app, body["refresh_token"] ?? "none");
    return status === 400 && !(await isTokenAccepted(house, body["access_token"]));
  };
  for (let round = 0; round < sized(10, 50); round++) {
    refillRateLimit(house);
    signIn(house, browser, ada);
    const { access, refresh: token } = await connect(house, browser, app);
    const [rotated, , again] = await Promise.all([
      refresh(house, app, token),
      post(house, "revoke", { token }, basic(app)),
      refresh(house, app, token),
    ]);
    expect([round, await isTokenAccepted(house, access)]).toEqual([round, false]);
    expect([round, await isOver(rotated.body), await isOver(again.body)]).toEqual([round, true, true]);

    const code = await obtainCode(house, browser, app);
    const answers = [exchange(house, app, code), exchange(house, app, code)];
    for (let step = 0; step < round % 5; step++) await new Promise(setImmediate);
    revokeGrant(house.core, ada.caller, listConnectedApps(house.core, ada.caller)[0]?.id ?? "");
    for (const { body } of await Promise.all(answers))
      expect([round, await isOver(body)]).toEqual([round, true]);
  }
});
