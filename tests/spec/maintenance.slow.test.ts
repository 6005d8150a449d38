import { expect, spyOn, test } from "bun:test";
import pino from "pino";
import { backgroundWorkOf, startBackgroundWork } from "../../src/app/background-work.ts";
import { deleteOwnAccount } from "../../src/core/services/deletion/deletion.ts";
import { beginMaintenance, endMaintenance } from "../../src/core/services/maintenance/maintenance.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { DAY, HOUR, MINUTE } from "../../src/core/base/clock.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createAccount, signIn, signUp } from "../../src/core/identity/accounts/accounts.ts";
import { findAccount } from "../../src/core/identity/accounts/accounts-store.ts";
import { changePassword, makeRecovery } from "../../src/core/identity/accounts/passwords.ts";
import { isStaffScope, SCOPE_NAMES } from "../../src/core/identity/access/scopes.ts";
import { maintenanceOf } from "../../src/core/identity/maintenance/maintenance.ts";
import type { CheckedUrl } from "../../src/core/outbox/webhooks/target.ts";
import { registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import type { Attempt } from "../../src/delivery/attempt.ts";
import { startLoop } from "../../src/delivery/loop.ts";
import { createMetrics } from "../../src/http/metrics.ts";
import { OPERATIONS } from "../../src/operations/index.ts";
import { pagesOf } from "../../src/web/pages/index.ts";
import { outcomeOf } from "../core/people.ts";
import { until } from "../delivery/receiver.ts";
import { requestGraph, requestRest } from "../graphql/parity.ts";
import { parityRows } from "../graphql/parity-rows.ts";
import { openFixtureCommunity } from "../graphql/fixture-community.ts";
import { ROUTES } from "../routes.ts";
import {
  BUILDER_SCOPES,
  createMemberToken,
  pausedLookup,
  createTestWorld,
  createMember,
  openTestServer,
  signedInNow,
} from "../support.ts";
import { contentsOf, openSite, PASSWORD, signUpMember, visit } from "../web/support.ts";

const MESSAGE = "We are moving to a larger machine.";
const SHOWN = [200, undefined, undefined];
const NOT_THEIRS = [403, "scope_missing", "forbidden"];
const begin = (core: Parameters<typeof beginMaintenance>[0], forMs?: number) =>
  beginMaintenance(core, OPERATOR, { message: MESSAGE, forMs });

test("docs/contract.md#12.17.1: writes return 503 with a message and Retry-After over REST and GraphQL; reads and admin tokens keep working", async () => {
  await using opened = await openFixtureCommunity();
  const { server, community } = opened;
  const { core, clock } = server;
  const member = createMemberToken(core, "ada", BUILDER_SCOPES).token;
  const admin = createMemberToken(core, "ada", SCOPE_NAMES).token;
  const rows = parityRows(community);
  begin(core, 2 * HOUR);
  const before = contentsOf(server as never);
  const writes = OPERATIONS.filter(({ kind }) => kind === "write").map(({ id }) => id);
  expect(writes.length).toBeGreaterThan(30);
  for (const op of ROUTES) {
    const { param, body, ...row } = rows[op.id] ?? { graph: "", at: "" };
    const isWrite = writes.includes(op.id as (typeof writes)[number]);
    const request = { param, body };
    const rest = await requestRest(server, member, op, request);
    if (op.kind === "upload") {
      expect([op.id, rest.status, rest.body.code]).toEqual([op.id, 503, "maintenance"]);
      continue;
    }
    const graph = await requestGraph(server, member, op, row, {
      ...request,
      ...(isWrite ? {} : { first: 2 }),
    });
    const codes = [rest.status, rest.body.code, graph.body.errors?.[0]?.extensions.code];
    // GraphQL checks the scope of the preview before the write begins.
    if (op.id === "previewRemoval")
      expect([op.id, ...codes]).toEqual([op.id, 503, "maintenance", "forbidden"]);
    else if (isWrite) expect([op.id, ...codes]).toEqual([op.id, 503, "maintenance", "unavailable"]);
    else expect([op.id, ...codes]).toEqual([op.id, ...(isStaffScope(op.scope) ? NOT_THEIRS : SHOWN)]);
    clock.pass(MINUTE / 10);
  }
  expect(contentsOf(server as never)).toBe(before);
  const refused = await server.request(member, "/feed", { method: "POST", body: { text: "hello" } });
  const left = Number(refused.headers.get("retry-after"));
  expect(left).toBeWithin(60, 2 * 3600 + 1);
  expect((await refused.json()).message).toStartWith(
    `${MESSAGE} Nothing can be changed until maintenance ends.`,
  );
  expect(refused.headers.get("x-ratelimit-limit")).not.toBeNull();
  expect((await server.request(admin, "/feed", { method: "POST", body: { text: "hello" } })).status).toBe(
    201,
  );
  clock.pass((left - 1) * 1000);
  expect((await server.request(member, "/feed", { method: "POST", body: { text: "hello" } })).status).toBe(
    503,
  );
  clock.pass(1000);
  expect((await server.request(member, "/feed", { method: "POST", body: { text: "hello" } })).status).toBe(
    201,
  );
});

test("a request that began before maintenance is refused if it commits during maintenance", async () => {
  const names = pausedLookup();
  await using server = openTestServer({ resolve: names.resolve });
  const { token } = createMember(server.core, "ada");
  const body = { url: "https://hooks.example.com/slow", events: ["post.created"] };
  const pending = server.request(token, "/webhooks", { method: "POST", body });
  await names.asked;
  begin(server.core);
  names.find(["93.184.215.14"]);
  expect((await pending).status).toBe(503);
  endMaintenance(server.core, OPERATOR);
  expect((await server.request(token, "/webhooks", { method: "POST", body })).status).toBe(201);
});

test("an operation that waits for a password check when maintenance begins changes neither account nor password", async () => {
  using world = createTestWorld({ policy: { signup: "open" } });
  const { core } = world;
  const arrive = async (username: string) => {
    await createAccount(core, OPERATOR, {
      username,
      name: username,
      role: username === "root" ? "admin" : "member",
      password: PASSWORD,
    });
    return signedInNow(core, { builderId: findAccount(core, username)?.builderId ?? "" });
  };
  const [ada, bob, root] = [await arrive("ada"), await arrive("bob"), await arrive("root")];
  const requests = [
    deleteOwnAccount(core, ada, { username: "ada", proof: { password: PASSWORD } }),
    changePassword(core, bob, { current: PASSWORD, password: `${PASSWORD} anew` }),
    signUp(core, { address: "203.0.113.7", agent: "" }, { username: "eve", password: PASSWORD }),
  ];
  const own = changePassword(core, root, { current: PASSWORD, password: `${PASSWORD} anew` });
  begin(core);
  expect(await Promise.all(requests.map((each) => outcomeOf(() => each)))).toEqual(
    requests.map(() => "unavailable"),
  );
  expect((await own).username).toBe("root");
  endMaintenance(core, OPERATOR);
  const from = { address: "203.0.113.7", agent: "" };
  for (const username of ["ada", "bob"])
    expect((await signIn(core, from, { username, password: PASSWORD })).username).toBe(username);
  expect(findAccount(core, "eve")).toBeUndefined();
});

test("a recovery link signs an admin in during maintenance; a member's link stays valid until maintenance ends", async () => {
  await using site = openSite();
  await signUpMember(site, "ada");
  await signUpMember(site, "root", { role: "admin" });
  const linkFor = (username: string) => {
    const { pathname, search } = new URL(makeRecovery(site.core, OPERATOR, username).url);
    return `${pathname}${search}`;
  };
  const [adas, roots] = [linkFor("ada"), linkFor("root")];
  begin(site.core);
  const enter = async (link: string) => {
    const visitor = visit(site);
    return visitor.submit(await visitor.open(link), "/recover", { password: `${PASSWORD} anew` });
  };
  expect((await enter(roots)).html).toContain("End maintenance");
  const refused = await enter(adas);
  expect(refused.status).toBe(503);
  expect(refused.html).toContain(MESSAGE);
  endMaintenance(site.core, OPERATOR);
  expect((await enter(adas)).status).toBe(200);
});

test("forms of members and guests return 503 and change nothing; pages stay readable, and admins keep working", async () => {
  await using site = openSite();
  const [ada, root] = [await signUpMember(site, "ada"), await signUpMember(site, "root", { role: "admin" })];
  begin(site.core);
  const before = contentsOf(site);
  const forms = pagesOf(site.interactions).filter(({ method }) => method === "POST");
  expect(forms.length).toBeGreaterThan(60);
  // Sign-in, sign-out and settings stored only in the browser.
  const inAndOut = [
    "/sign-in",
    "/sign-in/passkey",
    "/sign-in/passkey/options",
    "/setup",
    "/recover",
    "/sign-out",
    "/language",
  ];
  for (const { path } of forms.filter((route) => !inAndOut.includes(route.path))) {
    const address = path.replaceAll(/:\w+/g, "x");
    for (const visitor of [ada, visit(site)]) {
      const page = await visitor.post(address, {});
      expect([path, page.status]).toEqual([path, 503]);
      expect(page.html).toContain(MESSAGE);
      expect(page.headers.get("retry-after")).toBe("300");
    }
    expect([path, (await root.post(address, {})).status]).not.toEqual([path, 503]);
  }
  expect(contentsOf(site)).toBe(before);
  const home = await root.open("/");
  expect((await root.submit(home, "/posts", { text: "by root" })).html).toContain("by root");
  for (const path of ["/", "/jobs", "/prompts", "/settings/account", "/messages", "/@ada"])
    expect([path, (await ada.open(path)).status]).toEqual([path, 200]);
});

test("admins can sign in, other sign-ins get the maintenance message, and every member can sign out", async () => {
  await using site = openSite();
  const ada = await signUpMember(site, "ada");
  await signUpMember(site, "root", { role: "admin" });
  begin(site.core);
  const enter = async (username: string) => {
    const visitor = visit(site);
    const page = await visitor.submit(await visitor.open("/sign-in"), "/sign-in", {
      username,
      password: PASSWORD,
    });
    return { status: page.status, html: page.html };
  };
  expect((await enter("root")).html).toContain("Welcome back.");
  const refused = await enter("ada");
  expect(refused.status).toBe(503);
  expect(refused.html).toContain(MESSAGE);
  const out = await ada.submit(await ada.open("/"), "/sign-out");
  expect(out.html).toContain("You are signed out.");
});

test("OAuth endpoints return a JSON refusal: no token is issued, revoked or refreshed; introspection keeps working", async () => {
  await using site = openSite();
  begin(site.core);
  const post = (path: string) =>
    fetch(`${site.url}/v1/oauth/${path}`, { method: "POST", body: new URLSearchParams({ client_id: "x" }) });
  for (const path of ["token", "revoke", "device"]) {
    const answer = await post(path);
    expect([path, answer.status, answer.headers.get("retry-after")]).toEqual([path, 503, "300"]);
    expect(await answer.json()).toMatchObject({
      error: "temporarily_unavailable",
      error_description: expect.stringContaining(MESSAGE),
      code: "maintenance",
    });
  }
  expect((await post("introspect")).status).not.toBe(503);
  const page = await visit(site).open("/v1/oauth/authorize?client_id=x&response_type=code");
  expect(page.status).toBe(503);
  expect(page.html).toContain(MESSAGE);
  for (const path of ["/.well-known/openid-configuration", "/.well-known/jwks.json", "/healthz"])
    expect((await fetch(site.url + path)).status).toBe(200);
});

test("deliveries pause during maintenance and resume when it ends, also at its set end", async () => {
  for (const end of ["off", "time"] as const) {
    using world = createTestWorld();
    const { core, clock } = world;
    const ada = createMember(core, "ada").caller;
    registerEndpoint(core, ada, {
      url: "https://hooks.example.com/" as CheckedUrl,
      events: ["post.created"],
    });
    begin(core, end === "time" ? MINUTE : undefined);
    createPost(core, ada, { text: "hello" });
    const attempts: string[] = [];
    const attempt: Attempt = async ({ endpointId }) => {
      attempts.push(endpointId);
      return { durationMs: 1, status: 200 };
    };
    const loop = startLoop(core, attempt, [0], pino({ level: "silent" }));
    try {
      for (let i = 0; i < 20; i++) {
        loop.wake();
        await Bun.sleep(2);
      }
      expect(attempts).toEqual([]);
      if (end === "off") endMaintenance(core, OPERATOR);
      else clock.pass(MINUTE);
      loop.wake();
      await until(() => attempts.length === 1);
    } finally {
      await loop.stop();
    }
  }
});

test("maintenance pauses background work that writes, and other work continues", async () => {
  using world = createTestWorld();
  const metrics = createMetrics();
  const run = backgroundWorkOf(world.core, pino({ level: "silent" }), metrics);
  const done: string[] = [];
  const work = (name: string) => async () => void done.push(name);
  begin(world.core);
  await run("tidy", work("tidy"), { canPause: true });
  await run("look", work("look"));
  expect(done).toEqual(["look"]);
  endMaintenance(world.core, OPERATOR);
  await run("tidy", work("tidy"), { canPause: true });
  expect(done).toEqual(["look", "tidy"]);
});

test("a member who keeps reading stays signed in, however long maintenance lasts", async () => {
  await using site = openSite({ policy: { signup: "invite", retentionSessionsMs: DAY } });
  const [ada, bob] = [await signUpMember(site, "ada"), await signUpMember(site, "bob")];
  begin(site.core);
  const timers = spyOn(globalThis, "setInterval").mockImplementation(() => 0 as never);
  startBackgroundWork(site.core, pino({ level: "silent" }), createMetrics(), {}).stop();
  const due = timers.mock.calls.map(([work]) => work as () => void);
  timers.mockRestore();
  for (let hours = 0; hours < 60; hours += 20) {
    site.clock.pass(20 * HOUR);
    expect((await ada.open("/settings/account")).html).toContain("Sign out");
    for (const work of due) work();
    // Waits for earlier writes, which run in order.
    await site.core.db.write(() => {});
  }
  expect((await bob.open("/settings/account")).html).toContain("Forgot your password?");
});

test("only an admin or the operator can begin maintenance; the audit log records it, and a second begin keeps the start time", async () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const ada = signedInNow(core, createMember(core, "ada").caller);
  expect(() => beginMaintenance(core, ada)).toThrow("admin");
  expect(() => endMaintenance(core, ada)).toThrow("admin");
  const { since } = beginMaintenance(core, OPERATOR, {});
  expect(maintenanceOf(core)?.message).toBe("This community is being maintained.");
  clock.pass(HOUR);
  expect(beginMaintenance(core, OPERATOR, { message: "Nearly there", forMs: HOUR })).toEqual({
    since,
    until: clock.now() + HOUR,
    message: "Nearly there.",
  });
  for (const forMs of [0, 59_999, -1, Number.NaN, 31 * 24 * HOUR])
    expect(() => beginMaintenance(core, OPERATOR, { forMs })).toThrow("from one minute to 30 days");
  for (const message of ["", "two\nlines", "x".repeat(301)])
    expect(() => beginMaintenance(core, OPERATOR, { message })).toThrow();
  expect(endMaintenance(core, OPERATOR)).toBe(true);
  expect(endMaintenance(core, OPERATOR)).toBe(false);
  const entries = core.db.prepare<{ act: string }>("SELECT act FROM audit_entries ORDER BY id").all();
  expect(entries.map(({ act }) => act).filter((action) => action.startsWith("maintenance"))).toEqual([
    "maintenance.begun",
    "maintenance.begun",
    "maintenance.ended",
  ]);
});
