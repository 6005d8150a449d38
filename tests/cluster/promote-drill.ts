import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  watch,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { corruptionOf, positionIn } from "../../src/core/base/db/leadership.ts";
import type { Absent } from "../program/bookworm.ts";
import { goTool, LITESTREAM } from "../program/go-tools.ts";
import { emptyFolder, environment, type Program, run, type Served, serve } from "../program/programs.ts";
import { withShortIntervals } from "./engine.ts";
import {
  type Journal,
  type Machine,
  machineAt,
  startWriters,
  storedIn,
  takeMissing,
} from "./standby-drill.ts";

const DEPLOY = join(import.meta.dir, "../../deploy");

export interface PromoteOptions {
  rounds: number;
  writers: number;
  /**
   * Minimum duration of each lead, from the follower's first read on, in ms. The replica keeps level 0 for a
   * second.
   */
  leadMs: number;
  /** Whether to build Litestream if it is missing. This takes minutes. */
  mayBuild: boolean;
  progress?: (round: number) => void;
}

/**
 * Totals of one lead of each machine. `lead` is the number of the lead: 1 for the first, 2 for the second,
 * and so on.
 */
export interface LeadReport {
  lead: number;
  rounds: number;
  acknowledged: number;
  /** Acknowledged posts that the new leader does not have. */
  lost: number;
  /** Highest age of a lost post when the leader ended, in ms. */
  lossMs: number;
}

export interface PromoteReport {
  leads: LeadReport[];
  /** How often a command was killed, and how often the command ended before its step. */
  killed: { promote: number; demote: number };
  unkilled: { promote: number; demote: number };
  wrongs: string[];
}

/**
 * Number of steps at which the commands are killed, one per round. A step is a printed line or a touched
 * file.
 */
const STEPS = 12;
const WITHIN_MS = 60_000;
const POLL_MS = 50;

/**
 * Runs two machines with Litestream as in deploy/. One leads under writers for longer than level 0 is kept.
 * Then it is killed with its Litestream, or steps down in every third round.
 * The other machine is promoted, the old one is demoted, and they change roles. Both commands are killed at
 * another step each round and run again.
 * Half of the leads get a new replica folder. The others get the folder of the machine's earlier lead
 * (docs/threats.md#M39).
 */
