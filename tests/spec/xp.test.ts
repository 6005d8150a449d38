// Tests docs/contract.md#4.12 and docs/contract.md#5.7.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { DAY } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { BADGES, type RuleName, RULES, ruleOf, TIERS, TIMES_MAX } from "../../src/core/community/xp/rules.ts";
import {
  award,
  listXp,
  restoreSubject,
  withdrawXp,
  withdrawSubject,
} from "../../src/core/community/xp/xp.ts";
import { fillDemo } from "../../src/demo/demo.ts";
import { standingByLedger, storedStanding, wrongBuilders, wrongDays } from "../ledger.ts";
import { sized } from "../drill.ts";
import { createTestWorld, createMember, openTestServer } from "../support.ts";
import { call, refusalOf } from "./client.ts";
import { addPrompts, jobDraft, rows } from "./rows.ts";

function xpOf(core: Core, id: string): number {
  return rows(core, "SELECT xp FROM builders WHERE id = ?", id)[0].xp;
}

function levelUps(core: Core): unknown[] {
  return rows(core, "SELECT body FROM events WHERE type = 'xp.level_up' ORDER BY id").map(
    ({ body }) => JSON.parse(body).data,
  );
}

function two(core: Core): [ada: string, bo: string] {
  return [createMember(core, "ada").caller.builderId ?? "", createMember(core, "bo").caller.builderId ?? ""];
}

test("xp: a post gives ten points, the first post a badge, and the ledger states the reason", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const { body: post } = await call(server, token, "POST /feed", { body: { text: "first" } });
  expect((await call(server, token, "GET /profiles/me")).body).toMatchObject({
    xp: 10,
    badges: ["first-post"],
  });
  expect((await call(server, token, "GET /profiles/me/xp")).body).toEqual({
    data: [
      {
        id: expect.stringMatching(/^xp_/),
        reason: "post.published",
        words: "Published a post",
        subject_id: post.id,
        points: 10,
        created_at: post.created_at,
      },
    ],
    next: null,
  });
});

test("xp: a job gives five points, and rating a prompt counts as activity of the day", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const bo = createMember(server.core, "bo");
  const { body: job } = await call(server, token, "POST /jobs", { body: jobDraft() });
  const [entry] = listXp(server.core, caller, { limit: 1 }).nodes;
  expect(entry).toMatchObject({ reason: "job.published", subjectId: job.id, points: 5 });
  const [prompt] = addPrompts(server, caller, {});
  await call(server, bo.token, `PUT /prompts/${prompt}/rating`, { body: { stars: 1 } });
  for (const asker of [token, bo.token]) {
    const { body: streak } = await call(server, asker, "GET /profiles/me/streak");
    expect(streak).toMatchObject({ streak_days: 1, active_today: true });
  }
});

test("xp: a builder reads only their own ledger, newest first, page by page", async () => {
  await using server = openTestServer();
  const { core, clock } = server;
  const ada = createMember(core, "ada");
  const bo = createMember(core, "bo");
  const reader = createMember(core, "cy", ["feed:read", "profile:write"]);
  for (let day = 0; day < 5; day++) {
    createPost(core, ada.caller, { text: `day ${day}` });
    clock.pass(DAY);
  }
  createPost(core, bo.caller, { text: "mine" });
  const whole = listXp(core, ada.caller, { limit: 100 }).nodes;
  expect(whole.map(({ points }) => points)).toEqual([1, 10, 1, 10, 1, 10, 1, 10, 10]);
  const walked: string[] = [];
  for (let next: string | null = ""; next !== null;) {
    const query: string = next === "" ? "limit=4" : `limit=4&cursor=${next}`;
    const { body } = await call(server, ada.token, `GET /profiles/me/xp?${query}`);
    walked.push(...body.data.map(({ id }: { id: string }) => id));
    next = body.next;
  }
  expect(walked).toEqual(whole.map(({ id }) => id));
  const last = whole.at(-1);
  if (!last) throw new Error("nothing there");
  const cursor = listXp(core, ada.caller, { limit: 1 }).cursorOf(last);
  const backwards = listXp(core, ada.caller, { limit: 2, cursor, backwards: true });
  expect(backwards.nodes).toEqual(whole.slice(-3, -1));
  expect(await refusalOf(server, bo.token, `GET /profiles/me/xp?cursor=${cursor}`)).toBe("400 cursor");
  expect(await refusalOf(server, reader.token, "GET /profiles/me/xp")).toBe("403");
});

