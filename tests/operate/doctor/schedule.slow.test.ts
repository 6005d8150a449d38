import { expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pino from "pino";
import {
  type Finding,
  startCheckup,
  newestCheckup,
  registerCheckup,
} from "../../../src/core/services/checkup/checkup.ts";
import { HOUR, MINUTE } from "../../../src/core/base/clock.ts";
import { OPERATOR } from "../../../src/core/identity/access/caller.ts";
import { createStorageFaults } from "../../../src/core/base/db/storage-faults.ts";
import { createCheckupSchedule, type CheckupSchedule } from "../../../src/operate/doctor/schedule.ts";
import { readRehearsals } from "../../../src/operate/backup/rehearsal.ts";
import { terminate } from "../../../src/operate/backup/child-process.ts";
import { readState } from "../../../src/operate/backup/scheduled-backup.ts";
import type { RunResult } from "../../../src/operate/backup/single-run.ts";
import { createTestWorld, createMember } from "../../support.ts";
import { openFixture } from "./support.ts";

/** docs/contract.md#12.11 */

const OK: Finding = { check: "disk", severity: "ok", says: "73 GB are free" };
const FULL: Finding = { check: "disk", severity: "severe", says: "2 MB are free", mend: "make room" };
const LATE: Finding = { check: "backup", severity: "warning", says: "it is late", mend: "guildhall backup" };

/** The server's check schedule on a fake clock. The test sets the result of each check. */
function openSchedule() {
  const fixture = openFixture();
  // Noon in the machine's own time zone.
  let now = new Date(2026, 10, 22, 12).getTime();
  const lines: { level: number; msg: string; check?: string; reason?: string }[] = [];
  const log = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line)) });
  const found: (readonly Finding[] | Partial<RunResult> | "hangs" | "gone")[] = [];
  let runs = 0;
  const parts: string[] = [];
  const troubles = createStorageFaults(undefined, () => now);
  let kills = 0;
  const begin = (): CheckupSchedule =>
    createCheckupSchedule({
      config: fixture.config,
      now: () => now,
      log,
      storageFaults: troubles,
      run(isSampled) {
        runs++;
        parts.push(isSampled ? "a part" : "all");
        const what = found.shift() ?? [OK];
        if (what === "gone") throw new Error("there is no such program");
        const { promise, resolve } = Promise.withResolvers<RunResult>();
        if (Array.isArray(what))
          resolve({ code: 0, output: "", text: JSON.stringify({ at: now, checked: what }) });
        else if (what !== "hangs") resolve({ code: 1, output: "", ...(what as Partial<RunResult>) });
        return { ended: promise, kill: () => void (kills++, resolve({ code: 143, output: "" })) };
      },
    });
  return {
    fixture,
    lines,
    found,
    begin,
    parts,
    storageFaults: troubles,
    runs: () => runs,
    kills: () => kills,
    pass: (ms: number) => void (now += ms),
    [Symbol.dispose]: () => fixture[Symbol.dispose](),
  };
}

test("runs soon after each start and once a night, and keeps the newest checkup over a restart", async () => {
  using all = openSchedule();
  const schedule = all.begin();
  expect(schedule.newest()).toBeUndefined();
  all.found.push([FULL]);
  await schedule.runIfDue();
  expect(schedule.newest()?.checked).toEqual([FULL]);
  for (let hour = 0; hour < 15; hour++) {
    all.pass(HOUR - 1);
    await schedule.runIfDue();
  }
  expect(all.runs()).toBe(1);
  all.pass(MINUTE);
  await schedule.runIfDue();
  expect(all.runs()).toBe(2);
  await schedule.runIfDue();
  expect(all.runs()).toBe(2);

  all.found.push([FULL]);
  all.pass(24 * HOUR);
  await schedule.runIfDue();
  const next = all.begin();
  expect(next.newest()?.checked).toEqual([FULL]);
  expect(statSync(join(all.fixture.data, "guildhall.checkup")).mode & 0o777).toBe(0o600);
  await next.runIfDue();
  expect(all.runs()).toBe(4);
  expect(next.newest()?.checked).toEqual([OK]);
});

test("runs a partial check each night, and a full one on request and while damage is known", async () => {
  using all = openSchedule();
  const schedule = all.begin();
  const damage: Finding = { check: "quick_check", severity: "severe", says: "damaged in posts" };
  for (const found of [[OK], [damage], [damage], [OK], [OK]]) {
    all.found.push(found);
    await schedule.runIfDue();
    all.pass(24 * HOUR);
  }
  expect(all.parts).toEqual(["a part", "a part", "all", "all", "a part"]);
  expect(schedule.again()).toBe(true);
  expect(all.parts.at(-1)).toBe("all");
  await schedule.stop();
});

test("checks within a minute after the server meets damage, then hourly until a full check finds nothing", async () => {
  using all = openSchedule();
  const schedule = all.begin();
  await schedule.runIfDue();
  const meet = (code: string) => all.storageFaults.record(Object.assign(new Error(code), { code }));
  all.pass(HOUR);
  meet("SQLITE_FULL");
  await schedule.runIfDue();
  expect(all.parts).toEqual(["a part"]);
  meet("SQLITE_CORRUPT");
  all.found.push([{ check: "full_text", severity: "severe", says: "damaged" }]);
  all.pass(MINUTE);
  await schedule.runIfDue();
  expect(all.parts).toEqual(["a part", "all"]);
  expect(all.storageFaults.open().map(({ kind }) => kind)).toEqual(["damaged", "unwritable"]);
  all.pass(MINUTE);
  meet("SQLITE_CORRUPT");
  await schedule.runIfDue();
  expect(all.runs()).toBe(2);
  all.pass(HOUR);
  await schedule.runIfDue();
  expect(all.parts).toEqual(["a part", "all", "all"]);
  expect(all.storageFaults.open().map(({ kind }) => kind)).toEqual(["unwritable"]);
});

