import { cpuMs, createBenchCommunity, guildhall, median, row, serve } from "./server.ts";
import { load } from "./load.ts";

const ROUNDS = 5;
const SECONDS = 3;

/**
 * Measures `/v1/feed` (20 of 100,000 posts) with authentication, rate limits and ETag. Compares it with the
 * server of feed-ceiling.ts. The two sides alternate within one run.
 */
export async function feed(): Promise<void> {
  using stage = await createBenchCommunity({ builders: 200, posts: 100_000, jobs: 0, prompts: 0 });
  await using ours = await serve(guildhall(stage.folder));
  await using ceiling = await serve(["bench/feed-ceiling.ts", `${stage.folder}/guildhall.db`]);
  const whole = {
    url: `${ours.url}/v1/feed`,
    headers: { authorization: `Bearer ${stage.token}` },
    connections: 16,
  };
  const bare = { url: ceiling.url, connections: 16 };
  await load({ ...whole, seconds: 1 });
  await load({ ...bare, seconds: 1 });

  row(
    "round",
    "Guildhall req/s",
    "p50 ms",
    "p99 ms",
    "ceiling req/s",
    "ratio",
    "CPU µs a request: ours / ceiling",
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
  console.log(`\nMedian ratio to the ceiling: ${median(ratios).toFixed(2)} (aim: 0.85)\n`);

  row("coding", "bytes", "Guildhall req/s", "CPU µs a request");
  row("---", "---", "---", "---");
  for (const coding of ["identity", "zstd", "br", "gzip"]) {
    const headers = { ...whole.headers, "accept-encoding": coding };
    const answer = await fetch(whole.url, { headers, decompress: false });
    const { length } = await answer.bytes();
    const before = cpuMs(ours.pid);
    const { perSecond, requests } = await load({ ...whole, headers, seconds: SECONDS });
    row(coding, length, Math.round(perSecond), (((cpuMs(ours.pid) - before) / requests) * 1000).toFixed(0));
  }
}