test("xp: each rule has a daily cap, and gives nothing above it until the next day", () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const [ada, bo] = two(core);
  let expected = 0;
  for (const [name, rule] of Object.entries(RULES) as [RuleName, (typeof RULES)[RuleName]][]) {
    const { points, dailyCap, byOthers } = ruleOf(name);
    if (dailyCap === undefined) continue;
    const given = Array.from({ length: Math.ceil(dailyCap / points) + 3 }, (_, nth) =>
      award(core, ada, name, `${name}-${nth}`, byOthers ? bo : undefined),
    );
    const total = given.reduce((sum, value) => sum + value, 0);
    expect([name, total]).toEqual([name, Math.floor(dailyCap / points) * points]);
    expect(given.at(-1)).toBe(0);
    expected += total;
    expect([rule.label, xpOf(core, ada)]).toEqual([rule.label, expected]);
  }
  clock.pass(DAY);
  expect(award(core, ada, "post.published", "tomorrow")).toBe(10);
});

test("xp: withdrawn points free room under the cap of the day on which they were earned", () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const [ada] = two(core);
  for (let nth = 0; nth < 5; nth++) award(core, ada, "post.published", `post-${nth}`);
  expect(award(core, ada, "post.published", "more")).toBe(0);
  withdrawSubject(core, "post-0", "undone");
  expect(award(core, ada, "post.published", "more")).toBe(10);
  clock.pass(DAY);
  withdrawSubject(core, "post-1", "undone");
  const given = Array.from({ length: 7 }, (_, nth) => award(core, ada, "post.published", `next-${nth}`));
  expect(given).toEqual([10, 10, 10, 10, 10, 0, 0]);
});

test("xp: a like gives points once and never for oneself, and an unlike adds an entry that withdraws them", () => {
  using world = createTestWorld();
  const { core } = world;
  const [ada, bo] = two(core);
  expect(award(core, ada, "like.received", "post-1", ada)).toBe(0);
  expect(award(core, ada, "like.received", "post-1")).toBe(0);
  expect(award(core, ada, "like.received", "post-1", bo)).toBe(2);
  expect(award(core, ada, "like.received", "post-1", bo)).toBe(0);
  expect(withdrawXp(core, ada, "like.received", "post-1", bo)).toBe(2);
  expect(withdrawXp(core, ada, "like.received", "post-1", bo)).toBe(0);
  expect(withdrawXp(core, ada, "like.received", "post-2", bo)).toBe(0);
  expect(xpOf(core, ada)).toBe(0);
  expect(rows(core, "SELECT cause, points FROM xp_entries ORDER BY seq")).toEqual([
    { cause: "earned", points: 2 },
    { cause: "undone", points: -2 },
  ]);
});

test("xp: a like switched on and off all day does not fill the ledger", () => {
  using world = createTestWorld();
  const { core } = world;
  const [ada, bo] = two(core);
  for (let nth = 0; nth < 40; nth++) {
    award(core, ada, "like.received", "post-1", bo);
    withdrawXp(core, ada, "like.received", "post-1", bo);
  }
  expect(rows(core, "SELECT count(*) AS n FROM xp_entries")).toEqual([{ n: 2 * TIMES_MAX }]);
  expect(xpOf(core, ada)).toBe(0);
});

test("xp: hiding withdraws points from all builders, and restoring returns them, except those undone meanwhile", () => {
  using world = createTestWorld();
  const { core } = world;
  const [ada, bo] = two(core);
  const cy = createMember(core, "cy").caller.builderId ?? "";
  award(core, ada, "post.published", "post-1");
  award(core, ada, "like.received", "post-1", bo);
  award(core, ada, "like.received", "post-1", cy);
  award(core, ada, "post.published", "post-2");
  withdrawSubject(core, "post-1", "hidden");
  withdrawSubject(core, "post-1", "hidden");
  expect(xpOf(core, ada)).toBe(10);
  expect(award(core, ada, "post.published", "post-1")).toBe(0);
  withdrawXp(core, ada, "like.received", "post-1", bo);
  restoreSubject(core, "post-1");
  restoreSubject(core, "post-1");
  expect(xpOf(core, ada)).toBe(10 + 10 + 2);
  withdrawSubject(core, "post-1", "undone");
  restoreSubject(core, "post-1");
  expect(xpOf(core, ada)).toBe(10);
});