test("ignores a stored checkup of a database that was replaced, and a damaged checkup file", () => {
  using all = openSchedule();
  const file = join(all.fixture.data, "guildhall.db");
  const kept = join(all.fixture.data, "guildhall.checkup");
  writeFileSync(
    kept,
    JSON.stringify({ database: statSync(file).ino, checkup: JSON.stringify({ at: 1, checked: [FULL] }) }),
  );
  expect(all.begin().newest()?.checked).toEqual([FULL]);
  copyFileSync(file, `${file}.restored`);
  renameSync(`${file}.restored`, file);
  expect(all.begin().newest()).toBeUndefined();
  writeFileSync(kept, readFileSync(kept).subarray(0, 20));
  expect(all.begin().newest()).toBeUndefined();
  rmSync(kept);
  expect(all.begin().newest()).toBeUndefined();
});

test("logs a finding once, at its severity, and again when it is resolved", async () => {
  using all = openSchedule();
  const schedule = all.begin();
  for (const found of [[FULL, LATE], [FULL, LATE], [OK]]) {
    all.found.push(found);
    await schedule.runIfDue();
    all.pass(24 * HOUR);
  }
  expect(all.lines.map(({ level, msg, check }) => [level, check, msg])).toEqual([
    [50, "disk", "2 MB are free"],
    [40, "backup", "it is late"],
    [30, "disk", "doctor finding resolved"],
    [30, "backup", "doctor finding resolved"],
  ]);
});

test("reports a checkup that ends without a result, retries it in an hour, and ends a hanging one", async () => {
  using all = openSchedule();
  const schedule = all.begin();
  all.found.push({ output: "the disk is full" }, "hangs");
  await schedule.runIfDue();
  expect(all.lines).toEqual([expect.objectContaining({ level: 50, reason: "the disk is full" })]);
  expect(schedule.newest()).toBeUndefined();
  all.pass(HOUR - MINUTE);
  await schedule.runIfDue();
  expect(all.runs()).toBe(1);
  all.pass(MINUTE);
  const hanging = schedule.runIfDue();
  expect(schedule.again()).toBe(false);
  await schedule.runIfDue();
  expect(all.kills()).toBe(0);
  all.pass(4 * HOUR);
  await schedule.runIfDue();
  await hanging;
  expect(all.kills()).toBe(1);
  expect(all.runs()).toBe(2);
});

test("an admin can start a checkup, one at a time, and a stop ends it", async () => {
  using all = openSchedule();
  using world = createTestWorld();
  const schedule = all.begin();
  expect(startCheckup(world.core, OPERATOR)).toBe(false);
  registerCheckup(world.core, schedule.newest, schedule.again);
  expect(() => startCheckup(world.core, createMember(world.core, "ada").caller)).toThrow();
  all.found.push("hangs");
  expect(startCheckup(world.core, OPERATOR)).toBe(true);
  expect(startCheckup(world.core, OPERATOR)).toBe(false);
  await schedule.stop();
  expect(all.kills()).toBe(1);
  expect(newestCheckup(world.core, OPERATOR)).toBeUndefined();
  expect(startCheckup(world.core, OPERATOR)).toBe(false);
});

test("a missing program file does not end the server, and the checkup is retried in an hour", async () => {
  using all = openSchedule();
  const schedule = all.begin();
  await schedule.runIfDue();
  all.found.push("gone");
  expect(schedule.again()).toBe(true);
  await Bun.sleep(0);
  expect(all.lines).toEqual([
    expect.objectContaining({
      level: 50,
      err: expect.objectContaining({ message: "there is no such program" }),
    }),
  ]);
  all.pass(24 * HOUR);
  all.found.push("gone", "gone");
  expect(await schedule.runIfDue().catch(String)).toBe("Error: there is no such program");
  all.pass(MINUTE);
  await schedule.runIfDue();
  expect(all.runs()).toBe(3);
  all.pass(HOUR);
  expect(await schedule.runIfDue().catch(String)).toBe("Error: there is no such program");
});

test("kills a checkup that ignores SIGTERM, and does not read a pipe in place of a state file", async () => {
  const child = Bun.spawn(["sh", "-c", "trap '' TERM; echo deaf; exec sleep 60"], { stdout: "pipe" });
  await child.stdout.getReader().read();
  terminate(child, 1);
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
  using all = openSchedule();
  mkdirSync(join(all.fixture.data, "backups"));
  const pipes = ["guildhall.checkup", "backups/.state.json", "backups/.rehearsal.json"];
  await Bun.$`mkfifo ${pipes.map((name) => join(all.fixture.data, name))}`;
  expect(all.begin().newest()).toBeUndefined();
  expect([readState(all.fixture.data), readRehearsals(all.fixture.data)]).toEqual([{}, {}]);
});

test("checks a database that could not be opened again after an hour, not only in the next night", async () => {
  using all = openSchedule();
  const schedule = all.begin();
  all.found.push([{ check: "database", severity: "severe", says: "it cannot be opened" }]);
  await schedule.runIfDue();
  all.pass(HOUR - MINUTE);
  await schedule.runIfDue();
  expect(all.runs()).toBe(1);
  all.pass(MINUTE);
  await schedule.runIfDue();
  expect(schedule.newest()?.checked).toEqual([OK]);
});
