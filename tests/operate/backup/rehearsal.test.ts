import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { readConfig } from "../../../src/config/config.ts";
import { DAY, HOUR } from "../../../src/core/base/clock.ts";
import { openDataFolder, verifyKey, readKeyFile } from "../../../src/app/data-folder.ts";
import { createMetrics } from "../../../src/http/metrics.ts";
import { backUp } from "../../../src/operate/backup/backup.ts";
import { lockFile } from "../../../src/operate/backup/file-lock.ts";
import { localBackupFile } from "../../../src/operate/backup/backup-file.ts";
import { storeRehearsal, rehearseRestore } from "../../../src/operate/backup/rehearsal.ts";
import { createRehearsalSchedule } from "../../../src/operate/backup/rehearsal-schedule.ts";
import { gaugeBackups } from "../../../src/operate/health/backups.ts";

/** docs/contract.md#12.5, docs/threats.md#M09 */

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "guildhall-rehearsal-"))));
afterEach(() => rmSync(folder, { recursive: true }));

test("rehearses a restore beside the server in a temporary folder, and reports a damaged backup", async () => {
  const data = join(folder, "d");
  const config = readConfig({}, { data });
  const serving = openDataFolder(config, { busyMs: 100, mayCreate: true, lock: true });
  const key = readKeyFile(config);
  const path = join(folder, "b");
  await backUp(localBackupFile(path), { data, version: "0.0.0-test", now: 0, key, withKey: false });
  const rehearse = (from: string) =>
    rehearseRestore(localBackupFile(from), {
      data,
      now: 0,
      key: { fingerprint: key?.fingerprint, others: [], name: config.keyFile, isInFolder: true },
      proveKey: (database, inside) => verifyKey(database, config, inside),
    });
  // Remains of a rehearsal that was killed.
  mkdirSync(join(data, "backups/.restoring"));
  writeFileSync(join(data, "backups/.restoring/guildhall.db"), "half");
  const before = readdirSync(data, { recursive: true, encoding: "utf8" }).filter(
    (name) => !/restoring/.test(name),
  );
  expect((await rehearse(path)).rows["migrations"]).toBeGreaterThan(20);
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.subarray(0, bytes.length - 100));
  await expect(rehearse(path)).rejects.toThrow(/incomplete/);
  const held = lockFile(join(data, "backups/.restoring.lock"));
  await expect(rehearse(path)).rejects.toThrow(/Another test restore in .* is running/);
  held?.release();
  expect(
    readdirSync(data, { recursive: true, encoding: "utf8" }).filter(
      (name) => !name.endsWith(".restoring.lock"),
    ),
  ).toEqual(before);
  serving.close();
});

test("rehearses after the first backup, then weekly, and reports a failure and retries it after a day", async () => {
  let now = Date.UTC(2026, 10, 22);
  let backups = 0;
  let runs = 0;
  let fails: string | undefined;
  const lines: { msg: string; level: number; reason?: string }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  mkdirSync(join(folder, "backups"));
  const begin = () =>
    createRehearsalSchedule({
      data: folder,
      now: () => now,
      hasBackup: () => backups > 0,
      run: () => ({
        ended: (async () => {
          runs++;
          if (fails !== undefined) return { code: 1, output: fails };
          storeRehearsal(folder, { last: { at: now, name: "b", ms: 7 } });
          return { code: 0, output: "" };
        })(),
        kill: () => undefined,
      }),
      log,
    });
  let rehearsals = begin();
  const metrics = createMetrics();
  gaugeBackups(
    metrics,
    () => now,
    () => ({ everyMs: DAY, isLate: false, rehearsal: rehearsals.health() }),
  );
  /** Checks once per hour for `count` days. Returns the number of rehearsals. */
  const days = async (count: number): Promise<number> => {
    const before = runs;
    for (let hour = 0; hour < 24 * count; hour++) {
      now += HOUR;
      await rehearsals.runIfDue();
    }
    return runs - before;
  };
  expect(await days(2)).toBe(0);
  backups = 1;
  expect(await days(1)).toBe(1);
  expect(await days(27)).toBe(4 - 1);
  expect(lines.every(({ msg }) => msg === "test restore of the newest backup succeeded")).toBe(true);
  expect(lines).toHaveLength(4);
  rehearsals = begin();
  fails = "The backup is damaged";
  expect(await days(8)).toBeGreaterThan(1);
  expect(lines.at(-1)).toMatchObject({ level: 50, reason: "The backup is damaged" });
  expect(await metrics.text()).toMatch(/guildhall_backup_rehearsal_failing 1\n/);
  fails = undefined;
  expect(await days(2)).toBe(1);
  expect(await metrics.text()).toMatch(/guildhall_backup_rehearsal_failing 0\n/);
  expect(await metrics.text()).toMatch(/guildhall_backup_rehearsal_age_seconds \d+\n/);
  await rehearsals.stop();
  now += 30 * DAY;
  const before = runs;
  await rehearsals.runIfDue();
  expect(runs).toBe(before);
});
