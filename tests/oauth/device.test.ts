import { expect, test } from "bun:test";
import { type TestServer, openTestServer } from "../support.ts";
import { requestToken, post, type TestApp, isTokenAccepted } from "./app-client.ts";
import { makeApp, createSignedInMember, openBrowser } from "./browser.ts";

async function waitingDevice(server: TestServer, app: TestApp) {
  const { status, body } = await post(server, "device", { client_id: app.app.id, scope: "feed:read" });
  expect([status, body["expires_in"], body["interval"]]).toEqual([200, 600, 5] as never);
  const [deviceCode = "", userCode = ""] = [body["device_code"], body["user_code"]];
  const poll = async (by = app) => {
    const { status, body } = await requestToken(server, by, {
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      device_code: deviceCode,
    });
    return status === 200 ? (body["access_token"] ?? "") : `${status} ${body["error"]}`;
  };
  return { userCode, poll };
}

const PENDING = "400 authorization_pending";
const SLOW = "400 slow_down";

test("RFC 8628 §3.5 a device that polls before its interval gets slow_down, and may continue to poll", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada, { kind: "public" });
  const other = makeApp(server, ada, { kind: "public", name: "Other" });
  const [device, next] = [await waitingDevice(server, app), await waitingDevice(server, app)];
  expect([await device.poll(), await device.poll(), await next.poll()]).toEqual([PENDING, SLOW, PENDING]);
  // Polls with the jitter of a busy network, always within the interval.
  for (const wait of [5000, 5900, 4100, 5000, 4500, 10_000]) {
    server.clock.pass(wait);
    expect([wait, await device.poll()]).toEqual([wait, PENDING]);
  }
  for (const wait of [1000, 1000]) {
    server.clock.pass(wait);
    expect([wait, await device.poll()]).toEqual([wait, SLOW]);
  }
  // Another app learns nothing about the code and does not slow the device down.
  server.clock.pass(5000);
  expect(await device.poll(other)).toBe("400 invalid_grant");
  expect(await device.poll()).toBe(PENDING);
  server.clock.step(-3_600_000);
  expect(await device.poll()).toBe(SLOW);
});

test("a device gets the person's decision at once, however early it polls", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada, { kind: "public" });
  const visitor = openBrowser(server, ada).visitorOf("/oauth/device");
  const [device, refused] = [await waitingDevice(server, app), await waitingDevice(server, app)];
  expect([await device.poll(), await refused.poll()]).toEqual([PENDING, PENDING]);
  const consent = { scopes: ["feed:read"], workspaceId: ada.workspaceId };
  await server.interactions.allowDevice(device.userCode, visitor, consent);
  await server.interactions.denyDevice(refused.userCode, visitor);
  expect(await isTokenAccepted(server, await device.poll())).toBe(true);
  expect(await refused.poll()).toBe("400 access_denied");
});

test("a person may connect several devices in a row, as right codes are not counted as guesses", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada, { kind: "public" });
  const visitor = openBrowser(server, ada).visitorOf("/oauth/device");
  for (let n = 0; n < 25; n++) {
    const { userCode } = await waitingDevice(server, app);
    expect(await server.interactions.findDevice(userCode, visitor)).toMatchObject({ uid: userCode });
  }
});
