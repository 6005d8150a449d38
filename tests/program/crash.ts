import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { authority, openReceiver } from "../delivery/receiver.ts";
import { emptyFolder, type Program, run, serve } from "./programs.ts";

export interface CrashReport {
  kills: number;
  acknowledged: number;
  /** Posts in the database, including stored ones whose response was cut off. */
  stored: number;
  /** Deliveries beyond the first of each, and their share of all deliveries. */
  repeated: number;
  repeatedShare: number;
  wrongs: string[];
}

/**
 * Kills the program with SIGKILL `kills` times under load, each time after at least `posts` more acknowledged
 * posts.
 * Checks that every acknowledged post exists exactly once and intact, and that its event reached the
 * subscriber (docs/threats.md#J01, docs/threats.md#J02, docs/threats.md#K01).
 */
export async function crashDrill(
  program: Program,
  kills: number,
  { posts = 0, progress }: { posts?: number; progress?: (kill: number) => void } = {},
): Promise<CrashReport> {
  using folder = emptyFolder();
  await using receiver = await openReceiver();
  writeFileSync(join(folder.path, "ca.pem"), (await authority()).pem);
  await run(program, ["builder", "create", "ada", "--data", "d"], { cwd: folder.path });
  const created = await run(program, ["token", "create", "ada", "--tier", "enterprise", "--data", "d"], {
    cwd: folder.path,
  });
  const headers = { authorization: `Bearer ${created.stdout.trim()}`, "content-type": "application/json" };
  const env = {
    GUILDHALL_WEBHOOK_ALLOW: "127.0.0.0/8",
    GUILDHALL_WEBHOOK_CA: "ca.pem",
    GUILDHALL_RETRY_DELAYS: "0s,100ms,200ms,1s,1s,1s,1s",
  };
  const start = () => serve(program, { cwd: folder.path, args: ["--data", "d"], env });
  const acknowledged = new Map<string, string>();

  for (let kill = 0; kill < kills; kill++) {
    await using server = await start();
    if (kill === 0) {
      const body = JSON.stringify({ url: `https://127.0.0.1:${receiver.port}/`, events: ["post.created"] });
      await fetch(`${server.url}/v1/webhooks`, { method: "POST", headers, body });
    }
    let isDead = false;
    const clients = Array.from({ length: 8 }, async (_, client) => {
      for (let i = 0; !isDead; i++) {
        const text = `${kill} ${client} ${i}`;
        const body = JSON.stringify({ text, tags: ["crash"] });
        const answer = await fetch(`${server.url}/v1/feed`, { method: "POST", headers, body }).catch(
          () => undefined,
        );
        const post = answer?.status === 201 ? await answer.json().catch(() => undefined) : undefined;
        if (post) acknowledged.set((post as { id: string }).id, text);
      }
    });
    await Bun.sleep(40 + Math.random() * 160);
    await waitFor("that enough posts are answered", 60_000, () => acknowledged.size >= posts * (kill + 1));
    server.signal("SIGKILL");
    await server.exited;
    isDead = true;
    await Promise.all(clients);
    progress?.(kill + 1);
  }
  await settleAll(start, headers, 60_000 + 2000 * kills);
  return report(join(folder.path, "d/guildhall.db"), kills, acknowledged, receiver.received);
}

async function waitFor(
  label: string,
  withinMs: number,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > end)
      throw new Error(`${withinMs / 1000} seconds were too short for this: ${label}`);
    await Bun.sleep(5);
  }
}

/** Starts the program once more and waits until all work is done. */
async function settleAll(
  start: () => ReturnType<typeof serve>,
  headers: Record<string, string>,
  withinMs: number,
): Promise<void> {
  await using server = await start();
  type Listed = { data: { id: string }[] };
  const read = async (path: string): Promise<Listed> =>
    (await fetch(`${server.url}/v1${path}`, { headers })).json() as Promise<Listed>;
  const [endpoint] = (await read("/webhooks")).data;
  const count = async (state: string): Promise<number> =>
    (await read(`/webhooks/${endpoint?.id}/deliveries?limit=1&state=${state}`)).data.length;
  await waitFor("that every delivery ends, after the last start", withinMs, async () => {
    return (await count("awaiting_retry")) + (await count("attempting")) === 0;
  });
  server.signal("SIGTERM");
  await server.exited;
}

function report(
  file: string,
  kills: number,
  acknowledged: ReadonlyMap<string, string>,
  received: readonly { body: string }[],
): CrashReport {
  const db = new Database(file);
  const count = (sql: string): number => db.prepare(sql).pluck().get() as number;
  const stored = new Map(db.prepare("SELECT id, text FROM posts").raw().all() as [string, string][]);
  const delivered = received.map(({ body }) => JSON.parse(body).data.post.id as string);
  const distinct = new Set(delivered);
  const promises: Readonly<Record<string, boolean>> = {
    "the database is whole": db.pragma("integrity_check", { simple: true }) === "ok",
    "every post answered 201 is there": [...acknowledged].every(([id, text]) => stored.get(id) === text),
    "no post is there twice": new Set(stored.values()).size === stored.size,
    "every post has its tag": count("SELECT count(*) FROM post_tags") === stored.size,
    "every post has its event": count("SELECT count(*) FROM events") === stored.size,
    "every delivery is acknowledged":
      count("SELECT count(*) FROM deliveries WHERE state = 'acknowledged'") === stored.size,
    "every event reached the subscriber": [...stored.keys()].every((id) => distinct.has(id)),
    // A kill repeats only the deliveries that are running, at most 64.
    "few arrived twice": delivered.length - distinct.size <= kills * 64,
  };
  db.close();
  return {
    kills,
    acknowledged: acknowledged.size,
    stored: stored.size,
    repeated: delivered.length - distinct.size,
    repeatedShare: (delivered.length - distinct.size) / Math.max(1, delivered.length),
    wrongs: Object.entries(promises).flatMap(([promise, isKept]) => (isKept ? [] : [promise])),
  };
}
