import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { listNotifications, markNotifications } from "../../src/core/services/notifications/notifications.ts";
import { DAY, isoTime } from "../../src/core/base/clock.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { recordSignUp } from "../../src/core/identity/sign-ups/sign-ups.ts";
import { appeal, decideAppeal } from "../../src/core/services/moderation/appeals.ts";
import { addCaseNote, takeCase } from "../../src/core/services/moderation/cases.ts";
import { decide } from "../../src/core/services/moderation/decisions.ts";
import { report } from "../../src/core/services/moderation/reports.ts";
import { undoDecision } from "../../src/core/services/moderation/undo.ts";
import { claimDue, settle } from "../../src/core/outbox/deliveries/deliveries.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { publishJob } from "../../src/core/community/jobs/jobs.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { ratePrompt } from "../../src/core/community/prompts/ratings.ts";
import { type Route, ROUTES } from "../routes.ts";
import { jobDraft } from "../spec/rows.ts";
import { createMember, type TestServer, NOON, openTestServer, limitOf } from "../support.ts";
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

/** The day of the fixture community. The last objects of `addItems` are a day newer. */
const FIRST_DAY = isoTime(NOON).slice(0, 10);

/** Values of each filter. Each value matches some objects of the fixture community but not all. */
const VALUES: Readonly<
  Record<string, readonly unknown[] | ((ids: FixtureCommunity["ids"]) => readonly unknown[])>
> = {
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
  "listAppeals.state": ["decided"],
  "listCases.state": ["closed"],
  "listCases.taken": ["mine", "free"],
  "listCases.cause": ["report", "act"],
  "listCases.member": ["bo", "ADA"],
  "listDecisions.moderator": ["ada"],
  "listDecisions.builder": ["mallory", "bo"],
  "listDecisions.subject": ({ hidden }) => [hidden],
  "listDecisions.act": ["hide", "suspend"],
  "listDecisions.day": [FIRST_DAY],
  "listDecisions.state": ["in_force", "undone"],
  "listModerationLog.actor": ["ada"],
  "listModerationLog.subject": ["mallory", "bo"],
  "listModerationLog.act": ["thing.hidden", "builder.suspended"],
  "listModerationLog.day": [FIRST_DAY],
  "listMembers.username": ["b", "@ADA"],
  "listMembers.new_since": [isoTime(NOON + DAY / 2)],
  "listMembers.inviter": ["ada"],
  "listMembers.network": ["bo"],
  "listMembers.link_host": ["loaf.example"],
  "listMembers.standing": ["active", "limited", "suspended"],
  "listDeliveries.state": ["awaiting_retry", "attempting", "acknowledged", "failed"],
  "listEvents.since": [isoTime(NOON + 5 * 60_000)],
};

/** Adds objects on both sides of every filter. */
function addItems(server: TestServer, community: FixtureCommunity): void {
  const { core, clock } = server;
  const { ada, bo, ids } = community;
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
  addModeratedItems(server, community);
}

/** Adds cases, decisions and members. The newest are of the day after the fixture community. */
function addModeratedItems({ core, clock }: TestServer, { ada, bo, cy, ids }: FixtureCommunity): void {
  const [bos, cys] = [bo, cy].map(({ caller }) => caller.builderId ?? "") as [string, string];
  const reported = [
    { kind: "post", id: ids.theirs },
    { kind: "post", id: ids.reply },
    { kind: "job", id: ids.job },
    { kind: "prompt", id: ids.theirPrompt },
    { kind: "builder", id: bos },
  ] as const;
  for (const subject of reported) report(core, cy.caller, subject, { reason: "Boring." });
  takeCase(core, ada.caller, ids.theirs);
  createPost(core, ada.caller, { text: "See https://loaf.example/bread" });
  undoDecision(core, ada.caller, ids.decision);
  core.db.transact(() => {
    for (const id of [bos, cys]) recordSignUp(core, id, "192.0.2.1");
  });
  clock.pass(DAY);
  const { id: limit } = decide(core, OPERATOR, cys, { act: "limit", reason: "Too many posts." });
  appeal(core, cy.caller, limit, { text: "I wrote only two." });
  decideAppeal(core, ada.caller, limit, { outcome: "denied", answer: "There were twenty." });
  const builderId = createMember(core, "fay").caller.builderId ?? "";
  addCaseNote(core, ada.caller, builderId, { text: "Seen before." });
  core.db.prepare("INSERT INTO invited VALUES (?, ?, 'The meetup')").run(builderId, ada.caller.builderId);
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
      const values = VALUES[`${op.id}.${name}`] ?? [];
      for (const value of typeof values === "function" ? values(community.ids) : values) {
        const { rest, graph } = await both(op, { [name]: value });
        expect([value, graph]).toEqual([value, rest]);
        expect(rest.data.length, `${value} keeps nothing away`).toBeLessThan(all.rest.data.length);
        expect(rest.data.length, `${value} lets nothing through`).toBeGreaterThan(0);
      }
    });
  }
});
