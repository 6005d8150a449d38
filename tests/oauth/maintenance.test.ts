// Tests docs/contract.md#12.17.1 for OAuth requests that are in progress when maintenance mode begins.
import { expect, test } from "bun:test";
import { beginMaintenance, endMaintenance } from "../../src/core/services/maintenance/maintenance.ts";
import type { Db } from "../../src/core/base/db/open.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { outcomeOf } from "../core/people.ts";
import { type TestServer, openTestServer } from "../support.ts";
import { authorizeUrl, connect, exchange, makeVerifier, obtainCode, post, refresh } from "./app-client.ts";
import { authorize, makeApp, createSignedInMember, openBrowser } from "./browser.ts";

/** Runs `work` and starts maintenance mode right before the transaction of its write. */
async function duringMaintenance<Result>(server: TestServer, work: () => Promise<Result>): Promise<Result> {
  const core = server.core as { db: Db };
  const whole = core.db;
  core.db = {
    ...whole,
    write(change) {
      core.db = whole;
      beginMaintenance(server.core, OPERATOR);
      return whole.write(change);
    },
  };
  try {
    return await work();
  } finally {
    core.db = whole;
    endMaintenance(server.core, OPERATOR);
  }
}

test("issues and renews no tokens in maintenance mode, and the same codes and tokens work afterwards", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const browser = openBrowser(server, ada);
  const code = await obtainCode(server, browser, app);
  const tokens = await connect(server, browser, app);
  for (const ask of [
    () => exchange(server, app, code),
    () => refresh(server, app, tokens.refresh),
    () =>
      post(server, "device", {
        client_id: makeApp(server, ada, { kind: "public" }).app.id,
        scope: "feed:read",
      }),
  ]) {
    const refused = await duringMaintenance(server, ask);
    expect([refused.status, refused.body["error"]]).toEqual([503, "temporarily_unavailable"]);
    expect((await ask()).status).toBe(200);
  }
});

test("approves no app in maintenance mode, and keeps pending requests", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const tv = makeApp(server, ada, { kind: "public", name: "TV" });
  const browser = openBrowser(server, ada);
  const { body } = await post(server, "device", { client_id: tv.app.id, scope: "feed:read" });
  const visitor = browser.visitorOf("/oauth/device");
  const code = body["user_code"] ?? "";
  const { allowDevice, denyDevice } = server.interactions;
  const consent = { scopes: ["feed:read"], workspaceId: ada.workspaceId };
  for (const decide of [() => denyDevice(code, visitor), () => allowDevice(code, visitor, consent)])
    expect(await duringMaintenance(server, () => outcomeOf(decide))).toBe("unavailable");
  const address = authorizeUrl(server, makeApp(server, ada), makeVerifier());
  const decided = () => outcomeOf(async () => void (await authorize(server, browser, address)));
  let refused = "";
  const { allow } = server.interactions;
  server.interactions.allow = async (...requested) =>
    duringMaintenance(server, async () => {
      try {
        return await allow(...requested);
      } catch (error) {
        refused = (error as { error: string }).error;
        throw error;
      }
    });
  await decided();
  expect(refused).toBe("unavailable");
  server.interactions.allow = allow;
  expect(await decided()).toBe("done");
  await allowDevice(code, visitor, consent);
});
