// docs/contract.md#12.32: GUILDHALL_REPLICA.
import { afterEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../../src/config/config.ts";
import { HOUR, MINUTE, SECOND } from "../../../src/core/base/clock.ts";
import { openReplica, type Replica } from "../../../src/operate/backup/replica.ts";
import { createReplicaAge } from "../../../src/operate/backup/replica-age.ts";
import { finding, openFixture } from "../doctor/support.ts";
import { openFakeS3 } from "./s3.ts";

const NOON = Date.UTC(2026, 10, 22, 12);
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A folder in Litestream's format, with a function that adds a level 0 file. */
function openReplicaFolder() {
  const location = mkdtempSync(join(tmpdir(), "guildhall-replica-"));
  folders.push(location);
  return {
    place: location,
    ship(txid: number, at: number, level = 0): void {
      const folder = join(location, `ltx/${level}`);
      mkdirSync(folder, { recursive: true });
      const file = join(folder, `${nameOf(txid)}.ltx`);
      writeFileSync(file, "");
      utimesSync(file, at / 1000, at / 1000);
    },
  };
}

function nameOf(txid: number): string {
  const number = txid.toString(16).padStart(16, "0");
  return `${number}-${number}`;
}

const ACCESS = { region: "x", accessKeyId: "a", secretAccessKey: "b" };

function openNode(replica: Replica) {
  const node = { now: NOON, commits: 1, at: NOON, isLeading: true };
  const age = createReplicaAge({
    replica,
    now: () => node.now,
    written: () => (node.isLeading ? { commits: node.commits, at: node.at } : undefined),
  });
  return {
    node,
    age,
    commit(): void {
      node.commits += 1;
      node.at = node.now;
    },
    async ageAfter(ms: number): Promise<number | undefined> {
      node.now += ms;
      await age.refresh();
      return age.health()?.ageMs;
    },
  };
}

test("uses the newest file of level 0, given a folder's path or its file address", async () => {
  const { place, ship } = openReplicaFolder();
  ship(9, NOON - HOUR);
  ship(10, NOON - MINUTE);
  // A compacted file is written later but contains no newer commit.
  ship(10, NOON, 1);
  writeFileSync(join(place, "ltx/0", `${nameOf(99)}.ltx.tmp`), "");
  expect(await openReplica(place, {}).newest()).toBe(NOON - MINUTE);
  expect(await openReplica(`file://${place}`, {}).newest()).toBe(NOON - MINUTE);
});

test("uses the newest object of a bucket of any size, also after the bucket was emptied", async () => {
  const times = new Map<string, number>();
  using s3 = openFakeS3((key) => times.get(key) ?? 0);
  const ship = (txid: number, at: number): void => {
    const key = `guild/ltx/0/${nameOf(txid)}.ltx`;
    s3.objects.set(key, new Uint8Array(1));
    times.set(key, at);
  };
  for (let txid = 1; txid <= 7; txid++) ship(txid, NOON - HOUR + txid);
  const replica = openReplica(
    `s3://bkt/guild?endpoint=${encodeURIComponent(s3.url)}&region=us-east-1&forcePathStyle=true`,
    ACCESS,
  );
  expect(await replica.newest()).toBe(NOON - HOUR + 7);
  ship(8, NOON);
  expect(await replica.newest()).toBe(NOON);
  expect(await replica.newest()).toBe(NOON);
  s3.objects.clear();
  ship(1, NOON + MINUTE);
  expect(await replica.newest()).toBe(NOON + MINUTE);
  expect(replica.name).toBe("s3://bkt/guild");
});

test("reports a replica that is missing, empty or silent in one line", async () => {
  const { place } = openReplicaFolder();
  const said = async (replica: Replica) => replica.newest().then(String, (error: Error) => error.message);
  expect(await said(openReplica(join(place, "none"), {}))).toBe(`${place}/none/ltx/0 does not exist`);
  mkdirSync(join(place, "ltx/0"), { recursive: true });
  expect(await said(openReplica(place, {}))).toBe(`${place}/ltx/0 has no Litestream files`);
  const silent = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Promise<Response>(() => {}) });
  const bucket = openReplica(`s3://bkt/guild?endpoint=${silent.url.origin}`, ACCESS, 50);
  expect(await said(bucket)).toBe("no answer within 0.05 s");
  await silent.stop(true);
});

