import { createToken } from "../../src/core/delegation/tokens/tokens.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { cpuMs, guildhall, median, row, serve, type Served, type BenchCommunity } from "../server.ts";

const POSTS = 10;
const POST_EVERY_MS = 500;
const RUNS = 3;

/** Another member that reads continuously. `end` stops the reads and reports the longest wait. */
export interface Watch {
  end(): Promise<{ longest: number; longestCpu: number; memory: number }>;
}

type Begin = (server: Served, token: string) => Promise<Watch>;

/**
 * Writes posts while one account has the maximum number of subscriptions. The subscriber and the other member
 * are separate processes.
 */
export async function subscriptions(stage: BenchCommunity, watch: Begin): Promise<void> {
  row("while posts are written", "CPU ms a post", "longest wait of another member ms", "of three runs");
  row("---", "---", "---", "---");
  const [listener, writer] = othersOf(stage);
  for (const kind of ["no", "equal", "different"] as const) {
    const runs: { cpu: number; longest: number }[] = [];
    for (let i = 0; i < RUNS; i++) {
      await using server = await serve(guildhall(stage.folder));
      runs.push(await run(kind, server, watch, { listener, writer, otherMember: stage.token }));
    }
    row(
      kind === "no" ? "nobody listens" : `250 ${kind} operations of one account`,
      median(runs.map(({ cpu }) => cpu)).toFixed(1),
      median(runs.map(({ longest }) => longest)).toFixed(0),
      runs.map(({ longest }) => longest.toFixed(0)).join(" "),
    );
  }
}

/** Creates tokens for two more accounts. */
function othersOf({ core }: BenchCommunity): string[] {
  const names = core.db
    .prepare<{ username: string }>("SELECT username FROM builders ORDER BY id LIMIT 2 OFFSET 1")
    .all();
  const scopes = ["feed:read", "feed:write", "profile:read"];
  return names.map(
    ({ username }) =>
      createToken(core, OPERATOR, username, { name: "bench", scopes, tier: "enterprise" }).token,
  );
}

async function run(
  kind: "no" | "equal" | "different",
  server: Served,
  watch: Begin,
  tokens: { listener?: string | undefined; writer?: string | undefined; otherMember: string },
): Promise<{ cpu: number; longest: number }> {
  const attack = kind === "no" ? undefined : await attackOn(server, tokens.listener ?? "", kind);
  const otherMember = await watch(server, tokens.otherMember);
  const headers = { authorization: `Bearer ${tokens.writer}`, "content-type": "application/json" };
  const idle = await cpuWhile(server, () => Bun.sleep(POSTS * POST_EVERY_MS));
  const busy = await cpuWhile(server, async () => {
    for (let i = 0; i < POSTS; i++) {
      const body = JSON.stringify({ text: `Post ${i} of the bench` });
      await (await fetch(`${server.url}/v1/feed`, { method: "POST", headers, body })).text();
      await Bun.sleep(POST_EVERY_MS);
    }
  });
  const { longest } = await otherMember.end();
  attack?.kill();
  await attack?.exited;
  // Both CPU times include the reads of the other member, so their difference does not contain these reads.
  return { cpu: (busy - idle) / POSTS, longest };
}

async function attackOn(server: Served, token: string, kind: string) {
  const child = Bun.spawn([process.execPath, "bench/harm/subscriber.ts", server.url, token, kind], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  await child.stdout.getReader().read();
  return child;
}

async function cpuWhile({ pid }: Served, work: () => Promise<unknown>): Promise<number> {
  const from = cpuMs(pid);
  await work();
  return cpuMs(pid) - from;
}
