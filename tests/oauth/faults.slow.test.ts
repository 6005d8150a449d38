// Tests docs/contract.md#7.3.
import { expect, test } from "bun:test";
import { createTestWorld, openTestServer, type TestServer } from "../support.ts";
import type { Db } from "../../src/core/base/db/open.ts";
import { commitChanges, type Change } from "../../src/core/delegation/oauth/records.ts";
import {
  authorizeUrl,
  basic,
  connect,
  exchange,
  makeVerifier,
  obtainCode,
  post,
  refresh,
  refillRateLimit,
  isTokenAccepted,
} from "./app-client.ts";
import { authorize, makeApp, createSignedInMember, openBrowser } from "./browser.ts";

const INNER = "the inner text of a broken disk";

/**
 * Makes the n-th statement from now fail, once or permanently. Returns whether that statement was reached.
 */
function breakAt(server: TestServer, n: number, isLasting: boolean): { wasReached: boolean; mend(): void } {
  const core = server.core as { db: Db };
  const whole = core.db;
  let left = n;
  const state = { wasReached: false, mend: () => void (core.db = whole) };
  const strike = (): void => {
    if (isLasting ? left-- > 0 : left-- !== 0) return;
    state.wasReached = true;
    throw new Error(INNER);
  };
  const wrapped = <Work extends () => unknown>(work: Work): Work => {
    return (() => {
      const result = work();
      strike();
      return result;
    }) as Work;
  };
  core.db = {
    ...whole,
    prepare: ((sql: string) => {
      strike();
      return whole.prepare(sql);
    }) as Db["prepare"],
    write: (change) => whole.write(wrapped(change)),
  };
  return state;
}

test("a fault in any step of a token request returns 500 without details, and keeps the old state", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const browser = openBrowser(server, ada);
  const tokens = await connect(server, browser, app);
  const requests = [
    async () => {
      const code = await obtainCode(server, browser, app);
      return { ask: () => exchange(server, app, code), succeeds: true };
    },
    async () => {
      const { refresh: token } = await connect(server, browser, app);
      return { ask: () => refresh(server, app, token), succeeds: true };
    },
    async () => ({
      ask: () => post(server, "introspect", { token: tokens.access }, basic(app)),
      succeeds: true,
    }),
    async () => ({ ask: () => post(server, "revoke", { token: "unknown" }, basic(app)), succeeds: true }),
    async () => ({ ask: () => post(server, "device", { scope: "feed:read" }, basic(app)), succeeds: true }),
  ];
  let faults = 0;
  for (const make of requests) {
    for (let step = 0; step < 60; step++) {
      refillRateLimit(server);
      const { ask } = await make();
      const broken = breakAt(server, step, true);
      const answer = await ask();
      broken.mend();
      if (!broken.wasReached) break;
      faults++;
      expect([step, answer.status, answer.body["error"]]).toEqual([step, 500, "server_error"]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(JSON.stringify(answer.body)).not.toContain(INNER);
      const id = answer.headers.get("x-request-id") ?? "missing";
      expect([step, server.logged.some((line) => line.includes(id) && line.includes(INNER))]).toEqual([
        step,
        true,
      ]);
      expect(answer.body["message"]).toBe(answer.body["error_description"] ?? "");
      const again = await ask();
      expect([step, again.status]).toEqual([step, 200]);
    }
  }
  expect(faults).toBeGreaterThan(20);
});

test("a fault in a browser request shows a page or returns an error to the app, without its inner text", async () => {
  for (const isLasting of [true, false]) {
    await using server = openTestServer();
    const ada = createSignedInMember(server, "ada");
    const app = makeApp(server, ada);
    const browser = openBrowser(server, ada);
    await connect(server, browser, app);
    for (let step = 0; step < 60; step++) {
      refillRateLimit(server);
      const url = authorizeUrl(server, app, makeVerifier());
      server.logged.length = 0;
      const broken = breakAt(server, step, isLasting);
      const { to, page } = await authorize(server, browser, url).finally(broken.mend);
      if (!broken.wasReached) {
        expect(step).toBeGreaterThan(3);
        break;
      }
      const said = to?.searchParams.get("error") ?? page?.status;
      expect([isLasting, step, said]).toEqual([isLasting, step, to ? "server_error" : 500]);
      expect([step, server.logged.some((line) => line.includes(INNER))]).toEqual([step, true]);
      expect(`${to?.href}${await page?.text()}`).not.toContain("inner text");
    }
  }
});

