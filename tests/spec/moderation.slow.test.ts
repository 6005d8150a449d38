// Tests docs/contract.md#4.13.
import { expect, test } from "bun:test";
import { type Caller, OPERATOR, VISITOR } from "../../src/core/identity/access/caller.ts";
import { SCOPE_NAMES } from "../../src/core/identity/access/scopes.ts";
import { listAudit } from "../../src/core/identity/audit/audit.ts";
import { getPost, getPosts, listFeed, listHiddenPosts } from "../../src/core/community/feed/feed.ts";
import { hide, restore, suspendBuilder } from "../moderate.ts";
import { listReports, report } from "../../src/core/services/moderation/reports.ts";
import { getPrompt, listOwnPrompts, submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import {
  createMemberToken,
  type TestServer,
  asSession,
  createTestWorld,
  createMember,
  openTestServer,
} from "../support.ts";
import { call, refusalOf } from "./client.ts";
import { dumpRows, publishJobs, publishPosts, rows, spyOnDatabase } from "./rows.ts";

const reason = { reason: "An advertisement." };
const draft = { title: "Review", body: "You maintain this …", model: "sonnet", category: "review" };

/** Creates a community with an admin, an author of one object of each type, and a reader. */
async function settle(server: TestServer) {
  const { core } = server;
  const warden = createMember(core, "warden");
  core.db.transact(() => core.db.prepare("UPDATE builders SET role = 'admin'").run());
  const admin = createMemberToken(core, "warden", SCOPE_NAMES);
  const ada = createMember(core, "ada");
  const bo = createMember(core, "bo");
  const [postId = ""] = publishPosts(server, ada.caller, { text: "# Buy *now*", tags: ["rust"] });
  const prompt = submitPrompt(core, ada.caller, draft).id;
  const [job = ""] = publishJobs(server, { title: "Engineer" });
  return { warden, admin, ada, bo, ids: { post: postId, prompt, job } };
}

const ids = (received: { body: { data: { id: string }[] } }) => received.body.data.map(({ id }) => id);
const actions = (server: TestServer, caller: Caller, of: "mine" | "all" = "all") =>
  listAudit(server.core, asSession(caller, "admin"), { of }, { limit: 100 }).nodes.map(({ words }) => words);

test("hiding removes each kind of content from every list, search, detail and count; restoring brings everything back", async () => {
  await using server = openTestServer();
  const { admin, bo, ids: items } = await settle(server);
  const lists = {
    post: ["GET /feed", "GET /feed?tag=rust", "GET /feed?author=ada", "GET /feed?tag=rust&author=ada"],
    prompt: [
      "GET /prompts",
      "GET /prompts?model=sonnet",
      "GET /prompts?category=review",
      "GET /prompts?min_score=0",
    ],
    job: ["GET /jobs", "GET /jobs?q=engineer", "GET /jobs?stack=rust"],
  };
  const details = {
    post: [`GET /feed/${items.post}`, `GET /feed/${items.post}/replies`],
    prompt: [`GET /prompts/${items.prompt}`, `GET /prompts/${items.prompt}/versions`],
    job: [`GET /jobs/${items.job}`],
  };
  for (const kind of ["post", "prompt", "job"] as const) {
    const look = async () => [
      ...(await Promise.all(
        lists[kind].map(async (request) => ids(await call(server, bo.token, request)).length),
      )),
      ...(await Promise.all(
        details[kind].map(async (request) => (await call(server, bo.token, request)).status),
      )),
    ];
    const before = [...lists[kind].map(() => 1), ...details[kind].map(() => 200)];
    const after = [...lists[kind].map(() => 0), ...details[kind].map(() => 404)];
    expect([kind, await look()]).toEqual([kind, before]);
    for (const [method, hidden, seen] of [
      ["PUT", true, after],
      ["PUT", true, after],
      ["DELETE", false, before],
      ["DELETE", false, before],
    ] as const) {
      const response = await call(server, admin.token, `${method} /moderation/${items[kind]}/hidden`);
      expect([response.status, response.body.type, response.body.hidden]).toEqual([200, kind, hidden]);
      expect([kind, method, await look()]).toEqual([kind, method, seen]);
    }
  }
  expect(actions(server, admin.caller).slice(0, 6).reverse()).toEqual([
    "Hid the post “Buy now”: Off topic",
    "Made the post “Buy now” visible again",
    "Hid the prompt “Review”: Off topic",
    "Made the prompt “Review” visible again",
    "Hid the job “Engineer”: Off topic",
    "Made the job “Engineer” visible again",
  ]);
});

test("hiding and restoring leave every row unchanged, except in the decisions, the audit log, the ledger, the event log and the lineage", async () => {
  await using server = openTestServer();
  const { admin, bo, ids: items } = await settle(server);
  await call(server, bo.token, `PUT /feed/${items.post}/like`);
  const { body: reply } = await call(server, bo.token, `POST /feed/${items.post}/replies`, {
    body: { text: "no" },
  });
  const state = () =>
    dumpRows(server.core).filter(
      (row) => !/^(audit_entries|cases|decisions|events|event_log|lineage|xp_entries|sqlite|token)/.test(row),
    );
  const before = state();
  for (const id of [reply.id, items.post, items.prompt]) {
    await call(server, admin.token, `PUT /moderation/${id}/hidden`);
    expect(state()).not.toEqual(before);
    await call(server, admin.token, `DELETE /moderation/${id}/hidden`);
    expect(state()).toEqual(before);
  }
});

test("a hidden reply leaves the reply count of its conversation; a hidden post hides its conversation", async () => {
  await using server = openTestServer();
  const { admin, ada, bo, ids: items } = await settle(server);
  const { body: reply } = await call(server, bo.token, `POST /feed/${items.post}/replies`, {
    body: { text: "no" },
  });
  const figures = async () => (await call(server, ada.token, "GET /feed")).body.data[0]?.metrics;
  expect(await figures()).toEqual({ likes: 0, replies: 1 });
  await call(server, admin.token, `PUT /moderation/${reply.id}/hidden`);
  expect(await figures()).toEqual({ likes: 0, replies: 0 });
  expect(ids(await call(server, ada.token, `GET /feed/${items.post}/replies`))).toEqual([]);
  expect((await call(server, ada.token, `GET /feed/${reply.id}`)).status).toBe(404);
  expect((await call(server, bo.token, `GET /feed/${reply.id}`)).body.hidden).toBe(true);
  // A reply that is hidden and then deleted is subtracted from the count only once.
  await call(server, bo.token, `DELETE /feed/${reply.id}`);
  expect(await figures()).toEqual({ likes: 0, replies: 0 });
  const { body: second } = await call(server, bo.token, `POST /feed/${items.post}/replies`, {
    body: { text: "2" },
  });
  await call(server, admin.token, `PUT /moderation/${items.post}/hidden`);
  for (const request of [
    `GET /feed/${second.id}`,
    `PUT /feed/${second.id}/like`,
    `POST /feed/${second.id}/replies`,
    `POST /feed/${items.post}/replies`,
    `PUT /feed/${items.post}/report`,
  ]) {
    const init = request.startsWith("POST")
      ? { body: { text: "x" } }
      : request.endsWith("report")
        ? { body: reason }
        : {};
    expect([request, (await call(server, bo.token, request, init)).status]).toEqual([request, 404]);
  }
  expect((await call(server, bo.token, `DELETE /feed/${second.id}`)).status).toBe(204);
});

test("the author and moderators see hidden content with a mark; guests and the feed do not", async () => {
  await using server = openTestServer();
  const { core } = server;
  const { admin, ada, bo, ids: items } = await settle(server);
  hide(core, OPERATOR, items.post);
  hide(core, OPERATOR, items.prompt);
  for (const caller of [ada.caller, admin.caller, OPERATOR]) {
    expect(getPost(core, caller, items.post).hiddenAt).toBe(server.clock.now());
    expect(getPrompt(core, caller, items.prompt).hiddenAt).toBe(server.clock.now());
  }
  for (const caller of [bo.caller, VISITOR, createMemberToken(core, "warden").caller]) {
    expect(getPosts(core, caller, [items.post])).toEqual([]);
    expect(() => getPrompt(core, caller, items.prompt)).toThrow("There is no prompt with that id.");
  }
  expect(listFeed(core, ada.caller, {}, { limit: 5 }).nodes).toEqual([]);
  expect(listHiddenPosts(core, ada.caller, { limit: 5 }).nodes.map(({ id }) => id)).toEqual([items.post]);
  expect(listHiddenPosts(core, bo.caller, { limit: 5 }).nodes).toEqual([]);
  expect(listOwnPrompts(core, ada.caller, { limit: 5 }).nodes.map(({ hiddenAt }) => hiddenAt)).toEqual([
    server.clock.now(),
  ]);
  expect((await call(server, ada.token, `GET /feed/${items.post}`)).body.hidden).toBe(true);
  expect((await call(server, ada.token, `GET /prompts/${items.prompt}`)).body.hidden).toBe(true);
  expect(
    (await call(server, bo.token, `PUT /prompts/${items.prompt}/rating`, { body: { stars: 5 } })).status,
  ).toBe(404);
  expect((await call(server, bo.token, `DELETE /feed/${items.post}`)).status).toBe(404);
  expect((await call(server, bo.token, `DELETE /prompts/${items.prompt}`)).status).toBe(404);
  expect((await call(server, ada.token, `DELETE /feed/${items.post}`)).status).toBe(204);
  expect((await call(server, ada.token, `DELETE /prompts/${items.prompt}`)).status).toBe(204);
  expect(actions(server, ada.caller, "mine")).toContain("Hid the post “Buy now”: Off topic");
});

test("hiding withdraws the XP of the content, and restoring returns it", async () => {
  await using server = openTestServer();
  const { ada, bo, ids: items } = await settle(server);
  await call(server, bo.token, `PUT /feed/${items.post}/like`);
  const xp = async () => (await call(server, ada.token, "GET /profiles/me")).body.xp;
  const earned = await xp();
  hide(server.core, OPERATOR, items.post);
  expect(await xp()).toBe(earned - 12);
  restore(server.core, OPERATOR, items.post);
  expect(await xp()).toBe(earned);
  await call(server, bo.token, `DELETE /feed/${items.post}/like`);
  expect(await xp()).toBe(earned - 2);
});

test("each builder has one report per item, and only moderators see reports", async () => {
  await using server = openTestServer();
  const { admin, ada, bo, ids: items } = await settle(server);
  const addresses = {
    post: `/feed/${items.post}`,
    prompt: `/prompts/${items.prompt}`,
    job: `/jobs/${items.job}`,
    builder: "/profiles/ADA",
  };
  const subjects: string[] = [];
  for (const [kind, path] of Object.entries(addresses)) {
    const first = await call(server, bo.token, `PUT ${path}/report`, { body: { reason: "Hm." } });
    server.clock.pass(1000);
    const second = await call(server, bo.token, `PUT ${path}/report`, { body: reason });
    expect(second.body).toStrictEqual({ ...first.body, ...reason });
    expect(second.body.subject.type).toBe(kind);
    subjects.unshift(second.body.id);
    expect(await refusalOf(server, bo.token, `PUT ${path}/report`, { body: { reason: " " } })).toBe(
      "400 reason",
    );
  }
  expect(ids(await call(server, admin.token, "GET /reports"))).toEqual(subjects);
  await call(server, ada.token, `PUT /feed/${items.post}/report`, { body: reason });
  const { data, next } = (await call(server, admin.token, "GET /reports?state=open&limit=2")).body;
  expect(
    data.map(({ subject, reporter, settled }: any) => [subject.title, subject.owner, reporter, settled]),
  ).toEqual([
    ["Buy now", "ada", "ada", null],
    ["ada", "ada", "bo", null],
  ]);
  expect(ids(await call(server, admin.token, `GET /reports?state=open&limit=2&cursor=${next}`))).toHaveLength(
    2,
  );
  expect(await refusalOf(server, admin.token, `GET /reports?limit=2&cursor=${next}`)).toBe("400 cursor");
  expect(await refusalOf(server, admin.token, "GET /reports?state=all")).toBe("400 state");
  for (const path of [
    `/feed/${server.core.makeId("post", 0)}`,
    "/feed/x",
    `/feed/${items.prompt}`,
    "/profiles/nobody",
  ])
    expect([path, (await call(server, bo.token, `PUT ${path}/report`, { body: reason })).status]).toEqual([
      path,
      404,
    ]);
  const writer = createMemberToken(server.core, "bo", ["feed:write", "prompts:read"]).token;
  expect((await call(server, writer, `PUT /feed/${items.post}/report`, { body: reason })).status).toBe(403);
  expect((await call(server, writer, `PUT /prompts/${items.prompt}/report`, { body: reason })).status).toBe(
    200,
  );
});

test("hiding upholds the reports and restoring reopens them; dismissing and reopening undo each other", async () => {
  await using server = openTestServer();
  const { admin, ada, bo, ids: items } = await settle(server);
  const reported = await Promise.all(
    [ada, bo].map(
      async ({ token }) =>
        (await call(server, token, `PUT /feed/${items.post}/report`, { body: reason })).body.id,
    ),
  );
  const [first = ""] = reported;
  const states = async () =>
    (await call(server, admin.token, "GET /reports")).body.data.map(
      ({ settled }: any) => settled?.outcome ?? "open",
    );
  const step = async (request: string, status: number, outcome: string) => {
    const response = await call(server, admin.token, request);
    expect([request, response.status, await states()]).toEqual([request, status, [outcome, outcome]]);
  };
  const dismissal = `/reports/${first}/dismissal`;
  await step(`DELETE ${dismissal}`, 200, "open");
  await step(`PUT ${dismissal}`, 200, "dismissed");
  await step(`PUT ${dismissal}`, 200, "dismissed");
  // Reporting again after a decision does not reopen the report.
  await call(server, bo.token, `PUT /feed/${items.post}/report`, { body: { reason: "Again!" } });
  await step(`DELETE ${dismissal}`, 200, "open");
  await step(`PUT /moderation/${items.post}/hidden`, 200, "upheld");
  await step(`PUT ${dismissal}`, 409, "upheld");
  await step(`DELETE ${dismissal}`, 409, "upheld");
  await step(`DELETE /moderation/${items.post}/hidden`, 200, "open");
  expect(
    new Set(
      (await call(server, admin.token, "GET /reports?state=open")).body.data.map((item: any) => item.reason),
    ),
  ).toEqual(new Set([reason.reason]));
  await call(server, ada.token, `DELETE /feed/${items.post}`);
  await step(`PUT ${dismissal}`, 200, "dismissed");
  // Simulates a report without a copy. Older versions made no copies, and copies are deleted after 30 days.
  server.core.db.prepare("UPDATE reports SET outcome = 'gone', settled_by = NULL").run();
  server.core.db.prepare("DELETE FROM report_copies").run();
  await step(`PUT ${dismissal}`, 409, "gone");
  const { data } = (await call(server, admin.token, "GET /reports?state=settled")).body;
  expect(data[0].subject).toEqual({ type: "post", id: items.post, title: null, owner: null, hidden: false });
  expect((await call(server, admin.token, "PUT /reports/x/dismissal")).status).toBe(404);
  expect(actions(server, admin.caller).slice(0, 5)).toEqual([
    // The log has no title for deleted content.
    "Dismissed the reports about the post “…”",
    "Made the post “Buy now” visible again",
    "Hid the post “Buy now”: Off topic",
    "Reopened the reports about the post “Buy now”",
    "Dismissed the reports about the post “Buy now”",
  ]);
  // The reported member sees the moderation of their content, but no reports.
  expect(actions(server, ada.caller, "mine").filter((text) => text.includes("report"))).toEqual([]);
});

test("a builder is suspended and restored by username", async () => {
  await using server = openTestServer();
  const { admin, ada, bo } = await settle(server);
  await call(server, bo.token, "PUT /profiles/ada/report", { body: reason });
  const outcome = async () => (await call(server, admin.token, "GET /reports")).body.data[0].settled?.outcome;
  const status = async () => (await call(server, ada.token, "GET /feed")).status;
  expect(await status()).toBe(200);
  // A restored builder can sign in, but the old token stays invalid.
  for (const [method, hidden, seen, settled] of [
    ["PUT", true, 401, "upheld"],
    ["PUT", true, 401, "upheld"],
    ["DELETE", false, 401, undefined],
    ["DELETE", false, 401, undefined],
  ] as const) {
    const response = await call(server, admin.token, `${method} /profiles/Ada/suspension`);
    expect(response.body).toMatchObject({ type: "builder", title: "ada", hidden });
    expect([method, await status(), await outcome()]).toEqual([method, seen, settled]);
  }
  expect(actions(server, admin.caller).slice(0, 2)).toEqual([
    "Lifted the suspension of the account",
    "Suspended the account: Off topic",
  ]);
  expect((await call(server, admin.token, "PUT /profiles/nobody/suspension")).status).toBe(404);
  expect((await call(server, admin.token, "PUT /profiles/warden/suspension")).status).toBe(409);
});

test("every moderation operation is refused to members who are not moderators", async () => {
  await using server = openTestServer();
  const { warden, ada, ids: items } = await settle(server);
  const [reportId] = [report(server.core, ada.caller, { kind: "job", id: items.job }, reason).id];
  const before = dumpRows(server.core);
  for (const token of [ada.token, warden.token]) {
    for (const request of [
      "GET /reports",
      `PUT /reports/${reportId}/dismissal`,
      `DELETE /reports/${reportId}/dismissal`,
      `PUT /moderation/${items.post}/hidden`,
      `DELETE /moderation/${items.post}/hidden`,
      "PUT /moderation/x/hidden",
      "PUT /profiles/bo/suspension",
      "DELETE /profiles/bo/suspension",
    ])
      expect([request, (await call(server, token, request)).status]).toEqual([request, 403]);
  }
  expect(dumpRows(server.core)).toEqual(before);
  const { token } = createMemberToken(server.core, "warden", ["admin"]);
  const builderId = ada.caller.builderId ?? "";
  for (const id of ["x", builderId, server.core.makeId("post", 0), reportId])
    expect([id, (await call(server, token, `PUT /moderation/${id}/hidden`)).status]).toEqual([id, 404]);
});

test("a rolled-back moderation hides, notifies and settles nothing", () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  const [id = ""] = publishPosts(world, caller, "hello");
  report(core, caller, { kind: "post", id }, reason);
  const before = dumpRows(core);
  for (const action of [() => hide(core, OPERATOR, id), () => suspendBuilder(core, OPERATOR, "ada")]) {
    expect(() =>
      core.db.transact(() => {
        action();
        throw new Error("rolled back");
      }),
    ).toThrow("rolled back");
    expect(dumpRows(core)).toEqual(before);
  }
});

test("the queue needs as many queries for a hundred reports as for one", () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  const count = (limit: number) => {
    const statements = spyOnDatabase(core);
    expect(listReports(core, OPERATOR, {}, { limit }).nodes).toHaveLength(limit);
    return statements.length;
  };
  for (const id of publishPosts(world, caller, ...Array.from({ length: 100 }, (_, i) => `post ${i}`)))
    report(core, caller, { kind: "post", id }, reason);
  const [one, hundred] = [count(1), count(100)];
  expect([one > 0, hundred]).toEqual([true, one]);
  expect(rows(core, "SELECT count(*) AS n FROM reports")[0].n).toBe(100);
});
