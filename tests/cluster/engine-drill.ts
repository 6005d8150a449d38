import Database from "better-sqlite3";
import type { Absent } from "../program/bookworm.ts";
import type { Program } from "../program/programs.ts";
import { type EngineOptions, type Engines, openEngines, post } from "./engine.ts";
import { ALL, ENDS_WITHIN_MS, isTorn, Reader, type Seen } from "./reader.ts";

export interface KillOptions extends EngineOptions {
  /** How often the follower's engine is killed while posts are written. */
  kills: number;
  writers: number;
  /** How long a writer rests between two posts. */
  restMs: number;
}

export interface KillsTold {
  acknowledged: number;
  killed: number;
  reads: number;
  versions: number;
  /** How often a reader opened another file, and how often there was none to be read. */
  opened: number;
  without: number;
  /** The longest time without. */
  withoutMs: number;
  /** Reads of half an update while the system was ending an engine that was killed. */
  amidDeath: number;
  /** What the script said of standing still. */
  anew: string[];
  wrongs: string[];
}

const WITHIN_MS = 20_000;
/** How much a reader sees of what an engine writes before that is killed. */
const VERSIONS_BETWEEN = 5;

/**
 * A leader that is written to, its file brought to a follower by deploy/litestream-leader.yml and
 * deploy/follow.sh, and the engine that writes there killed again and again: no read is torn or goes
 * backwards, and in the end every post that was acknowledged is there, in a file that is whole.
 */
export async function engineKills(program: Program, options: KillOptions): Promise<KillsTold | Absent> {
  const engines = await openEngines(program, options);
  if ("absent" in engines) return engines;
  await using world = engines;
  world.replicate();
  await post(world, "Before there was a follower");
  const follower = world.follow();
  using reader = new Reader<Seen>(world.shown, ALL);
  const told = await killing(world, reader, options);
  const code = await follower.stop();
  if (code !== 0) told.wrongs.push(`the follower's engine ended with ${code}`);
  const db = new Database(world.shown, { readonly: true });
  const found = db.pragma("integrity_check", { simple: true });
  db.close();
  if (found !== "ok") told.wrongs.push(`the file is damaged: ${String(found)}`);
  return told;
}

async function killing(world: Engines, reader: Reader<Seen>, options: KillOptions): Promise<KillsTold> {
  const told: KillsTold = {
    acknowledged: 0,
    killed: 0,
    reads: 0,
    versions: 0,
    opened: 0,
    without: 0,
    withoutMs: 0,
    amidDeath: 0,
    anew: [],
    wrongs: [],
  };
  const written: string[] = [];
  let isWriting = true;
  const writers = Array.from({ length: options.writers }, async () => {
    while (isWriting) {
      written.push((await post(world, "Written while engines die")).id);
      await Bun.sleep(options.restMs);
    }
  });
  let killedAt = -Infinity;
  const killer = (async () => {
    let last: number | undefined;
    let due = VERSIONS_BETWEEN;
    while (told.killed < options.kills) {
      const pid = world.enginePid();
      // Every fifth before anybody reads what it writes: while it restores or resumes.
      const isTime = told.killed % 5 === 3 || told.versions >= due;
      if (pid !== undefined && pid !== last && isTime) {
        await Bun.sleep(Math.random() * 100);
        due = told.versions + VERSIONS_BETWEEN;
        if (killed((last = pid))) {
          killedAt = performance.now();
          told.killed += 1;
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
    const { seen, damage } = lookAt(reader);
    if (damage !== undefined) {
      const isOfDeath = performance.now() - killedAt < ENDS_WITHIN_MS;
      if (isOfDeath && (await reader.isAbandoned())) told.amidDeath += 1;
      else told.wrongs.push(`torn: ${damage}`);
    } else if (seen === undefined) told.without += 1;
    else {
      told.reads += 1;
      told.withoutMs = Math.max(told.withoutMs, performance.now() - since);
      since = performance.now();
      if (seen.commits < at.commits || seen.posts < at.posts)
        told.wrongs.push(`backwards: from ${JSON.stringify(at)} to ${JSON.stringify(seen)}`);
      if (seen.commits > at.commits) told.versions += 1;
      at = seen;
    }
    if (isWritten && until === Infinity) until = performance.now() + WITHIN_MS;
    // The one before there was a follower is counted, too.
    if (isWritten && at.posts === written.length + 1) break;
    await Bun.sleep(1);
  }
  await killer;
  told.acknowledged = written.length;
  told.opened = reader.opened;
  told.anew = world.said().match(/^follow: .*$/gm) ?? [];
  if (at.posts !== written.length + 1)
    told.wrongs.push(`${written.length + 1} posts were acknowledged, ${at.posts} are there: ${world.said()}`);
  return told;
}

/** Whether it was there to be killed: an engine also ends by itself. */
function killed(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}

/** What may be believed of the file, or what shows that half of an update was read. */
function lookAt(reader: Reader<Seen>): { seen?: Seen; damage?: string } {
  try {
    const seen = reader.look();
    if (seen === undefined) return {};
    return isTorn(seen) ? { damage: JSON.stringify(seen) } : { seen };
  } catch (error) {
    return { damage: String(error) };
  }
}
