import { expect, test } from "bun:test";
import { Glob } from "bun";
import { listFeed } from "../../src/core/feed/feed.ts";
import { searchJobs } from "../../src/core/jobs/jobs.ts";
import { listPrompts } from "../../src/core/prompts/prompts.ts";
import { getProfile } from "../../src/core/profiles/profiles.ts";
import { createPost } from "../../src/core/feed/feed.ts";
import { getJob } from "../../src/core/jobs/jobs.ts";
import { listEndpoints } from "../../src/core/webhooks/webhooks.ts";
import { authenticate } from "../../src/core/access/access.ts";
import { fillDemo } from "../../src/demo/demo.ts";
import { enrol, makeWorld, type World } from "../support.ts";

/** Every statement that `work` prepares, with the plan SQLite chose for it. */
function plansOf(world: World, work: () => void): { sql: string; plan: string[] }[] {
  const { db } = world.core;
  const seen = new Set<string>();
  const spied = { ...db, prepare: ((sql: string) => (seen.add(sql), db.prepare(sql))) as typeof db.prepare };
  const core = world.core as { db: typeof db };
  core.db = spied;
  try {
    work();
  } finally {
    core.db = db;
  }
  return [...seen]
    .filter((sql) => /^\s*(?:SELECT|UPDATE|DELETE)/.test(sql))
    .map((sql) => ({
      sql,
      plan: db
        .prepare<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...params(sql))
        .map(({ detail }) => detail),
    }));
}

/** As many values as the statement has places for; which ones does not change the plan. */
function params(sql: string): unknown[] {
  const numbered = [...sql.matchAll(/\?(\d+)/g)].map(([, n]) => Number(n));
  const count = numbered.length > 0 ? Math.max(...numbered) : (sql.match(/\?/g) ?? []).length;
  return Array.from({ length: count }, () => "1");
}

test("no hot query reads a whole table or sorts what it found", async () => {
  using world = makeWorld();
  const { core } = world;
  await fillDemo(core, { builders: 30, posts: 800, jobs: 700, prompts: 200 }, 7, () => {});
  core.db.prepare("ANALYZE").run();
  const username =
    core.db.prepare<{ username: string }>("SELECT username FROM builders").get()?.username ?? "";
  const jobId = core.db.prepare<{ id: string }>("SELECT id FROM jobs").get()?.id ?? "";
  const { caller, token } = enrol(core, username);
  const page = { limit: 20 };
  const plans = plansOf(world, () => {
    for (const tag of [undefined, "rust"]) {
      for (const author of [undefined, username]) {
        const first = listFeed(core, caller, { tag, author, since: 1 }, { limit: 1 });
        const last = first.nodes.at(-1);
        if (last)
          listFeed(core, caller, { tag, author, since: 1 }, { limit: 20, cursor: first.cursorOf(last) });
      }
    }
    for (const q of [undefined, "engineer", 'engin* "we are" build']) {
      searchJobs(core, caller, { q }, page);
      searchJobs(
        core,
        caller,
        { q, stack: ["rust"], city: "berlin", remote: true, seniority: ["senior"] },
        page,
      );
    }
    getJob(core, caller, jobId);
    for (const model of [undefined, "gpt-5"]) {
      for (const category of [undefined, "coding"]) {
        listPrompts(core, caller, { model, category }, page);
        listPrompts(core, caller, { model, category, minScore: 4 }, page);
      }
    }
    getProfile(core, caller, username);
    listEndpoints(core, caller);
    createPost(core, caller, { text: "hello", tags: ["rust"] });
    authenticate(core, token, () => true);
  });
  expect(plans.length).toBeGreaterThan(15);
  const offences = plans.flatMap(({ sql, plan }) =>
    plan
      .filter((step) => /^SCAN|TEMP B-TREE/.test(step))
      // Full text and the list of wanted rows are tables only in name; the few badges of one builder may be sorted.
      .filter((step) => !/VIRTUAL TABLE|^SCAN wanted|FOR json_group_array/.test(step))
      .map((step) => `${step}: ${sql}`),
  );
  expect(offences).toEqual([]);
});

test("a released migration file is listed", async () => {
  const files = await Array.fromAsync(
    new Glob("*.sql").scan({ cwd: new URL("../../src/core/db/migrations", import.meta.url).pathname }),
  );
  const { MIGRATIONS } = await import("../../src/core/db/migrations.ts");
  expect(files.map((name) => name.replace(".sql", "")).sort()).toEqual(MIGRATIONS.map(({ name }) => name));
});
