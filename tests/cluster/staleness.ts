import { readFileSync } from "node:fs";
import type { Absent } from "../program/bookworm.ts";
import type { Program } from "../program/programs.ts";
import { type Engines, openEngines, type ReplicaStorage, createPost } from "./engine.ts";
import { Reader } from "./reader.ts";

export interface StalenessOptions {
  storage: ReplicaStorage;
  rates: readonly number[];
  seconds: number;
  mayBuild: boolean;
}

/** Times in milliseconds. */
export interface Staleness {
  place: ReplicaStorage;
  rate: number;
  versions: number;
  p50: number;
  p95: number;
  max: number;
  /** CPU time of the follower's engine per second. */
  engineCpu: number;
}

const NEWEST = "SELECT id, created_at AS at FROM posts ORDER BY id DESC LIMIT 1";

/**
 * Measures how old the newest post is when a follower shows it. The age starts with the write at the leader.
 */
export async function staleness(
  program: Program,
  { storage: place, rates, seconds, mayBuild }: StalenessOptions,
): Promise<Staleness[] | Absent> {
  const engines = await openEngines(program, { storage: place, mayBuild, hasShortIntervals: false });
  if ("absent" in engines) return engines;
  await using world = engines;
  world.replicate();
  await createPost(world, "The first");
  world.follow();
  using reader = new Reader<{ id: string; at: number }>(world.readersFile, NEWEST);
  while (!reader.look()) await Bun.sleep(20);

  const report: Staleness[] = [];
  for (const rate of rates) {
    const ages: number[] = [];
    let last = reader.look()?.id;
    const pid = world.enginePid() ?? 0;
    const before = cpuOf(pid);
    const writing = atRate(world, rate, seconds);
    let isOver = false;
    void writing.then(() => (isOver = true));
    while (!isOver) {
      const newest = reader.look();
      if (newest && newest.id !== last) ages.push(Date.now() - newest.at);
      last = newest?.id ?? last;
      await Bun.sleep(1);
    }
    const engineCpu = (cpuOf(pid) - before) / seconds;
    await writing;
    report.push({ place, rate, versions: ages.length, ...quantiles(ages), engineCpu });
  }
  return report;
}

export interface CostOptions {
  rate: number;
  seconds: number;
  rounds: number;
  mayBuild: boolean;
}

/** One run: the CPU time of the server and of Litestream per post, and the time per post, in ms. */
export interface Cost {
  engine: boolean;
  serverCpu: number;
  engineCpu: number;
  p50: number;
  p95: number;
}

/** Measures what the engine costs a leader: runs the same load with and without the engine, alternately. */
export async function costAtTheLeader(program: Program, options: CostOptions): Promise<Cost[] | Absent> {
  const engines = await openEngines(program, {
    storage: "file",
    mayBuild: options.mayBuild,
    hasShortIntervals: false,
  });
  if ("absent" in engines) return engines;
  await using world = engines;
  const report: Cost[] = [];
  await atRate(world, options.rate, 2);
  for (let round = 0; round < 2 * options.rounds; round++) {
    const beside = round % 2 === 0 ? undefined : world.replicate();
    await Bun.sleep(1000);
    const before = [cpuOf(world.leader.pid), beside ? cpuOf(beside.pid) : 0] as const;
    const waits = await atRate(world, options.rate, options.seconds);
    const after = [cpuOf(world.leader.pid), beside ? cpuOf(beside.pid) : 0] as const;
    const [serverCpu = 0, engineCpu = 0] = after.map((ms, i) => (ms - (before[i] ?? 0)) / waits.length);
    const { p50, p95 } = quantiles(waits);
    report.push({ engine: beside !== undefined, serverCpu, engineCpu, p50, p95 });
    await beside?.stop();
  }
  return report;
}

export interface Lost {
  acknowledged: number;
  lost: number;
  /** Age of the oldest lost post at the end, in milliseconds. */
  lostMs: number;
}

/** Kills the leader's server and engine at once under load, and counts the lost posts. */
export async function lostWithTheLeader(
  program: Program,
  { place, rate, mayBuild }: { place: ReplicaStorage; rate: number; mayBuild: boolean },
): Promise<Lost | Absent> {
  const engines = await openEngines(program, { storage: place, mayBuild, hasShortIntervals: false });
  if ("absent" in engines) return engines;
  await using world = engines;
  const leaders = world.replicate();
  await createPost(world, "The first");
  world.follow();
  using reader = new Reader<{ ids: string }>(
    world.readersFile,
    "SELECT json_group_array(id) AS ids FROM posts",
  );
  while (!reader.look()) await Bun.sleep(20);
  const written: { id: string; at: number }[] = [];
  const writing = atRate(world, rate, 60, (done) => written.push(done)).catch(() => {});
  await Bun.sleep(2000 + 500 * Math.random());
  process.kill(leaders.pid, "SIGKILL");
  world.leader.signal("SIGKILL");
  await Promise.all([world.leader.exited, writing]);
  // Waits until all commits that the leader has sent have reached the copy.
  await Bun.sleep(1000);
  const there = new Set(JSON.parse(reader.look()?.ids ?? "[]") as string[]);
  const lost = written.filter(({ id }) => !there.has(id));
  const end = Math.max(...written.map(({ at }) => at));
  const oldest = Math.min(end, ...lost.map(({ at }) => at));
  return { acknowledged: written.length, lost: lost.length, lostMs: end - oldest };
}

/** Sends `rate` posts per second without waiting for responses. Returns the time of each post in ms. */
async function atRate(
  world: Engines,
  rate: number,
  seconds: number,
  hear: (posted: { id: string; at: number }) => void = () => {},
): Promise<number[]> {
  const waits: number[] = [];
  const under: Promise<void>[] = [];
  const from = performance.now();
  let isRefused = false;
  for (let i = 0; i < rate * seconds && !isRefused; i++) {
    await Bun.sleep(Math.max(0, from + (1000 * i) / rate - performance.now()));
    const at = performance.now();
    const item = createPost(world, `Post ${i} of a load`).then((posted) => {
      waits.push(performance.now() - at);
      hear(posted);
    });
    item.catch(() => (isRefused = true));
    under.push(item);
  }
  await Promise.all(under);
  return waits;
}

function quantiles(values: readonly number[]): { p50: number; p95: number; max: number } {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}

/** CPU time of all threads of a process in milliseconds. A kernel tick is 10 ms. */
function cpuOf(pid: number): number {
  const [, after = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const fields = after.split(" ");
  return 10 * (Number(fields[11]) + Number(fields[12]));
}
