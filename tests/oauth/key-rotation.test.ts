// Tests docs/contract.md#12.9 for apps and for open consent pages.
import { expect, test } from "bun:test";
import { reseal } from "../../src/core/services/sealing/sealing.ts";
import { DAY, HOUR } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import {
  createKeyring,
  forgetFormerKey,
  type FormerKeyLifetimes,
  rotateKey,
} from "../../src/core/base/keyring/keyring.ts";
import { createSecrets, keyFingerprint } from "../../src/core/base/sealed-secrets.ts";
import { seededBytes } from "../../src/demo/seeded-bytes.ts";
import { openTestServer } from "../support.ts";
import { authorizeUrl, basic, makeVerifier, post } from "./app-client.ts";
import { authorize, makeApp, createSignedInMember, openBrowser } from "./browser.ts";

const LIVES: FormerKeyLifetimes = {
  "known-devices": 365 * DAY,
  "mail-unsubscribe": 1,
  "invited-address": 1,
  cluster: 1,
  "oauth-cookies": HOUR,
};
const random = seededBytes(21);
const KEYS = [random.bytes(32), random.bytes(32), random.bytes(32)] as const;

/** Switches to the next key and reseals everything, like a second process on the same database. */
function rotate(core: Core, to: Uint8Array, lives: FormerKeyLifetimes | undefined): void {
  core.db.transact(() => rotateKey(core.db, core.secrets, keyFingerprint(to), core.clock.now(), lives));
  for (const { lost } of reseal(core)) expect(lost).toBe(0);
  core.db.transact(() => forgetFormerKey(core.db));
}

test("open consent pages, codes and refresh tokens survive a key rotation, but no page survives a leaked key", async () => {
  await using server = openTestServer();
  const { core } = server;
  Object.assign(core, {
    secrets: createSecrets(
      createKeyring(core.db, () => KEYS, core.clock.now),
      random,
    ),
  });
  const member = createSignedInMember(server, "ada");
  const app = makeApp(server, member);
  const browser = openBrowser(server, member);
  const openPage = async (verifier: string): Promise<string> => {
    const { headers } = await browser.get(authorizeUrl(server, app, verifier));
    return new URL(headers.get("location") ?? "", core.origin).pathname;
  };
  const allow = (page: string): Promise<string> =>
    server.interactions.allow(page.slice("/oauth/consent/".length), browser.visitorOf(page), {
      scopes: ["feed:read"],
      workspaceId: member.workspaceId,
    });

  const verifier = makeVerifier();
  const page = await openPage(verifier);
  rotate(core, KEYS[1], LIVES);
  const { to } = await authorize(server, browser, await allow(page));
  const code = to?.searchParams.get("code") ?? "";
  expect(code).not.toBe("");
  rotate(core, KEYS[2], LIVES);
  const form = { grant_type: "authorization_code", code, code_verifier: verifier };
  const redirect = { redirect_uri: app.app.redirectUris[0] ?? "" };
  const given = await post(server, "token", { ...form, ...redirect }, basic(app));
  expect(given.status).toBe(200);
  rotate(core, KEYS[0], LIVES);
  const refreshed = await post(
    server,
    "token",
    { grant_type: "refresh_token", refresh_token: given.body["refresh_token"] ?? "" },
    basic(app),
  );
  expect(refreshed.status).toBe(200);

  // A flow that a leaked key has signed must start again.
  const other = openBrowser(server, member);
  const { headers } = await other.get(authorizeUrl(server, app, makeVerifier(), { prompt: "consent" }));
  const open = new URL(headers.get("location") ?? "", core.origin).pathname;
  rotate(core, KEYS[1], undefined);
  await expect(
    server.interactions.find(open.slice("/oauth/consent/".length), other.visitorOf(open)),
  ).rejects.toMatchObject({ code: "consent_over" });
});
