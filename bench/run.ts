/**
 * `bun run bench [backup|doctor|feed|following|graphql|harm|leader|oauth|jobs|matching|writes|delivery|memory|moving|pages|peers|scale|search|upkeep …]`: all of them
 * without a name. `CORES=1` before it gives the server one core. Prints tables for bench/README.md.
 */
import { cpus, totalmem } from "node:os";
import { isOnOneCore, leaveFirstCore } from "./cores.ts";
import { backup } from "./backup.bench.ts";
import { budget } from "./budget.bench.ts";
import { delivery } from "./delivery.bench.ts";
import { doctor } from "./doctor.bench.ts";
import { feed } from "./feed.bench.ts";
import { following } from "./following.bench.ts";
import { graphql } from "./graphql.bench.ts";
import { harm } from "./harm.bench.ts";
import { jobs } from "./jobs.bench.ts";
import { leader } from "./leader.bench.ts";
import { matching } from "./matching.bench.ts";
import { memory } from "./memory.bench.ts";
import { moving } from "./moving.bench.ts";
import { oauth } from "./oauth.bench.ts";
import { pages } from "./pages.bench.ts";
import { peers } from "./peers.bench.ts";
import { scale } from "./scale.bench.ts";
import { search } from "./search.bench.ts";
import { upkeep } from "./upkeep.bench.ts";
import { writes } from "./writes.bench.ts";

const BENCHES: Readonly<Record<string, () => Promise<void>>> = {
  budget,
  feed,
  following,
  graphql,
  harm,
  leader,
  oauth,
  jobs,
  matching,
  writes,
  delivery,
  backup,
  doctor,
  memory,
  moving,
  pages,
  peers,
  scale,
  search,
  upkeep,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !BENCHES[name]);
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(", ")}; there are ${Object.keys(BENCHES).join(", ")}.`);
  process.exit(2);
}

const [cpu] = cpus();
console.log(
  `${new Date().toISOString().slice(0, 10)}, Bun ${Bun.version}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB${isOnOneCore ? ", the server on one core" : ""}`,
);
leaveFirstCore();
for (const [name, bench] of Object.entries(BENCHES)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`\n## ${name}\n`);
  await bench();
}
process.exit();