test("xp.level_up fires once per level reached for the first time, however often the total crosses it", () => {
  using world = createTestWorld();
  const { core, clock } = world;
  const [ada] = two(core);
  const post = (nth: number) => award(core, ada, "post.published", `post-${nth}`);
  for (let nth = 0; nth < 5; nth++) post(nth);
  clock.pass(10 * DAY);
  for (let nth = 5; nth < 9; nth++) post(nth);
  expect([xpOf(core, ada), levelUps(core)]).toEqual([90, []]);
  post(9);
  const levelUp = { user_id: ada, from_level: 1, to_level: 2, badge: "apprentice" };
  expect([xpOf(core, ada), levelUps(core)]).toEqual([100, [levelUp]]);
  withdrawSubject(core, "post-0", "undone");
  clock.pass(10 * DAY);
  post(10);
  expect([xpOf(core, ada), levelUps(core)]).toEqual([100, [levelUp]]);
  expect(rows(core, "SELECT badge FROM builder_badges WHERE builder_id = ? ORDER BY badge", ada)).toEqual([
    { badge: "apprentice" },
    { badge: "first-post" },
  ]);
});

test("xp.level_up is public: every subscribed endpoint of every workspace gets it; a rollback fires nothing", async () => {
  await using server = openTestServer({ resolve: async () => ["93.184.215.14"] });
  const { core, clock } = server;
  const ada = createMember(core, "ada");
  const bo = createMember(core, "bo");
  const register = (token: string, url: string, events: string[]) =>
    call(server, token, "POST /webhooks", { body: { url, events } });
  for (const { token } of [ada, bo]) {
    await register(token, "https://hooks.example.com/levels", ["xp.level_up"]);
    await register(token, "https://hooks.example.com/posts", ["post.created"]);
  }
  core.db.prepare("UPDATE builders SET xp = 95 WHERE username = 'ada'").run();
  expect(() =>
    core.db.transact(() => {
      createPost(core, ada.caller, { text: "no" });
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(levelUps(core)).toEqual([]);
  clock.pass(1);
  await call(server, ada.token, "POST /feed", { body: { text: "yes" } });
  expect(levelUps(core)).toEqual([
    { user_id: ada.caller.builderId, from_level: 1, to_level: 2, badge: "apprentice" },
  ]);
  const urls = rows(
    core,
    `SELECT w.url, e.type FROM deliveries d JOIN events e ON e.id = d.event_id
     JOIN webhook_endpoints w ON w.id = d.endpoint_id ORDER BY e.type, d.id`,
  );
  expect(urls).toEqual([
    ...Array(2).fill({ url: "https://hooks.example.com/posts", type: "post.created" }),
    ...Array(2).fill({ url: "https://hooks.example.com/levels", type: "xp.level_up" }),
  ]);
  const { body } = await call(server, bo.token, "GET /events");
  expect(body.data.map(({ type }: { type: string }) => type)).toEqual(["post.created", "xp.level_up"]);
});

test("xp: the ledger is append-only, and is deleted with its builder", () => {
  using world = createTestWorld();
  const { core } = world;
  const [ada, bo] = two(core);
  award(core, ada, "post.published", "post-1");
  award(core, bo, "post.published", "post-2");
  expect(() => core.db.prepare("UPDATE xp_entries SET points = 99").run()).toThrow("only appended");
  expect(() => core.db.prepare("DELETE FROM xp_entries").run()).toThrow("only appended");
  core.db.prepare("DELETE FROM builders WHERE id = ?").run(ada);
  expect(rows(core, "SELECT subject_id FROM xp_entries")).toEqual([{ subject_id: "post-2" }]);
});

/** A random operation by one of four people on the objects of two builders. */
const act = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant("post" as const), who: fc.nat(1), subject: fc.nat(9) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ what: fc.constantFrom("like", "unlike"), who: fc.nat(3), subject: fc.nat(9) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constantFrom("delete", "hide", "restore"),
      who: fc.constant(0),
      subject: fc.nat(9),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant("sleep" as const), who: fc.nat(3), subject: fc.nat(2) }),
  },
);

