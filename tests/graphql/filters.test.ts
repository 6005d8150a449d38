import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { listNotifications, markNotifications } from "../../src/core/services/notifications/notifications.ts";
import { isoTime } from "../../src/core/base/clock.ts";
import { claimDue, settle } from "../../src/core/outbox/deliveries/deliveries.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { publishJob } from "../../src/core/community/jobs/jobs.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { ratePrompt } from "../../src/core/community/prompts/ratings.ts";
import { type Route, ROUTES } from "../routes.ts";
import { jobDraft } from "../spec/rows.ts";
import { type TestServer, NOON, openTestServer, limitOf } from "../support.ts";
import { requestGraph, requestRest, shown } from "./parity.ts";
import { parityRows, type Row } from "./parity-rows.ts";
import { fillCommunity, type FixtureCommunity } from "./fixture-community.ts";

/*
 * Tests every filter of every list in the table of operations, through both transports. Each value matches
 * some objects and excludes others. A transport that ignores a filter returns the whole list.
 */

/** Paging parameters, and filters that only REST has, each with the reason. */
const PAGING = ["limit", "cursor"];
const REST_ALONE: Readonly<Record<string, string>> = {
  "listEvents.after":
    "an event id as a position, which clients of the pull store; GraphQL has the cursor `after`",
  "listEvents.wait": "for clients that pull; GraphQL clients subscribe instead",
};

/** Values of each filter. Each value matches some objects of the fixture community but not all. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  "listFeed.tag": ["zig", "bread"],
  "listFeed.author": ["bo", "ADA"],
  "listFeed.following": [true],
  "listFeed.since": [isoTime(NOON + 3 * 60_000), isoTime(NOON + 6 * 60_000)],
  "searchJobs.q": ["rust", "compiler", "-rust"],
  "searchJobs.stack": [["bread"], ["zig", "bread"]],
  "searchJobs.city": ["lisbon", "berlin"],
  "searchJobs.remote": [true, false],
  "searchJobs.seniority": [["junior"], ["junior", "staff"]],
  "listThreads.box": ["inbox", "requests"],
  "listPrompts.model": ["gpt-5", "claude-sonnet"],
  "listPrompts.category": ["fun", "code"],
  "listPrompts.min_score": [4, 0.5],
  "listProfiles.q": ["bo", "zig"],
  "searchEverything.q": ["rust", "author:bo"],
  "searchEverything.kind": ["prompt"],
  "listNotifications.unread": [true],
  "listNotifications.kind": ["reply"],
  "listReports.state": ["open", "settled"],
  "listDeliveries.state": ["awaiting_retry", "attempting", "acknowledged", "failed"],
  "listEvents.since": [isoTime(NOON + 5 * 60_000)],
};

/** Adds objects on both sides of every filter. */
function addItems({ core, clock }: TestServer, { ada, bo, ids }: FixtureCommunity): void {
  clock.pass(60_000);
  createPost(core, bo.caller, { text: "bread", tags: ["bread"] });
  sendMessage(core, ada.caller, { to: "cy", text: "Answered, so no request any more." });
  const jobs = [
    { title: "Remote baker", remote: true, stack: ["zig"], seniority: "junior" as const },
    { title: "Port engineer", city: "lisbon", stack: ["bread"], seniority: "staff" as const },
  ];
  for (const job of jobs) publishJob(core, bo.caller, jobDraft(job));
  const prompt = submitPrompt(core, bo.caller, { title: "t", body: "b", model: "gpt-5", category: "fun" });
  ratePrompt(core, ada.caller, prompt.id, { stars: 3 });
  const [told] = listNotifications(core, ada.caller, {}, { limit: 1 }).nodes;
  markNotifications(core, ada.caller, { ids: [told!.id] });
  const outcomes = [
    { outcome: { status: 200, durationMs: 1 }, schedule: [0] },
    { outcome: { failure: { code: "connection_reset" as const }, durationMs: 1 }, schedule: [0] },
    { outcome: { failure: { code: "connection_reset" as const }, durationMs: 1 }, schedule: [0, 1000, 2000] },
  ];
  const { claims } = core.db.transact(() => claimDue(core, 100, "", limitOf(100)));
  const of = claims.filter(({ endpointId }) => endpointId === ids.endpoint);
  core.db.transact(() =>
    outcomes.forEach(({ outcome, schedule }, i) => settle(core, of[i]!, outcome, schedule)),
  );
}

interface Case {
  op: Route;
  name: string;
}
const CASES: Case[] = ROUTES.flatMap((op) =>
  Object.keys(op.query?.properties ?? {})
    .filter((name) => !PAGING.includes(name) && !REST_ALONE[`${op.id}.${name}`])
    .map((name) => ({ op, name })),
);

test("every REST filter has test values here, and every value has its filter", () => {
  const known = CASES.map(({ op, name }) => `${op.id}.${name}`);
  expect(Object.keys(VALUES).sort()).toEqual(known.sort());
});

describe("a filter returns the same over REST and GraphQL", () => {
  let server: TestServer & AsyncDisposable;
  let community: FixtureCommunity;
  let rows: Readonly<Record<string, Row>>;
  beforeAll(async () => {
    server = openTestServer();
    community = await fillCommunity(server);
    addItems(server, community);
    rows = parityRows(community);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  async function both(op: Route, filters: Readonly<Record<string, unknown>>) {
    const row = rows[op.id] as Row;
    const request = { ...(row.param ? { param: row.param } : {}), first: 100, filters };
    const rest = await requestRest(server, community.ada.token, op, request);
    const answer = await requestGraph(server, community.ada.token, op, row, request);
    expect([filters, rest.status, answer.body.errors]).toEqual([filters, 200, undefined]);
    return { rest: rest.body, graph: shown(op, row, answer) as { data: unknown[] } };
  }

  for (const { op, name } of CASES) {
    test(`${op.id}: ${name}`, async () => {
      const all = await both(op, {});
      for (const value of VALUES[`${op.id}.${name}`] ?? []) {
        const { rest, graph } = await both(op, { [name]: value });
        expect([value, graph]).toEqual([value, rest]);
        expect(rest.data.length, `${value} keeps nothing away`).toBeLessThan(all.rest.data.length);
        expect(rest.data.length, `${value} lets nothing through`).toBeGreaterThan(0);
      }
    });
  }
});
