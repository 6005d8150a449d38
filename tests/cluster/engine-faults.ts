import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Absent } from "../program/bookworm.ts";
import { type Program, run, serve } from "../program/programs.ts";
import { type EngineOptions, type Engines, openEngines, post } from "./engine.ts";
import { ALL, isTorn, Reader, type Seen } from "./reader.ts";

const WITHIN_MS = 30_000;

/** What goes wrong, each in a world of its own: what is wrong afterwards; empty where it was mended. */
export const ENGINE_FAULTS = {
  "a file of the replica is gone": (program, mayBuild) =>
    gap(program, { place: "file", mayBuild, isHasty: true }),
  "the leader is restored": (program, mayBuild) =>
    restored(program, { place: "file", mayBuild, isHasty: true }),
} satisfies Record<string, (program: Program, mayBuild: boolean) => Promise<string[] | Absent>>;

/** What a reader sees once `isMet`; throws with what the engines said where it never is. */
async function seen(world: Engines, reader: Reader<Seen>, isMet: (seen: Seen) => boolean): Promise<Seen> {
  const until = performance.now() + WITHIN_MS;
  while (performance.now() < until) {
    const now = reader.look();
    if (now && isTorn(now)) throw new Error(`torn: ${JSON.stringify(now)}`);
    if (now && isMet(now)) return now;
    await Bun.sleep(5);
  }
  throw new Error(`not seen within ${WITHIN_MS} ms: ${world.said()}`);
}

/**
 * A follower that was away, and a file of the replica that is gone meanwhile: Litestream stands still and says nothing
 * (its issue 1515), and the script fetches everything anew. What is wrong; empty where every promise was kept.
 */
async function gap(program: Program, options: EngineOptions): Promise<string[] | Absent> {
  const engines = await openEngines(program, options);
  if ("absent" in engines) return engines;
  await using world = engines;
  const wrongs: string[] = [];
  using reader = new Reader<Seen>(world.shown, ALL);
  const leaders = world.replicate();
  await post(world, "Seen by the follower");
  const follower = world.follow();
  await seen(world, reader, ({ posts }) => posts === 1);
  await follower.stop();
  if (reader.look()?.posts !== 1) wrongs.push("after a clean end there is nothing to be read");

  const here = placeOf(world);
  // One update each, and some that come after the one that will be gone.
  while (newestIn(world.replica) < here + 8) await post(world, "While the follower is away");
  await leaders.stop();
  lose(world.replica, here + 4);
  world.replicate();
  let count = 0;
  const writing = setInterval(() => void post(world, `After the gap ${count++}`).catch(() => {}), 100);
  const again = world.follow();
  await seen(world, reader, ({ posts }) => posts > 20);
  clearInterval(writing);
  if (!/starts anew/.test(world.said())) wrongs.push(`nobody told that it stood still: ${world.said()}`);
  await again.stop();
  return wrongs;
}

/**
 * A leader that goes back to a backup and writes on, with the same place for its copies: Litestream puts all of it there
 * once more, and a follower goes from the one line to the other in one step.
 */
async function restored(program: Program, options: EngineOptions): Promise<string[] | Absent> {
  const engines = await openEngines(program, options);
  if ("absent" in engines) return engines;
  await using world = engines;
  using reader = new Reader<Seen>(world.shown, ALL);
  const leaders = world.replicate();
  await post(world, "In the backup");
  const { cwd } = world;
  await run(program, ["backup", join(cwd, "kept"), "--data", "d"], { cwd });
  for (let i = 0; i < 20; i++) await post(world, "Not in the backup");
  world.follow();
  const before = await seen(world, reader, ({ posts }) => posts === 21);

  await leaders.stop();
  world.leader.signal("SIGTERM");
  await world.leader.exited;
  await run(program, ["restore", join(cwd, "kept"), "--replace", "--data", "d"], { cwd });
  await using leader = await serve(program, { cwd, args: ["--data", "d"] });
  world.replicate();
  for (let i = 0; i < 3; i++) await post({ ...world, leader }, "After the restore");
  const after = await seen(world, reader, ({ posts }) => posts === 4);
  return after.line === before.line ? ["the follower is on the line of before"] : [];
}

const placeOf = (world: Engines): number => Number.parseInt(readFileSync(`${world.copy}-txid`, "utf8"), 16);

interface Part {
  file: string;
  from: number;
  to: number;
}

function partsOf(replica: string): Part[] {
  return readdirSync(replica, { recursive: true, encoding: "utf8" }).flatMap((name) => {
    const [, from = "", to = ""] = /([0-9a-f]{16})-([0-9a-f]{16})\.ltx$/.exec(name) ?? [];
    return from === ""
      ? []
      : [{ file: join(replica, name), from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) }];
  });
}

const newestIn = (replica: string): number => Math.max(...partsOf(replica).map(({ to }) => to));

/** Every file is gone that would bring a copy over this number, but those that begin with everything. */
function lose(replica: string, number: number): void {
  for (const { file, from, to } of partsOf(replica))
    if (from > 1 && from <= number && to >= number) rmSync(file);
}
