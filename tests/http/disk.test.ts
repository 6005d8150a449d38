import { expect, test } from "bun:test";
import type { Core } from "../../src/core/base/core.ts";
import { createLog } from "../../src/app/log.ts";
import { createMember, openTestServer } from "../support.ts";
import { expectRefusal } from "./raw.ts";

/** Caps the database at its current size, so that SQLite returns “database or disk is full”. */
function fill({ db }: Core): void {
  const pages = db.prepare<{ page_count: number }>("PRAGMA page_count").get()?.page_count ?? 0;
  db.prepare(`PRAGMA max_page_count = ${pages}`).get();
}

test("a full disk refuses writes with the standard 500, keeps reads, health and metrics, and recovers without a restart", async () => {
  await using server = openTestServer();
  const { db } = server.core;
  const { token } = createMember(server.core, "ada");
  const post = (text: string) => server.request(token, "/feed", { method: "POST", body: { text } });
  const first = await post("before");
  expect(first.status).toBe(201);

  fill(server.core);
  const stored: string[] = [];
  let refused = 0;
  for (let i = 0; i < 200 && refused < 5; i++) {
    const text = `${i} ${"x".repeat(1900)}`;
    const answer = await post(text);
    if (answer.status === 201) stored.push(text);
    else {
      const body = await expectRefusal(answer, 500);
      expect(body).not.toMatch(/disk|full|sqlite/i);
      refused++;
    }
  }
  expect(refused).toBe(5);
  expect((await server.request(token, "/feed")).status).toBe(200);
  for (const path of ["/healthz", "/metrics"]) expect((await fetch(server.url + path)).status).toBe(200);

  db.prepare("PRAGMA max_page_count = 1000000").get();
  const after = await post("after");
  expect(after.status).toBe(201);
  expect(db.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  const texts = db.prepare<{ text: string }>("SELECT text FROM posts ORDER BY id").all();
  expect(texts.map(({ text }) => text)).toEqual(["before", ...stored, "after"]);
});

test("a full disk limits its log: two lines at once for 500 refused writes, and two a second later", async () => {
  const lines: Record<string, unknown>[] = [];
  const later: (() => void)[] = [];
  const to = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const log = createLog("info", { to, schedule: (_ms, work) => void later.push(work) });
  await using server = openTestServer({ log });
  const { token } = createMember(server.core, "ada");
  fill(server.core);
  const body = { text: "x".repeat(1900) };
  const post = async () => (await server.request(token, "/feed", { method: "POST", body })).status;
  while ((await post()) === 201);
  lines.length = 0;
  for (const work of later.splice(0)) work();
  const statuses = await Promise.all(Array.from({ length: 500 }, post));
  expect(new Set(statuses)).toEqual(new Set([500]));
  const logLines = () => lines.map(({ msg, repeated }) => [msg, repeated ?? 0]);
  expect(logLines()).toEqual([
    ["request failed", 0],
    ["request", 0],
  ]);
  for (const work of later.splice(0)) work();
  expect(logLines().slice(2)).toEqual([
    ["request failed", 498],
    ["request", 498],
  ]);
});
