import { createAuthority } from "../tests/delivery/authority.ts";
import {
  asLoad,
  cpuMs,
  createBenchCommunity,
  guildhall,
  residentMiB,
  row,
  serve,
  type BenchCommunity,
} from "./server.ts";
import { type Load, load } from "./load.ts";
import { checkUrl, registerEndpoint } from "../src/core/outbox/webhooks/webhooks.ts";
import type { Caller } from "../src/core/identity/access/caller.ts";
import { createPost } from "../src/core/community/feed/feed.ts";
import { authenticate } from "../src/core/delegation/tokens/tokens.ts";
import { continueBatches } from "../src/core/services/batches/batches.ts";

const EVENTS_WAITING = 10_000;
const RECEIVER = "bench/delivery-receiver.ts";

/**
 * Measures webhook deliveries to TLS receivers on the same machine: the latency of one delivery, and
 * deliveries per second.
 */
export async function delivery(): Promise<void> {
  using stage = await createBenchCommunity({ builders: 200, posts: 100_000, jobs: 0, prompts: 0 });
  const authority = await createAuthority();
  const { cert, key } = await authority.issue(["127.0.0.1"]);
  await Promise.all([
    Bun.write(`${stage.folder}/ca.pem`, authority.pem),
    Bun.write(`${stage.folder}/cert.pem`, cert),
    Bun.write(`${stage.folder}/key.pem`, key),
  ]);
  Object.assign(process.env, {
    GUILDHALL_WEBHOOK_CA: `${stage.folder}/ca.pem`,
    GUILDHALL_WEBHOOK_ALLOW: "127.0.0.0/8",
  });
  await using receiver = await serve([RECEIVER, stage.folder], {}, asLoad);
  const port = new URL(receiver.url).port;

  console.log("### One post at a time, one endpoint: from the request to the receiver\n");
  await subscribe(stage, port, 1);
  {
    await using ours = await serve(guildhall(stage.folder));
    const waits = await deliverSequentially(ours.url, stage.token, receiver.url, 400);
    row("", "p50 ms", "p95 ms", "p99 ms");
    row("---", "---", "---", "---");
    row("answer 201 received → event received", ...quantiles(waits.fromAnswer));
    row("request sent → event received", ...quantiles(waits.fromRequest));
  }

  await subscribe(stage, port, 99);
  console.log("\n### Sustained: posts written and their events delivered to 100 endpoints\n");
  {
    await using ours = await serve(guildhall(stage.folder));
    await reset(receiver.url);
    const [cpuBefore, from] = [cpuMs(ours.pid), performance.now()];
    const posts = await load({
      url: `${ours.url}/v1/feed`,
      method: "POST",
      headers: { authorization: `Bearer ${stage.token}` },
      body: (count) => JSON.stringify({ text: `post ${count}` }),
      connections: 2,
      seconds: 8,
    });
    const total = posts.requests * 100;
    const behind = total - (await received(receiver.url));
    const seconds = await drained(receiver.url, total, from);
    row(
      "posts",
      "deliveries",
      "in s",
      "deliveries/s",
      "CPU µs a delivery",
      "behind when the writing ended",
      "resident MiB",
    );
    row("---", "---", "---", "---", "---", "---", "---");
    const cpu = Math.round(((cpuMs(ours.pid) - cpuBefore) * 1000) / total);
    row(
      posts.requests,
      total,
      seconds.toFixed(1),
      Math.round(total / seconds),
      cpu,
      behind,
      residentMiB(ours.pid),
    );
  }

  console.log("\n### A backlog of 100,000, drained while the feed is read\n");
  stage.core.db.transact(() => {
    for (let i = 0; i < 1000; i++) createPost(stage.core, callerOf(stage), { text: `waiting ${i}` });
    while (continueBatches(stage.core));
  });
  {
    await reset(receiver.url);
    const from = performance.now();
    await using ours = await serve(guildhall(stage.folder));
    // Warms up the program. Without a warm-up, the reads during deliveries would be slower than the later
    // reads, whatever the deliveries cost.
    await reads(ours.url, stage.token, 2);
    const busy = await reads(ours.url, stage.token, 8);
    const rest = await drained(receiver.url, 100_000, from);
    const memory = residentMiB(ours.pid);
    const quiet = await reads(ours.url, stage.token, 4);
    row(
      "in s",
      "deliveries/s",
      "feed p50 / p99 ms meanwhile",
      "feed p50 / p99 ms after it",
      "ratio of p99",
      "resident MiB",
    );
    row("---", "---", "---", "---", "---", "---");
    row(
      rest.toFixed(1),
      Math.round(100_000 / rest),
      `${busy.p50.toFixed(2)} / ${busy.p99.toFixed(2)}`,
      `${quiet.p50.toFixed(2)} / ${quiet.p99.toFixed(2)}`,
      (busy.p99 / quiet.p99).toFixed(1),
      memory,
    );
  }

  console.log("\n### Ceiling: a bare loop of the same requests\n");
  await reset(receiver.url);
  const sent = await bareLoop(port, authority.pem, 4);
  console.log(
    `${Math.round((await received(receiver.url)) / 4)} a second received of ${Math.round(sent)} sent, 64 at once, connections kept, nothing signed or written`,
  );

  console.log("\n### A start with a million waiting\n");
  await million();
}

