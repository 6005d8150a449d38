import { expect, test } from "bun:test";
import { HOUR, MINUTE, SECOND } from "../../../src/core/base/clock.ts";
import { openDatabase } from "../../../src/core/base/db/open.ts";
import { setSetting } from "../../../src/core/base/db/settings.ts";
import { databaseFile } from "../../../src/app/data-folder.ts";
import { finding, offline, openFixture } from "./support.ts";

/** docs/contract.md#12.11 */

const NOON = Date.UTC(2026, 10, 22, 12);

function mark(config: { data: string }, steady: number, wall: number): void {
  const db = openDatabase(databaseFile(config), { busyMs: 0 });
  db.transact(() => setSetting({ db }, "steady-time", JSON.stringify({ steady, wall })));
  db.close();
}

test("reports a clock that is behind the newest write, as severe from five minutes on", async () => {
  using fixture = openFixture();
  mark(fixture.config, NOON, NOON);
  const at = (now: number) => fixture.look("clock", { now: () => now });
  expect(await at(NOON)).toEqual([finding("clock", "ok", /No entry in the database is newer/)]);
  expect(await at(NOON - 3 * MINUTE)).toEqual([
    finding("clock", "warning", /is 3 minutes behind the newest/, /set-ntp/),
  ]);
  expect(await at(NOON - HOUR)).toEqual([
    finding("clock", "severe", /60 minutes behind .*\(2026-11-22 12:00:00Z\)/, /set-ntp/),
  ]);
});

test("reports a clock change since the server started, and a clock without time synchronization", async () => {
  using fixture = openFixture();
  mark(fixture.config, NOON + 3 * HOUR, NOON);
  expect(await fixture.look("clock_set", { now: () => NOON })).toEqual([
    finding("clock_set", "note", /clock was set back by 3 hours/),
  ]);
  const systemState = (isSynchronised?: boolean) =>
    fixture.look("clock_synchronised", { network: offline({}, { isSynchronised }) });
  expect(await systemState()).toEqual([]);
  expect(await systemState(true)).toEqual([finding("clock_synchronised", "ok", /is synchronized/)]);
  expect(await systemState(false)).toEqual([
    finding("clock_synchronised", "warning", /is not synchronized/, /set-ntp/),
  ]);
});

test("compares the clock only with hosts that the settings already name", async () => {
  const endpoint = "https://s3.example";
  using fixture = openFixture({ GUILDHALL_BACKUP: "s3://bucket/prefix", GUILDHALL_S3_ENDPOINT: endpoint });
  const at = (date: number) => {
    const network = offline({ [endpoint]: { status: 403, text: "", date } });
    return fixture.look("clock_outside", { now: () => NOON + 500, network });
  };
  expect(await at(NOON)).toEqual([finding("clock_outside", "ok", /agrees with s3\.example/)]);
  expect(await at(NOON - 30 * SECOND)).toEqual([
    finding("clock_outside", "warning", /is 30 seconds ahead of the clock of s3\.example/, /set-ntp/),
  ]);
  expect(await at(NOON + HOUR)).toEqual([
    finding("clock_outside", "severe", /is 60 minutes behind the clock of s3\.example/, /set-ntp/),
  ]);
  using alone = openFixture();
  const network = offline();
  expect(await alone.look("clock_outside", { network })).toEqual([]);
  expect(network.asked).toEqual([]);
});

test("compares a follower's clock with each node that its settings name", async () => {
  using fixture = openFixture({
    GUILDHALL_FOLLOW: "https://one.example,https://two.example",
    GUILDHALL_PEERS: "https://two.example",
  });
  const network = offline({
    "https://one.example/healthz": { status: 200, text: "", date: NOON },
    "https://two.example/healthz": { status: 200, text: "", date: NOON + MINUTE },
  });
  expect(await fixture.look("clock_outside", { now: () => NOON + 500, network })).toEqual([
    finding("clock_outside", "ok", /agrees with one\.example/),
    finding("clock_outside", "warning", /is 60 seconds behind the clock of two\.example/, /set-ntp/),
  ]);
});
