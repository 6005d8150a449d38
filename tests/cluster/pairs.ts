import { copyFileSync, mkdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { Absent } from "../program/bookworm.ts";
import { goTool, LITESTREAM } from "../program/go-tools.ts";
import { emptyFolder, environment, type Program, run, serve, type Served } from "../program/programs.ts";

const ROOT = join(import.meta.dir, "../..");

export interface PairsOptions {
  pairs: number;
  clients: number;
  /** Engine that updates the copies: Litestream as in deploy/, or its stub every `everyMs`. */
  engine: "litestream" | { everyMs: number };
}

export interface PairsReport {
  pairs: number;
  /** Reads with the version that missed the write, or that were older than an earlier read. */
  stale: number;
  /**
   * Number of stale reads without the version. The test makes each of them at the same node, just before the
   * read with the version.
   */
  staleWithout: number;
  /** Reads with the version that waited in vain and were forwarded to the leader. */
  forwarded: number;
  waited: number;
  p50Ms: number;
  p99Ms: number;
  wrongs: string[];
}

/**
 * Each pair is a write at one of three nodes and a read at another. The read sends the latest version that
 * the client has seen, and must not go backwards (docs/contract.md#12.28).
 */
export async function readOwnWrites(program: Program, options: PairsOptions): Promise<PairsReport | Absent> {
  const litestream = options.engine === "litestream" ? await goTool(LITESTREAM, false) : "";
  if (typeof litestream !== "string") return litestream;
  await using stack = new AsyncDisposableStack();
  const { path: cwd } = stack.use(emptyFolder());
  const token = await createCommunity(program, cwd);
  const leader = stack.use(
    // No node listens at this peer address. A leader with configured peers behaves like one of several nodes.
    await serve(program, {
      cwd,
      args: ["--data", "d"],
      env: { GUILDHALL_ORIGIN: ORIGIN, GUILDHALL_PEERS: "http://127.0.0.1:1" },
    }),
  );
  const env = {
    GUILDHALL_REPLICA: `file://${join(cwd, "replica")}`,
    PATH: [dirname(litestream), process.env["PATH"]].join(delimiter),
  };
  const beside = (command: string[], more: Record<string, string> = {}): void => {
    const child = Bun.spawn(command, {
      cwd: ROOT,
      env: environment({ ...env, ...more }),
      stdio: ["ignore", "ignore", "inherit"],
    });
    stack.defer(async () => {
      child.kill("SIGTERM");
      await child.exited;
    });
  };
  if (options.engine === "litestream")
    beside([litestream, "replicate", "-config", "deploy/litestream-leader.yml"], {
      GUILDHALL_DATA: join(cwd, "d"),
    });
  const nodes: Served[] = [leader];
  for (const name of ["f1", "f2"]) {
    const folder = join(cwd, name);
    mkdirSync(folder, { mode: 0o700 });
    copyFileSync(join(cwd, "d/guildhall.key"), join(folder, "guildhall.key"));
    if (options.engine === "litestream") beside(["deploy/follow.sh"], { GUILDHALL_DATA: folder });
    else
      beside([
        process.execPath,
        join(import.meta.dir, "mover.ts"),
        join(cwd, "d/guildhall.db"),
        join(folder, "guildhall.db"),
        String(options.engine.everyMs),
      ]);
    nodes.push(
      stack.use(
        await serve(program, {
          cwd,
          args: ["--data", name, "--follow", leader.url],
          env: { GUILDHALL_ORIGIN: ORIGIN },
        }),
      ),
    );
  }
  await Promise.all(nodes.map(({ url }) => isReady(url)));
  return await pairsAt(nodes, token, options);
}

const ORIGIN = "http://guild.localhost";
const WITHIN_MS = 60_000;

async function createCommunity(program: Program, cwd: string): Promise<string> {
  await run(program, ["builder", "create", "ada", "--data", "d"], { cwd });
  const created = await run(program, ["token", "create", "ada", "--tier", "enterprise", "--data", "d"], {
    cwd,
  });
  return created.stdout.trim();
}

async function isReady(url: string): Promise<void> {
  for (const deadline = Date.now() + WITHIN_MS; Date.now() < deadline; await Bun.sleep(50))
    if ((await fetch(`${url}/readyz`)).status === 200) return;
  throw new Error(`${url} is not ready: ${await (await fetch(`${url}/readyz`)).text()}`);
}

async function pairsAt(
  nodes: readonly Served[],
  token: string,
  { pairs, clients }: PairsOptions,
): Promise<PairsReport> {
  const report = {
    pairs: 0,
    stale: 0,
    staleWithout: 0,
    forwarded: 0,
    waited: 0,
    p50Ms: 0,
    p99Ms: 0,
    wrongs: [] as string[],
  };
  const took: number[] = [];
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const client = async (owner: number): Promise<void> => {
    let seen = "0.0";
    for (let round = owner; round < pairs; round += clients) {
      const writing = nodes[round % 3];
      const reading = nodes[(round + 1 + (Math.floor(round / 3) % 2)) % 3];
      if (!writing || !reading) throw new Error("three nodes");
      const written = await fetch(`${writing.url}/v1/feed`, {
        method: "POST",
        headers,
        body: JSON.stringify({ text: `Pair ${round}` }),
      });
      const { id } = (await written.json()) as { id: string };
      if (written.status !== 201) report.wrongs.push(`${round}: ${written.status}`);
      seen = newerVersion(seen, written, report.wrongs);
      const without = await fetch(`${reading.url}/v1/feed/${id}`, { headers });
      await without.text();
      if (without.status !== 200) report.staleWithout++;
      const from = performance.now();
      const read = await fetch(`${reading.url}/v1/feed/${id}`, {
        headers: { ...headers, "guildhall-version": seen },
      });
      await read.text();
      took.push(performance.now() - from);
      if (read.status === 404) report.stale++;
      else if (read.status !== 200) report.wrongs.push(`${round}: ${read.status}`);
      seen = newerVersion(seen, read, report.wrongs);
      report.pairs++;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, owner) => client(owner)));
  took.sort((a, b) => a - b);
  const at = (part: number): number => Math.round((took[Math.floor(took.length * part)] ?? 0) * 10) / 10;
  const waits = await Promise.all(nodes.map(({ url }) => waitsOf(url)));
  const sum = (outcome: "reached" | "handed_on") => waits.reduce((all, each) => all + each[outcome], 0);
  return { ...report, waited: sum("reached"), forwarded: sum("handed_on"), p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** Returns the version of the response. Adds a problem to `wrongs` if this version is lower than `seen`. */
function newerVersion(seen: string, answer: Response, wrongs: string[]): string {
  const text = answer.headers.get("guildhall-version") ?? "0.0";
  const [epoch = 0, commits = 0] = seen.split(".").map(Number);
  const [toldEpoch = 0, toldCommits = 0] = text.split(".").map(Number);
  if (toldEpoch < epoch || (toldEpoch === epoch && toldCommits < commits))
    wrongs.push(`${text} after ${seen}`);
  return text;
}

async function waitsOf(url: string): Promise<Record<"reached" | "handed_on", number>> {
  const page = await (await fetch(`${url}/metrics`)).text();
  const of = (outcome: string): number =>
    Number(
      new RegExp(`guildhall_follower_waits_total\\{outcome="${outcome}"\\} (\\d+)`).exec(page)?.[1] ?? 0,
    );
  return { reached: of("reached"), handed_on: of("handed_on") };
}