test("a fault redirects to the app only after the app and its address were verified, and shows a page otherwise", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const browser = openBrowser(server, ada);
  await connect(server, browser, app);
  const faultsOf = async (client: typeof browser, changes: Record<string, string>) => {
    const answers: Response[] = [];
    for (let step = 0; step < 60; step++) {
      refillRateLimit(server);
      const broken = breakAt(server, step, false);
      const answer = await client
        .get(authorizeUrl(server, app, makeVerifier(), changes))
        .finally(() => broken.mend());
      if (!broken.wasReached) return answers;
      answers.push(answer);
    }
    throw new Error("the request has more than 60 steps");
  };
  const locationOf = (answer: Response) => answer.headers.get("location");

  const answers = await faultsOf(browser, {});
  const first = answers.findIndex((answer) => locationOf(answer) !== null);
  expect(first).toBeGreaterThan(0);
  // In the last steps the app and its address are already verified, so a fault redirects to the app.
  expect(answers.length - first).toBeGreaterThan(2);
  for (const answer of answers.slice(0, first)) expect(answer.status).toBe(500);
  for (const answer of answers.slice(first)) {
    const to = new URL(locationOf(answer) ?? "none:");
    expect([answer.status, to.origin + to.pathname, to.searchParams.get("tenant")]).toEqual([
      303,
      "https://app.example/callback",
      "7",
    ]);
    expect([...to.searchParams].filter(([name]) => ["error", "state", "iss", "code"].includes(name))).toEqual(
      [
        ["error", "server_error"],
        ["state", "a state & more"],
        ["iss", server.core.origin],
      ],
    );
    expect(to.href).not.toContain("inner");
  }

  for (const [who, changes] of [
    [browser, { redirect_uri: "https://elsewhere.example/" }],
    [browser, { client_id: "app_unknown" }],
    [openBrowser(server), {}],
  ] as const) {
    const pages = await faultsOf(who, changes);
    expect(pages.length).toBeGreaterThan(0);
    expect(pages.map(locationOf).filter((place) => place?.includes(".example"))).toEqual([]);
  }
});

test("stores all changes of a request or none, wherever the request is interrupted", () => {
  using world = createTestWorld();
  const { core } = world;
  const expiresAt = core.clock.now() + 60_000;
  commitChanges(core, [{ kind: "put", model: "RefreshToken", id: "old", payload: {}, expiresAt }]);
  const rotation: Change[] = [
    { kind: "consume", model: "RefreshToken", id: "old", successor: "new" },
    { kind: "put", model: "RefreshToken", id: "new", payload: {}, expiresAt },
  ];
  const live = () =>
    core.db.prepare<{ n: number }>("SELECT count(*) AS n FROM oauth_records WHERE consumed_at IS NULL").get()
      ?.n;
  const whole = core.db;
  for (let cut = 0; cut < 2; cut++) {
    let left = cut;
    const mortal = <Work extends (...args: never[]) => unknown>(work: Work) =>
      ((...args: Parameters<Work>) => {
        if (left-- <= 0) throw new Error("killed");
        return work(...args);
      }) as Work;
    const { prepare, insert, insertNew, upsert, patch } = whole;
    (core as { db: Db }).db = {
      ...whole,
      prepare: mortal(prepare),
      insert: mortal(insert),
      insertNew: mortal(insertNew),
      upsert: mortal(upsert),
      patch: mortal(patch),
    };
    expect(() => commitChanges(core, rotation)).toThrow("killed");
    (core as { db: Db }).db = whole;
    expect(live()).toBe(1);
  }
  commitChanges(core, rotation);
  expect(live()).toBe(1);
  expect(() => commitChanges(core, rotation)).toThrow();
});

test("the log contains no OAuth secret", async () => {
  await using server = openTestServer();
  const ada = createSignedInMember(server, "ada");
  const app = makeApp(server, ada);
  const code = await obtainCode(server, openBrowser(server, ada), app);
  const { body } = await exchange(server, app, code);
  await exchange(server, app, code);
  await isTokenAccepted(server, body["access_token"]);
  const log = server.logged.join("\n");
  for (const secret of [code.code, code.verifier, app.secret, body["access_token"], body["refresh_token"]])
    expect(log).not.toContain(secret ?? "missing");
});
