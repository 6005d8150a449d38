import { cpuMs, createBenchCommunity, guildhall, median, row, serve } from "./server.ts";
import { load } from "./load.ts";
import { idOf, sessionCookies } from "./members.ts";

const ROUNDS = 3;
const SECONDS = 2;

/**
 * Measures pages as a browser requests them, and compares their CPU time with `GET /v1/feed`. The two
 * alternate within one run, because such a ratio varies least on a busy machine.
 */
export async function pages(): Promise<void> {
  using stage = await createBenchCommunity({ builders: 400, posts: 20_000, jobs: 2_000, prompts: 500 });
  const { core } = stage;
  const members = sessionCookies(core, 400).map(({ name, value }) => `${name}=${value}`);
  const talked = idOf(core, "SELECT id FROM posts WHERE parent_id IS NULL ORDER BY replies DESC, id LIMIT 1");
  const job = idOf(core, "SELECT id FROM jobs ORDER BY id DESC LIMIT 1");
  const prompt = idOf(core, "SELECT id FROM prompts ORDER BY id DESC LIMIT 1");
  const author = idOf(core, "SELECT username AS id FROM builders ORDER BY xp DESC, id LIMIT 1");
  // Each request has its own client IP address or its own member, so that no request reaches a rate limit.
  const stranger = (count: number) => ({
    "x-forwarded-for": `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`,
  });
  const member = (count: number) => ({
    ...stranger(count),
    cookie: members[count % members.length] ?? "",
  });
  const pageRequests: readonly [name: string, path: string, headersOf: typeof stranger][] = [
    ["feed, a stranger", "/", stranger],
    ["feed, a member", "/", member],
    ["a tag", "/?tag=rust", member],
    ["followed", "/following", member],
    ["search", "/search?q=queue", member],
    ["a post with replies", `/posts/${talked}`, member],
    ["jobs", "/jobs", member],
    ["jobs, a search", "/jobs?q=rust+remote", member],
    ["a job", `/jobs/${job}`, member],
    ["prompts", "/prompts", member],
    ["a prompt", `/prompts/${prompt}`, member],
    ["a profile", `/@${author}`, member],
  ];
  await using ours = await serve(guildhall(stage.folder), {
    GUILDHALL_TRUSTED_PROXIES: "127.0.0.1",
    GUILDHALL_ORIGIN: core.origin,
  });
  const feed = { url: `${ours.url}/v1/feed`, headers: { authorization: `Bearer ${stage.token}` } };
  await load({ ...feed, connections: 16, seconds: 1 });
  row("page", "KiB", "requests/s", "p50 ms", "CPU µs", "CPU ÷ the API's feed");
  row("---", "---", "---", "---", "---", "---");
  for (const [name, path, headersOf] of pageRequests) {
    const url = ours.url + path;
    const answer = await fetch(url, { headers: headersOf(7) });
    const bytes = (await answer.bytes()).length;
    if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}`);
    const whole = { url, headersOf, headers: { accept: "text/html" }, connections: 4 };
    await load({ ...whole, seconds: 0.5 });
    const runs: { perSecond: number; p50: number; cpu: number; times: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const before = cpuMs(ours.pid);
      const a = await load({ ...whole, seconds: SECONDS });
      const cpu = ((cpuMs(ours.pid) - before) / a.requests) * 1000;
      const feedBefore = cpuMs(ours.pid);
      const b = await load({ ...feed, connections: 4, seconds: SECONDS });
      const api = ((cpuMs(ours.pid) - feedBefore) / b.requests) * 1000;
      if (a.refused + b.refused > 0) throw new Error(`${a.refused} answers of ${path} were not 200`);
      runs.push({ perSecond: a.perSecond, p50: a.p50, cpu, times: cpu / api });
    }
    const middle = (of: (run: (typeof runs)[number]) => number) => median(runs.map(of));
    row(
      name,
      (bytes / 1024).toFixed(1),
      Math.round(middle((run) => run.perSecond)),
      middle((run) => run.p50).toFixed(2),
      middle((run) => run.cpu).toFixed(0),
      middle((run) => run.times).toFixed(1),
    );
  }
}
