// Tests docs/contract.md#V4.15, docs/contract.md#V5.3, docs/contract.md#7.6, docs/contract.md#7.8 and
// docs/contract.md#7.10.
import { expect, test } from "bun:test";
import * as oauth from "oauth4webapi";
import { type TestServer, openTestServer } from "../support.ts";
import { refillRateLimit, isTokenAccepted } from "./app-client.ts";
import { authorize, makeApp, createSignedInMember, openBrowser, REDIRECT } from "./browser.ts";

/** Options that send the library's requests to the test server instead of the public origin. */
function reach(server: TestServer) {
  return {
    [oauth.customFetch]: (url: string, options: object) =>
      fetch(url.replace(server.core.origin, server.url), options as RequestInit),
  };
}

async function discover(
  server: TestServer,
  algorithm: "oidc" | "oauth2",
): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(server.core.origin);
  return oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm, ...reach(server) }),
  );
}

const KINDS = [
  ["confidential, by header", "confidential", (secret: string) => oauth.ClientSecretBasic(secret)],
  ["confidential, by form", "confidential", (secret: string) => oauth.ClientSecretPost(secret)],
  ["public", "public", () => oauth.None()],
] as const;

for (const [name, kind, authOf] of KINDS) {
  test(`a client library set up from the metadata signs in, refreshes, introspects and revokes: ${name}`, async () => {
    await using testServer = openTestServer();
    const ada = createSignedInMember(testServer, "ada");
    const { app, secret } = makeApp(testServer, ada, { kind, idTokenAlg: "EdDSA" });
    const server = await discover(testServer, kind === "public" ? "oauth2" : "oidc");
    const client: oauth.Client = { client_id: app.id, id_token_signed_response_alg: "EdDSA" };
    const auth = authOf(secret ?? "");
    const verifier = oauth.generateRandomCodeVerifier();
    const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
    const url = new URL(server.authorization_endpoint ?? "");
    url.search = new URLSearchParams({
      client_id: app.id,
      response_type: "code",
      redirect_uri: REDIRECT,
      scope: "openid profile feed:read",
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
      nonce,
    }).toString();
    const { to } = await authorize(testServer, openBrowser(testServer, ada), url.href);
    // Checks `iss` (RFC 9207).
    const params = oauth.validateAuthResponse(server, client, to ?? new URL("x:"), state);
    const granted = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(
        server,
        client,
        auth,
        params,
        REDIRECT,
        verifier,
        reach(testServer),
      ),
      { expectedNonce: nonce, requireIdToken: true },
    );
    const claims = oauth.getValidatedIdTokenClaims(granted);
    expect(claims).toMatchObject({ sub: ada.id, preferred_username: "ada" });
    expect(await isTokenAccepted(testServer, granted.access_token)).toBe(true);

    const user = await oauth.processUserInfoResponse(
      server,
      client,
      ada.id,
      await oauth.userInfoRequest(server, client, granted.access_token, reach(testServer)),
    );
    expect(user).toEqual({
      sub: ada.id,
      preferred_username: "ada",
      name: "ada Okafor",
      profile: `${testServer.core.origin}/@ada`,
    });

    const renewed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(
        server,
        client,
        auth,
        granted.refresh_token ?? "",
        reach(testServer),
      ),
    );
    const introspection = await oauth.processIntrospectionResponse(
      server,
      client,
      await oauth.introspectionRequest(server, client, auth, renewed.access_token, reach(testServer)),
    );
    expect(introspection).toMatchObject({ active: true, client_id: app.id, sub: ada.id });
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, auth, renewed.refresh_token ?? "", reach(testServer)),
    );
    expect(await isTokenAccepted(testServer, renewed.access_token)).toBe(false);
  });
}

