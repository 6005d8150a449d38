import pino from "pino";
import { startLeaderWatch, type LeaderWatch } from "../../src/cluster/leader-watch.ts";
import { readConfig } from "../../src/config/config.ts";
import { createMetrics, type HttpMetrics } from "../../src/http/metrics.ts";
import { createHandler, type Handler } from "../../src/http/preflight.ts";
import { listen } from "../../src/http/server.ts";
import { createReadiness } from "../../src/operate/health/readiness.ts";
import { transportsOf } from "../../src/app/transports.ts";
import { createTestWorld, type TestWorld, type TestWorldOptions } from "../support.ts";

/** A node of this process that leads, or takes itself for the leader. Uses a fake clock. */
export interface LeadingNode extends TestWorld, AsyncDisposable {
  url: string;
  watch: LeaderWatch;
  metrics: HttpMetrics;
  /** Parsed log lines of this level. */
  logged(level: number): { msg: string; [key: string]: unknown }[];
}

/**
 * Opens a node that asks `peers`. The node is sure at the start that it leads if it has no peers or if
 * `isSure` is set.
 */
export function openLeaderNode(
  options: TestWorldOptions & { peers?: readonly string[]; isSure?: boolean; epoch?: number } = {},
): LeadingNode {
  let handler: Handler;
  const server = listen("127.0.0.1", 0, () => handler);
  const world = createTestWorld({ policy: readConfig({}), ...options });
  const { core, clock } = world;
  core.db.prepare("UPDATE leadership SET epoch = ?").run(options.epoch ?? 1);
  // All nodes use one random seed, so they have the same key. Skips some random bytes, a different number per
  // port, so that each node gets a different id.
  core.random.bytes(Number(new URL(server.url).port));
  const lines: string[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void lines.push(line) });
  const metrics = createMetrics();
  const since = options.isSure ? { elapsed: clock.elapsed(), wall: clock.now() } : undefined;
  const watch = startLeaderWatch(core, { peers: options.peers ?? [], since, url: server.url, log });
  const parts = { sincePassMs: () => 0, freeBytes: () => Infinity };
  const readiness = createReadiness(core, parts, log, { withinMs: 1000 });
  const config = readConfig({});
  const { transports } = transportsOf(core, config, metrics, "0.0.0-test", readiness, watch);
  handler = createHandler(core, transports, config, log, metrics);
  return {
    ...world,
    url: server.url,
    watch,
    metrics,
    logged: (level) => lines.map((line) => JSON.parse(line)).filter((line) => line.level === level),
    async [Symbol.asyncDispose]() {
      watch.stop();
      await server.stop(1000);
      world[Symbol.dispose]();
    },
  };
}
