import { DAY } from "../src/core/base/clock.ts";
import { keepUp } from "../src/core/outbox/deliveries/cleanup.ts";
import { fill, row, type Stage } from "./ground.ts";

const WAITING = [0, 300_000] as const;
const SETTLED = 20_000;

/**
 * What the delivery thread does to old deliveries, beside none and beside 300,000 that still wait: how long
 * one slice holds the thread, and how long all of it takes without the pauses between them.
 */
export async function upkeep(): Promise<void> {
  row("waiting", "settled that go", "slices", "median ms", "longest ms", "in all s");
  row("---", "---", "---", "---", "---", "---");
  for (const waiting of WAITING) {
    using stage = await fill({ builders: 10, posts: 10, jobs: 0, prompts: 0 });
    fillOld(stage, waiting);
    const slices: number[] = [];
    let from = performance.now();
    const begun = from;
    await keepUp(stage.core, 30 * DAY, async () => {
      slices.push(performance.now() - from);
      await new Promise(setImmediate);
      from = performance.now();
    });
    slices.push(performance.now() - from);
    slices.sort((a, b) => a - b);
    const [median = 0, longest = 0] = [slices[slices.length >> 1], slices.at(-1)];
    const seconds = (performance.now() - begun) / 1000;
    row(waiting, SETTLED, slices.length, median.toFixed(2), longest.toFixed(1), seconds.toFixed(1));
  }
}

/** Of forty days ago, as a long outage leaves them: the waiting ones first, those that may go behind them. */
function fillOld({ core }: Stage, waiting: number): void {
  const { db } = core;
  const then = core.clock.now() - 40 * DAY;
  const workspace = db.prepare<{ id: string }>("SELECT id FROM workspaces").get()?.id ?? "";
  const endpoints = [0, 1].map((i) => {
    const id = core.makeId("whe", then);
    db.prepare("INSERT INTO webhook_endpoints (id, workspace_id, url, created_at) VALUES (?, ?, ?, ?)").run(
      id,
      workspace,
      `https://hooks${i}.example.com/`,
      then,
    );
    return id;
  });
  db.transact(() => {
    for (let i = 0; i < waiting + SETTLED; i++) {
      const isWaiting = i < waiting;
      const event = core.makeId("evt", then + i);
      db.prepare("INSERT INTO events (id, type, body, created_at) VALUES (?, 'post.created', '{}', ?)").run(
        event,
        then + i,
      );
      db.prepare(
        "INSERT INTO deliveries (id, event_id, endpoint_id, state, due_at, settled_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
      ).run(
        core.makeId("dlv", then + i),
        event,
        endpoints[isWaiting ? 0 : 1],
        isWaiting ? "awaiting_retry" : "acknowledged",
        isWaiting ? then + i : null,
        isWaiting ? null : then + i,
        then + i,
      );
    }
  });
}
