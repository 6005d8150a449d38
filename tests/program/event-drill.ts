import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { guildhall, run, serve } from "./programs.ts";

export interface EventReport {
  events: number;
  seconds: number;
  /** Events that each recipe read, lost and read twice. */
  recipes: Record<string, { received: number; lost: number; twice: number }>;
  /** Largest lead of the log's timestamps over the clock, in ms. */
  aheadMs: number;
}

type ReadCounts = Map<string, number>;
interface Event {
  id: string;
  created_at: string;
}

/** A folder on a RAM disk, where commits are fast and several fall into one millisecond. */
function quickFolder(): string {
  try {
    statfsSync("/dev/shm");
    return mkdtempSync("/dev/shm/guildhall-events-");
  } catch {
    return mkdtempSync(join(tmpdir(), "guildhall-events-"));
  }
}

/**
 * Runs several writers at once: most are separate processes, and two post through the server, whose delivery
 * thread also writes.
 * Meanwhile every documented recipe reads the log: `after` with `wait`, the old `since` with the last
 * `created_at`, and a stream that is cut off repeatedly.
 */
export async function eventDrill(events: number, writers: number): Promise<EventReport> {
  const folder = quickFolder();
  const data = join(folder, "d");
  try {
    const command = (...args: string[]) => run(guildhall, [...args, "--data", data], { cwd: folder });
    await command("builder", "create", "ada");
    const token = (await command("token", "create", "ada", "--tier", "enterprise")).stdout.trim();
    await using server = await serve(guildhall, {
      cwd: folder,
      args: ["--data", data],
      env: { GUILDHALL_RATE_ENTERPRISE: "900000000/900000000" },
    });
    const send = createRequester(server.url, token);
    await send("/job-filters", { method: "POST", body: JSON.stringify({ name: "all", stack: ["rust"] }) });
    const begun = performance.now();
    const state = { isOver: false, lastId: "" };
    const readers = {
      "after and wait": byAfter(send, state),
      "since = the last created_at": bySince(send, state),
      "a stream that is cut off": byStream(server.url, token, state),
    };
    const each = Math.floor(events / writers);
    const inServer = Math.min(2, writers - 1);
    const work = Array.from({ length: writers }, (_, n) =>
      n < inServer ? postAll(send, n, each) : writeAll(data, `w${n}`, each),
    );
    await Promise.all(work);
    const seconds = (performance.now() - begun) / 1000;
    const { ids, aheadMs } = await settled(join(data, "guildhall.db"));
    state.lastId = ids.at(-1) ?? "";
    state.isOver = true;
    const recipes: EventReport["recipes"] = {};
    for (const [name, reader] of Object.entries(readers)) recipes[name] = compare(ids, await reader);
    return { events: ids.length, seconds, recipes, aheadMs };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Request = (path: string, init?: RequestInit) => Promise<any>;

function createRequester(url: string, token: string): Request {
  return async (path, init = {}) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(`${url}/v1${path}`, { ...init, headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
}

/** Posts through the server, several at a time, so that posts share commits. */
async function postAll(send: Request, writer: number, count: number): Promise<void> {
  let left = count;
  const hands = Array.from({ length: 8 }, async () => {
    while (left-- > 0)
      await send("/feed", { method: "POST", body: JSON.stringify({ text: `s${writer} ${left}` }) });
  });
  await Promise.all(hands);
}

async function writeAll(data: string, name: string, count: number): Promise<void> {
  const child = Bun.spawn(
    [process.execPath, join(import.meta.dir, "event-writer.ts"), data, name, String(count)],
    { stdout: "inherit", stderr: "inherit" },
  );
  if ((await child.exited) !== 0) throw new Error(`the writer ${name} failed`);
}

/** The complete log, once the delivery thread has added the matches of the last job. */
async function settled(file: string): Promise<{ ids: string[]; aheadMs: number }> {
  for (let before = -1; ;) {
    const database = new Database(file, { readonly: true });
    const ids = database.prepare("SELECT id FROM events ORDER BY rowid").pluck().all() as string[];
    const left = database.prepare("SELECT count(*) FROM job_matchings").pluck().get();
    const aheadMs = Number(database.prepare("SELECT max(created_at) FROM events").pluck().get()) - Date.now();
    database.close();
    if (left === 0 && ids.length === before) return { ids, aheadMs: Math.max(0, aheadMs) };
    before = ids.length;
    await Bun.sleep(500);
  }
}

/** Whether a reader has read the last event and no more will follow. */
const isThrough = (state: { isOver: boolean; lastId: string }, last: string): boolean =>
  state.isOver && last >= state.lastId;

function note(received: ReadCounts, events: readonly Event[]): void {
  for (const { id } of events) received.set(id, (received.get(id) ?? 0) + 1);
}

async function byAfter(send: Request, state: { isOver: boolean; lastId: string }): Promise<ReadCounts> {
  const received: ReadCounts = new Map();
  for (let after = ""; !isThrough(state, after);) {
    const { data } = await send(`/events?limit=100&wait=1${after && `&after=${after}`}`);
    note(received, data);
    after = data.at(-1)?.id ?? after;
  }
  return received;
}

async function bySince(send: Request, state: { isOver: boolean; lastId: string }): Promise<ReadCounts> {
  const received: ReadCounts = new Map();
  for (let [since, last] = ["", ""]; !isThrough(state, last);) {
    for (let cursor: string | null = ""; cursor !== null;) {
      const query = new URLSearchParams({ limit: "100", ...(since && { since }), ...(cursor && { cursor }) });
      const page = await send(`/events?${query}`);
      note(received, page.data);
      cursor = page.next;
      const newest: Event | undefined = page.data.at(-1);
      // The old recipe advances `since` only at the end of a walk.
      if (newest) last = newest.id;
      if (newest && cursor === null) since = newest.created_at;
    }
  }
  return received;
}

/** Reads a thousand lines, aborts in the middle of one, and resumes after the last complete id. */
async function byStream(
  url: string,
  token: string,
  state: { isOver: boolean; lastId: string },
): Promise<ReadCounts> {
  const received: ReadCounts = new Map();
  for (let last = ""; !isThrough(state, last);) {
    const leaving = new AbortController();
    const tooLong = setTimeout(() => leaving.abort(), 2000);
    const answer = await fetch(`${url}/v1/events${last ? "" : "?since=2020-01-01T00:00:00Z"}`, {
      headers: {
        authorization: `Bearer ${token}`,
        accept: "text/event-stream",
        ...(last && { "last-event-id": last }),
      },
      signal: leaving.signal,
    });
    let text = "";
    try {
      for await (const chunk of answer.body ?? []) {
        text += Buffer.from(chunk).toString();
        const blocks = text.split("\n\n");
        text = blocks.pop() ?? "";
        const ids = blocks.flatMap((block) => /^id: (\S+)$/m.exec(block)?.[1] ?? []);
        for (const id of ids) received.set(id, (received.get(id) ?? 0) + 1);
        last = ids.at(-1) ?? last;
        if (isThrough(state, last) || (received.size % 1000 > 990 && ids.length > 0)) break;
      }
    } catch {}
    clearTimeout(tooLong);
    leaving.abort();
  }
  return received;
}

function compare(
  ids: readonly string[],
  counts: ReadCounts,
): { received: number; lost: number; twice: number } {
  return {
    received: counts.size,
    lost: ids.filter((id) => !counts.has(id)).length,
    twice: [...counts.values()].filter((times) => times > 1).length,
  };
}
