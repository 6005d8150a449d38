import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { corruptionOf, positionIn } from "../../src/core/base/db/leadership.ts";
import { openSqlite } from "../../src/core/base/db/sqlite.ts";
import { authority, openReceiver } from "../delivery/receiver.ts";
import { emptyFolder, type Program, run, type Served, serve } from "../program/programs.ts";
import { engineDouble } from "./engine-double.ts";

export interface StandbyOptions {
  /** How often the leader is killed, or stopped and resumed. */
  rounds: number;
  writers: number;
  /** Time between two moves of the engine, in ms. 0 means shared storage: nothing is lost. */
  engineMs: number;
  /**
   * In every nth round the leader is only stopped (SIGSTOP), and resumes once the other node leads. 0 means
   * never.
   */
  stopsEvery: number;
  progress?: (round: number, soFar: Omit<StandbyReport, "repeated">) => void;
}

export interface StandbyReport {
  rounds: number;
  acknowledged: number;
  /** Acknowledged posts (201) that are missing: in total, and at most in one round. */
  missing: number;
  missingMost: number;
  /** Highest age of a missing post when the leader ended, in ms. */
  lossMs: number;
  /** Time from the end of the old leader to the first acknowledged write at the new one, in ms. */
  writesAfterMs: { median: number; most: number };
  /** Time from the end of the old leader to the end of `guildhall promote`, in ms. */
  promotedAfterMs: { median: number; most: number };
  /** Posts whose response was cut off and that were sent again with the same key. */
  retried: number;
  /** Deliveries beyond the first of each event. */
  repeated: number;
  wrongs: string[];
}

/** Responses to the writers, by the unique text of each post. */
export interface Journal {
  acknowledged: Map<string, { id: string; at: number }>;
  /** Posts whose outcome is unknown. */
  open: Set<string>;
}

export interface Machine {
  url: string;
  port: number;
  data: string;
}

const BEFORE_MS = 250;
const SPREAD_MS = 250;
const PAUSE_MS = 5;
const POSTED_WITHIN_MS = 20_000;

/**
 * Runs two machines. One leads while writers send requests, until it is killed or stopped. A script then
 * promotes the other machine. The old leader resumes, is demoted and becomes a follower. In the next round
 * the machines have each other's role (docs/threats.md#M39).
 */
