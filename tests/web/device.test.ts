import { expect, test } from "bun:test";
import { listConnectedApps } from "../../src/core/delegation/grants/grants.ts";
import {
  createAccountOf,
  openSite,
  PASSWORD,
  signedInAs,
  type Site,
  tokenOf,
  visit,
  visibleText,
} from "./support.ts";
import { makeApp, personOn } from "./sample-apps.ts";

interface Device {
  user_code: string;
  device_code: string;
  verification_uri: string;
  verification_uri_complete: string;
}

async function openServerWithApp(): Promise<{ site: Site; app: ReturnType<typeof makeApp>; device: Device }> {
  const site = openSite();
  for (const username of ["ada", "mallory"]) await createAccountOf(site, username);
  const app = makeApp(site, "mallory", { kind: "public" });
  return { site, app, device: await requestDeviceCode(site, app) };
}

async function requestDeviceCode(site: Site, app: ReturnType<typeof makeApp>): Promise<Device> {
  const answer = await post(site, "device", { client_id: app.app.id, scope: "feed:read jobs:read" });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Device;
}

function post(site: Site, path: string, form: Record<string, string>): Promise<Response> {
  site.clock.pass(60_000);
  return fetch(`${site.url}/v1/oauth/${path}`, { method: "POST", body: new URLSearchParams(form) });
}

/** Returns the response to the device when it polls for tokens. */
async function tokenResponse(
  site: Site,
  app: ReturnType<typeof makeApp>,
  device: Device,
): Promise<Record<string, string>> {
  const answer = await post(site, "token", {
    grant_type: "urn:ietf:params:oauth:grant-type:device_code",
    device_code: device.device_code,
    client_id: app.app.id,
  });
  return (await answer.json()) as Record<string, string>;
}

test("a code typed in any case and spacing connects the device with the selected permissions", async () => {
  const { site, app, device } = await openServerWithApp();
  await using _ = site;
  const guest = visit(site);
  const signIn = await guest.open(new URL(device.verification_uri).pathname);
  const page = await guest.submit(signIn, "/sign-in", { username: "ada", password: PASSWORD });
  expect(page.address).toBe("/oauth/device?notice=signed-in");
  const [first = "", second = ""] = device.user_code.split("-");
  const confirmation = await guest.submit(page, "/oauth/device", {
    user_code: ` ${first.toLowerCase()} – ${second} `,
  });
  expect(visibleText(confirmation.html)).toContain("Access goes to the device that showed you the code");
  const done = await guest.submit(confirmation, "/oauth/device/answer", {
    answer: "allow",
    scopes: "jobs:read",
  });
  expect(visibleText(done.html)).toContain("Your device is connected");
  expect((await tokenResponse(site, app, device))["scope"]).toBe("jobs:read");
  expect(listConnectedApps(site.core, personOn(site, "ada")).map(({ scopes }) => scopes)).toEqual([
    ["jobs:read"],
  ]);
  const again = await guest.submit(await guest.open("/oauth/device"), "/oauth/device", {
    user_code: device.user_code,
  });
  expect(again.status).toBe(404);
});

test("a denied device gets the refusal", async () => {
  const { site, app, device } = await openServerWithApp();
  await using _ = site;
  const ada = signedInAs(site, "ada");
  const confirmation = await ada.submit(await ada.open("/oauth/device"), "/oauth/device", {
    user_code: device.user_code,
  });
  const done = await ada.submit(confirmation, "/oauth/device/answer", { answer: "deny" });
  expect(visibleText(done.html)).toContain("Access denied");
  expect((await tokenResponse(site, app, device))["error"]).toBe("access_denied");
});

test("an answer without any permission is refused and keeps the request open", async () => {
  const { site, app, device } = await openServerWithApp();
  await using _ = site;
  const ada = signedInAs(site, "ada");
  const confirmation = await ada.submit(await ada.open("/oauth/device"), "/oauth/device", {
    user_code: device.user_code,
  });
  const again = await ada.submit(confirmation, "/oauth/device/answer", { answer: "allow", scopes: [] });
  expect([again.status, visibleText(again.html).includes("You have not selected any permissions")]).toEqual([
    400,
    true,
  ]);
  expect((await tokenResponse(site, app, device))["error"]).toBe("authorization_pending");
});

test("RFC 8628 §5.4: a code in the address is only prefilled, so that a link alone authorizes no device", async () => {
  const { site, app, device } = await openServerWithApp();
  await using _ = site;
  const ada = signedInAs(site, "ada");
  const { pathname, search } = new URL(device.verification_uri_complete);
  const page = await ada.open(pathname + search);
  expect(visibleText(page.html)).not.toContain("Tidewater CI");
  const form = page.forms.find(({ action }) => action === "/oauth/device");
  expect(form?.fields).toContainEqual(["user_code", device.user_code]);
  expect((await tokenResponse(site, app, device))["error"]).toBe("authorization_pending");
});

test("RFC 8628 §5.1: code guesses per member are limited, and the right code works again after the wait", async () => {
  const { site, device } = await openServerWithApp();
  await using _ = site;
  const ada = signedInAs(site, "ada");
  const page = await ada.open("/oauth/device");
  const guess = (user_code: string) => ada.post("/oauth/device", { form_token: tokenOf(page), user_code });
  let guesses = 0;
  while ((await guess("BBBB-BBBB")).status === 404) guesses++;
  expect(guesses).toBe(10);
  const stopped = await guess(device.user_code);
  expect(stopped.status).toBe(429);
  const eve = signedInAs(site, "mallory");
  const confirmation = await eve.submit(await eve.open("/oauth/device"), "/oauth/device", {
    user_code: device.user_code,
  });
  expect(confirmation.status).toBe(200);
  site.clock.pass(Number(stopped.headers.get("retry-after")) * 1000);
  expect((await guess(device.user_code)).status).toBe(200);
});

test("guesses through the answer form count toward the same limit", async () => {
  const { site } = await openServerWithApp();
  await using _ = site;
  const ada = signedInAs(site, "ada");
  const form_token = tokenOf(await ada.open("/oauth/device"));
  const statuses = new Set<number>();
  for (let i = 0; i < 30; i++) {
    const answer = i % 2 === 0 ? "allow" : "deny";
    statuses.add(
      (await ada.post("/oauth/device/answer", { form_token, answer, user_code: "BBBB-BBBB" })).status,
    );
  }
  expect([...statuses].sort()).toEqual([404, 429]);
});

test("a form from another origin authorizes no device", async () => {
  const { site, app, device } = await openServerWithApp();
  await using _ = site;
  const ada = signedInAs(site, "ada");
  const form_token = tokenOf(await ada.open("/oauth/device"));
  const fields = {
    form_token,
    answer: "allow",
    scopes: "feed:read",
    user_code: device.user_code,
    workspace: personOn(site, "ada").workspaceId,
  };
  for (const headers of [{ origin: "https://evil.example" }, { origin: null }])
    expect((await ada.post("/oauth/device/answer", fields, headers)).status).toBe(403);
  expect((await ada.post("/oauth/device/answer", { ...fields, form_token: "x" })).status).toBe(403);
  expect((await tokenResponse(site, app, device))["error"]).toBe("authorization_pending");
});
