import Database from "better-sqlite3";
import type { Absent } from "../program/bookworm.ts";
import type { Program } from "../program/programs.ts";
import { type EngineOptions, type Engines, openEngines, createPost } from "./engine.ts";
import { ALL, ENDS_WITHIN_MS, isTorn, Reader, type Observation } from "./reader.ts";

export interface KillOptions extends EngineOptions {
  /** How often the follower's engine is killed while writers post. */
  kills: number;
  writers: number;
  pauseMs: number;
}

export interface KillsReport {
  acknowledged: number;
  killed: number;
  reads: number;
  versions: number;
  /** How often the reader opened a new file, and how many reads found no readable file. */
  opened: number;
  unreadable: number;
  unreadableMs: number;
  /** Number of reads that returned a partial update while the system was ending a killed engine. */
  tornWhileDying: number;
  /** The follow script's reports of a stalled engine. */
  stalls: string[];
  wrongs: string[];
}

const WITHIN_MS = 20_000;
/** Number of versions that a reader sees between two kills. */
const VERSIONS_BETWEEN = 5;

/**
 * Kills the follower's engine repeatedly while a leader takes writes. deploy/litestream-leader.yml and
 * deploy/follow.sh replicate the leader's file.
 * Checks that no read is torn or goes backwards, and that the final file is intact and contains every
 * acknowledged post.
 */
export async function engineKills(program: Program, options: KillOptions): Promise<KillsReport | Absent> {
  const engines = await openEngines(program, options);
  if ("absent" in engines) return engines;
  await using world = engines;
  world.replicate();
  await createPost(world, "Before there was a follower");
  const follower = world.follow();
  using reader = new Reader<Observation>(world.readersFile, ALL);
  const report = await runKills(world, reader, options);
  const code = await follower.stop();
  if (code !== 0) report.wrongs.push(`the follower's engine ended with ${code}`);
  const db = new Database(world.readersFile, { readonly: true });
  const found = db.pragma("integrity_check", { simple: true });
  db.close();
  if (found !== "ok") report.wrongs.push(`the file is damaged: ${String(found)}`);
  return report;
}

async function runKills(
  world: Engines,
  reader: Reader<Observation>,
  options: KillOptions,
): Promise<KillsReport> {
  const report: KillsReport = {
    acknowledged: 0,
    killed: 0,
    reads: 0,
    versions: 0,
    opened: 0,
    unreadable: 0,
    unreadableMs: 0,
    tornWhileDying: 0,
    stalls: [],
    wrongs: [],
  };
  const written: string[] = [];
  let isWriting = true;
  const writers = Array.from({ length: options.writers }, async () => {
    while (isWriting) {
      written.push((await createPost(world, "Written while engines die")).id);
      await Bun.sleep(options.pauseMs);
    }
  });
  let killedAt = -Infinity;
  const killer = (async () => {
    let last: number | undefined;
    let due = VERSIONS_BETWEEN;
    while (report.killed < options.kills) {
      const pid = world.enginePid();
      // One kill in five does not wait for a new version: it hits an engine that restores or resumes.
      const isTime = report.killed % 5 === 3 || report.versions >= due;
      if (pid !== undefined && pid !== last && isTime) {
        await Bun.sleep(Math.random() * 100);
        due = report.versions + VERSIONS_BETWEEN;
        if (isKilled((last = pid))) {
          killedAt = performance.now();
          report.killed += 1;
        }
      }
      await Bun.sleep(5);
    }
    isWriting = false;
    await Promise.all(writers);
  })();
  let isWritten = false;
  void killer.then(() => (isWritten = true));

  let at = { line: "", commits: 0, posts: 0 };
  let since = Infinity;
  let until = Infinity;
  while (performance.now() < until) {
    const { seen, damage } = readOnce(reader);
    if (damage !== undefined) {
      const isOfDeath = performance.now() - killedAt < ENDS_WITHIN_MS;
      if (isOfDeath && (await reader.isAbandoned())) report.tornWhileDying += 1;
      else report.wrongs.push(`torn: ${damage}`);
    } else if (seen === undefined) report.unreadable += 1;
    else {
      report.reads += 1;
      report.unreadableMs = Math.max(report.unreadableMs, performance.now() - since);
      since = performance.now();
      if (seen.commits < at.commits || seen.posts < at.posts)
        report.wrongs.push(`backwards: from ${JSON.stringify(at)} to ${JSON.stringify(seen)}`);
      if (seen.commits > at.commits) report.versions += 1;
      at = seen;
    }
    if (isWritten && until === Infinity) until = performance.now() + WITHIN_MS;
    // The copy has one post more than `written`, because one post was created before the follower started.
    if (isWritten && at.posts === written.length + 1) break;
    await Bun.sleep(1);
  }
  await killer;
  report.acknowledged = written.length;
  report.opened = reader.opened;
  report.stalls = world.output().match(/^follow: .*$/gm) ?? [];
  if (at.posts !== written.length + 1)
    report.wrongs.push(
      `${written.length + 1} posts were acknowledged, ${at.posts} are there: ${world.output()}`,
    );
  return report;
}

/** Kills the engine. Returns false if the engine had already ended. */
function isKilled(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}

/** Reads one row. Returns the row if the file may be trusted, or SQLite's error about a partial update. */
function readOnce(reader: Reader<Observation>): { seen?: Observation; damage?: string } {
  try {
    const seen = reader.look();
    if (seen === undefined) return {};
    return isTorn(seen) ? { damage: JSON.stringify(seen) } : { seen };
  } catch (error) {
    return { damage: String(error) };
  }
}
