// Tests docs/contract.md#V6.7, docs/contract.md#4.8 and docs/contract.md#5.7.
import { expect, test } from "bun:test";
import { createToken } from "../../src/core/delegation/tokens/tokens.ts";
import { type Caller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { DAY } from "../../src/core/base/clock.ts";
import {
  changeJobFilter,
  createJobFilter,
  deleteJobFilter,
  type JobFilterInput,
} from "../../src/core/community/jobs/job-filters.ts";
import { listJobMatches } from "../../src/core/community/jobs/matching.ts";
import { expireJobs, hideJob } from "../../src/core/community/jobs/board.ts";
import { changeJob, publishJob } from "../../src/core/community/jobs/jobs.ts";
import { type JobDraft } from "../../src/core/community/jobs/job.ts";
import { addMember, createWorkspace } from "../../src/core/delegation/workspaces/workspaces.ts";
import { BUILDER_SCOPES, createTestWorld, createMember, openTestServer, type TestWorld } from "../support.ts";
import { call } from "./client.ts";
import { jobDraft, reopen, rows } from "./rows.ts";
import { continueBatches } from "../../src/core/services/batches/batches.ts";

const matched = (world: Pick<TestWorld, "core">) =>
  rows(world.core, "SELECT body FROM events WHERE type = 'job.matched' ORDER BY id").map(
    ({ body }) => JSON.parse(body).data,
  );

const save = (world: Pick<TestWorld, "core">, caller: Caller, input: Partial<JobFilterInput> = {}) =>
  createJobFilter(world.core, caller, { name: "mine", ...input });

const publish = (world: Pick<TestWorld, "core">, change: Partial<JobDraft> = {}, caller: Caller = OPERATOR) =>
  publishJob(world.core, caller, jobDraft(change));

/** Creates builders with one filter each. By default every job of `jobDraft` matches. */
function crowd(
  world: TestWorld,
  count: number,
  input: Partial<JobFilterInput> = { stack: ["rust"] },
): Caller[] {
  return world.core.db.transact(() =>
    Array.from({ length: count }, (_, i) => {
      const { caller } = createMember(world.core, `crowd-${i}`, ["jobs:read", "jobs:write"]);
      save(world, caller, input);
      return caller;
    }),
  );
}

test("job.matched fires when a job matches a builder's saved filters, with the score of the best filter", async () => {
  await using server = openTestServer();
  const ada = createMember(server.core, "ada");
  const bo = createMember(server.core, "bo");
  save(server, ada.caller, { name: "words", q: "storage" });
  server.clock.pass(1);
  const best = save(server, ada.caller, { name: "stack", stack: ["rust"], city: "berlin" });
  save(server, ada.caller, { name: "no", stack: ["cobol"] });
  save(server, bo.caller, { name: "no", salary: { min: 110_001, currency: "EUR" } });
  const job = publish(server);
  expect(matched(server)).toStrictEqual([{ job_id: job.id, builder_id: ada.caller.builderId, score: 1 }]);
  const response = await call(server, ada.token, "GET /job-matches");
  expect(response.body).toStrictEqual({
    data: [
      {
        job: (await call(server, ada.token, "GET /jobs")).body.data[0],
        filter_id: best.id,
        score: 1,
        why: { stack: 1, place: 1 },
        matched_at: "2026-11-20T12:00:00.001Z",
      },
    ],
    next: null,
  });
  expect((await call(server, bo.token, "GET /job-matches")).body.data).toEqual([]);
  deleteJobFilter(server.core, ada.caller, best.id);
  expect((await call(server, ada.token, "GET /job-matches")).body.data[0].filter_id).toBe(null);
});

test("a builder is never matched with their own job, and a suspended builder with no job", () => {
  using world = createTestWorld();
  const ada = createMember(world.core, "ada").caller;
  const bo = createMember(world.core, "bo").caller;
  for (const caller of [ada, bo]) save(world, caller);
  const own = publish(world, {}, ada);
  expect(matched(world).map(({ builder_id }) => builder_id)).toEqual([bo.builderId]);
  changeJob(world.core, ada, own.id, { title: "Changed" });
  world.core.db.transact(() =>
    world.core.db.prepare("UPDATE builders SET suspended_at = 1 WHERE id = ?").run(bo.builderId),
  );
  publish(world);
  expect(matched(world).map(({ builder_id }) => builder_id)).toEqual([bo.builderId, ada.builderId]);
});

test("job.matched is sent only to the builder's own endpoints in workspaces that they own", async () => {
  await using server = openTestServer();
  const { core } = server;
  const ada = createMember(core, "ada");
  const bo = createMember(core, "bo");
  const owned = createWorkspace(core, OPERATOR, "ada", { name: "Ada's" });
  const joined = createWorkspace(core, OPERATOR, "bo", { name: "Bo's" });
  addMember(core, OPERATOR, owned, "bo");
  addMember(core, OPERATOR, joined, "ada");
  const tokenIn = (username: string, workspaceId: string) =>
    createToken(core, OPERATOR, username, {
      name: "x",
      scopes: [...BUILDER_SCOPES],
      tier: "enterprise",
      workspaceId,
    }).token;
  const tokens: Record<string, string> = {
    "ada, personal": ada.token,
    "ada, where she is owner": tokenIn("ada", owned),
    "ada, where she is a member": tokenIn("ada", joined),
    "bo, personal": bo.token,
    "bo, where ada is owner": tokenIn("bo", owned),
    "bo, where ada is a member": tokenIn("bo", joined),
  };
  const names = new Map<string, string>();
  for (const [name, token] of Object.entries(tokens)) {
    const body = { url: `https://${names.size}.example.com/`, events: ["job.matched", "job.published"] };
    names.set((await call(server, token, "POST /webhooks", { body })).body.id, name);
  }
  save(server, ada.caller);
  publish(server);

  const got = (type: string) =>
    rows(
      core,
      "SELECT endpoint_id FROM deliveries d JOIN events e ON e.id = d.event_id WHERE e.type = ? ORDER BY endpoint_id",
      type,
    ).map(({ endpoint_id }) => names.get(endpoint_id) ?? "");
  expect(got("job.matched")).toEqual(["ada, personal", "ada, where she is owner"]);
  expect(got("job.published")).toEqual(Object.keys(tokens));
  for (const [name, token] of Object.entries(tokens)) {
    const types = (await call(server, token, "GET /events")).body.data.map(
      ({ type }: { type: string }) => type,
    );
    const expected = got("job.matched").includes(name) ? ["job.published", "job.matched"] : ["job.published"];
    expect([name, types]).toEqual([name, expected]);
  }
});

test("a rolled-back publication matches no builder", () => {
  using world = createTestWorld();
  crowd(world, 60);
  const refused = () =>
    world.core.db.transact(() => {
      publish(world);
      throw new Error("changed my mind");
    });
  expect(refused).toThrow("changed my mind");
  for (const table of ["job_matches", "job_matchings", "events", "jobs"]) {
    expect([table, rows(world.core, `SELECT count(*) AS n FROM ${table}`)]).toEqual([table, [{ n: 0 }]]);
  }
  publish(world);
  expect(matched(world).length).toBeGreaterThan(0);
});

test("a changed or reopened job notifies only builders whom it newly matches", () => {
  using world = createTestWorld();
  const ada = createMember(world.core, "ada").caller;
  const bo = createMember(world.core, "bo").caller;
  const cy = createMember(world.core, "cy").caller;
  save(world, ada, { stack: ["rust"] });
  save(world, bo, { stack: ["zig"] });
  const matchedBuilders = () => matched(world).map(({ builder_id }) => builder_id);
  const { id } = publish(world);
  expect(matchedBuilders()).toEqual([ada.builderId]);
  const filter = save(world, cy, { q: "gardener" });
  changeJob(world.core, OPERATOR, id, { stack: ["zig"] });
  expect(matchedBuilders()).toEqual([ada.builderId, bo.builderId]);
  // A closed job is not matched.
  changeJob(world.core, OPERATOR, id, { open: false, title: "Gardener" });
  expect(matchedBuilders()).toHaveLength(2);
  changeJob(world.core, OPERATOR, id, { open: true });
  expect(matchedBuilders()).toEqual([ada.builderId, bo.builderId, cy.builderId]);
  changeJobFilter(world.core, cy, filter.id, { q: "plumber" });
  changeJob(world.core, OPERATOR, id, { title: "Plumber", stack: ["rust"] });
  expect(matchedBuilders()).toHaveLength(3);
});

test("a saved filter finds words in either spelling, like the search", () => {
  using world = createTestWorld();
  const callers = ["strasse", "Straße", "ŁÓDŹ", "cœur*", "ｃ＋＋"].map((q, i) => {
    const { caller } = createMember(world.core, `reader-${i}`);
    save(world, caller, { q });
    return caller.builderId;
  });
  publish(world, { description: "Straße in Łódź, cœurs and Ｃ＋＋" });
  expect(matched(world).map(({ builder_id }) => builder_id)).toEqual(expect.arrayContaining(callers));
  publish(world, { description: "Strasse in Lodz, coeurs and C++" });
  expect(matched(world)).toHaveLength(2 * callers.length);
});

test("a job with hundreds of matches notifies the first at publication and the others in batches, each once", () => {
  using world = createTestWorld();
  const callers = crowd(world, 230);
  let wakes = 0;
  world.core.onWake(() => void wakes++);
  const { id } = publish(world);
  expect([matched(world).length, wakes]).toEqual([25, 1]);
  let batches = 0;
  while (world.core.db.transact(() => continueBatches(world.core))) {
    batches++;
    // An interrupted batch is rolled back and runs again.
    const cut = () =>
      world.core.db.transact(() => {
        continueBatches(world.core);
        throw new Error("killed");
      });
    expect(cut).toThrow("killed");
  }
  expect(batches).toBeGreaterThan(3);
  expect(
    matched(world)
      .map(({ builder_id }) => builder_id)
      .sort(),
  ).toEqual(callers.map(({ builderId }) => builderId ?? "").sort());
  expect(matched(world).every(({ job_id, score }) => job_id === id && score === 1)).toBe(true);
  expect(rows(world.core, "SELECT count(*) AS n FROM job_matches")).toEqual([{ n: 230 }]);
  expect(rows(world.core, "SELECT count(*) AS n FROM job_matchings")).toEqual([{ n: 0 }]);
});

test("unwritten matches of a crashed process are written after its restart", () => {
  using world = createTestWorld();
  crowd(world, 120);
  publish(world);
  publish(world);
  expect(matched(world)).toHaveLength(50);
  using again = reopen(world);
  while (again.core.db.transact(() => continueBatches(again.core)));
  expect(matched(world)).toHaveLength(240);
});

test("filters that do not match count toward a batch, and later matches are still found", () => {
  using world = createTestWorld();
  const { caller } = createMember(world.core, "ada");
  save(world, caller, { stack: ["rust"] });
  const [template] = rows(world.core, "SELECT * FROM job_filters");
  const rest = createMember(world.core, "bo").caller;
  // Inserts more filters than a builder may have. Creating a thousand builders would be slow.
  world.core.db.transact(() => {
    for (let i = 0; i < 2500; i++) {
      const id = template.id.replace(/.{4}$/, `0${i.toString().padStart(4, "0")}`.slice(-4));
      if (id === template.id) continue;
      world.core.db
        .prepare(
          `INSERT INTO job_filters SELECT ?, ?, name, q, '[{"words":["nowhere"],"isPrefix":false}]', stack, city, remote, seniority,
                  salary_min, currency, created_at FROM job_filters WHERE id = ?`,
        )
        .run(id, rest.builderId, template.id);
    }
  });
  const last = createMember(world.core, "cy").caller;
  world.clock.pass(1000);
  save(world, last, { stack: ["rust"] });
  publish(world);
  expect(rows(world.core, "SELECT count(*) AS n FROM job_matchings")).toEqual([{ n: 1 }]);
  let batches = 0;
  while (world.core.db.transact(() => continueBatches(world.core))) batches++;
  expect(batches).toBe(5);
  expect(
    matched(world)
      .map(({ builder_id }) => builder_id)
      .sort(),
  ).toEqual([caller.builderId ?? "", last.builderId ?? ""].sort());
});

test("a job taken off the board during matching notifies no more builders, and resumes when it is back", () => {
  using world = createTestWorld();
  crowd(world, 120);
  const { id } = publish(world);
  changeJob(world.core, OPERATOR, id, { open: false });
  while (world.core.db.transact(() => continueBatches(world.core)));
  expect(matched(world)).toHaveLength(25);
  changeJob(world.core, OPERATOR, id, { open: true });
  while (world.core.db.transact(() => continueBatches(world.core)));
  expect(matched(world)).toHaveLength(120);
});

test("matches are listed while their job is on the board, newest job first, and deleted when it expires", async () => {
  await using server = openTestServer();
  const { caller, token } = createMember(server.core, "ada");
  save(server, caller);
  const [old, closed, hidden, young] = ["old", "closed", "hidden", "young"].map((title) => {
    server.clock.pass(DAY);
    return publish(server, { title }).id;
  });
  const listed = async () =>
    (await call(server, token, "GET /job-matches")).body.data.map(({ job }: any) => job.title);
  expect(await listed()).toEqual(["young", "hidden", "closed", "old"]);
  const first = await call(server, token, "GET /job-matches?limit=1");
  const rest = await call(server, token, `GET /job-matches?limit=3&cursor=${first.body.next}`);
  expect(rest.body.data.map(({ job }: any) => job.id)).toEqual([hidden, closed, old]);
  const from = listJobMatches(server.core, caller, { limit: 4 });
  const back = listJobMatches(server.core, caller, {
    limit: 2,
    cursor: from.cursorOf(from.nodes.at(-1)!),
    backwards: true,
  });
  expect(back.nodes.map(({ job }) => job.id)).toEqual([hidden ?? "", closed ?? ""]);

  changeJob(server.core, OPERATOR, closed ?? "", { open: false });
  server.core.db.transact(() => hideJob(server.core, hidden ?? ""));
  expect(await listed()).toEqual(["young", "old"]);
  server.clock.pass(57 * DAY);
  expect(await listed()).toEqual(["young"]);
  await expireJobs(server.core);
  expect(
    rows(server.core, "SELECT job_id FROM job_matches ORDER BY job_id").map(({ job_id }) => job_id),
  ).toEqual([closed ?? "", hidden ?? "", young ?? ""]);
});
