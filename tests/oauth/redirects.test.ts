import { expect, test } from "bun:test";
import { openTestServer } from "../support.ts";
import { authorizeUrl, exchange, makeVerifier, obtainCode, refillRateLimit } from "./app-client.ts";
import { authorize, makeApp, createSignedInMember, openBrowser, REDIRECT } from "./browser.ts";

/** URLs that differ slightly from the registered one. */
const ALMOST = [
  "https://app.example/callback",
  "https://app.example/callback?tenant=8",
  "https://app.example/callback?tenant=7&more=1",
  "https://app.example/callback?more=1&tenant=7",
  "https://app.example/callback?tenant=7#",
  "https://app.example/callback?tenant=7#part",
  "https://app.example/callback?tenant=%37",
  "https://app.example/callback?Tenant=7",
  "https://app.example/callback?tenant=7&tenant=7",
  "https://app.example/callback/?tenant=7",
  "https://app.example/Callback?tenant=7",
  "https://app.example/%63allback?tenant=7",
  "https://app.example/callback/..?tenant=7",
  "https://app.example/other/../callback?tenant=7",
  "https://app.example/./callback?tenant=7",
  "https://app.example//callback?tenant=7",
  "https://app.example/callback/more?tenant=7",
  "https://app.example:443/callback?tenant=7",
  "https://app.example:8443/callback?tenant=7",
  "https://app.example./callback?tenant=7",
  "https://APP.example/callback?tenant=7",
  "https://user@app.example/callback?tenant=7",
  "https://app.example@evil.example/callback?tenant=7",
  "https://app.example.evil.example/callback?tenant=7",
  "https://evil.example/callback?tenant=7",
  "https://sub.app.example/callback?tenant=7",
  "http://app.example/callback?tenant=7",
  "HTTPS://app.example/callback?tenant=7",
  "https:\\\\app.example\\callback?tenant=7",
  " https://app.example/callback?tenant=7",
  "//app.example/callback?tenant=7",
];

test("an address that differs from the registered ones in any letter gets a page, never a redirect", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada, { redirectUris: [REDIRECT, "https://app.example/second"] });
  const browser = openBrowser(server, ada);
  expect(ALMOST.length).toBe(31);
  for (const redirect_uri of ALMOST) {
    const address = authorizeUrl(server, app, makeVerifier(), { redirect_uri });
    const { to, page } = await authorize(server, browser, address);
    expect([redirect_uri, to?.href, page?.status]).toEqual([redirect_uri, undefined, 400]);
    const text = await page?.text();
    expect(page?.headers.get("content-type")).toContain("text/html");
    expect(page?.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(text).not.toContain("evil.example");
  }
  refillRateLimit(server);
  const twice = `${authorizeUrl(server, app, makeVerifier())}&redirect_uri=${encodeURIComponent(REDIRECT)}`;
  const { to, page } = await authorize(server, browser, twice);
  expect([to, page?.status]).toEqual([undefined, 400]);
});

test("an app on the device may use any port of the loopback address, and nothing else may differ", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada, {
    kind: "public",
    redirectUris: ["http://127.0.0.1/callback", "http://[::1]:1234/callback", "com.example.app:/callback"],
  });
  const browser = openBrowser(server, ada);
  for (const redirect of [
    "http://127.0.0.1:51234/callback",
    "http://127.0.0.1/callback",
    "http://[::1]:9/callback",
    "com.example.app:/callback",
  ]) {
    const code = await obtainCode(server, browser, app, { redirect });
    expect([redirect, (await exchange(server, app, code)).status]).toEqual([redirect, 200]);
  }
  refillRateLimit(server);
  for (const redirect_uri of [
    "http://127.0.0.1:51234/callback/",
    "http://127.0.0.2:51234/callback",
    "http://localhost:51234/callback",
    "http://127.0.0.1:51234@evil.example/callback",
    "https://127.0.0.1:51234/callback",
    "com.example.app:/callback/",
    "com.example.app://callback",
  ]) {
    const { to, page } = await authorize(
      server,
      browser,
      authorizeUrl(server, app, makeVerifier(), { redirect_uri }),
    );
    expect([redirect_uri, to?.href, page?.status]).toEqual([redirect_uri, undefined, 400]);
  }
});

