import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import pino from "pino";
import { createMetrics } from "../../../src/http/metrics.ts";
import { watchWriteAhead } from "../../../src/operate/health/write-ahead.ts";
import { createTestWorld } from "../../support.ts";

const MIB = 1024 * 1024;

test("reports a write-ahead log above 256 MiB during an endless read, and truncates the log after the read", async () => {
  using world = createTestWorld();
  const { db } = world.core;
  const file = join(world.folder, "guildhall.db");
  const lines: string[] = [];
  const metrics = createMetrics();
  const watch = watchWriteAhead(file, metrics, pino({}, { write: (line: string) => void lines.push(line) }));
  const walBytes = (): number => statSync(`${file}-wal`).size;
  db.transact(() => db.prepare("CREATE TABLE filler (bytes BLOB) STRICT").run());
  const write = (mebibytes: number) =>
    db.write(() => {
      for (let i = 0; i < mebibytes; i++)
        db.prepare("INSERT INTO filler (bytes) VALUES (zeroblob(1048576))").run();
    });
  await watch.refresh();

  const other = new Database(file, { readonly: true });
  other.exec("BEGIN");
  other.prepare("SELECT count(*) FROM filler").get();
  for (let i = 0; i < 9; i++) await write(30);
  expect(walBytes()).toBeGreaterThan(256 * MIB);
  expect(lines).toEqual([]);
  await watch.refresh();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, bytes: walBytes(), msg: expect.stringContaining("another program keeps") },
  ]);
  expect(await metrics.text()).toContain(`\nguildhall_write_ahead_log_bytes ${walBytes()}\n`);

  other.exec("COMMIT");
  // The first commit checkpoints the log, and the next one restarts the log.
  await write(1);
  await write(1);
  expect(walBytes()).toBeLessThanOrEqual(64 * MIB);
  await watch.refresh();
  expect(lines).toHaveLength(1);
  other.close();
});
