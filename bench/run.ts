/**
 * Runs the named benches, or all of them: `bun run bench [NAME …]`. `CORES=1` gives the server one core.
 * Prints tables for bench/README.md.
 */
import { cpus, totalmem } from "node:os";
import { hasOneCore, leaveFirstCore } from "./server.ts";
import { budget } from "./budget.bench.ts";
import { delivery } from "./delivery.bench.ts";
import { feed } from "./feed.bench.ts";
import { graphql } from "./graphql.bench.ts";
import { harm } from "./harm.bench.ts";
import { jobs } from "./jobs.bench.ts";
import { lighthouseOfPages } from "./lighthouse.bench.ts";
import { memory } from "./memory.bench.ts";
import { pages } from "./pages.bench.ts";
import { peers } from "./peers.bench.ts";
import { scale } from "./scale.bench.ts";
import { search } from "./search.bench.ts";
import { writes } from "./writes.bench.ts";

const BENCHES: Readonly<Record<string, () => Promise<void>>> = {
  budget,
  feed,
  graphql,
  harm,
  jobs,
  writes,
  delivery,
  memory,
  pages,
  lighthouse: lighthouseOfPages,
  peers,
  scale,
  search,
};

const selected = process.argv.slice(2);
const unknown = selected.filter((name) => !BENCHES[name]);
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(", ")}; there are ${Object.keys(BENCHES).join(", ")}.`);
  process.exit(2);
}

const [cpu] = cpus();
console.log(
  `${new Date().toISOString().slice(0, 10)}, Bun ${Bun.version}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB${hasOneCore ? ", the server on one core" : ""}`,
);
leaveFirstCore();
for (const [name, bench] of Object.entries(BENCHES)) {
  if (selected.length > 0 && !selected.includes(name)) continue;
  console.log(`\n## ${name}\n`);
  await bench();
}
process.exit();
