import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import type { Absent } from "../program/bookworm.ts";
import { type Program, run, serve } from "../program/programs.ts";
import { type EngineOptions, type Engines, openEngines, createPost } from "./engine.ts";
import { ALL, isTorn, Reader, type Observation } from "./reader.ts";

const WITHIN_MS = 30_000;

/**
 * Faults of replication. Each one runs with its own leader and follower, and returns the problems that
 * remain. The list is empty if the cluster recovered.
 */
export const ENGINE_FAULTS = {
  "a file of the replica is gone": (program, mayBuild) =>
    gap(program, { storage: "file", mayBuild, hasShortIntervals: true }),
  "the leader is restored": (program, mayBuild) =>
    restored(program, { storage: "file", mayBuild, hasShortIntervals: true }),
  "S3 ends in the middle of an answer": (program, mayBuild) =>
    cutOff(program, { storage: "s3", mayBuild, hasShortIntervals: true }),
} satisfies Record<string, (program: Program, mayBuild: boolean) => Promise<string[] | Absent>>;

/** Waits until a read satisfies `isMet` and returns that read. Throws with the engines' output on timeout. */
async function waitForState(
  world: Engines,
  reader: Reader<Observation>,
  isMet: (seen: Observation) => boolean,
): Promise<Observation> {
  const until = performance.now() + WITHIN_MS;
  while (performance.now() < until) {
    const now = reader.look();
    if (now && isTorn(now)) throw new Error(`torn: ${JSON.stringify(now)}`);
    if (now && isMet(now)) return now;
    await Bun.sleep(5);
  }
  throw new Error(`not seen within ${WITHIN_MS} ms: ${world.output()}`);
}

/**
 * Removes a replica file while the follower is offline. Litestream then stalls without an error (its issue
 * 1515), and the script restores the copy from scratch. Returns the problems that remain.
 */
async function gap(program: Program, options: EngineOptions): Promise<string[] | Absent> {
  const engines = await openEngines(program, options);
  if ("absent" in engines) return engines;
  await using world = engines;
  const wrongs: string[] = [];
  using reader = new Reader<Observation>(world.readersFile, ALL);
  const leaders = world.replicate();
  await createPost(world, "Seen by the follower");
  const follower = world.follow();
  await waitForState(world, reader, ({ posts }) => posts === 1);
  await follower.stop();
  if (reader.look()?.posts !== 1) wrongs.push("after a clean end there is nothing to be read");

  const here = locationOf(world);
  // Each post creates one update in the replica. The loop writes enough posts that updates follow the removed
  // update.
  while (newestIn(world.replica) < here + 8) await createPost(world, "While the follower is away");
  await leaders.stop();
  lose(world.replica, here + 4);
  world.replicate();
  let count = 0;
  const writing = setInterval(() => void createPost(world, `After the gap ${count++}`).catch(() => {}), 100);
  const again = world.follow();
  await waitForState(world, reader, ({ posts }) => posts > 20);
  clearInterval(writing);
  if (!/starting over/.test(world.output()))
    wrongs.push(`nobody told that it stood still: ${world.output()}`);
  await again.stop();
  return wrongs;
}

/**
 * Restores the leader from a backup, after which the leader writes on to the same replica. Litestream uploads
 * the full database again, and a follower switches to the new lineage in one step.
 */
async function restored(program: Program, options: EngineOptions): Promise<string[] | Absent> {
  const engines = await openEngines(program, options);
  if ("absent" in engines) return engines;
  await using world = engines;
  using reader = new Reader<Observation>(world.readersFile, ALL);
  const leaders = world.replicate();
  await createPost(world, "In the backup");
  const { cwd } = world;
  await run(program, ["backup", join(cwd, "kept"), "--data", "d"], { cwd });
  for (let i = 0; i < 20; i++) await createPost(world, "Not in the backup");
  world.follow();
  const before = await waitForState(world, reader, ({ posts }) => posts === 21);

  await leaders.stop();
  world.leader.signal("SIGTERM");
  await world.leader.exited;
  await run(program, ["restore", join(cwd, "kept"), "--replace", "--data", "d"], { cwd });
  await using leader = await serve(program, { cwd, args: ["--data", "d"] });
  world.replicate();
  for (let i = 0; i < 3; i++) await createPost({ ...world, leader }, "After the restore");
  const after = await waitForState(world, reader, ({ posts }) => posts === 4);
  return after.line === before.line ? ["the follower is on the line of before"] : [];
}

/**
 * Truncates update files, as a broken connection to S3 does. Litestream releases its lock on the partial data
 * and continues. The script removes the file that readers open, and restores this file once complete updates
 * arrive.
 */
async function cutOff(program: Program, options: EngineOptions): Promise<string[] | Absent> {
  await using way = await openProxy();
  const engines = await openEngines(program, { ...options, proxyUrl: (url) => way.to(url) });
  if ("absent" in engines) return engines;
  await using world = engines;
  using reader = new Reader<Observation>(world.readersFile, ALL);
  world.replicate();
  await createPost(world, "Before");
  world.follow();
  await waitForState(world, reader, ({ posts }) => posts === 1);

  way.isCutting = true;
  let count = 1;
  let torn = 0;
  let isOver = false;
  const writing = (async () => {
    for (const until = performance.now() + 4000; performance.now() < until; count++)
      await createPost(world, randomBytes(900).toString("hex"));
    isOver = true;
  })();
  while (!isOver) {
    const now = reader.look();
    if (now && isTorn(now)) torn += 1;
    await Bun.sleep(1);
  }
  await writing;
  const wrongs = way.cuts === 0 ? ["nothing was cut off"] : [];
  if (reader.look() !== undefined) wrongs.push("the file may be read while half of an update is there");
  way.isCutting = false;
  await waitForState(world, reader, ({ posts }) => posts === count);
  console.log(`${way.cuts} updates were cut off; ${torn} reads were torn until the file was taken away`);
  return wrongs;
}

/** A proxy that can cut off responses in the middle of an update file. */
async function openProxy() {
  const state = { isCutting: false, cuts: 0 };
  let port = 0;
  const server = createServer((client) => {
    const there = connect(port, "127.0.0.1");
    let left = Infinity;
    client.on("data", (data: Buffer) => {
      const isUpdate = /^GET \/bkt\/guild\/0000\/\S+\.ltx/.test(data.subarray(0, 200).toString("latin1"));
      if (isUpdate) left = state.isCutting ? CUT_AFTER_BYTES : Infinity;
      there.write(data);
    });
    there.on("data", (data: Buffer) => {
      client.write(data.length > left ? data.subarray(0, left) : data);
      left -= data.length;
      if (left >= 0) return;
      state.cuts += 1;
      client.destroySoon();
      there.destroy();
    });
    for (const [one, other] of [
      [client, there],
      [there, client],
    ] as const)
      one.on("close", () => other.destroySoon()).on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(state, {
    to(url: string): string {
      port = Number(new URL(url).port);
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

/** Enough for the response headers and the first pages. */
const CUT_AFTER_BYTES = 4000;

const locationOf = (world: Engines): number =>
  Number.parseInt(readFileSync(`${world.copy}-txid`, "utf8"), 16);

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

/** Deletes every file that contains update `number`, except full snapshots. */
function lose(replica: string, number: number): void {
  for (const { file, from, to } of partsOf(replica))
    if (from > 1 && from <= number && to >= number) rmSync(file);
}
