import { expect, test } from "bun:test";
import Database from "better-sqlite3";
import { join } from "node:path";
import pino from "pino";
import { setBackups } from "../../../src/core/services/backups/backups.ts";
import { type Severity, registerCheckup } from "../../../src/core/services/checkup/checkup.ts";
import { HOUR, SECOND } from "../../../src/core/base/clock.ts";
import { createMetrics } from "../../../src/http/metrics.ts";
import { createReadiness, gaugeReadiness } from "../../../src/operate/health/readiness.ts";
import { linesOf } from "../../metrics-page.ts";
import { type TestServer, createTestWorld, createMember, openTestServer } from "../../support.ts";

/** docs/contract.md#12.13 */

interface Answer {
  code: number;
  failing?: string[];
  notes?: string[];
}

async function ready({ url, clock }: TestServer, headers: Record<string, string> = {}): Promise<Answer> {
  clock.pass(SECOND);
  const answer = await fetch(`${url}/readyz`, { headers });
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const { status, version, ...more } = (await answer.json()) as Answer & { status: string; version: string };
  expect([status, version]).toEqual([answer.status === 200 ? "ready" : "not ready", "0.0.0-test"]);
  return { ...more, code: answer.status };
}

const commits = ({ core }: TestServer): number =>
  core.db.prepare<{ commits: number }>("SELECT commits FROM lineage").get()?.commits ?? Number.NaN;

const notificationsOf = ({ logged }: TestServer): unknown[] =>
  logged.map((line) => JSON.parse(line)).filter(({ msg }) => /ready/.test(msg));

test("a working server is ready, for any client and without a rate limit", async () => {
  await using server = openTestServer();
  expect(await ready(server)).toEqual({ code: 200 });
  expect((await fetch(`${server.url}/readyz`, { method: "HEAD" })).status).toBe(200);
  expect((await fetch(`${server.url}/readyz`, { method: "POST" })).status).toBe(404);
  expect((await fetch(`${server.url}/readyz/more`)).status).toBe(404);
  const before = commits(server);
  server.clock.pass(SECOND);
  const flood = await Promise.all(Array.from({ length: 300 }, () => fetch(`${server.url}/readyz`)));
  expect(new Set(flood.map(({ status }) => status))).toEqual(new Set([200]));
  expect(flood[299]?.headers.has("x-ratelimit-remaining")).toBe(false);
  // One test write per second, for any number of requests.
  expect(commits(server)).toBe(before + 1);
  await ready(server);
  expect(commits(server)).toBe(before + 2);
  expect(notificationsOf(server)).toEqual([]);
});

test("logs failing writes once and their recovery once, while reads continue", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  const { db } = server.core;
  db.prepare("PRAGMA query_only = ON").run();
  for (let i = 0; i < 3; i++) expect(await ready(server)).toEqual({ code: 503, failing: ["write"] });
  expect((await server.request(token, "/feed")).status).toBe(200);
  db.prepare("PRAGMA query_only = OFF").run();
  for (let i = 0; i < 3; i++) expect(await ready(server)).toEqual({ code: 200 });
  expect(notificationsOf(server)).toMatchObject([
    { level: 50, msg: "not ready", failing: ["write"] },
    { level: 30, msg: "ready again" },
  ]);
});

test("answers while another program holds the database, without a second write or a delay of others", async () => {
  await using server = openTestServer();
  const other = new Database(join(server.folder, "guildhall.db"));
  await ready(server);
  const before = commits(server);
  other.exec("BEGIN IMMEDIATE");
  expect(await ready(server)).toEqual({ code: 503, failing: ["write"] });
  expect(await ready(server)).toEqual({ code: 503, failing: ["write"] });
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  other.exec("COMMIT");
  other.close();
  // The pending write completes, and the next check writes again.
  while ((await ready(server)).code !== 200);
  expect(commits(server)).toBeLessThanOrEqual(before + 2);
});

