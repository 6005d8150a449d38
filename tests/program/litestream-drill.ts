import Database from "better-sqlite3";
import { cpSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { run as runTool } from "../../scripts/run.ts";
import type { Absent } from "./bookworm.ts";
import { goTool, LITESTREAM } from "./go-tools.ts";
import { emptyFolder, type Program, run, serve } from "./programs.ts";

const CONFIG = join(import.meta.dir, "../../deploy/litestream.yml");

export interface LitestreamOptions {
  /** How often the server and Litestream are killed together. */
  rounds: number;
  seconds: number;
  writers: number;
  pauseMs: number;
  /** Whether to build Litestream if it is missing. This takes minutes. */
  mayBuild: boolean;
}

export interface LitestreamReport {
  acknowledged: number;
  /** Highest age of an acknowledged post that was lost, in ms, over all rounds. */
  lossMs: number;
  /** Largest gap between a point-in-time restore and its moment. */
  momentMs: number;
  longestMs: number;
  /**
   * Sizes of the replica and the database. The replica grows if another process checkpoints the log, because
   * Litestream then starts a new snapshot.
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
 * Runs a community with writers and Litestream as in deploy/litestream.yml. Restarts the server once, then
 * kills both at once.
 * The restored database is intact, opens with its key and lacks only the last moments. A restore to a moment
 * ends at that moment.
 */
export async function litestreamDrill(
  program: Program,
  options: LitestreamOptions,
): Promise<LitestreamReport | Absent> {
  const litestream = await goTool(LITESTREAM, options.mayBuild);
  if (typeof litestream !== "string") return litestream;
  const report: LitestreamReport = {
    acknowledged: 0,
    lossMs: 0,
    momentMs: 0,
    longestMs: 0,
    replicaBytes: 0,
    databaseBytes: 0,
    wrongs: [],
  };
  for (let i = 0; i < options.rounds; i++) await round(program, litestream, options, report);
  return report;
}

async function round(
  program: Program,
  litestream: string,
  { seconds, writers, pauseMs: restMs }: LitestreamOptions,
  report: LitestreamReport,
): Promise<void> {
  using folder = emptyFolder();
  const cwd = folder.path;
  await run(program, ["builder", "create", "ada", "--data", "d"], { cwd });
  const created = await run(program, ["token", "create", "ada", "--tier", "enterprise", "--data", "d"], {
    cwd,
  });
  const token = created.stdout.trim();
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
          report.longestMs = Math.max(report.longestMs, performance.now() - since);
          journal.push({ id, at });
          await Bun.sleep(restMs);
        }
      }),
    );
    if (part === 1) {
      // Restarts the server as a service manager does. Closing the last connection must not checkpoint the
      // log.
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
  if (faults.length > 0) report.wrongs.push(`Litestream says: ${faults[0]} (and ${faults.length - 1} more)`);
  report.acknowledged += journal.length;
  report.replicaBytes = sizeOf(join(cwd, "replica"));
  report.databaseBytes = statSync(join(cwd, "d/guildhall.db")).size;

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
    if (opened.code !== 0) report.wrongs.push(`${name} does not open: ${opened.stderr}`);
    const db = new Database(out);
    if (db.pragma("integrity_check", { simple: true }) !== "ok") report.wrongs.push(`${name} is damaged`);
    const ids = new Set(db.prepare("SELECT id FROM posts").pluck().all() as string[]);
    db.close();
    return ids;
  };
  const byTime = journal.toSorted((a, b) => a.at - b.at);
  const all = await restored("newest", []);
  const lost = byTime.find(({ id }) => !all.has(id));
  if (lost) report.lossMs = Math.max(report.lossMs, end - lost.at);
  const then = await restored("moment", ["-timestamp", new Date(middle).toISOString()]);
  const missing = byTime.find(({ id }) => !then.has(id));
  report.momentMs = Math.max(report.momentMs, middle - (missing?.at ?? middle));
  if (byTime.some(({ id, at }) => at > middle + 1000 && then.has(id)))
    report.wrongs.push("a restore to a moment holds what was written a second after it");
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
