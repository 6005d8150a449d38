// Tests docs/contract.md#7.2.
import { expect, test } from "bun:test";
import { openTestServer } from "../support.ts";
import { authorizeUrl, makeVerifier, post } from "./app-client.ts";
import { authorize, makeApp, createSignedInMember, openBrowser } from "./browser.ts";

test("OpenID Connect Core §3.1.2.1: an authorization request may be a POST form", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const browser = openBrowser(server, ada);
  const address = new URL(authorizeUrl(server, app, makeVerifier(), { state: "a b&c=ü" }));
  const sent = await fetch(server.url + address.pathname, {
    method: "POST",
    // An app's page sends the form. The request is cross-site and therefore has no cookies of this server.
    headers: { "content-type": "application/x-www-form-urlencoded", origin: "https://app.example" },
    body: address.searchParams.toString(),
    redirect: "manual",
  });
  expect([sent.status, sent.headers.get("cache-control")]).toEqual([303, "no-store"]);
  const { to } = await authorize(server, browser, address.origin + (sent.headers.get("location") ?? ""));
  expect([to?.searchParams.has("code"), to?.searchParams.get("state")]).toEqual([true, "a b&c=ü"]);
  const json = await fetch(server.url + address.pathname, {
    method: "POST",
    body: "{}",
    redirect: "manual",
  });
  expect(json.status).toBe(400);
});

test("revocation and introspection without client authentication return 401 with a challenge", async () => {
  await using server = openTestServer();
  for (const endpoint of ["revoke", "introspect"]) {
    const { status, body, headers } = await post(server, endpoint, { token: "anything" });
    expect([endpoint, status, body["error"], headers.get("www-authenticate")]).toEqual([
      endpoint,
      401,
      "invalid_client",
      'Basic realm="guildhall"',
    ]);
  }
});