export async function promoteDrill(
  program: Program,
  options: PromoteOptions,
): Promise<PromoteReport | Absent> {
  const litestream = await goTool(LITESTREAM, options.mayBuild);
  if (typeof litestream !== "string") return litestream;
  if (!Bun.which("flock")) return { absent: "there is no flock here" };
  await using stack = new AsyncDisposableStack();
  const { path: cwd } = stack.use(emptyFolder());
  const machines = await Promise.all(["one", "two"].map((name) => machineAt(cwd, name)));
  const [first, second] = machines as [Machine, Machine];
  await run(program, ["builder", "create", "ada", "--data", first.data], { cwd });
  const created = await run(
    program,
    ["token", "create", "ada", "--tier", "enterprise", "--data", first.data],
    {
      cwd,
    },
  );
  mkdirSync(second.data, { mode: 0o700 });
  copyFileSync(join(first.data, "guildhall.key"), join(second.data, "guildhall.key"));
  const config = join(cwd, "litestream-leader.yml");
  writeFileSync(config, withShortIntervals(readFileSync(join(DEPLOY, "litestream-leader.yml"), "utf8")));
  const headers = { authorization: `Bearer ${created.stdout.trim()}`, "content-type": "application/json" };
  const env = { GUILDHALL_PEERS: machines.map(({ url }) => url).join(), LOG_LEVEL: "fatal" };

  const start = async ({ port, data }: Machine, follows?: Machine): Promise<Served> =>
    stack.use(
      await serve(program, {
        cwd,
        args: ["--port", String(port), "--data", data, ...(follows ? ["--follow", follows.url] : [])],
        env: { ...env, LOG_LEVEL: "info" },
      }),
    );
  let message = "";
  const beside = (command: string[], { data }: Machine, replica: string) => {
    const child = Bun.spawn(command, {
      cwd,
      env: environment({
        PATH: [dirname(litestream), process.env["PATH"]].join(delimiter),
        GUILDHALL_DATA: data,
        GUILDHALL_REPLICA: `file://${replica}`,
        GUILDHALL_FOLLOW_CHECK: "1",
      }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr])
      void new Response(stream).text().then((text) => (message = `${message}${text}`.slice(-4000)));
    const stop = async (signal: NodeJS.Signals = "SIGTERM"): Promise<void> => {
      child.kill(signal);
      await child.exited;
    };
    stack.defer(() => stop("SIGKILL"));
    return { pid: child.pid, stop };
  };

  const report: PromoteReport = {
    leads: [],
    killed: { promote: 0, demote: 0 },
    unkilled: { promote: 0, demote: 0 },
    wrongs: [],
  };
  const journal: Journal = { acknowledged: new Map(), open: new Set() };
  const kept = new Set<string>();
  const counted = new Map<Machine, number>();
  const asides: { file: string; at: string }[] = [];
  let [leader, other] = [first, second];
  let leading = await start(leader);

  for (let round = 0; round < options.rounds; round++) {
    options.progress?.(round + 1);
    const lead = (counted.get(leader) ?? 0) + 1;
    counted.set(leader, lead);
    // Of every four rounds, two use a new replica folder. The other two use one fixed folder per machine.
    const isNewReplica = round % 4 < 2;
    const location = join(cwd, "replica", isNewReplica ? `round-${round}` : `of-${leader.port}`);
    const replicating = beside([litestream, "replicate", "-config", config], leader, location);
    const following = await start(other, leader);
    const engine = beside([join(DEPLOY, "follow.sh")], other, location);
    const writers = startWriters(leader.url, headers, options.writers, round, journal);
    if (!(await until(() => isReading(other.url))))
      report.wrongs.push(`round ${round}: the follower has no copy: ${message}`);
    if (!(await until(async () => isPruned(leader.data))))
      report.wrongs.push(`round ${round}: the lead was no longer than level 0 is kept`);
    await Bun.sleep(options.leadMs);
    const isPlanned = round % 3 === 2;
    if (!isPlanned) {
      leading.signal("SIGKILL");
      await Promise.all([leading.exited, replicating.stop("SIGKILL")]);
    }
    const endedAt = performance.now();
    if (!isPlanned) await writers.stop();
    const stopEngine = `kill ${engine.pid} 2>/dev/null; while kill -0 ${engine.pid} 2>/dev/null; do sleep 0.05; done`;
    const promoting = ["promote", "--wait", "20", "--data", other.data, "--stop-engine", stopEngine];
    await killAndRestart("promote", promoting, other, round);
    if (isPlanned) {
      await writers.stop();
      leading.signal("SIGTERM");
      await Promise.all([leading.exited, replicating.stop()]);
    }
    await engine.stop();
    const missing = takeMissing(join(other.data, "guildhall.db"), journal);
    const row = (report.leads[lead - 1] ??= { lead, rounds: 0, acknowledged: 0, lost: 0, lossMs: 0 });
    row.rounds += 1;
    row.lost += missing.length;
    row.lossMs = Math.max(row.lossMs, ...missing.map(({ at }) => Math.round(endedAt - at)));
    const news = [...journal.acknowledged.keys()].filter((text) => !kept.has(text));
    row.acknowledged += news.length + missing.length;
    for (const text of news) kept.add(text);
    if (isPlanned && missing.length > 0) report.wrongs.push(`round ${round}: a planned move lost posts`);

    await killAndRestart("demote", ["demote", "--data", leader.data], leader, round);
    if (existsSync(join(leader.data, "guildhall.db")))
      report.wrongs.push(`round ${round}: the old database is still there`);
    noteAsides(leader);
    leading = following;
    [leader, other] = [other, leader];
  }

  leading.signal("SIGTERM");
  await leading.exited;
  const stored = storedIn(join(leader.data, "guildhall.db"));
  if (new Set(stored.map(({ text }) => text)).size < stored.length)
    report.wrongs.push("a post is there twice");
  const ids = new Set(stored.map(({ id }) => id));
  if ([...journal.acknowledged.values()].some(({ id }) => !ids.has(id)))
    report.wrongs.push("a post that was there is gone in the end");
  for (const file of [join(leader.data, "guildhall.db"), ...asides.map((each) => each.file)])
    if (corruptionOf(file) !== undefined) report.wrongs.push(`${file} is not whole`);
  if (asides.some(({ file, at }) => at !== replicaPathOf(file)))
    report.wrongs.push("a database that was moved aside was written to");
  return report;

  /**
   * Kills the command at the step of this round, if the command gets to that step. Then runs the command to
   * its end.
   */
  async function killAndRestart(
    name: "promote" | "demote",
    args: string[],
    { data }: Machine,
    round: number,
  ): Promise<void> {
    const isKilled = await killedAt((round % STEPS) + 1, [...program.command, ...args], data);
    report[isKilled ? "killed" : "unkilled"][name] += 1;
    if (!isKilled) return;
    if (name === "demote" && !existsSync(join(data, "guildhall.db")) && !isMarked(data)) return;
    const ended = await run(program, args, { cwd, env });
    if (ended.code !== 0)
      throw new Error(`${name}, run again in round ${round}: ${ended.stdout}${ended.stderr}${message}`);
  }

  /** Returns whether the command was killed. Throws if the command failed. */
  async function killedAt(step: number, command: string[], data: string): Promise<boolean> {
    let seen = 0;
    let text = "";
    const child = Bun.spawn(command, {
      cwd,
      env: environment(env),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const count = (): void => {
      seen += 1;
      if (seen === step) child.kill("SIGKILL");
    };
    const watcher = watch(data, count);
    const read = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
      const decoder = new TextDecoder();
      for await (const bytes of stream) {
        text += decoder.decode(bytes);
        count();
      }
    };
    await Promise.all([read(child.stdout), read(child.stderr), child.exited]);
    watcher.close();
    if (child.signalCode === "SIGKILL") return true;
    if (child.exitCode !== 0) throw new Error(`${command.join(" ")}: ${text}${message}`);
    return false;
  }

  function noteAsides({ data }: Machine): void {
    const known = new Set(asides.map((each) => each.file));
    for (const name of readdirSync(data).filter((each) => each.startsWith("before-demote-"))) {
      const file = join(data, name, "guildhall.db");
      if (existsSync(file) && !known.has(file)) asides.push({ file, at: replicaPathOf(file) });
    }
  }
}

function replicaPathOf(file: string): string {
  const { epoch, commits, fencedBy } = positionIn(file);
  return `${epoch}.${commits} given up for ${fencedBy ?? "nobody"}`;
}

function isMarked(data: string): boolean {
  return existsSync(join(data, "guildhall.leads"));
}

/** Whether Litestream has deleted the first files that it wrote in this lead. */
function isPruned(data: string): boolean {
  const folder = join(data, ".guildhall.db-litestream/ltx/0");
  if (!existsSync(folder)) return false;
  const [oldest] = readdirSync(folder)
    .filter((name) => name.endsWith(".ltx"))
    .sort();
  return oldest !== undefined && !oldest.startsWith("0000000000000001-");
}

/** Whether a follower serves reads from a copy that Litestream updates. */
async function isReading(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`).catch(() => undefined);
  const body = (await answer?.json().catch(() => undefined)) as { follower?: { at?: string } } | undefined;
  return answer?.status === 200 && body?.follower?.at !== undefined;
}

async function until(isSo: () => Promise<boolean>): Promise<boolean> {
  for (const end = performance.now() + WITHIN_MS; performance.now() < end; await Bun.sleep(POLL_MS))
    if (await isSo()) return true;
  return false;
}
