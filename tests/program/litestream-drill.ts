import Database from "better-sqlite3";
import { cpSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { run as runTool } from "../../scripts/run.ts";
import type { Absent } from "./bookworm.ts";
import { goTool, LITESTREAM } from "./go-tools.ts";
import { emptyFolder, type Program, run, serve } from "./programs.ts";

const CONFIG = join(import.meta.dir, "../../deploy/litestream.yml");

export interface LitestreamOptions {
  /** How often machine and Litestream are lost at once. */
  rounds: number;
  /** How long is written before. */
  seconds: number;
  writers: number;
  /** How long a writer rests between two posts. */
  restMs: number;
  /** Whether Litestream is built where it is not there: minutes. */
  mayBuild: boolean;
}

export interface LitestreamTold {
  acknowledged: number;
  /**
   * Over all rounds: of what was acknowledged, how long before the end the oldest was that is not restored.
   */
  lossMs: number;
  /** Of a restore to a moment in the middle: how far it ends before that moment, at worst. */
  momentMs: number;
  /** The longest wait for one answer. */
  longestMs: number;
  /**
   * How large the replica is, and the database: where something takes the log from Litestream it begins anew.
   */
  replicaBytes: number;
  databaseBytes: number;
  wrongs: string[];
}

interface Acknowledged {
  id: string;
  at: number;
}

/**
 * A community that is written to, with Litestream beside it by deploy/litestream.yml: the server is restarted
 * once, then both are killed at once, as with the machine. What is restored from the replica is whole, opens
 * with its key, and lacks nothing but the last moments; a restore to a moment ends at that moment.
 */
export async function litestreamDrill(
  program: Program,
  options: LitestreamOptions,
): Promise<LitestreamTold | Absent> {
  const litestream = await goTool(LITESTREAM, options.mayBuild);
  if (typeof litestream !== "string") return litestream;
  const told: LitestreamTold = {
    acknowledged: 0,
    lossMs: 0,
    momentMs: 0,
    longestMs: 0,
    replicaBytes: 0,
    databaseBytes: 0,
    wrongs: [],
  };
  for (let i = 0; i < options.rounds; i++) await round(program, litestream, options, told);
  return told;
}

async function round(
  program: Program,
  litestream: string,
  { seconds, writers, restMs }: LitestreamOptions,
  told: LitestreamTold,
): Promise<void> {
  using folder = emptyFolder();
  const cwd = folder.path;
  await run(program, ["builder", "create", "ada", "--data", "d"], { cwd });
  const made = await run(program, ["token", "create", "ada", "--tier", "enterprise", "--data", "d"], { cwd });
  const token = made.stdout.trim();
  const env = { GUILDHALL_DATA: join(cwd, "d"), GUILDHALL_REPLICA: `file://${join(cwd, "replica")}` };
  const beside = Bun.spawn([litestream, "replicate", "-config", CONFIG], {
    env: { ...process.env, ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  const said = Promise.all([new Response(beside.stdout).text(), new Response(beside.stderr).text()]);
  const journal: Acknowledged[] = [];
  let middle = 0;
  for (const part of [1, 2]) {
    await using server = await serve(program, { cwd, args: ["--data", "d"] });
    const until = Date.now() + (seconds * 1000) / 2;
    await Promise.all(
      Array.from({ length: writers }, async () => {
        while (Date.now() < until) {
          const since = performance.now();
          const { id, at } = await post(server.url, token);
          told.longestMs = Math.max(told.longestMs, performance.now() - since);
          journal.push({ id, at });
          await Bun.sleep(restMs);
        }
      }),
    );
    if (part === 1) {
      // Stopped as by a restart of the service: what closes last would take the log over.
      server.signal("SIGTERM");
      await server.exited;
      middle = Date.now();
    } else {
      beside.kill("SIGKILL");
      server.signal("SIGKILL");
    }
  }
  const end = journal.at(-1)?.at ?? 0;
  await beside.exited;
  const faults = (await said).join("\n").match(/^.*level=(?:WARN|ERROR).*$/gm) ?? [];
  if (faults.length > 0) told.wrongs.push(`Litestream says: ${faults[0]} (and ${faults.length - 1} more)`);
  told.acknowledged += journal.length;
  told.replicaBytes = sizeOf(join(cwd, "replica"));
  told.databaseBytes = statSync(join(cwd, "d/guildhall.db")).size;

  const restored = async (name: string, args: string[]): Promise<Set<string>> => {
    const data = join(cwd, name);
    mkdirSync(data);
    cpSync(join(cwd, "d/guildhall.key"), join(data, "guildhall.key"));
    const out = join(data, "guildhall.db");
    await runTool(
      cwd,
      [litestream, "restore", "-config", CONFIG, ...args, "-o", out, join(cwd, "d/guildhall.db")],
      env,
    );
    const opened = await run(program, ["builder", "create", "after", "--data", name], { cwd });
    if (opened.code !== 0) told.wrongs.push(`${name} does not open: ${opened.stderr}`);
    const db = new Database(out);
    if (db.pragma("integrity_check", { simple: true }) !== "ok") told.wrongs.push(`${name} is damaged`);
    const ids = new Set(db.prepare("SELECT id FROM posts").pluck().all() as string[]);
    db.close();
    return ids;
  };
  const byTime = journal.toSorted((a, b) => a.at - b.at);
  const all = await restored("newest", []);
  const lost = byTime.find(({ id }) => !all.has(id));
  if (lost) told.lossMs = Math.max(told.lossMs, end - lost.at);
  const then = await restored("moment", ["-timestamp", new Date(middle).toISOString()]);
  const missing = byTime.find(({ id }) => !then.has(id));
  told.momentMs = Math.max(told.momentMs, middle - (missing?.at ?? middle));
  if (byTime.some(({ id, at }) => at > middle + 1000 && then.has(id)))
    told.wrongs.push("a restore to a moment holds what was written a second after it");
}

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

async function post(url: string, token: string): Promise<Acknowledged> {
  const answer = await fetch(`${url}/v1/feed`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ text: "Written beside Litestream", tags: ["keep"] }),
  });
  if (answer.status !== 201) throw new Error(`a post was refused with ${answer.status}`);
  const { id } = (await answer.json()) as { id: string };
  return { id, at: Date.now() };
}
