import { OPERATOR } from "../src/core/identity/access/caller.ts";
import { createJobFilter, FILTERS_MAX, type JobFilterInput } from "../src/core/community/jobs/job-filters.ts";
import { publishJob } from "../src/core/community/jobs/jobs.ts";
import { type JobDraft, SENIORITIES } from "../src/core/community/jobs/job.ts";
import type { Core } from "../src/core/base/core.ts";
import { fill, median, row } from "./ground.ts";
import { createBuilder } from "../src/core/identity/accounts/administration.ts";
import { continueUnfinished } from "../src/core/services/batches/batches.ts";

const BUILDERS = 20_000;
const FILTERS = 100_000;
const JOBS = 60;

/**
 * One job against 100,000 saved filters of 20,000 builders: in the request that publishes it, and until the
 * last of its matches is written.
 */
export async function matching(): Promise<void> {
  using stage = await fill({ builders: 10, posts: 0, jobs: 2_000, prompts: 0 });
  const { core } = stage;
  const drafts = demoDrafts(core);
  const random = sequence(7);
  const from = performance.now();
  saveFilters(core, drafts, random);
  console.log(`Saving a filter: ${(((performance.now() - from) * 1000) / FILTERS).toFixed(0)} µs.\n`);
  const plain = drafts.slice(0, JOBS);
  row(
    "jobs",
    "filters",
    "matches: median",
    "most",
    "published in ms: median",
    "slowest",
    "all matched in ms: median",
    "slowest",
  );
  row(...Array(8).fill("---"));
  measure(core, "of the demo", plain);
  core.db.transact(() => {
    const popular = { ...blank, name: "every Rust job", stack: ["rust"] };
    for (const caller of callers(core, 10_000)) {
      core.db.prepare("DELETE FROM job_filters WHERE builder_id = ?").run(caller.builderId);
      createJobFilter(core, caller, popular);
    }
  });
  const [first] = plain;
  if (first)
    measure(
      core,
      "one that 10,000 wait for",
      Array.from({ length: 8 }, () => ({ ...first, stack: ["rust"], remote: true })),
    );
}

const blank = { q: "", stack: [], city: null, remote: null, seniority: [], salary: null };

function measure(core: Core, name: string, drafts: readonly JobDraft[]): void {
  const published: number[] = [];
  const finished: number[] = [];
  const matches: number[] = [];
  for (const [i, draft] of drafts.entries()) {
    const start = performance.now();
    const { id } = publishJob(core, OPERATOR, draft);
    const answered = performance.now();
    while (core.db.transact(() => continueUnfinished(core)));
    if (i < drafts.length / 20) continue; // until the code is warm
    published.push(answered - start);
    finished.push(performance.now() - start);
    const count = "SELECT count(*) AS n FROM job_matches WHERE job_id = ?";
    matches.push(core.db.prepare<{ n: number }>(count).get(id)?.n ?? 0);
  }
  const filters = core.db.prepare<{ n: number }>("SELECT count(*) AS n FROM job_filters").get()?.n ?? 0;
  const ms = (values: number[]) => [median(values).toFixed(1), Math.max(...values).toFixed(1)];
  row(name, filters, median(matches), Math.max(...matches), ...ms(published), ...ms(finished));
}

/** The jobs of the demo as drafts: their words, stacks, places and salaries are spread as on a real board. */
function demoDrafts(core: Core): JobDraft[] {
  return core.db
    .prepare<any>(
      "SELECT j.*, c.name, c.slug FROM jobs j JOIN companies c ON c.id = j.company_id ORDER BY j.seq",
    )
    .all()
    .map((job) => ({
      title: job.title,
      company: { name: job.name, slug: job.slug },
      location: job.location,
      ...(job.city === null ? {} : { city: job.city }),
      remote: job.remote === 1,
      seniority: job.seniority,
      stack: JSON.parse(job.stack),
      salary: { min: job.salary_min, max: job.salary_max, currency: job.currency },
      description: job.description,
      apply_url: job.apply_url,
    }));
}

/**
 * Each filter looks for jobs like one of the board, by the parts that people fill in: a place always, a stack
 * or two nearly always, a level mostly, a salary or a word of the title sometimes.
 */
function saveFilters(core: Core, drafts: readonly JobDraft[], random: () => number): void {
  core.db.transact(() => {
    for (let i = 0; i < BUILDERS; i++) {
      createBuilder(core, OPERATOR, { username: `seeker${i}`, name: "Seeker", role: "member" });
    }
  });
  let saved = 0;
  core.db.transact(() => {
    for (const caller of callers(core, BUILDERS)) {
      for (let i = 0; i < FILTERS / BUILDERS && i < FILTERS_MAX; i++) {
        const draft = drafts[Math.floor(random() * drafts.length)];
        if (draft) createJobFilter(core, caller, filterLike(draft, `filter ${saved++}`, random));
      }
    }
  });
}

function filterLike(draft: JobDraft, name: string, random: () => number): JobFilterInput {
  const from = Math.floor(random() * draft.stack.length);
  const stacks = draft.stack.slice(from, from + (random() < 0.6 ? 1 : 2));
  const level = SENIORITIES.indexOf(draft.seniority);
  const word = draft.title.split(/\W+/).find((part) => part.length > 4) ?? "";
  return {
    ...blank,
    name,
    stack: random() < 0.9 ? stacks : [],
    ...(random() < 0.6 && draft.city !== undefined ? { city: draft.city } : { remote: true }),
    seniority: random() < 0.7 ? SENIORITIES.slice(level, level + 2) : [],
    salary: random() < 0.4 ? { min: draft.salary.min, currency: draft.salary.currency } : null,
    q: random() < 0.3 ? word : "",
  };
}

function callers(core: Core, count: number) {
  return core.db
    .prepare<{ builderId: string; username: string; workspaceId: string }>(
      `SELECT b.id AS builderId, b.username, w.id AS workspaceId FROM builders b JOIN workspaces w ON w.owner_id = b.id
       WHERE b.username LIKE 'seeker%' ORDER BY b.id LIMIT ?`,
    )
    .all(count)
    .map((who) => ({ ...OPERATOR, ...who }));
}

/** Numbers from 0 to 1, the same in every run. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