export async function standbyDrill(program: Program, options: StandbyOptions): Promise<StandbyReport> {
  using folder = emptyFolder();
  await using receiver = await openReceiver();
  const cwd = folder.path;
  writeFileSync(join(cwd, "ca.pem"), (await authority()).pem);
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
  const headers = { authorization: `Bearer ${created.stdout.trim()}`, "content-type": "application/json" };
  const env = {
    GUILDHALL_WEBHOOK_ALLOW: "127.0.0.0/8",
    GUILDHALL_WEBHOOK_CA: "ca.pem",
    GUILDHALL_RETRY_DELAYS: "0s,100ms,200ms,1s,1s,1s,1s",
    GUILDHALL_PEERS: machines.map(({ url }) => url).join(),
  };
  const start = ({ port, data }: Machine, follows?: Machine): Promise<Served> =>
    serve(program, {
      cwd,
      args: ["--port", String(port), "--data", data, ...(follows ? ["--follow", follows.url] : [])],
      env,
    });
  const command = (args: string[]) => run(program, args, { cwd, env });

  const totals = { missing: 0, missingMost: 0, lossMs: 0, retried: 0 };
  const [writes, promotions]: [number[], number[]] = [[], []];
  const wrongs = new Set<string>();
  const journal: Journal = { acknowledged: new Map(), open: new Set() };
  let [leader, other] = [first, second];
  let leading = await start(leader);
  const body = JSON.stringify({ url: `https://127.0.0.1:${receiver.port}/`, events: ["post.created"] });
  await fetch(`${leader.url}/v1/webhooks`, { method: "POST", headers, body });

  for (let round = 0; round < options.rounds; round++) {
    using engine = engineDouble(join(leader.data, "guildhall.db"), join(other.data, "guildhall.db"));
    engine.every(options.engineMs || 50);
    const following = await start(other, leader);
    const writers = startWriters(leader.url, headers, options.writers, round, journal);
    await Bun.sleep(BEFORE_MS + Math.random() * SPREAD_MS);
    const isStopped = options.stopsEvery > 0 && round % options.stopsEvery === options.stopsEvery - 1;
    leading.signal(isStopped ? "SIGSTOP" : "SIGKILL");
    const endedAt = performance.now();
    if (!isStopped) await leading.exited;
    await writers.stop();
    if (options.engineMs === 0) engine.move();
    engine.stop();

    const promoted = await command(["promote", "--data", other.data]);
    promotions.push(performance.now() - endedAt);
    if (promoted.code !== 0) throw new Error(`promote: ${promoted.stdout}${promoted.stderr}`);
    const missing = takeMissing(join(other.data, "guildhall.db"), journal);
    totals.missing += missing.length;
    totals.missingMost = Math.max(totals.missingMost, missing.length);
    totals.lossMs = Math.max(totals.lossMs, ...missing.map(({ at }) => Math.round(endedAt - at)));
    const again = startWriters(other.url, headers, options.writers, round + 0.5, journal);
    writes.push((await again.first) - endedAt);
    await again.stop();
    totals.retried += await retryOpen(other.url, headers, journal);

    const before = positionIn(join(leader.data, "guildhall.db")).commits;
    if (isStopped) leading.signal("SIGCONT");
    else leading = await start(leader);
    if (await isWrittenTo(leader.url, headers)) wrongs.add("an old leader that woke up took a write");
    leading.signal("SIGTERM");
    await leading.exited;
    // The only new commit is the record that the node stepped down.
    const after = positionIn(join(leader.data, "guildhall.db"));
    if (after.fencedBy === null) wrongs.add("an old leader that woke up did not give up");
    // A stopped leader may have had one more unacknowledged commit on its way to the disk.
    if (after.commits > before + (isStopped ? 2 : 1))
      wrongs.add("an old leader that woke up wrote something");

    const demoted = await command(["demote", "--data", leader.data]);
    if (demoted.code !== 0) throw new Error(`demote: ${demoted.stdout}${demoted.stderr}`);
    leading = following;
    [leader, other] = [other, leader];
    options.progress?.(round + 1, soFar(round + 1));
  }
  const stored = await settled(leader, receiver.received, POSTED_WITHIN_MS + options.rounds * 500);
  leading.signal("SIGTERM");
  if ((await leading.exited) !== 0) wrongs.add("the last leader did not stop as it was told to");
  const delivered = receiver.received.map(({ body: sent }) => JSON.parse(sent).data.post.id as string);
  const arrived = new Set(delivered);
  if (stored.some(({ id }) => !arrived.has(id))) wrongs.add("a post that is there was never delivered");
  if (new Set(stored.map(({ text }) => text)).size < stored.length) wrongs.add("a post is there twice");
  if (new Set(stored.map(({ id }) => id)).size < stored.length) wrongs.add("an id was given twice");
  if (corruptionOf(join(leader.data, "guildhall.db")) !== undefined) wrongs.add("the database is not whole");
  return { ...soFar(options.rounds), repeated: delivered.length - arrived.size };

  function soFar(rounds: number): Omit<StandbyReport, "repeated"> {
    return {
      rounds,
      acknowledged: journal.acknowledged.size,
      ...totals,
      writesAfterMs: spread(writes),
      promotedAfterMs: spread(promotions),
      wrongs: [...wrongs],
    };
  }
}

export async function machineAt(folder: string, name: string): Promise<Machine> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return { port, url: `http://127.0.0.1:${port}`, data: join(folder, name) };
}

/**
 * Runs writers that each send one post after another, until stopped. `first` resolves with the time of the
 * first acknowledgement.
 */
