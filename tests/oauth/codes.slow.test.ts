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
  await using house = openTestServer();
  const ada = createSignedInMember(house, "ada");
  const app = makeApp(house, ada);
  const browser = openBrowser(house, ada);
  const code = await obtainCode(house, browser, app);
  const first = await exchange(house, app, code);
  expect(first.status).toBe(200);
  expect(await isTokenAccepted(house, first.body["access_token"])).toBe(true);

  const second = await exchange(house, app, code);
  expect([second.status, second.body["error"]]).toEqual([400, "invalid_grant"]);
  expect(await isTokenAccepted(house, first.body["access_token"])).toBe(false);
  const refreshed = await refresh(house, app, first.body["refresh_token"] ?? "");
  expect([refreshed.status, refreshed.body["error"]]).toEqual([400, "invalid_grant"]);
  const told = house.core.db
    .prepare<{ n: number }>("SELECT count(*) AS n FROM audit_entries WHERE act = 'grant.replayed'")
    .get();
  expect(told?.n).toBe(1);
});

test("a replay ends one family of tokens, and the same app on another device continues", async () => {
  await using house = openTestServer();
  const ada = createSignedInMember(house, "ada");
  const app = makeApp(house, ada);
  const phone = await obtainCode(house, openBrowser(house, ada), app);
  const laptop = await obtainCode(house, openBrowser(house, ada), app);
  const onPhone = await exchange(house, app, phone);
  const onLaptop = await exchange(house, app, laptop);
  await exchange(house, app, phone);
  expect(await isTokenAccepted(house, onPhone.body["access_token"])).toBe(false);
  expect(await isTokenAccepted(house, onLaptop.body["access_token"])).toBe(true);
  expect((await refresh(house, app, onLaptop.body["refresh_token"] ?? "")).status).toBe(200);
});

test("a second use revokes the first tokens, whichever client sends it and however wrong it is", async () => {
  await using house = openTestServer();
  const ada = createSignedInMember(house, "ada");
  const app = makeApp(house, ada);
  const thief = makeApp(house, ada, { name: "Another" });
  const browser = openBrowser(house, ada);
  const replays: Record<string, (code: Code) => Promise<unknown>> = {
    "without its verifier": (code) => exchange(house, app, { ...code, verifier: makeVerifier() }),
    "with another redirect address": (code) =>
      exchange(house, app, { ...code, redirect: "https://app.example/x" }),
    "by another app": (code) => exchange(house, thief, code),
    "long after": (code) => {
      house.clock.pass(120_000);
      return exchange(house, app, code);
    },
  };
  for (const [way, replay] of Object.entries(replays)) {
    const code = await obtainCode(house, browser, app);
    const { body } = await exchange(house, app, code);
    expect([way, await isTokenAccepted(house, body["access_token"])]).toEqual([way, true]);
    await replay(code);
    expect([way, await isTokenAccepted(house, body["access_token"])]).toEqual([way, false]);
    const refreshed = await refresh(house, app, body["refresh_token"] ?? "");
    expect([way, refreshed.body["error"]]).toEqual([way, "invalid_grant"]);
  }
});

test("of twenty simultaneous exchanges of a code at most one succeeds, and its tokens are revoked", async () => {
  await using house = openTestServer();
  const ada = createSignedInMember(house, "ada");
  const app = makeApp(house, ada);
  const browser = openBrowser(house, ada);
  for (let round = 0; round < sized(15, 50); round++) {
    refillRateLimit(house);
    const code = await obtainCode(house, browser, app);
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(house, app, code)));
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners.length).toBeLessThanOrEqual(1);
    expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true);
    // The server treats a code that is used twice as stolen, and revokes its tokens.
    expect(await isTokenAccepted(house, winners[0]?.body["access_token"])).toBe(false);
  }
  const left = house.core.db
    .prepare<{ n: number }>("SELECT count(*) AS n FROM oauth_records WHERE model = 'RefreshToken'")
    .get();
  expect(left?.n).toBe(0);
});

test("a code expires after a minute", async () => {
  await using house = openTestServer();
  const ada = createSignedInMember(house, "ada");
  const app = makeApp(house, ada);
  const browser = openBrowser(house, ada);
  const inTime = await obtainCode(house, browser, app);
  house.clock.pass(59_000);
  expect((await exchange(house, app, inTime)).status).toBe(200);
  const late = await obtainCode(house, browser, app);
  house.clock.pass(60_000);
  const answer = await exchange(house, app, late);
  expect([answer.status, answer.body["error"]]).toEqual([400, "invalid_grant"]);
  expect((await exchange(house, app, late)).body["error"]).toBe("invalid_grant");
});

test("refuses and invalidates a code that is sent by another app or with another redirect address", async () => {
  await using house = openTestServer();
  const ada = createSignedInMember(house, "ada");
  const other = "https://app.example/other";
  const app = makeApp(house, ada, { redirectUris: [REDIRECT, other] });
  const thief = makeApp(house, ada, { name: "Another" });
  const browser = openBrowser(house, ada);
  const wrongs = [
    (code: Code) => exchange(house, thief, code),
    (code: Code) => exchange(house, app, { ...code, redirect: other }),
    (code: Code) => exchange(house, app, { ...code, redirect: `${REDIRECT}&more=1` }),
  ];
  for (const wrong of wrongs) {
    const code = await obtainCode(house, browser, app);
    const answer = await wrong(code);
    expect([answer.status, answer.body["error"]]).toEqual([400, "invalid_grant"]);
    const after = await exchange(house, app, code);
    expect([after.status, after.body["error"]]).toEqual([400, "invalid_grant"]);
  }
});

type Code = Awaited<ReturnType<typeof obtainCode>>;

test("every authorization needs PKCE with S256 and a well-formed challenge, also from confidential apps", async () => {
  await using house = openTestServer();
  const ada = createSignedInMember(house, "ada");
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
    const app = makeApp(house, ada, { kind, name: kind });
    const browser = openBrowser(house, ada);
    for (const changes of bad) {
      const { to } = await authorize(house, browser, authorizeUrl(house, app, verifier, changes));
      expect([changes, to?.searchParams.get("error"), to?.searchParams.get("code")]).toEqual([
        changes,
        "invalid_request",
        null,
      ]);
    }
    refillRateLimit(house);
  }
});

test("refuses a wrong, short or missing verifier, and invalidates the code", async () => {
  await using house = openTestServer();
  const ada = createSignedInMember(house, "ada");
  const app = makeApp(house, ada);
  const browser = openBrowser(house, ada);
  for (const wrong of [makeVerifier(), "short", "x".repeat(129), "", undefined]) {
    const code = await obtainCode(house, browser, app);
    const answer = await requestToken(house, app, {
      grant_type: "authorization_code",
      code: code.code,
      redirect_uri: code.redirect,
      ...(wrong === undefined ? {} : { code_verifier: wrong }),
    });
    expect([wrong, answer.status, answer.body["access_token"]]).toEqual([wrong, 400, undefined]);
    expect((await exchange(house, app, code)).body["error"]).toBe("invalid_grant");
    refillRateLimit(house);
  }
});
