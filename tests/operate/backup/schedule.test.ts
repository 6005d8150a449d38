import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { DAY, HOUR, MINUTE } from "../../../src/core/base/clock.ts";
import { createMetrics } from "../../../src/http/metrics.ts";
import { createBackupSchedule } from "../../../src/operate/backup/backup-schedule.ts";
import { backUpOnSchedule } from "../../../src/operate/backup/scheduled-backup.ts";
import { openBackupStore } from "../../../src/operate/backup/backup-storage.ts";
import { gaugeBackups } from "../../../src/operate/health/backups.ts";
import { writeEmptyDatabase } from "../../support.ts";

/** docs/contract.md#12.4, docs/threats.md#M21 */

let folder: string;
let data: string;
let shelf: string;
let now: number;
let lines: { msg: string; level: number }[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "guildhall-schedule-"));
  [data, shelf] = [join(folder, "data"), join(folder, "shelf")];
  mkdirSync(data);
  mkdirSync(shelf);
  writeEmptyDatabase(join(data, "guildhall.db"));
  now = Date.UTC(2026, 10, 22, 12);
  lines = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const key = (fingerprint: string) => ({ text: "", fingerprint });
const make = (fingerprint = "aabbccdd00112233") =>
  backUpOnSchedule(openBackupStore(shelf, {}, now), {
    data,
    version: "1.0.0",
    now,
    key: key(fingerprint),
    withKey: false,
    keep: { hourly: 0, daily: 2, weekly: 0, monthly: 0 },
    elapsed: () => 0,
  });
const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });

const reported: { at: number; reason: string }[] = [];

/** Interval between backups, which a test may change. */
let every = DAY;

/** A schedule that makes its backups in this process. `fails` returns the message of a failure. */
function schedule(fails?: () => string | undefined) {
  let runs = 0;
  const created = createBackupSchedule({
    data,
    everyMs: () => every,
    now: () => now,
    run: () => ({
      ended: (async () => {
        runs++;
        const words = fails?.();
        if (words !== undefined) return { code: 1, output: words };
        await make();
        return { code: 0, output: "" };
      })(),
      kill: () => undefined,
    }),
    notifyAdmins: async (failed) => void reported.push(failed),
    log,
  });
  return { ...created, runs: () => runs };
}

test("makes a backup when one is due, and deletes only its own expired ones after verifying the new one", async () => {
  writeFileSync(join(shelf, "guildhall-20200101T000000Z.tar.zst"), "made by hand");
  await make("99999999aaaaaaaa");
  // Removes the record of the backup made above, as if another data folder had made this backup. So this
  // schedule does not own the backup.
  rmSync(join(data, "backups"), { recursive: true });
  const strangers = readdirSync(shelf);
  const { runIfDue, runs, health } = schedule();
  await runIfDue();
  expect(runs()).toBe(1);
  now += 23 * HOUR;
  await runIfDue();
  expect(runs()).toBe(1);
  for (let day = 0; day < 4; day++) {
    now += DAY;
    await runIfDue();
  }
  expect(runs()).toBe(5);
  expect(
    readdirSync(shelf)
      .filter((name) => !strangers.includes(name))
      .sort(),
  ).toEqual(["guildhall-aabbccdd-20261126T110000Z.tar.zst", "guildhall-aabbccdd-20261127T110000Z.tar.zst"]);
  expect(readdirSync(shelf)).toEqual(expect.arrayContaining(strangers));
  expect(health()).toMatchObject({ isLate: false, last: { at: now } });
  expect(lines.map(({ msg }) => msg)).toEqual(
    Array.from({ length: 5 }, () => "backup finished and verified"),
  );
  expect(lines.at(-1)).toMatchObject({
    backup: "guildhall-aabbccdd-20261127T110000Z.tar.zst",
    at: "2026-11-27T11:00:00.000Z",
  });
  now += HOUR;
  await runIfDue();
  expect(runs()).toBe(5);
  every = HOUR;
  await runIfDue();
  expect(runs()).toBe(6);
  every = DAY;
});

test("logs each failed try, retries it and deletes nothing, logs a late backup once, and exports metrics", async () => {
  await make();
  const before = readdirSync(shelf);
  let reason: string | undefined =
    "There is not enough space for the backup in /backups. The partial file was deleted.";
  const { runIfDue, runs, health } = schedule(() => reason);
  const metrics = createMetrics();
  gaugeBackups(metrics, () => now, health);
  await runIfDue();
  expect(runs()).toBe(0);
  now += DAY;
  for (let minute = 0; minute < 30; minute++, now += MINUTE) await runIfDue();
  expect(runs()).toBe(2);
  expect(lines).toEqual(
    Array.from({ length: 2 }, () =>
      expect.objectContaining({ level: 50, msg: "scheduled backup failed", reason }),
    ),
  );
  expect(reported).toEqual([
    { at: now - 30 * MINUTE, reason },
    { at: now - 15 * MINUTE, reason },
  ]);
  expect(readdirSync(shelf)).toEqual(before);
  expect(await metrics.text()).toContain("\nguildhall_backup_failing 1\n");
  expect(await metrics.text()).toContain("\nguildhall_backup_late 0\n");

  expect(schedule().health()).toMatchObject({ failed: { reason }, last: { name: before[0] } });
  lines = [];
  now += DAY;
  for (let minute = 0; minute < 10; minute++, now += MINUTE) await runIfDue();
  expect(lines.map(({ msg }) => msg)).toEqual(["scheduled backup failed", "newest backup is too old"]);
  expect(await metrics.text()).toContain("\nguildhall_backup_late 1\n");

  reason = undefined;
  now += 15 * MINUTE;
  await runIfDue();
  expect(health()).toEqual({ everyMs: DAY, isLate: false, last: expect.objectContaining({ at: now }) });
  expect(await metrics.text()).toContain("\nguildhall_backup_failing 0\n");
});

test("refuses a missing folder instead of creating it, as its disk may not be mounted", () => {
  expect(() => openBackupStore(join(folder, "nowhere"), {}, now)).toThrow("Create it, or mount its disk");
});

test("runs one backup at a time, and a stop ends it", async () => {
  const ended = Promise.withResolvers<{ code: number; output: string }>();
  let runs = 0;
  const { runIfDue, stop } = createBackupSchedule({
    data,
    everyMs: () => every,
    now: () => now,
    run: () => {
      runs++;
      return { ended: ended.promise, kill: () => ended.resolve({ code: 143, output: "" }) };
    },
    notifyAdmins: async (failed) => void reported.push(failed),
    log,
  });
  const running = runIfDue();
  await runIfDue();
  await stop();
  await running;
  await runIfDue();
  expect(runs).toBe(1);
  expect(lines).toEqual([]);
});
