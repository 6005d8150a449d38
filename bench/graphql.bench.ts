import { cpuMs, fill, guildhall, median, row, serve } from "./ground.ts";
import { load } from "./load.ts";

const ROUNDS = 5;
const SECONDS = 3;

const QUERY = `query Feed($first: Int!) {
  feed(first: $first) {
    edges { cursor node { id text tags createdAt author { id username name } metrics { likes replies } } }
    pageInfo { hasNextPage endCursor }
  }
}`;

/**
 * 20 posts of 100,000 with their authors, against Yoga and graphql-js over the same shape in memory; taking
 * turns in one run.
 */
export async function graphql(): Promise<void> {
  using stage = await fill({ builders: 200, posts: 100_000, jobs: 0, prompts: 0 });
  await using ours = await serve(guildhall(stage.folder));
  await using ceiling = await serve(["bench/graphql-ceiling.ts"]);
  const body = JSON.stringify({ query: QUERY, variables: { first: 20 } });
  const ask = (url: string, headers: Record<string, string> = {}) => ({
    url: `${url}/graphql`,
    headers: { accept: "application/json", ...headers },
    method: "POST",
    body: () => body,
    connections: 16,
  });
  const whole = ask(ours.url, { authorization: `Bearer ${stage.token}` });
  const bare = ask(ceiling.url);
  await load({ ...whole, seconds: 2 });
  await load({ ...bare, seconds: 2 });

  row(
    "round",
    "Guildhall req/s",
    "p50 ms",
    "p99 ms",
    "Yoga in memory req/s",
    "ratio",
    "CPU µs a request: ours / Yoga",
  );
  row("---", "---", "---", "---", "---", "---", "---");
  const ratios: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const [oursBefore, ceilingBefore] = [cpuMs(ours.pid), cpuMs(ceiling.pid)];
    const a = await load({ ...whole, seconds: SECONDS });
    const b = await load({ ...bare, seconds: SECONDS });
    if (a.refused + b.refused > 0) throw new Error("an answer was not 200");
    ratios.push(a.perSecond / b.perSecond);
    const cpu = [
      (cpuMs(ours.pid) - oursBefore) / a.requests,
      (cpuMs(ceiling.pid) - ceilingBefore) / b.requests,
    ];
    row(
      round,
      Math.round(a.perSecond),
      a.p50.toFixed(2),
      a.p99.toFixed(2),
      Math.round(b.perSecond),
      (a.perSecond / b.perSecond).toFixed(2),
      cpu.map((ms) => (ms * 1000).toFixed(0)).join(" / "),
    );
  }
  console.log(`\nMedian ratio to Yoga over an in-memory schema: ${median(ratios).toFixed(2)} (aim: 0.7)`);
}
