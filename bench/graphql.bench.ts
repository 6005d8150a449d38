import { cpuMs, createBenchCommunity, guildhall, median, row, serve } from "./server.ts";
import { type Load, load, type LoadOptions } from "./load.ts";

const ROUNDS = 9;
const SECONDS = 1.5;
/** Warm-up time. The JIT compiler still optimizes a server that has just started. */
const WARM_SECONDS = 8;

const QUERY = `query Feed($first: Int!) {
  feed(first: $first) {
    edges { cursor node { id text tags createdAt author { id username name } metrics { likes replies } } }
    pageInfo { hasNextPage endCursor }
  }
}`;

/**
 * Measures a GraphQL query for 20 of 100,000 posts with their authors. Compares the query with the REST page
 * of the same posts on the same server. Also compares it with Yoga and graphql-js over the same types in
 * memory. The sides alternate within one run.
 */
export async function graphql(): Promise<void> {
  using stage = await createBenchCommunity({ builders: 200, posts: 100_000, jobs: 0, prompts: 0 });
  await using ours = await serve(guildhall(stage.folder));
  await using ceiling = await serve(["bench/graphql-ceiling.ts"]);
  const authorization = `Bearer ${stage.token}`;
  const body = JSON.stringify({ query: QUERY, variables: { first: 20 } });
  const graph: LoadOptions = {
    url: `${ours.url}/graphql`,
    headers: { accept: "application/json", authorization },
    method: "POST",
    body: () => body,
    connections: 16,
    seconds: SECONDS,
  };
  const rest: LoadOptions = {
    url: `${ours.url}/v1/feed`,
    headers: { authorization },
    connections: 16,
    seconds: SECONDS,
  };
  const yoga: LoadOptions = {
    ...graph,
    url: `${ceiling.url}/graphql`,
    headers: { accept: "application/json" },
  };
  await load({ ...graph, seconds: WARM_SECONDS });
  await load({ ...rest, seconds: WARM_SECONDS / 2 });
  await load({ ...yoga, seconds: WARM_SECONDS / 2 });

  row(
    "round",
    "GraphQL req/s",
    "p50 ms",
    "p99 ms",
    "REST req/s",
    "Yoga in memory req/s",
    "CPU µs a request: GraphQL / REST / Yoga",
    "GraphQL / REST",
  );
  row("---", "---", "---", "---", "---", "---", "---", "---");
  const toRest: number[] = [];
  const toYoga: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const a = await loadOf(ours.pid, graph);
    const b = await loadOf(ours.pid, rest);
    const c = await loadOf(ceiling.pid, yoga);
    toRest.push(a.cpuUs / b.cpuUs);
    toYoga.push(a.perSecond / c.perSecond);
    row(
      round,
      Math.round(a.perSecond),
      a.p50.toFixed(2),
      a.p99.toFixed(2),
      Math.round(b.perSecond),
      Math.round(c.perSecond),
      [a, b, c].map(({ cpuUs }) => cpuUs.toFixed(0)).join(" / "),
      (a.cpuUs / b.cpuUs).toFixed(2),
    );
  }
  console.log(`\nMedian: ${median(toRest).toFixed(2)} × the CPU of REST's page (aim: 3.0 at most)`);
  console.log(`Median ratio to Yoga over an in-memory schema: ${median(toYoga).toFixed(2)} (aim: 0.7)`);
  await compareWithLoad(graph, rest);
}

const PARALLEL_LOAD = { rounds: 3, connections: 32 } as const;

/** Runs both loads at once on one server. Neither load must delay the other load (docs/contract.md#12.34). */
async function compareWithLoad(graph: LoadOptions, rest: LoadOptions): Promise<void> {
  const { rounds, connections } = PARALLEL_LOAD;
  console.log("");
  row(
    `${connections} connections each`,
    "GraphQL req/s",
    "p50 ms",
    "REST req/s",
    "p50 ms",
    "p50 GraphQL / REST",
  );
  row("---", "---", "---", "---", "---", "---");
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const [a, b] = await Promise.all([load({ ...graph, connections }), load({ ...rest, connections })]);
    if (a.refused + b.refused > 0) throw new Error("an answer was not 200");
    ratios.push(a.p50 / b.p50);
    row(
      round,
      Math.round(a.perSecond),
      a.p50.toFixed(2),
      Math.round(b.perSecond),
      b.p50.toFixed(2),
      (a.p50 / b.p50).toFixed(2),
    );
  }
  console.log(`\nMedian: ${median(ratios).toFixed(2)} × the p50 of REST's page (aim: 2.5 at most)`);
}

/** Runs a load and measures the server's CPU time per request. */
async function loadOf(pid: number, options: LoadOptions): Promise<Load & { cpuUs: number }> {
  const before = cpuMs(pid);
  const came = await load(options);
  if (came.refused > 0) throw new Error("an answer was not 200");
  return { ...came, cpuUs: ((cpuMs(pid) - before) * 1000) / came.requests };
}