test("xp: stored totals match the ledger after any interleaving, and every level is reported once", () => {
  fc.assert(
    fc.property(fc.array(act, { minLength: 20, maxLength: 150 }), (actions) => {
      using world = createTestWorld();
      const { core, clock } = world;
      const people = ["ada", "bo", "cy", "di"].map((name) => createMember(core, name).caller.builderId ?? "");
      const authorOf = (subject: number): string => people[subject % 2] ?? "";
      for (const { what, who, subject } of actions) {
        const id = `post-${subject}`;
        const giver = people[who] ?? "";
        if (what === "post") award(core, authorOf(subject), "post.published", id);
        if (what === "like") award(core, authorOf(subject), "like.received", id, giver);
        if (what === "unlike") withdrawXp(core, authorOf(subject), "like.received", id, giver);
        if (what === "delete") withdrawSubject(core, id, "undone");
        if (what === "hide") withdrawSubject(core, id, "hidden");
        if (what === "restore") restoreSubject(core, id);
        if (what === "sleep") clock.pass(subject * DAY);
      }
      for (const id of people) {
        const stored = storedStanding(core, id);
        expect(stored).toEqual(standingByLedger(core, id));
        expect(stored.total).toBe(
          rows(core, "SELECT coalesce(sum(points), 0) AS n FROM xp_entries WHERE builder_id = ?", id)[0].n,
        );
        const levels = (levelUps(core) as { user_id: string; to_level: number }[])
          .filter(({ user_id }) => user_id === id)
          .map(({ to_level }) => to_level);
        expect(levels).toEqual(TIERS.slice(1, stored.level).map(({ level }) => level));
      }
      expect(wrongDays(core)).toEqual([]);
      const negative = rows(
        core,
        "SELECT sum(points) AS sum FROM xp_entries GROUP BY builder_id, rule, subject_id, giver_id HAVING sum < 0",
      );
      expect(negative).toEqual([]);
    }),
    { numRuns: sized(20, 250) },
  );
});

test("xp: the check finds tampered totals, levels, badges and daily points", () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  createMember(core, "bo");
  createPost(core, caller, { text: "here" });
  const tampering = [
    "UPDATE builders SET xp = 19999 WHERE username = 'ada'",
    "UPDATE builders SET level = 6 WHERE username = 'ada'",
    "DELETE FROM builder_badges",
    "UPDATE xp_days SET points = 50",
    "DELETE FROM xp_days",
  ];
  for (const sql of tampering) {
    core.db.prepare("SAVEPOINT sound").run();
    core.db.prepare(sql).run();
    expect([sql, wrongBuilders(core)]).toEqual([sql, [caller.builderId ?? ""]]);
    core.db.prepare("ROLLBACK TO sound").run();
    core.db.prepare("RELEASE sound").run();
  }
  expect(wrongBuilders(core)).toEqual([]);
});

test("xp: the ledgers of the demo community match its profiles", async () => {
  using world = createTestWorld();
  const { core } = world;
  await fillDemo(core, { builders: 150, posts: 10, jobs: 1, prompts: 1 }, 3, () => {});
  expect(rows(core, "SELECT count(*) AS n FROM builders")[0].n).toBe(150);
  expect(wrongBuilders(core)).toEqual([]);
  const [{ rich, badges, streaks }] = rows(
    core,
    `SELECT (SELECT count(*) FROM builders WHERE xp > 500) AS rich, (SELECT count(*) FROM builder_badges) AS badges,
            (SELECT count(*) FROM streaks) AS streaks`,
  );
  for (const count of [rich, badges, streaks]) expect(count).toBeGreaterThan(10);
});

test("xp: tiers ascend, and every badge can be earned", () => {
  expect(TIERS[0]?.from).toBe(0);
  for (const [nth, tier] of TIERS.entries()) {
    expect(tier.level).toBe(nth + 1);
    expect(tier.from).toBeGreaterThanOrEqual(TIERS[nth - 1]?.from ?? 0);
    expect(nth === 0 || tier.badge !== "").toBe(true);
  }
  for (const { rule, times } of BADGES) expect(ruleOf(rule).points > 0 && times > 0).toBe(true);
});