test("the age is how long the newest commits have been missing, and 0 without writes", async () => {
  const { place, ship } = openReplicaFolder();
  const { node, age, commit, ageAfter } = openNode(openReplica(place, {}));
  ship(1, NOON);
  expect(age.health()).toBeUndefined();
  expect(await ageAfter(MINUTE)).toBe(0);
  expect(await ageAfter(10 * HOUR)).toBe(0);

  // Litestream has stopped. The missing commit came after the previous check.
  node.now += 30 * SECOND;
  commit();
  expect(await ageAfter(30 * SECOND)).toBe(MINUTE);
  commit();
  expect(await ageAfter(MINUTE)).toBe(2 * MINUTE);

  ship(2, node.now);
  expect(await ageAfter(MINUTE)).toBe(0);
  expect(age.health()).toEqual({
    name: place,
    ageMs: 0,
    newest: NOON + 10 * HOUR + 3 * MINUTE,
    error: undefined,
  });

  node.isLeading = false;
  expect(age.health()).toBeUndefined();
});

test("after a start, a replica that fell behind is as old as its newest file", async () => {
  const { place, ship } = openReplicaFolder();
  const { ageAfter } = openNode(openReplica(place, {}));
  ship(1, NOON - HOUR);
  expect(await ageAfter(0)).toBe(HOUR);
});

test("the age of a replica that is unreadable or in the future grows, with one line of explanation", async () => {
  const { place, ship } = openReplicaFolder();
  const { node, age, commit, ageAfter } = openNode(openReplica(place, {}));
  ship(1, NOON);
  await ageAfter(0);
  rmSync(join(place, "ltx"), { recursive: true });
  expect(await ageAfter(MINUTE)).toBe(MINUTE);
  expect(age.health()?.error).toBe(`${place}/ltx/0 does not exist`);
  commit();
  ship(2, node.now + HOUR);
  expect(await ageAfter(MINUTE)).toBe(2 * MINUTE);
  expect(age.health()?.error).toBe(
    "its newest file is 3540 s in the future, so one of the two clocks is wrong",
  );
  ship(3, node.now);
  expect(await ageAfter(0)).toBe(0);
  expect(existsSync(place)).toBe(true);
});

test("the setting accepts the documented forms, and rejects everything that is not a location", () => {
  const read = (text: string) => readConfig({ GUILDHALL_REPLICA: text }).replica;
  for (const text of [
    "file:///mnt/guild",
    "/mnt/guild",
    "s3://bucket/guild",
    "s3://bucket/guild?endpoint=https://s3.example&region=eu-1",
  ])
    expect(read(text)).toBe(text);
  for (const text of ["mnt/guild", "file://", "file:///", "https://s3.example/guild", "s3://"])
    expect(() => read(text)).toThrow("GUILDHALL_REPLICA");
});

test("the doctor reports how far a leader's replica is behind, and nothing on a follower", async () => {
  const { place, ship } = openReplicaFolder();
  const replica = { GUILDHALL_REPLICA: `file://${place}` };
  using fixture = openFixture(replica);
  const now = Date.now();
  const fix = /litestream replicate/;
  expect(await fixture.look("replica")).toEqual([
    finding("replica", "severe", /cannot be read: .*ltx\/0 does not exist/, fix),
  ]);
  ship(1, now - HOUR);
  expect(await fixture.look("replica")).toEqual([
    finding(
      "replica",
      "severe",
      /is 60 minutes old, and the database was last written \d+ minutes later/,
      fix,
    ),
  ]);
  ship(2, now);
  expect(await fixture.look("replica")).toEqual([finding("replica", "ok", /nothing has been written since/)]);
  ship(3, now + HOUR);
  expect(await fixture.look("replica")).toEqual([
    finding("replica", "warning", /in the future, so one of the two clocks is wrong/, /set-ntp/),
  ]);
  using follower = openFixture({ ...replica, GUILDHALL_FOLLOW: "https://one.example" });
  expect(await follower.look("replica")).toEqual([]);
});
