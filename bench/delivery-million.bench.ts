import { cpuMs, fill, guildhall, residentMiB, row, serve, type Stage } from "./ground.ts";

const EVENTS = 10_000;

/**
 * A start with a million deliveries that wait for a hundred endpoints, of which a hundred were cut off
 * (docs/threats.md#J13). All are due tomorrow, so that what is measured is the start and the looking, not the
 * sending.
 */
export async function million(): Promise<void> {
  using stage = await fill({ builders: 200, posts: 1000, jobs: 0, prompts: 0 });
  const waiting = fillWaiting(stage);
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

function nextDueUs({ core }: Stage): number {
  const statement = core.db.prepare(NEXT_DUE);
  const from = performance.now();
  for (let i = 0; i < 1000; i++) statement.get();
  return performance.now() - from;
}

function planOf({ core }: Stage): string {
  return core.db.prepare<{ detail: string }>(`EXPLAIN QUERY PLAN ${NEXT_DUE}`).get()?.detail ?? "";
}

/** Ten thousand events for a hundred endpoints each. How many deliveries that made. */
function fillWaiting({ core }: Stage): number {
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
    for (let i = 0; i < EVENTS; i++) {
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
  return EVENTS * endpoints.length;
}
