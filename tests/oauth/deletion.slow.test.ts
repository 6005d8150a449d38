import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { continueDeletion, deleteAccount } from "../../src/core/services/deletion/deletion.ts";
import { outcomeOf } from "../core/people.ts";
import { rows } from "../spec/rows.ts";
import { openTestServer } from "../support.ts";
import {
  requestToken,
  basic,
  connect,
  exchange,
  obtainCode,
  post,
  refresh,
  isTokenAccepted,
} from "./app-client.ts";
import { makeApp, createSignedInMember, openBrowser } from "./browser.ts";

test("deleting an account ends its tokens, its pending codes and its approved devices", async () => {
  await using server = openTestServer();
  const { core } = server;
  const [ada, bo] = [createSignedInMember(server, "ada"), createSignedInMember(server, "bo")];
  const [app, tv] = [makeApp(server, ada), makeApp(server, ada, { kind: "public", name: "TV" })];
  const browser = openBrowser(server, bo);
  const tokens = await connect(server, browser, app);
  const [code, unused] = [await obtainCode(server, browser, app), await obtainCode(server, browser, app)];
  const visitor = browser.visitorOf("/oauth/device");
  const consent = { scopes: ["feed:read"], workspaceId: bo.workspaceId };
  const ask = async () => (await post(server, "device", { client_id: tv.app.id, scope: "feed:read" })).body;
  const [device, late] = [await ask(), await ask()];
  await server.interactions.allowDevice(device["user_code"] ?? "", visitor, consent);
  const stranger = await connect(server, openBrowser(server, ada), app);
  expect([
    await isTokenAccepted(server, tokens.access),
    await isTokenAccepted(server, stranger.access),
  ]).toEqual([true, true]);

  deleteAccount(core, OPERATOR, "bo", "bo");
  // Checks right after the deletion, and again when every row of the account is deleted.
  for (const waiting of [code, unused]) {
    expect(await isTokenAccepted(server, tokens.access)).toBe(false);
    const introspected = await post(server, "introspect", { token: tokens.access }, basic(app));
    expect<unknown>(introspected.body).toEqual({ active: false });
    for (const refused of [
      await refresh(server, app, tokens.refresh),
      await exchange(server, app, waiting),
      await requestToken(server, tv, {
        grant_type: "urn:ietf:params:oauth:grant-type:device_code",
        device_code: device["device_code"] ?? "",
      }),
    ])
      expect([refused.status, refused.body["error"]]).toEqual([400, "invalid_grant"]);
    // Sends a form that was filled in before the deletion and is processed after the deletion.
    const allow = () => server.interactions.allowDevice(late["user_code"] ?? "", visitor, consent);
    expect(await outcomeOf(allow)).not.toBe("done");
    while (core.db.transact(() => continueDeletion(core)));
  }
  expect(rows(core, "SELECT * FROM grants").length).toBe(1);
  expect(await isTokenAccepted(server, stranger.access)).toBe(true);
});
