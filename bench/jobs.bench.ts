import { OPERATOR } from "../src/core/identity/access/caller.ts";
import type { Core } from "../src/core/base/core.ts";
import { searchJobs } from "../src/core/community/jobs/jobs.ts";
import { type JobQuery } from "../src/core/community/jobs/job.ts";
import { cpuTime, createBenchCommunity, row } from "./server.ts";

const SEARCHES: Readonly<Record<string, JobQuery>> = {
  "no words, no filter": {},
  "broad: one word in most jobs": { q: "the" },
  "broad: three common words": { q: "the team you" },
  "broad, with filters": { q: "engineer", stack: ["typescript", "rust"], city: "berlin", remote: true },
  "narrow: a rare pair": { q: "kotlin lisbon" },
  phrase: { q: '"what you will do"' },
  "prefix of two letters": { q: "en*" },
  "prefix and word": { q: "engin* team" },
  "sixteen words": { q: "the team you we our work with and of to in on for a is as" },
  "sparse: a common word in a rare city": { q: "engineer", city: "wroclaw" },
  "four wide prefixes in a rare city": { q: "e* s* t* w*", city: "wroclaw" },
  "prefix of seven letters": { q: "enginee*" },
  "prefix of seven letters in a rare city": { q: "enginee*", city: "wroclaw" },
  "sixteen words in a rare city": {
    q: "the team you we our work with and of to in on for a is as",
    city: "wroclaw",
  },
  "nothing matches": { q: "zymurgy" },
  "filters only": { stack: ["rust"], remote: true, seniority: ["senior", "staff"] },
};

/**
 * Measures job search in the core and the database: CPU time of the first page of 20 and of the tenth page.
 */
export async function jobs(): Promise<void> {
  const size = Number(process.env["JOBS"] ?? 100_000);
  using stage = await createBenchCommunity({ builders: 10, posts: 0, jobs: size, prompts: 0 });
  measureJobs(stage.core);
}

/** Measures a community that is already filled, with the clock of `core`. */
export function measureJobs(core: Core): void {
  row("search", "matches shown", "first page: median ms", "slowest ms", "tenth page: median ms");
  row("---", "---", "---", "---", "---");
  let slowest = 0;
  for (const [name, filter] of Object.entries(SEARCHES)) {
    const page = (cursor?: string) => searchJobs(core, OPERATOR, filter, { limit: 20, cursor });
    const first = cpuTime(() => page());
    let cursor: string | undefined;
    let shown = 0;
    for (let i = 0; i < 10; i++) {
      const found = page(cursor);
      shown += found.nodes.length;
      const last = found.nodes.at(-1);
      if (!found.hasNextPage || !last) break;
      cursor = found.cursorOf(last);
    }
    const deep = cpuTime(() => page(cursor));
    slowest = Math.max(slowest, first.median, deep.median);
    row(
      name,
      shown === 200 ? "200 or more" : shown,
      first.median.toFixed(2),
      first.slowest.toFixed(2),
      deep.median.toFixed(2),
    );
  }
  console.log(`\nSlowest median: ${slowest.toFixed(2)} ms (aim: 5 ms)`);
}