test("names each failing part: a blocked loop, a full disk, a foreign table, an unreadable database", async () => {
  let [sincePassMs, free] = [10 * SECOND, 16 * 1024 * 1024];
  let isFolderGone = false;
  const freeBytes = (): number => {
    if (isFolderGone) throw new Error("ENOENT");
    return free;
  };
  await using server = openTestServer({ parts: { sincePassMs: () => sincePassMs, freeBytes } });
  expect(await ready(server)).toEqual({ code: 200 });
  sincePassMs++;
  expect(await ready(server)).toEqual({ code: 503, failing: ["delivery"] });
  free--;
  expect(await ready(server)).toEqual({ code: 503, failing: ["delivery", "disk"] });
  sincePassMs = 0;
  isFolderGone = true;
  expect(await ready(server)).toEqual({ code: 503, failing: ["disk"] });
  [isFolderGone, free] = [false, Infinity];
  const { db } = server.core;
  const version = db.prepare<{ user_version: number }>("PRAGMA user_version").get()?.user_version;
  db.prepare("PRAGMA user_version = 999").run();
  expect(await ready(server)).toEqual({ code: 503, failing: ["schema"] });
  db.prepare(`PRAGMA user_version = ${version}`).run();
  expect(await ready(server)).toEqual({ code: 200 });
  db.close();
  expect(await ready(server)).toEqual({ code: 503, failing: ["write", "database"] });
});

test("reports damage that a statement or the newest checkup found until it is resolved", async () => {
  await using server = openTestServer();
  const { db } = server.core;
  db.storageFaults.record(Object.assign(new Error("malformed"), { code: "SQLITE_CORRUPT_INDEX" }));
  expect(await ready(server)).toEqual({ code: 503, failing: ["database"] });
  db.storageFaults.closeBefore(Number.MAX_SAFE_INTEGER);
  expect(await ready(server)).toEqual({ code: 200 });
  let severity: Severity = "severe";
  const says = "page 7 is damaged";
  registerCheckup(server.core, () => ({ at: 0, checked: [{ check: "quick_check", severity, says }] }));
  expect(await ready(server)).toEqual({ code: 503, failing: ["database"] });
  severity = "ok";
  expect(await ready(server)).toEqual({ code: 200 });
  registerCheckup(server.core, () => ({ at: 0, checked: [{ check: "rights", severity: "severe", says }] }));
  expect(await ready(server)).toEqual({ code: 200 });
});

test("reports notes only to the machine itself, and they fail nothing", async () => {
  await using server = openTestServer();
  const failed = { at: server.clock.now(), reason: "/mnt/backups is full" };
  setBackups(server.core, () => ({ everyMs: HOUR, isLate: true, failed, rehearsal: { failed } }));
  expect(await ready(server)).toEqual({
    code: 200,
    notes: ["backup_late", "backup_failing", "rehearsal_failing"],
  });
  for (const name of ["x-forwarded-for", "forwarded", "x-real-ip", "via"])
    expect(await ready(server, { [name]: "203.0.113.7" })).toEqual({ code: 200 });
});

test("the metric has the newest result, whichever client asked for it", async () => {
  using world = createTestWorld();
  const metrics = createMetrics();
  const parts = { sincePassMs: () => 0, freeBytes: () => 1e12 };
  const readiness = createReadiness(world.core, parts, pino({ level: "silent" }));
  gaugeReadiness(metrics, readiness);
  const readyMetric = async () => linesOf(await metrics.text()).get("guildhall_ready");
  expect(await readyMetric()).toBeUndefined();
  await readiness.refresh();
  expect(await readyMetric()).toBe(1);
  world.core.db.prepare("PRAGMA query_only = ON").run();
  world.clock.pass(SECOND);
  await readiness.refresh();
  expect(await readyMetric()).toBe(0);
  world.core.db.prepare("PRAGMA query_only = OFF").run();
});
