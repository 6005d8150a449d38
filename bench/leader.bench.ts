import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { run } from "../scripts/run.ts";
import { readConfig } from "../src/config/config.ts";
import { createToken } from "../src/core/delegation/tokens/tokens.ts";
import type { Core } from "../src/core/base/core.ts";
import { BUILDER_SCOPES } from "../src/core/identity/access/scopes.ts";
import { OPERATOR } from "../src/core/identity/access/caller.ts";
import { coreOn, openDataFolder } from "../src/app/data-folder.ts";
import { cpuMs, fill, guildhall, residentMiB, row, serve } from "./ground.ts";
import { beginLoad } from "./soak-load.ts";

const SIZE = { builders: 10_000, posts: 1_000_000, jobs: 20_000, prompts: 10_000 };
const MEMBERS = 100;
/** Each for so long, after a beginning that is not counted. */
const SECONDS = 12;
const BEGINNING = 3;
/** Nobody is to wait longer, but one of a hundred. */
const BEARABLE_MS = 50;

/**
 * How much of the soak's mixed load one leader bears with a million posts of 10,000 members, on one core and on two:
 * the rate is raised until reads or writes have a p99 above 50 ms. `LEADER_CORES=1` measures one of them,
 * `LEADER_DATA=folder` takes a community that is there, `LEADER_RATES=10,20` other rates.
 */
export async function leader(): Promise<void> {
  const {
    LEADER_DATA: data,
    LEADER_CORES: cores = "1,2",
    LEADER_RATES: rates = "10,20,40,60,80,100,120",
  } = process.env;
  using stage = data === undefined ? await fill(SIZE) : opened(data);
  const tokens = tokensOf(stage.core);
  stage.core.db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
  console.log(`Database: ${Math.round(statSync(join(stage.folder, "guildhall.db")).size / 1e6)} MB\n`);
  row(
    "cores",
    "requests/s",
    "of these writes/s",
    "read p50 / p99 ms",
    "write p50 / p99 ms",
    "GraphQL p99 ms",
    "page p99 ms",
    "CPU %",
    "requests' thread %",
    "MiB",
    "faults",
  );
  row(...Array.from({ length: 11 }, () => "---"));
  for (const count of cores.split(",").map(Number))
    await climb(stage.folder, tokens, count, rates.split(",").map(Number));
}

/** One rate after the other on one server, up to the first that is not borne. */
async function climb(
  folder: string,
  tokens: string[],
  cores: number,
  rates: readonly number[],
): Promise<void> {
  await using server = await serve(guildhall(folder), { GUILDHALL_TRUSTED_PROXIES: "127.0.0.1" });
  // On one core the load has the other; on two they share both.
  if (cores === 1) {
    await run(".", ["taskset", "-apc", "0", String(server.pid)]);
    await run(".", ["taskset", "-apc", "1", String(process.pid)]);
  } else await run(".", ["taskset", "-apc", "0,1", String(process.pid)]);
  for (const rate of rates) {
    const load = beginLoad({ url: server.url, tokens, accounts: [], strangers: 20_000 }, rate);
    await Bun.sleep(BEGINNING * 1000);
    load.came();
    const before = [performance.now(), cpuMs(server.pid), threadMs(server.pid)] as const;
    await Bun.sleep(SECONDS * 1000);
    const came = load.came();
    const [passed, all, thread] = [
      performance.now() - before[0],
      cpuMs(server.pid) - before[1],
      threadMs(server.pid) - before[2],
    ];
    await load.stop();
    const of = (kind: string) => came.get(kind) ?? { requests: 0, p50: 0, p99: 0 };
    const both = (kind: string): string => `${of(kind).p50.toFixed(1)} / ${of(kind).p99.toFixed(1)}`;
    const requests = [...came.values()].reduce((sum, { requests: some }) => sum + some, 0);
    row(
      cores,
      Math.round((requests * 1000) / passed),
      Math.round((of("write").requests * 1000) / passed),
      both("read"),
      both("write"),
      of("graphql").p99.toFixed(1),
      of("page").p99.toFixed(1),
      Math.round((100 * all) / passed),
      Math.round((100 * thread) / passed),
      residentMiB(server.pid),
      load.faults.length,
    );
    if (load.faults.length > 0) console.error(load.faults[0]);
    if (Math.max(of("read").p99, of("write").p99) > BEARABLE_MS) return;
  }
}

/** Processor time of the first thread of a process, in milliseconds: the one that takes the requests. */
function threadMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function opened(folder: string): { folder: string; core: Core } & Disposable {
  if (!existsSync(join(folder, "guildhall.db"))) throw new Error(`there is no community in ${folder}`);
  const config = readConfig({}, { data: folder });
  const ground = openDataFolder(config, { busyMs: 5000, mayCreate: false });
  return {
    folder,
    core: coreOn(ground, config, "http://127.0.0.1"),
    [Symbol.dispose]: () => ground.db.close(),
  };
}

/** Of members who are spread over the community. */
function tokensOf(core: Core): string[] {
  return core.db
    .prepare<{ username: string }>(`SELECT username FROM builders ORDER BY id LIMIT ${MEMBERS}`)
    .all()
    .map(
      ({ username }) =>
        createToken(core, OPERATOR, username, {
          name: "bench",
          scopes: [...BUILDER_SCOPES],
          tier: "enterprise",
        }).token,
    );
}