/** Returns the seconds from `from` until `total` deliveries have arrived. */
async function drained(receiver: string, total: number, from: number): Promise<number> {
  while ((await received(receiver)) < total) await Bun.sleep(20);
  return (performance.now() - from) / 1000;
}

function callerOf(stage: BenchCommunity): Caller {
  const caller = authenticate(stage.core, stage.token, () => true);
  if (!caller) throw new Error("the token does not work");
  return caller;
}

async function subscribe(stage: BenchCommunity, port: string, count: number): Promise<void> {
  const { core } = stage;
  const builders = core.db
    .prepare<{ id: string; ws: string }>(
      "SELECT b.id, w.id AS ws FROM builders b JOIN workspaces w ON w.owner_id = b.id",
    )
    .all();
  const caller = authenticate(core, stage.token, () => true);
  if (!caller) throw new Error("the token does not work");
  for (let i = 0; i < count; i++) {
    const { id, ws } = builders[i % builders.length] ?? { id: "", ws: "" };
    const scopes = new Set(["webhooks:write", "feed:read"] as const);
    const as = { ...caller, builderId: id, workspaceId: ws, scopes };
    const rules = { ...core, targets: { ...core.targets, allow: ["127.0.0.0/8"] } };
    const url = await checkUrl(rules, as, `https://127.0.0.1:${port}/${crypto.randomUUID()}`);
    registerEndpoint(core, as, { url, events: ["post.created"] });
  }
}

async function deliverSequentially(url: string, token: string, receiver: string, times: number) {
  const fromRequest: number[] = [];
  const fromAnswer: number[] = [];
  for (let i = 0; i < times; i++) {
    const count = await received(receiver);
    const sent = performance.timeOrigin + performance.now();
    const answer = await fetch(`${url}/v1/feed`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ text: `post ${i}` }),
    });
    const answered = performance.timeOrigin + performance.now();
    await answer.text();
    while ((await received(receiver)) === count) await Bun.sleep(1);
    const at = Number(await (await fetch(`${receiver}/last`, INSECURE)).text());
    if (i < 50) continue;
    fromRequest.push(at - sent);
    fromAnswer.push(at - answered);
  }
  return { fromRequest, fromAnswer };
}

/**
 * Options for the bench's own requests to the receiver, which skip the certificate check. The server's
 * deliveries verify the certificate.
 */
const INSECURE = { tls: { rejectUnauthorized: false } };

async function received(receiver: string): Promise<number> {
  return Number(await (await fetch(`${receiver}/count`, INSECURE)).text());
}

async function reset(receiver: string): Promise<void> {
  await fetch(`${receiver}/reset`, INSECURE);
}

function reads(url: string, token: string, seconds: number): Promise<Load> {
  const headers = { authorization: `Bearer ${token}` };
  return load({ url: `${url}/v1/feed`, headers, connections: 1, seconds });
}

async function bareLoop(port: string, ca: string, seconds: number): Promise<number> {
  const body = JSON.stringify({
    id: "evt_1",
    type: "post.created",
    data: { post: { title: "x".repeat(80) } },
  });
  const end = performance.now() + seconds * 1000;
  let count = 0;
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      while (performance.now() < end) {
        const answer = await fetch(`https://127.0.0.1:${port}/x`, { method: "POST", body, tls: { ca } });
        await answer.arrayBuffer();
        count++;
      }
    }),
  );
  return count / seconds;
}

