// Tests docs/contract.md#7.8.
import { expect, test } from "bun:test";
import { sized } from "../drill.ts";
import { openTestServer } from "../support.ts";
import {
  requestToken,
  authorizeUrl,
  challengeOf,
  exchange,
  makeVerifier,
  obtainCode,
  refresh,
  refillRateLimit,
  isTokenAccepted,
} from "./app-client.ts";
import { authorize, makeApp, createSignedInMember, openBrowser, REDIRECT } from "./browser.ts";

test("exchanges an authorization code once, and a second use revokes the tokens of the first", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const browser = openBrowser(server, ada);
  const code = await obtainCode(server, browser, app);
  const first = await exchange(server, app, code);
  expect(first.status).toBe(200);
  expect(await isTokenAccepted(server, first.body["access_token"])).toBe(true);

  const second = await exchange(server, app, code);
  expect([second.status, second.body["error"]]).toEqual([400, "invalid_grant"]);
  expect(await isTokenAccepted(server, first.body["access_token"])).toBe(false);
  const refreshed = await refresh(server, app, first.body["refresh_token"] ?? "");
  expect([refreshed.status, refreshed.body["error"]]).toEqual([400, "invalid_grant"]);
  const rows = server.core.db
    .prepare<{ n: number }>("SELECT count(*) AS n FROM audit_entries WHERE act = 'grant.replayed'")
    .get();
  expect(rows?.n).toBe(1);
});

test("a replay ends one family of tokens, and the same app on another device continues", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const phone = await obtainCode(server, openBrowser(server, ada), app);
  const laptop = await obtainCode(server, openBrowser(server, ada), app);
  const onPhone = await exchange(server, app, phone);
  const onLaptop = await exchange(server, app, laptop);
  await exchange(server, app, phone);
  expect(await isTokenAccepted(server, onPhone.body["access_token"])).toBe(false);
  expect(await isTokenAccepted(server, onLaptop.body["access_token"])).toBe(true);
  expect((await refresh(server, app, onLaptop.body["refresh_token"] ?? "")).status).toBe(200);
});

test("a second use revokes the first tokens, whichever client sends it and however wrong it is", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const thief = makeApp(server, ada, { name: "Another" });
  const browser = openBrowser(server, ada);
  const replays: Record<string, (code: Code) => Promise<unknown>> = {
    "without its verifier": (code) => exchange(server, app, { ...code, verifier: makeVerifier() }),
    "with another redirect address": (code) =>
      exchange(server, app, { ...code, redirect: "https://app.example/x" }),
    "by another app": (code) => exchange(server, thief, code),
    "long after": (code) => {
      server.clock.pass(120_000);
      return exchange(server, app, code);
    },
  };
  for (const [way, replay] of Object.entries(replays)) {
    const code = await obtainCode(server, browser, app);
    const { body } = await exchange(server, app, code);
    expect([way, await isTokenAccepted(server, body["access_token"])]).toEqual([way, true]);
    await replay(code);
    expect([way, await isTokenAccepted(server, body["access_token"])]).toEqual([way, false]);
    const refreshed = await refresh(server, app, body["refresh_token"] ?? "");
    expect([way, refreshed.body["error"]]).toEqual([way, "invalid_grant"]);
  }
});

test("of twenty simultaneous exchanges of a code at most one succeeds, and its tokens are revoked", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const browser = openBrowser(server, ada);
  for (let round = 0; round < sized(15, 50); round++) {
    refillRateLimit(server);
    const code = await obtainCode(server, browser, app);
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(server, app, code)));
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners.length).toBeLessThanOrEqual(1);
    expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true);
    // The server treats a code that is used twice as stolen, and revokes its tokens.
    expect(await isTokenAccepted(server, winners[0]?.body["access_token"])).toBe(false);
  }
  const left = server.core.db
    .prepare<{ n: number }>("SELECT count(*) AS n FROM oauth_records WHERE model = 'RefreshToken'")
    .get();
  expect(left?.n).toBe(0);
});

test("a code expires after a minute", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const browser = openBrowser(server, ada);
  const inTime = await obtainCode(server, browser, app);
  server.clock.pass(59_000);
  expect((await exchange(server, app, inTime)).status).toBe(200);
  const late = await obtainCode(server, browser, app);
  server.clock.pass(60_000);
  const answer = await exchange(server, app, late);
  expect([answer.status, answer.body["error"]]).toEqual([400, "invalid_grant"]);
  expect((await exchange(server, app, late)).body["error"]).toBe("invalid_grant");
});

test("refuses and invalidates a code that is sent by another app or with another redirect address", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const other = "https://app.example/other";
  const app = makeApp(server, ada, { redirectUris: [REDIRECT, other] });
  const thief = makeApp(server, ada, { name: "Another" });
  const browser = openBrowser(server, ada);
  const wrongs = [
    (code: Code) => exchange(server, thief, code),
    (code: Code) => exchange(server, app, { ...code, redirect: other }),
    (code: Code) => exchange(server, app, { ...code, redirect: `${REDIRECT}&more=1` }),
  ];
  for (const wrong of wrongs) {
    const code = await obtainCode(server, browser, app);
    const answer = await wrong(code);
    expect([answer.status, answer.body["error"]]).toEqual([400, "invalid_grant"]);
    const after = await exchange(server, app, code);
    expect([after.status, after.body["error"]]).toEqual([400, "invalid_grant"]);
  }
});

type Code = Awaited<ReturnType<typeof obtainCode>>;

test("every authorization needs PKCE with S256 and a well-formed challenge, also from confidential apps", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const verifier = makeVerifier();
  const bad: Record<string, string | null>[] = [
    { code_challenge: null, code_challenge_method: null },
    { code_challenge_method: null },
    { code_challenge_method: "plain", code_challenge: verifier },
    { code_challenge_method: "s256" },
    { code_challenge: null },
    { code_challenge: "short" },
    { code_challenge: `${challengeOf(verifier).slice(0, -1)}=` },
    { code_challenge: "ü".repeat(43) },
    { code_challenge: "a".repeat(129) },
  ];
  for (const kind of ["confidential", "public"] as const) {
    const app = makeApp(server, ada, { kind, name: kind });
    const browser = openBrowser(server, ada);
    for (const changes of bad) {
      const { to } = await authorize(server, browser, authorizeUrl(server, app, verifier, changes));
      expect([changes, to?.searchParams.get("error"), to?.searchParams.get("code")]).toEqual([
        changes,
        "invalid_request",
        null,
      ]);
    }
    refillRateLimit(server);
  }
});

test("refuses a wrong, short or missing verifier, and invalidates the code", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const browser = openBrowser(server, ada);
  for (const wrong of [makeVerifier(), "short", "x".repeat(129), "", undefined]) {
    const code = await obtainCode(server, browser, app);
    const answer = await requestToken(server, app, {
      grant_type: "authorization_code",
      code: code.code,
      redirect_uri: code.redirect,
      ...(wrong === undefined ? {} : { code_verifier: wrong }),
    });
    expect([wrong, answer.status, answer.body["access_token"]]).toEqual([wrong, 400, undefined]);
    expect((await exchange(server, app, code)).body["error"]).toBe("invalid_grant");
    refillRateLimit(server);
  }
});
