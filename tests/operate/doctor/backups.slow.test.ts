import { expect, test } from "bun:test";
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readConfig } from "../../../src/config/config.ts";
import { DAY, HOUR, MINUTE } from "../../../src/core/base/clock.ts";
import { storeFailure } from "../../../src/operate/backup/scheduled-backup.ts";
import { storeRehearsal } from "../../../src/operate/backup/rehearsal.ts";
import { finding, openFixture, servedFixture, type Fixture } from "./support.ts";

/** docs/contract.md#12.11, docs/threats.md#M21 */

const NOON = Date.UTC(2026, 10, 22, 12);
const LAST = "guildhall-aabbccdd-20261122T110000Z.tar.zst";
const NOW = /^guildhall backup --scheduled$/;

function scheduledFixture(): Fixture & Disposable & { shelf: string } {
  const fixture = openFixture();
  const shelf = join(dirname(fixture.data), "shelf");
  for (const folder of [shelf, join(fixture.data, "backups")]) mkdirSync(folder, { mode: 0o700 });
  const config = readConfig({ GUILDHALL_BACKUP: shelf }, { data: fixture.data });
  const look: Fixture["look"] = (check, than) => fixture.look(check, { config, now: () => NOON, ...than });
  return { ...fixture, config, shelf, look };
}

function state(data: string, kept: unknown): void {
  writeFileSync(join(data, "backups/.state.json"), JSON.stringify(kept));
}

test("warns about a missing schedule, with the age of the newest manual backup", async () => {
  using fixture = openFixture();
  const fix = /^Set GUILDHALL_BACKUP .*: guildhall backup$/;
  expect(await fixture.look("backup")).toEqual([finding("backup", "warning", /There is no backup in/, fix)]);
  mkdirSync(join(fixture.data, "backups"));
  const file = join(fixture.data, "backups/guildhall-20261122T110000Z.tar.zst");
  writeFileSync(file, "");
  utimesSync(file, NOON / 1000, NOON / 1000);
  expect(await fixture.look("backup", { now: () => NOON + 9 * DAY })).toEqual([
    finding("backup", "warning", /No backups are scheduled\. The newest backup in .* is 9 days old/, fix),
  ]);
});

test("a schedule passes while its newest backup is recent, and fails without one, late, failing or lost", async () => {
  using fixture = scheduledFixture();
  expect(await fixture.look("backup")).toEqual([
    finding("backup", "warning", /no scheduled backup yet/, NOW),
  ]);
  storeFailure(fixture.data, { at: NOON - 5 * MINUTE, reason: "there is no room" });
  expect(await fixture.look("backup")).toEqual([
    finding("backup", "severe", /yet\. The last attempt, 5 minutes ago, failed: there is no room/, NOW),
  ]);
  const last = { at: NOON - 3 * HOUR, name: LAST, bytes: 5_000_000, ms: 100 };
  state(fixture.data, { last });
  expect(await fixture.look("backup")).toEqual([
    finding("backup", "ok", /^The newest .*\(4\.8 MB unpacked\), is 3 hours old\.$/),
  ]);
  expect(await fixture.look("backup_place")).toContainEqual(
    finding("backup_place", "severe", /aabbccdd-20261122T110000Z.* is no longer in .*shelf\./, NOW),
  );
  writeFileSync(join(fixture.shelf, LAST), "", { mode: 0o600 });
  expect(await fixture.look("backup_place")).toEqual([
    finding(
      "backup_place",
      "note",
      /are on the same disk as the community/,
      /GUILDHALL_BACKUP to a folder on another disk/,
    ),
  ]);
  state(fixture.data, { last, failed: { at: NOON - HOUR, reason: "no answer" } });
  expect(await fixture.look("backup")).toEqual([
    finding("backup", "warning", /3 hours old\. .*failed: no answer/, NOW),
  ]);
  expect(await fixture.look("backup", { now: () => NOON + 2 * DAY })).toEqual([
    finding("backup", "severe", /is 2 days old, but a backup is scheduled every 24 hours\. .*no answer/, NOW),
  ]);
  rmSync(fixture.shelf, { recursive: true });
  expect(await fixture.look("backup_place")).toEqual([
    finding("backup_place", "severe", /The backup folder .*shelf does not exist/, /mount its disk/),
  ]);
});

test("a server that started within the hour gets no warning about its first backup or restore rehearsal", async () => {
  using fixture = servedFixture();
  const shelf = dirname(fixture.data);
  mkdirSync(join(fixture.data, "backups"), { mode: 0o700 });
  const config = readConfig({ GUILDHALL_BACKUP: shelf }, { data: fixture.data });
  const look = (check: string, now: number) => fixture.look(check, {}, { config, now: () => now });
  expect(await look("backup", Date.now())).toEqual([finding("backup", "note", /minutes after its start/)]);
  expect(await look("rehearsal", Date.now())).toEqual([]);
  expect(await look("backup", Date.now() + 2 * HOUR)).toEqual([
    finding("backup", "warning", /no scheduled backup yet/, NOW),
  ]);
  storeFailure(fixture.data, { at: Date.now(), reason: "there is no room" });
  expect(await look("backup", Date.now())).toEqual([finding("backup", "severe", /no room/, NOW)]);
});

test("a recent rehearsal passes, a failed one is severe, and an old one is late", async () => {
  using fixture = scheduledFixture();
  const fix = /^guildhall restore --rehearse$/;
  expect(await fixture.look("rehearsal")).toEqual([]);
  state(fixture.data, { last: { at: NOON - 3 * HOUR, name: LAST, bytes: 5_000_000, ms: 100 } });
  expect(await fixture.look("rehearsal")).toEqual([
    finding("rehearsal", "note", /No backup has had a test restore yet/, fix),
  ]);
  const last = { at: NOON - 3 * DAY, name: LAST, ms: 100 };
  storeRehearsal(fixture.data, { last });
  expect(await fixture.look("rehearsal")).toEqual([finding("rehearsal", "ok", /3 days ago, succeeded/)]);
  expect(await fixture.look("rehearsal", { now: () => NOON + 12 * DAY })).toEqual([
    finding("rehearsal", "warning", /15 days ago/, fix),
  ]);
  storeRehearsal(fixture.data, { last, failed: { at: NOON - HOUR, reason: "it is damaged" } });
  expect(await fixture.look("rehearsal")).toEqual([
    finding("rehearsal", "severe", /60 minutes ago, failed: it is damaged/, fix),
  ]);
});
