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
  await using house = openTestServer();
  const { core } = house;
  const [ada, bo] = [createSignedInMember(house, "ada"), createSignedInMember(house, "bo")];
  const [app, tv] = [makeApp(house, ada), makeApp(house, ada, { kind: "public", name: "TV" })];
  const browser = openBrowser(house, bo);
  const tokens = await connect(house, browser, app);
  const [code, unused] = [await obtainCode(house, browser, app), await obtainCode(house, browser, app)];
  const visitor = browser.visitorOf("/oauth/device");
  const consent = { scopes: ["feed:read"], workspaceId: bo.workspaceId };
  const ask = async () => (await post(house, "device", { client_id: tv.app.id, scope: "feed:read" })).body;
  const [device, late] = [await ask(), await ask()];
  await house.interactions.allowDevice(device["user_code"] ?? "", visitor, consent);
  const stranger = await connect(house, openBrowser(house, ada), app);
  expect([
    await isTokenAccepted(house, tokens.access),
    await isTokenAccepted(house, stranger.access),
  ]).toEqual([true, true]);

  deleteAccount(core, OPERATOR, "bo", "bo");
  // Right after the deletion, and again when every row of the account is gone.
  for (const waiting of [code, unused]) {
    expect(await isTokenAccepted(house, tokens.access)).toBe(false);
    const introspected = await post(house, "introspect", { token: tokens.access }, basic(app));
    expect<unknown>(introspected.body).toEqual({ active: false });
    for (const refused of [
      await refresh(house, app, tokens.refresh),
      await exchange(house, app, waiting),
      await requestToken(house, tv, {
        grant_type: "urn:ietf:params:oauth:grant-type:device_code",
        device_code: device["device_code"] ?? "",
      }),
    ])
      expect([refused.status, refused.body["error"]]).toEqual([400, "invalid_grant"]);
    // A form that was sent before the deletion and is processed after it.
    const allow = () => house.interactions.allowDevice(late["user_code"] ?? "", visitor, consent);
    expect(await outcomeOf(allow)).not.toBe("done");
    while (core.db.transact(() => continueDeletion(core)));
  }
  expect(rows(core, "SELECT * FROM grants").length).toBe(1);
  expect(await isTokenAccepted(house, stranger.access)).toBe(true);
});
