// docs/contract.md#12.15: traces (W3C Trace Context).
import { expect, test } from "bun:test";
import { SECOND } from "../../src/core/base/clock.ts";
import { claimDue, recoverInterrupted, settle } from "../../src/core/outbox/deliveries/deliveries.ts";
import { inTrace, readTraceparent } from "../../src/core/outbox/events/trace.ts";
import { RETRY_DELAYS_MS } from "../../src/core/outbox/deliveries/schedule.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import type { CheckedUrl } from "../../src/core/outbox/webhooks/target.ts";
import { registerEndpoint } from "../../src/core/outbox/webhooks/webhooks.ts";
import { createAttempt } from "../../src/delivery/attempt.ts";
import { call } from "../spec/client.ts";
import {
  createTestWorld,
  createMember,
  openTestServer,
  limitOf,
  snapshot,
  type TestWorld,
} from "../support.ts";
import { openSite, signUpMember, tokenOf } from "../web/support.ts";
import { authority, claimTo, openReceiver } from "./receiver.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SENT = `00-${TRACE}-00f067aa0ba902b7-01`;
const claim = ({ core }: Pick<TestWorld, "core">, most = 9) =>
  core.db.transact(() => claimDue(core, most, "", limitOf(most))).claims;

test("parses a traceparent by the standard, and ignores an invalid one", () => {
  const parent = "00f067aa0ba902b7";
  const cases: [sent: string | null, taken?: string][] = [
    [SENT, SENT],
    [`00-${TRACE}-${parent}-00`, `00-${TRACE}-${parent}-00`],
    // Unknown flags are dropped. Of later versions, the known part is read.
    [`00-${TRACE}-${parent}-ff`, `00-${TRACE}-${parent}-03`],
    [`cc-${TRACE}-${parent}-01`, SENT],
    [`cc-${TRACE}-${parent}-01-what-comes`, SENT],
    [null],
    [""],
    [`ff-${TRACE}-${parent}-01`],
    [`00-${TRACE}-${parent}-01-what-comes`],
    [`cc-${TRACE}-${parent}-01.what`],
    [`00-${"0".repeat(32)}-${parent}-01`],
    [`00-${TRACE}-${"0".repeat(16)}-01`],
    [`00-${TRACE.toUpperCase()}-${parent}-01`],
    [`00-${TRACE}-${parent}`],
    [`00-${TRACE}-${parent}-1`],
    [`00-${TRACE}0-${parent}-01`],
    [`0-${TRACE}-${parent}-01`],
    [`00_${TRACE}_${parent}_01`],
    [`${SENT}, ${SENT}`],
    [`${SENT}\n`],
    [`00-${TRACE}-${parent}-01","status":401`],
  ];
  for (const [sent, taken] of cases) expect([sent, readTraceparent(sent)]).toEqual([sent, taken]);
});

test("a request's trace is in its log line and in its deliveries, with a new span for each attempt", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const draft = { url: "https://hooks.example.com/in", events: ["post.created"] };
  await call(server, token, "POST /webhooks", { body: draft });
  const headers = { traceparent: SENT };
  await server.request(token, "/feed", { method: "POST", body: { text: "traced" }, headers });
  await server.request(token, "/feed", { method: "POST", body: { text: "none" } });
  await server.request(token, "/feed", {
    method: "POST",
    body: { text: "bad" },
    headers: { traceparent: "00-1" },
  });
  expect(server.logged.slice(-3).map((line) => JSON.parse(line).traceparent)).toEqual([
    SENT,
    undefined,
    undefined,
  ]);
  const seen = new Set<string>();
  for (let attempt = 1; attempt <= 3; attempt++) {
    const claims = claim(server);
    const traced = claims.filter(({ traceparent }) => traceparent !== undefined);
    expect([claims.length, traced.map(({ body }) => JSON.parse(body).data.post.title)]).toEqual([
      3,
      ["traced"],
    ]);
    const { traceparent = "", body = "" } = traced[0] ?? {};
    expect(traceparent).toMatch(new RegExp(`^00-${TRACE}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`));
    expect(body).not.toContain(TRACE);
    seen.add(traceparent);
    server.core.db.transact(() => {
      for (const each of claims)
        settle(server.core, each, { durationMs: 1, failure: { code: "connection_reset" } }, RETRY_DELAYS_MS);
    });
    server.clock.pass(10 * 60 * SECOND);
  }
  expect(seen.size).toBe(3);
});

test("traces a post over GraphQL or a page like one over REST", async () => {
  await using site = openSite();
  const { caller, token } = createMember(site.core, "ada");
  registerEndpoint(site.core, caller, {
    url: "https://hooks.example.com/" as CheckedUrl,
    events: ["post.created"],
  });
  const headers = { traceparent: SENT };
  await fetch(`${site.url}/graphql`, {
    method: "POST",
    headers: { ...headers, authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({
      query: 'mutation { createPost(input: { text: "by the graph" }) { post { id } } }',
    }),
  });
  const bo = await signUpMember(site, "bo");
  const home = await bo.open("/");
  await bo.post("/posts", { text: "by a page", form_token: tokenOf(home) }, headers);
  const traces = claim(site).map(({ body, traceparent }) => [
    JSON.parse(body).data.post.title,
    traceparent?.split("-")[1],
  ]);
  expect(traces).toEqual([
    ["by the graph", TRACE],
    ["by a page", TRACE],
  ]);
});

test("a trace survives a kill before the attempt, and a failed request's trace reaches no other event", () => {
  using before = createTestWorld();
  const { core } = before;
  const { caller } = createMember(core, "ada");
  registerEndpoint(core, caller, {
    url: "https://hooks.example.com/" as CheckedUrl,
    events: ["post.created"],
  });
  inTrace(core, SENT, () => createPost(core, caller, { text: "traced" }));
  const broken = () => inTrace(core, SENT, () => createPost(core, caller, { text: "" }));
  expect(broken).toThrow();
  createPost(core, caller, { text: "none" });
  claim(before);
  using after = createTestWorld({ from: snapshot(before) });
  after.core.db.transact(() => recoverInterrupted(after.core));
  expect(claim(after).map(({ traceparent }) => traceparent?.split("-")[1])).toEqual([TRACE, undefined]);
});

test("the receiver gets the header beside the signature, which covers only the body", async () => {
  await using receiver = await openReceiver([204]);
  const attempt = createAttempt({
    targets: { resolve: async () => ["127.0.0.1"], allow: ["127.0.0.0/8"] },
    timeoutMs: 10_000,
    ca: (await authority()).pem,
    userAgent: "Guildhall-Webhooks/test",
  });
  const created = claimTo(`https://hooks.example.com:${receiver.port}/in`);
  expect((await attempt({ ...created, traceparent: SENT })).failure).toBeUndefined();
  expect((await attempt(created)).failure).toBeUndefined();
  const [traced, plain] = receiver.received.map(({ headers }) => headers);
  expect([traced?.["traceparent"], plain?.["traceparent"]]).toEqual([SENT, undefined]);
  expect(traced?.["x-service-signature"]).toBe(plain?.["x-service-signature"] ?? "");
});