test("a device without a browser signs in with a code that a person types elsewhere", async () => {
  await using testServer = openTestServer();
  const ada = createSignedInMember(testServer, "ada");
  const { app } = makeApp(testServer, ada, { kind: "public" });
  const server = await discover(testServer, "oauth2");
  const client: oauth.Client = { client_id: app.id };
  const ask = async () =>
    oauth.processDeviceAuthorizationResponse(
      server,
      client,
      await oauth.deviceAuthorizationRequest(
        server,
        client,
        oauth.None(),
        new URLSearchParams({ scope: "openid feed:read jobs:read" }),
        reach(testServer),
      ),
    );
  const poll = async (code: string) =>
    oauth.processDeviceCodeResponse(
      server,
      client,
      await oauth.deviceCodeGrantRequest(server, client, oauth.None(), code, reach(testServer)),
    );
  const visitor = openBrowser(testServer, ada).visitorOf("/oauth/device");
  const waiting = await ask();
  expect(waiting.verification_uri).toBe(`${testServer.core.origin}/oauth/device`);
  expect(waiting.verification_uri_complete).toBe(
    `${waiting.verification_uri}?user_code=${waiting.user_code}`,
  );
  await expect(poll(waiting.device_code)).rejects.toMatchObject({ error: "authorization_pending" });

  const typed = waiting.user_code.toLowerCase().replace("-", " ");
  const interaction = await testServer.interactions.findDevice(typed, visitor);
  expect(interaction).toMatchObject({ kind: "device", uid: waiting.user_code, app: { redirectHost: null } });
  expect(interaction.scopes.map(({ name }) => name)).toEqual(["openid", "feed:read", "jobs:read"]);
  const scopes = ["openid", "feed:read"];
  await testServer.interactions.allowDevice(typed, visitor, { scopes, workspaceId: ada.workspaceId });
  const granted = await poll(waiting.device_code);
  expect(granted.scope).toBe("openid feed:read");
  expect(oauth.getValidatedIdTokenClaims(granted)?.sub).toBe(ada.id);
  expect(await isTokenAccepted(testServer, granted.access_token)).toBe(true);
  await expect(testServer.interactions.findDevice(typed, visitor)).rejects.toThrow("No device is waiting");
  await expect(poll(waiting.device_code)).rejects.toMatchObject({ error: "invalid_grant" });

  const refused = await ask();
  await testServer.interactions.denyDevice(refused.user_code, visitor);
  await expect(poll(refused.device_code)).rejects.toMatchObject({ error: "access_denied" });
  const late = await ask();
  testServer.clock.pass(600_000);
  await expect(poll(late.device_code)).rejects.toMatchObject({ error: "expired_token" });
  await expect(testServer.interactions.findDevice(late.user_code, visitor)).rejects.toThrow(
    "No device is waiting",
  );
});

test("counts unknown device codes against the person who tries them", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const visitor = openBrowser(server, ada).visitorOf("/oauth/device");
  const guess = (n: number) => server.interactions.findDevice(`BCDF-GH${"JKLMNPQRST"[n % 10]}B`, visitor);
  for (let n = 0; n < 10; n++) await expect(guess(n)).rejects.toThrow("No device is waiting");
  await expect(guess(10)).rejects.toThrow("Too many wrong codes. Wait 30 seconds");
  server.clock.pass(30_000);
  await expect(guess(11)).rejects.toThrow("No device is waiting");
});

test("both discovery documents are the same, and name existing endpoints", async () => {
  await using testServer = openTestServer();
  const get = async (path: string) => {
    const answer = await fetch(`${testServer.url}/.well-known/${path}`);
    expect([path, answer.status]).toEqual([path, 200]);
    expect(answer.headers.get("cache-control")).toContain("max-age");
    return (await answer.json()) as Record<string, unknown>;
  };
  const document = await get("openid-configuration");
  expect(await get("oauth-authorization-server")).toEqual(document);
  expect(document).toMatchObject({
    issuer: testServer.core.origin,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  });
  expect(await get("oauth-protected-resource")).toMatchObject({
    resource: `${testServer.core.origin}/v1`,
    authorization_servers: [testServer.core.origin],
  });
  const { keys } = (await get("jwks.json")) as { keys: unknown[] };
  expect(keys).toEqual([
    { kty: "OKP", crv: "Ed25519", x: expect.any(String), kid: expect.any(String), alg: "EdDSA", use: "sig" },
    { kty: "RSA", n: expect.any(String), e: "AQAB", kid: expect.any(String), alg: "RS256", use: "sig" },
  ]);
  const server = await discover(testServer, "oidc");
  refillRateLimit(testServer);
  // Every advertised endpoint exists and reports its own missing parameter.
  for (const [name, address] of Object.entries(server).filter(([key]) => key.endsWith("_endpoint"))) {
    const isGet = name === "authorization_endpoint" || name === "userinfo_endpoint";
    const { status } = await fetch(String(address).replace(testServer.core.origin, testServer.url), {
      method: isGet ? "GET" : "POST",
    });
    expect([name, [400, 401].includes(status)]).toEqual([name, true]);
  }
  expect((await fetch(`${testServer.url}/.well-known/nothing`)).status).toBe(404);
});