export function startWriters(
  url: string,
  headers: Record<string, string>,
  count: number,
  round: number,
  { acknowledged, open }: Journal,
): { first: Promise<number>; stop(): Promise<void> } {
  const { promise: first, resolve } = Promise.withResolvers<number>();
  const leaving = new AbortController();
  const working = Array.from({ length: count }, async (_, writer) => {
    for (let i = 0; !leaving.signal.aborted;) {
      const text = `${round} ${writer} ${i}`;
      open.add(text);
      const id = await post(url, headers, text, leaving.signal);
      await Bun.sleep(PAUSE_MS);
      if (id === undefined) continue;
      open.delete(text);
      acknowledged.set(text, { id, at: performance.now() });
      resolve(performance.now());
      i++;
    }
  });
  return {
    first,
    async stop() {
      leaving.abort();
      await Promise.all(working);
    },
  };
}

/** Returns the id of an acknowledged post, or undefined if the outcome is unknown. */
async function post(
  url: string,
  headers: Record<string, string>,
  text: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const sent = { ...headers, "idempotency-key": text.replaceAll(/\W/g, "-") };
  const body = JSON.stringify({ text, tags: ["standby"] });
  const answer = await fetch(`${url}/v1/feed`, { method: "POST", headers: sent, body, signal }).catch(
    () => undefined,
  );
  const created = answer?.status === 201 ? await answer.json().catch(() => undefined) : undefined;
  return (created as { id: string } | undefined)?.id;
}

/**
 * Sends all posts of unknown outcome again, and the newest acknowledged ones. The same keys must not create
 * duplicates.
 */
async function retryOpen(url: string, headers: Record<string, string>, journal: Journal): Promise<number> {
  const unknown = [...journal.open];
  const newest = [...journal.acknowledged.keys()].slice(-50);
  const { signal } = new AbortController();
  for (const text of [...unknown, ...newest]) {
    const id = await post(url, headers, text, signal);
    if (id === undefined) continue;
    const known = journal.acknowledged.get(text);
    journal.open.delete(text);
    // A lost post has a new id now. Any other post keeps its id.
    journal.acknowledged.set(text, { id, at: known?.at ?? performance.now() });
  }
  return unknown.length;
}

async function isWrittenTo(url: string, headers: Record<string, string>): Promise<boolean> {
  for (let i = 0; i < 20; i++) {
    const signal = AbortSignal.timeout(5000);
    if ((await post(url, headers, `to the old leader ${performance.now()}`, signal)) !== undefined)
      return true;
    await Bun.sleep(10);
  }
  return false;
}

interface Stored {
  id: string;
  text: string;
}

export function storedIn(file: string): Stored[] {
  const sqlite = openSqlite(file, { readonly: true });
  try {
    return sqlite.prepare("SELECT id, text FROM posts").all() as Stored[];
  } finally {
    sqlite.close();
  }
}

/** Returns acknowledged posts that are missing, and marks them as unknown so that they are sent again. */
export function takeMissing(file: string, { acknowledged, open }: Journal): { at: number }[] {
  const stored = new Set(storedIn(file).map(({ id }) => id));
  const missing = [...acknowledged].filter(([, { id }]) => !stored.has(id));
  for (const [text] of missing) {
    acknowledged.delete(text);
    open.add(text);
  }
  return missing.map(([, { at }]) => ({ at }));
}

async function settled(
  { data }: Machine,
  received: readonly { body: string }[],
  withinMs: number,
): Promise<Stored[]> {
  for (const end = performance.now() + withinMs; ; await Bun.sleep(50)) {
    const stored = storedIn(join(data, "guildhall.db"));
    const arrived = new Set(received.map(({ body }) => JSON.parse(body).data.post.id as string));
    if (stored.every(({ id }) => arrived.has(id)) || performance.now() > end) return stored;
  }
}

function spread(all: readonly number[]): { median: number; most: number } {
  const sorted = [...all].sort((a, b) => a - b).map(Math.round);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, most: sorted.at(-1) ?? 0 };
}
