import { chmodSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBenchCommunity, row } from "./server.ts";
import { load } from "./load.ts";
import { comparison, HEAD, type Round } from "./peers/comparison.ts";
import { startGuildhall } from "./peers/guildhall.ts";
import { jsonOf, type Peer, type Work } from "./peers/peer.ts";
import { fillPocketbase, pocketbase, startPocketbase } from "./peers/pocketbase.ts";
import { postgraphile, postgresPrograms, startPostgraphile, startPostgres } from "./peers/postgraphile.ts";
import { usageOf } from "./peers/processes.ts";
import { rowsOf } from "./peers/rows.ts";
import { VERSIONS } from "./peers/versions.ts";

const POSTS = 100_000;
const ROUNDS = 5;
const SECONDS = 2.5;

interface Part {
  title: string;
  work: Work;
  connections: number;
  /**
   * Variants of the peers to start. Variants that the part does not compare are not started, because they
   * would use memory.
   */
  pocketbase: readonly ("NORMAL" | "FULL" | "without log")[];
  postgraphile: readonly ("rules" | "anybody")[];
}

const PARTS: Readonly<Record<string, Part>> = {
  feed: {
    title: "The first page of the feed, 20 posts with their authors, over REST",
    work: "feed",
    connections: 16,
    pocketbase: ["NORMAL", "without log"],
    postgraphile: [],
  },
  graphql: {
    title: "The same page over GraphQL",
    work: "graphql",
    connections: 16,
    pocketbase: [],
    postgraphile: ["rules", "anybody"],
  },
  tag: {
    title: "20 posts with a tag, with their authors, over REST",
    work: "tag",
    connections: 16,
    pocketbase: ["NORMAL"],
    postgraphile: [],
  },
  "tag-graphql": {
    title: "20 posts with a tag, with their authors, over GraphQL",
    work: "tag-graphql",
    connections: 16,
    pocketbase: [],
    postgraphile: ["rules"],
  },
  ...Object.fromEntries([1, 16, 64].map((connections) => [`write-${connections}`, writes(connections)])),
};

function writes(connections: number): Part {
  return {
    title: "One post a request",
    work: "write",
    connections,
    pocketbase: ["FULL", "NORMAL"],
    postgraphile: ["rules"],
  };
}

/**
 * Compares Guildhall with PocketBase and PostGraphile on the same rows and the same pages. The sides
 * alternate within one run. A peer that this machine cannot install is skipped, and the reason is printed.
 * `PEERS=feed,write-64` runs only these parts, and `PEERS=fetch` only downloads.
 */
export async function peers(): Promise<void> {
  const selected = process.env["PEERS"]?.split(",") ?? Object.keys(PARTS);
  const unknown = selected.filter((name) => name !== "fetch" && !PARTS[name]);
  if (unknown.length > 0)
    throw new Error(`PEERS: ${unknown.join(", ")}; there are fetch, ${Object.keys(PARTS).join(", ")}`);
  const base = await orUndefined("PocketBase", VERSIONS.pocketbase, pocketbase);
  const graphile = await orUndefined("PostGraphile", VERSIONS.postgraphile, async () => ({
    programs: postgresPrograms(),
    folder: await postgraphile(),
  }));
  const parts = selected
    .flatMap((name) => PARTS[name] ?? [])
    .filter((part) => (base && part.pocketbase.length > 0) || (graphile && part.postgraphile.length > 0));
  if (parts.length === 0) return console.log("Nothing was compared.");

  using stage = await createBenchCommunity({ builders: 200, posts: POSTS, jobs: 0, prompts: 0 });
  const rows = rowsOf(stage.core);
  const folder = mkdtempSync(join(tmpdir(), "guildhall-peers-"));
  // Lets other users enter this folder. It contains the folder of PostgreSQL, which may run as another user.
  chmodSync(folder, 0o711);
  try {
    await using database =
      graphile && (await startPostgres(graphile.programs, join(folder, "postgres"), rows));
    if (base) await fillPocketbase(base, join(folder, "filled"), rows);
    if (database) console.log(`${database.version}, as initdb makes it\n`);
    for (const part of parts) {
      await using stack = new AsyncDisposableStack();
      const sides = [stack.use(await startGuildhall(stage))];
      if (base)
        for (const kind of part.pocketbase) {
          const own = join(folder, `${part.work} ${part.connections} ${kind}`);
          cpSync(join(folder, "filled"), own, { recursive: true });
          const options = {
            synchronous: kind === "FULL" ? "FULL" : "NORMAL",
            logs: kind !== "without log",
          } as const;
          sides.push(stack.use(await startPocketbase(base, own, options, rows)));
        }
      if (graphile && database)
        for (const kind of part.postgraphile)
          sides.push(stack.use(await startPostgraphile(graphile.folder, database, kind === "rules")));
      await compare(part, sides);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Installs a peer. Prints the reason and returns undefined if this machine cannot install it. */
async function orUndefined<What>(
  name: string,
  version: string,
  fetch: () => Promise<What>,
): Promise<What | undefined> {
  try {
    const what = await fetch();
    console.log(`${name} ${version}`);
    return what;
  } catch (error) {
    console.log(
      `${name} ${version} is not compared: ${String(error instanceof Error ? error.message : error).split("\n")[0]}`,
    );
    return undefined;
  }
}

async function compare(part: Part, sides: readonly Peer[]): Promise<void> {
  const pages: string[] = [];
  for (const side of sides) pages.push(JSON.stringify(await checkResponses(side, part.work)));
  if (new Set(pages).size > 1) throw new Error(`${part.title}: the sides do not show the same`);
  const turns = new Map(sides.map(({ name }): [string, Round[]] => [name, []]));
  for (const side of sides) await runRound(side, part, 2);
  for (let round = 0; round < ROUNDS; round++)
    for (const side of sides) turns.get(side.name)?.push(await runRound(side, part, SECONDS));
  console.log(`${part.title}, ${part.connections} connection${part.connections > 1 ? "s" : ""}:\n`);
  row(...HEAD);
  row(...HEAD.map(() => "---"));
  for (const cells of comparison(turns)) row(...cells);
  console.log("");
}

/** Sends one request and returns the texts of the response. */
async function checkResponses({ url, requests }: Peer, work: Work): Promise<string[]> {
  const ask = requests[work];
  if (!ask) throw new Error(`${url} cannot ${work}`);
  const headers = { ...ask.headers, "content-type": "application/json" };
  const sent = ask.body ? { method: "POST", body: ask.body(0) } : {};
  return ask.texts(await jsonOf(await fetch(url + ask.path, { headers, ...sent })));
}

async function runRound(side: Peer, { work, connections }: Part, seconds: number): Promise<Round> {
  const { path = "", headers = {}, body } = side.requests[work] ?? {};
  const before = Object.entries(side.pids).map(([kind, pid]) => [kind, usageOf(pid)] as const);
  const method = body ? "POST" : "GET";
  const done = await load({
    url: side.url + path,
    headers,
    method,
    connections,
    seconds,
    ...(body && { body }),
  });
  if (done.refused > 0) throw new Error(`${side.name}: an answer was not 2xx`);
  const after = before.map(([kind, from]) => [kind, from, usageOf(side.pids[kind] ?? 0)] as const);
  return {
    ...done,
    cpuMs: Object.fromEntries(after.map(([kind, from, to]) => [kind, to.cpuMs - from.cpuMs])),
    memoryMiB: after.reduce((sum, [, , to]) => sum + to.memoryMiB, 0),
  };
}