function quantiles(values: number[]): string[] {
  const sorted = values.toSorted((a, b) => a - b);
  return [0.5, 0.95, 0.99].map((share) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2));
}

/**
 * Measures a start with a million waiting deliveries for a hundred endpoints. A hundred of the deliveries
 * were interrupted during an attempt (docs/threats.md#J13). All deliveries are due tomorrow. The figures
 * therefore include the start and the search for due deliveries, but no sending.
 */
async function million(): Promise<void> {
  using stage = await createBenchCommunity({ builders: 200, posts: 1000, jobs: 0, prompts: 0 });
  const waiting = addWaitingEvents(stage);
  const from = performance.now();
  await using ours = await serve(guildhall(stage.folder));
  const startMs = performance.now() - from;
  const [first, cpuAtStart] = [residentMiB(ours.pid), cpuMs(ours.pid)];
  await Bun.sleep(10_000);
  const cpu = (cpuMs(ours.pid) - cpuAtStart) / 10;
  const metrics = await (await fetch(`${ours.url}/metrics`)).text();
  const page = performance.now();
  await (await fetch(`${ours.url}/metrics`)).text();
  row("waiting", "start s", "resident MiB then / 10 s later", "CPU ms a second in these 10 s", "/metrics ms");
  row("---", "---", "---", "---", "---");
  row(
    waiting,
    (startMs / 1000).toFixed(2),
    `${first} / ${residentMiB(ours.pid)}`,
    cpu.toFixed(1),
    (performance.now() - page).toFixed(1),
  );
  const turned = /^guildhall_delivery_last_turn_seconds (\S+)$/m.exec(metrics)?.[1];
  console.log(
    `\nThe next due one is found in ${nextDueUs(stage).toFixed(0)} µs by ${planOf(stage)}; the loop last turned ${turned} s before it was asked.`,
  );
}

const NEXT_DUE =
  "SELECT min(due_at) AS dueAt FROM deliveries WHERE due_at IS NOT NULL AND due_at > 1700000000000";

function nextDueUs({ core }: BenchCommunity): number {
  const statement = core.db.prepare(NEXT_DUE);
  const from = performance.now();
  for (let i = 0; i < 1000; i++) statement.get();
  return performance.now() - from;
}

function planOf({ core }: BenchCommunity): string {
  return core.db.prepare<{ detail: string }>(`EXPLAIN QUERY PLAN ${NEXT_DUE}`).get()?.detail ?? "";
}

/** Inserts ten thousand events for a hundred endpoints each. Returns the number of deliveries. */
function addWaitingEvents({ core }: BenchCommunity): number {
  const { db } = core;
  const now = core.clock.now();
  const due = now + 86_400_000;
  const workspaces = db.prepare<{ id: string }>("SELECT id FROM workspaces LIMIT 100").all();
  const endpoints = workspaces.map(({ id: workspaceId }, i) => {
    const id = core.makeId("whe", now);
    db.prepare("INSERT INTO webhook_endpoints (id, workspace_id, url, created_at) VALUES (?, ?, ?, ?)").run(
      id,
      workspaceId,
      `https://hooks${i}.example.com/`,
      now,
    );
    return id;
  });
  db.transact(() => {
    for (let i = 0; i < EVENTS_WAITING; i++) {
      const event = core.makeId("evt", now + i);
      db.prepare("INSERT INTO events (id, type, body, created_at) VALUES (?, 'post.created', '{}', ?)").run(
        event,
        now + i,
      );
      for (const [index, endpoint] of endpoints.entries()) {
        const isRunning = i === 0 && index < 100;
        db.prepare(
          "INSERT INTO deliveries (id, event_id, endpoint_id, state, due_at, created_at) VALUES (?, ?, ?, ?, ?, ?)",
        ).run(
          core.makeId("dlv", now + i),
          event,
          endpoint,
          isRunning ? "attempting" : "awaiting_retry",
          due + i,
          now + i,
        );
      }
    }
  });
  return EVENTS_WAITING * endpoints.length;
}