test("errors redirect with state and iss, and keep the query of the registered address", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const browser = openBrowser(server, ada);
  const ways: [Record<string, string | null>, string][] = [
    [{ response_type: "token" }, "unsupported_response_type"],
    [{ scope: "prompts:write" }, "invalid_scope"],
    [{ code_challenge: null, code_challenge_method: null }, "invalid_request"],
    [{ response_mode: "form_post" }, "unsupported_response_mode"],
    [{ response_mode: "fragment" }, "unsupported_response_mode"],
    [{ prompt: "none" }, "consent_required"],
    [{ resource: "https://elsewhere.example/" }, "invalid_target"],
    [{ request: "e30.e30." }, "request_not_supported"],
    [{ scope: "" }, "invalid_scope"],
    [{ scope: null }, "invalid_scope"],
    [{ scope: "no:such" }, "invalid_scope"],
  ];
  for (const [changes, error] of ways) {
    const { to } = await authorize(server, browser, authorizeUrl(server, app, makeVerifier(), changes));
    // If an app requests a token directly, the response is in the fragment (OAuth 2.0 Multiple Response Types
    // §5).
    const said = to && {
      ...Object.fromEntries(to.searchParams),
      ...Object.fromEntries(new URLSearchParams(to.hash.slice(1))),
    };
    expect([changes, `${to?.origin}${to?.pathname}`, said]).toEqual([
      changes,
      "https://app.example/callback",
      expect.objectContaining({ tenant: "7", state: "a state & more", iss: server.core.origin, error }),
    ]);
    expect(to?.searchParams.has("code")).toBe(false);
  }
});

test("an invalid request of a visitor who is not signed in shows a page, unless prompt is none", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const stranger = openBrowser(server);
  for (const changes of [
    { scope: "no:such" },
    { response_type: "token" },
    { response_type: "id_token" },
    { code_challenge: null },
    { response_mode: "fragment" },
    { resource: "https://elsewhere.example/" },
    { prompt: "nothing" },
  ]) {
    const address = authorizeUrl(server, app, makeVerifier(), changes);
    const { to, page } = await authorize(server, stranger, address);
    expect([changes, to?.href, page?.status]).toEqual([changes, undefined, 400]);
    expect(await page?.text()).toMatch(/does not accept \((invalid|unsupported)_/);
    refillRateLimit(server);
    const { to: received } = await authorize(server, openBrowser(server, ada), address);
    expect([changes, received?.host]).toEqual([changes, "app.example"]);
  }
  const silent = authorizeUrl(server, app, makeVerifier(), { prompt: "none" });
  const { to } = await authorize(server, stranger, silent);
  expect(to?.searchParams.get("error")).toBe("login_required");
});

test("rejects a repeated parameter, and a missing address when several are registered", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada, { redirectUris: [REDIRECT, "https://app.example/second"] });
  const browser = openBrowser(server, ada);
  for (const name of ["scope", "response_type", "code_challenge", "prompt"]) {
    const address = `${authorizeUrl(server, app, makeVerifier())}&${name}=x&${name}=y`;
    const { to } = await authorize(server, browser, address);
    expect([name, to?.searchParams.get("error")]).toEqual([name, "invalid_request"]);
  }
  for (const changes of [
    { redirect_uri: null },
    { client_id: null },
    { client_id: "app_01m7wd7tg0e01rrvr1zzzzzzzz" },
  ]) {
    const { to, page } = await authorize(server, browser, authorizeUrl(server, app, makeVerifier(), changes));
    expect([changes, to?.href, page && page.status >= 400 && page.status < 500]).toEqual([
      changes,
      undefined,
      true,
    ]);
  }
});

test("no client input becomes a header or markup of the response", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const browser = openBrowser(server, ada);
  const nasty = "x\r\nSet-Cookie: a=b\r\n\r\n<script>alert(1)</script>";
  const { to } = await authorize(
    server,
    browser,
    authorizeUrl(server, app, makeVerifier(), { state: nasty }),
  );
  expect(to?.searchParams.get("state")).toBe(nasty);
  for (const name of ["client_id", "redirect_uri", "scope", "prompt", "response_mode", "resource"]) {
    const response = await browser.get(authorizeUrl(server, app, makeVerifier(), { [name]: nasty }));
    expect(response.headers.get("set-cookie") ?? "").not.toContain("a=b");
    expect(await response.text()).not.toContain("<script>");
    expect(response.status).toBeLessThan(500);
  }
});
