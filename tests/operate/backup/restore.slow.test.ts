import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { readConfig } from "../../../src/config/config.ts";
import { createPost } from "../../../src/core/community/feed/feed.ts";
import type { Core } from "../../../src/core/base/core.ts";
import { MIGRATIONS } from "../../../src/core/base/db/migrations.ts";
import { OPERATOR } from "../../../src/core/identity/access/caller.ts";
import { makeInvite } from "../../../src/core/identity/accounts/invites.ts";
import { authenticate } from "../../../src/core/delegation/tokens/tokens.ts";
import { claimDue } from "../../../src/core/outbox/deliveries/deliveries.ts";
import { checkTarget } from "../../../src/core/outbox/webhooks/target.ts";
import { registerEndpoint } from "../../../src/core/outbox/webhooks/webhooks.ts";
import {
  createFolderCore,
  finishRestore,
  openDataFolder,
  verifyKey,
  readKeyFile,
} from "../../../src/app/data-folder.ts";
import { fingerprintAt, swapKeyFiles } from "../../../src/operate/backup/key-files.ts";
import { backUp } from "../../../src/operate/backup/backup.ts";
import { lockFile } from "../../../src/operate/backup/file-lock.ts";
import { archiveBytes, readArchive } from "../../../src/operate/backup/archive.ts";
import { localBackupFile } from "../../../src/operate/backup/backup-file.ts";
import { keyProblem, restore, verify } from "../../../src/operate/backup/restore.ts";
import { commitRestore, completeRestore, UNPACKED } from "../../../src/operate/backup/restore-swap.ts";
import { inspectDatabase, memberOf } from "../../../src/operate/backup/database-copy.ts";
import { createMember, limitOf, signedInNow } from "../../support.ts";

/** docs/contract.md#12.5, docs/threats.md#M09, docs/threats.md#M10 */

const NOW = Date.parse("2026-11-22T16:00:00Z");

let root: string;
/** A community, a token of a member, and two backups: with and without the key. */
let home: string;
let withKey: string;
let without: string;
let token: string;
let next = 0;

const configOf = (data: string) => readConfig({}, { data });

function living<Result>(data: string, work: (core: Core) => Result): Result {
  const config = configOf(data);
  const dataFolder = openDataFolder(config, { busyMs: 100, mayCreate: true });
  try {
    return work(createFolderCore(dataFolder, config, "https://guild.test"));
  } finally {
    dataFolder.close();
  }
}

async function backUpTo(name: string, data: string, isWithKey: boolean): Promise<string> {
  const path = join(root, name);
  await backUp(localBackupFile(path), {
    data,
    version: "0.0.0-test",
    now: NOW,
    key: readKeyFile(configOf(data)),
    withKey: isWithKey,
  });
  return path;
}

const fresh = (): string => join(root, `d${next++}`);

function continuedCopy(): string {
  const data = fresh();
  cpSync(home, data, { recursive: true });
  living(data, (core) => createPost(core, createMember(core, "later").caller, { text: "since" }));
  return data;
}

async function restoreTo(data: string, from: string, options: Partial<Parameters<typeof restore>[1]> = {}) {
  const config = configOf(data);
  const key = {
    fingerprint: fingerprintAt(config),
    others: [],
    name: config.keyFile,
    isInFolder: true,
  };
  return restore(localBackupFile(from), {
    data,
    now: NOW,
    key,
    replace: false,
    proveKey: (database, inside) => verifyKey(database, config, inside),
    ...options,
  });
}

/**
 * A data folder that was used after the backup, as a kill leaves the folder. The last post is only in the
 * write-ahead log.
 */
function killed(): string {
  const data = continuedCopy();
  const left = fresh();
  living(data, (core) => {
    createPost(core, createMember(core, "eve").caller, { text: "in the log" });
    cpSync(data, left, { recursive: true });
  });
  return left;
}

/** Contents of the files that a start would not create. */
function contents(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => !/guildhall\.lock|^driver/.test(name) && statSync(join(folder, name)).isFile(),
  );
  return Object.fromEntries(
    names.sort().map((name) => [name, Bun.hash(readFileSync(join(folder, name))).toString()]),
  );
}

const textsOf = (data: string): unknown =>
  living(data, ({ db }) => db.prepare<{ text: string }>("SELECT text FROM posts ORDER BY id").all());

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "guildhall-restore-"));
  home = fresh();
  living(home, (core) => {
    const created = createMember(core, "ada");
    token = created.token;
    createPost(core, created.caller, { text: "before" });
    signedInNow(core, created.caller);
    makeInvite(core, OPERATOR);
  });
  withKey = await backUpTo("with-key", home, true);
  without = await backUpTo("without", home, false);
});
afterAll(() => rmSync(root, { recursive: true }));

test("restores a backup into a folder that is missing, empty or holds only its key", async () => {
  for (const [from, hasKeyFile] of [
    [withKey, false],
    [without, true],
    [withKey, true],
  ] as const) {
    const data = fresh();
    if (hasKeyFile) {
      mkdirSync(data);
      copyFileSync(join(home, "guildhall.key"), join(data, "guildhall.key"));
    }
    const { manifest, ended, keptAs } = await restoreTo(data, from);
    expect([manifest.rows["posts"], keptAs]).toEqual([1, undefined]);
    // A restore ends sessions and links, because they may have been revoked after the backup
    // (docs/contract.md#12.5).
    expect(ended).toEqual({ sessions: 1, links: 1, codes: 0 });
    expect(Object.keys(contents(data))).toEqual(["guildhall.db", "guildhall.key"]);
    for (const name of ["guildhall.db", "guildhall.key"])
      expect(statSync(join(data, name)).mode & 0o777).toBe(0o600);
    living(data, (core) => {
      expect(authenticate(core, token, () => true)?.builderId).toMatch(/^bld_|^builder_/);
      const rows = (sql: string) => core.db.prepare(sql).all();
      expect(rows("SELECT text FROM posts")).toEqual([{ text: "before" }]);
      expect(rows("SELECT 1 FROM sessions UNION ALL SELECT 1 FROM links")).toEqual([]);
      expect(rows("SELECT act, detail FROM audit_entries WHERE act LIKE 'community.%'")).toEqual([
        { act: "community.restored", detail: JSON.stringify({ time: new Date(NOW).toISOString() }) },
      ]);
    });
  }
});

test("refuses the log of the original community beside a restored copy", async () => {
  const data = continuedCopy();
  // A log that starts at exactly the state of the backup.
  const old = fresh();
  cpSync(home, old, { recursive: true });
  const config = configOf(old);
  const dataFolder = openDataFolder(config, { busyMs: 100, mayCreate: false });
  createPost(
    createFolderCore(dataFolder, config, ""),
    createMember(createFolderCore(dataFolder, config, ""), "zoe").caller,
    {
      text: "old log",
    },
  );
  await restoreTo(data, without, { replace: true });
  copyFileSync(join(old, "guildhall.db-wal"), join(data, "guildhall.db-wal"));
  dataFolder.close();
  expect(() => living(data, () => undefined)).toThrow(/another community, or another copy,/);
});

test("replaces an existing community only on request, and keeps it aside with its log", async () => {
  const data = killed();
  const before = contents(data);
  await expect(restoreTo(data, without)).rejects.toThrow(/already holds a community\. .*--replace/);
  expect(contents(data)).toEqual(before);
  const { keptAs } = await restoreTo(data, without, { replace: true });
  expect(keptAs).toBe("before-restore-20261122T160000Z");
  expect(textsOf(data)).toEqual([{ text: "before" }]);
  const kept = join(data, keptAs ?? "");
  expect(readdirSync(kept).sort()).toEqual(["guildhall.db", "guildhall.db-shm", "guildhall.db-wal"]);
  const old = new Database(join(kept, "guildhall.db"));
  expect(old.prepare("SELECT text FROM posts ORDER BY id").pluck().all()).toEqual([
    "before",
    "since",
    "in the log",
  ]);
  old.close();
});

test("two restores or key swaps in one second keep both old versions, and overwrite neither", async () => {
  const data = continuedCopy();
  const posts = () => living(data, (core) => core.db.prepare("SELECT text FROM posts").all().length);
  const before = posts();
  const first = await restoreTo(data, withKey, { replace: true });
  const second = await restoreTo(data, withKey, { replace: true });
  expect(second.keptAs).toBe(`${first.keptAs}-2`);
  renameSync(join(data, first.keptAs ?? "", "guildhall.db"), join(data, "guildhall.db"));
  expect(posts()).toBe(before);
  const key = join(data, "guildhall.key");
  for (const letter of ["a", "b"]) {
    writeFileSync(`${key}.next`, letter.repeat(64));
    swapKeyFiles(configOf(data), "T");
  }
  expect(readFileSync(`${key}.old-T-2`, "utf8")).toStartWith("aaaa");
  expect(existsSync(`${key}.old-T`)).toBe(true);
});

test("reports a damaged lock file as such, and refuses a damaged restore plan", () => {
  const data = continuedCopy();
  rmSync(join(data, "guildhall.lock"), { force: true });
  writeFileSync(join(data, "guildhall.lock"), "this is a text of some length, and no lock".repeat(20));
  expect(() => lockFile(join(data, "guildhall.lock"))).toThrow("is not a Guildhall lock file. Delete it.");
  for (const plan of ["{", '{"keptAs":"../escaped"}']) {
    mkdirSync(join(data, "restore-ready"), { recursive: true });
    writeFileSync(join(data, "restore-ready/plan.json"), plan);
    expect(() => completeRestore(data)).toThrow("is damaged. Move its folder out");
  }
});

test("refuses what cannot be restored with a message, before any change", async () => {
  const data = continuedCopy();
  const strangers = fresh();
  living(strangers, () => undefined);
  const before = contents(data);
  const flipped = join(root, "flipped");
  const bytes = readFileSync(without);
  bytes.writeUInt8((bytes.readUInt8(bytes.length >> 1) + 1) % 256, bytes.length >> 1);
  writeFileSync(flipped, bytes);
  const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  const cases: [string, Partial<Parameters<typeof restore>[1]>, RegExp][] = [
    [flipped, {}, /damaged|cut off/],
    [join(root, "nothing"), {}, /The backup .*nothing cannot be read \(ENOENT\)/],
    [
      without,
      { key: { fingerprint: "0123456789abcdef", others: [], name: "other.key", isInFolder: true } },
      /other\.key holds another key \(0123456789abcdef\) than the backup needs \([0-9a-f]{16}\)\. Put the right key there first/,
    ],
    [
      without,
      { key: { fingerprint: undefined, others: [], name: "no.key", isInFolder: true } },
      /The backup needs its key \([0-9a-f]{16}\), but there is none at no\.key/,
    ],
    [
      withKey,
      { key: { fingerprint: undefined, others: [], name: "/run/x.key", isInFolder: false } },
      /contains its key, but \/run\/x\.key is outside the data folder/,
    ],
    [without, { proveKey: (file) => verifyKey(file, configOf(strangers), undefined) }, /is not the key/],
    [
      without,
      {
        progress: () => {
          throw full;
        },
      },
      /There is no space in the data folder to unpack the backup\. Nothing was changed/,
    ],
  ];
  for (const [from, options, words] of cases) {
    await expect(restoreTo(data, from, { replace: true, ...options })).rejects.toThrow(words);
    expect(contents(data)).toEqual(before);
    const nowhere = fresh();
    await expect(restoreTo(nowhere, from, options)).rejects.toThrow();
    expect(existsSync(nowhere)).toBe(false);
  }
  const crowded = fresh();
  mkdirSync(crowded);
  writeFileSync(join(crowded, "photos.zip"), "");
  await expect(restoreTo(crowded, without)).rejects.toThrow(
    /contains photos\.zip, which does not belong to Guildhall/,
  );
  expect(readdirSync(crowded)).toEqual(["photos.zip"]);
  const held = lockFile(join(data, "guildhall.lock"));
  await expect(restoreTo(data, without, { replace: true })).rejects.toThrow(
    /is using .*\. Stop that program first/,
  );
  held?.release();
  expect(textsOf(data)).toEqual([{ text: "before" }, { text: "since" }]);
});

test("refuses a backup that was changed together with its manifest and sums, and one of a newer program", async () => {
  const opened = join(root, "opened");
  mkdirSync(opened);
  const database = join(opened, "guildhall.db");
  const pieces: Uint8Array[] = [];
  const manifest = await readArchive(localBackupFile(without).read(), {
    sink: () => ({ write: (piece) => void pieces.push(Buffer.from(piece)), close() {} }),
  });
  writeFileSync(database, Buffer.concat(pieces));
  const outcomeOf = async (change: (sqlite: Database.Database) => void, also = {}): Promise<string> => {
    const copy = join(opened, "copy.db");
    copyFileSync(database, copy);
    const sqlite = new Database(copy);
    change(sqlite);
    sqlite.close();
    const member = await memberOf("guildhall.db", copy);
    const path = join(root, `changed-${next++}`);
    const archive = archiveBytes({ ...manifest, ...also, files: [member] }, [{ ...member, path: copy }]);
    writeFileSync(path, Buffer.concat(await Array.fromAsync(archive)));
    const data = continuedCopy();
    const before = contents(data);
    const error = await restoreTo(data, path, { replace: true }).catch((thrown: Error) => thrown.message);
    expect(contents(data)).toEqual(before);
    return String(error);
  };
  expect(await outcomeOf((db) => db.prepare("DELETE FROM posts").run())).toMatch(
    /The backup was altered: posts has 0 rows, but the manifest says 1/,
  );
  expect(await outcomeOf((db) => db.pragma("user_version = 1000"), { schema: 1000 })).toMatch(
    /from Guildhall 0\.0\.0-test \(schema 1000\), and this program knows/,
  );
  expect(await outcomeOf((db) => db.pragma("user_version = 1000"))).toMatch(/newer Guildhall/);
});

test("restores a backup of an older schema unchanged, and the next start upgrades it", async () => {
  const data = fresh();
  mkdirSync(data);
  const sqlite = new Database(join(data, "guildhall.db"));
  sqlite.pragma("journal_mode = WAL");
  sqlite.pragma(`application_id = ${0x4775696c}`);
  sqlite.exec("CREATE TABLE migrations (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL) STRICT");
  const version = MIGRATIONS.findIndex(({ name }) => name.endsWith("_lineage"));
  for (const { name, sql } of MIGRATIONS.slice(0, version)) {
    sqlite.exec(sql);
    const sha256 = new Bun.CryptoHasher("sha256").update(sql).digest("hex");
    sqlite.prepare("INSERT INTO migrations (name, sha256) VALUES (?, ?)").run(name, sha256);
  }
  sqlite.pragma(`user_version = ${version}`);
  sqlite.close();
  copyFileSync(join(home, "guildhall.key"), join(data, "guildhall.key"));
  const older = await backUpTo("older", data, false);
  const { manifest } = await restoreTo(data, older, { replace: true });
  expect(manifest.schema).toBe(version);
  expect(inspectDatabase(join(data, "guildhall.db")).schema).toBe(version);
});

test("a restore delivers what was pending at the time of the backup, at worst a second time", async () => {
  const claim = (core: Core) =>
    core.db
      .transact(() => claimDue(core, 10, "", limitOf(10)).claims)
      .map(({ eventId, url }) => [eventId, url]);
  const data = continuedCopy();
  const url = await checkTarget(
    { resolve: async () => ["93.184.215.14"], allow: [] },
    "https://hook.example.com/in",
  );
  living(data, (core) => {
    const { caller } = createMember(core, "grace");
    registerEndpoint(core, caller, { url, events: ["post.created"] });
    createPost(core, caller, { text: "told" });
  });
  const backup = await backUpTo("waiting", data, false);
  const sent = living(data, claim);
  expect(sent).toEqual([[expect.stringMatching(/^evt_/), "https://hook.example.com/in"]]);
  await restoreTo(data, backup, { replace: true });
  expect(living(data, claim)).toEqual(sent);
});

test("the previous key that a rotation kept opens the backups from before the rotation", async () => {
  const manifest = await verify(localBackupFile(without), {});
  const key = { fingerprint: "0123456789abcdef", name: "guildhall.key", isInFolder: true };
  expect(keyProblem(manifest, { ...key, others: [] }, false)).toMatch(
    /another key \(0123456789abcdef\) than the backup/,
  );
  expect(keyProblem(manifest, { ...key, others: [manifest.key ?? ""] }, false)).toBeUndefined();
});

test("verify reads a whole backup and changes nothing, whatever the folder holds", async () => {
  expect((await verify(localBackupFile(without), {})).rows["posts"]).toBe(1);
  const cut = join(root, "cut");
  writeFileSync(cut, readFileSync(without).subarray(0, -1));
  await expect(verify(localBackupFile(cut), {})).rejects.toThrow(/incomplete/);
});

test("a restore killed between any two steps leaves the old or the new community, as the next start reports", async () => {
  const unpackedOf = async (): Promise<string> => {
    const data = fresh();
    await restoreTo(data, withKey);
    return data;
  };
  const restored = await unpackedOf();
  const moves = [
    ["guildhall.db", "before-restore-x/guildhall.db"],
    ["guildhall.db-wal", "before-restore-x/guildhall.db-wal"],
    ["guildhall.db-shm", "before-restore-x/guildhall.db-shm"],
    ["guildhall.key", "before-restore-x/guildhall.key"],
    ["restore-ready/guildhall.key", "guildhall.key"],
    ["restore-ready/guildhall.db", "guildhall.db"],
  ] as const;
  for (let done = 0; done <= moves.length; done++) {
    const data = killed();
    const config = configOf(data);
    mkdirSync(join(data, UNPACKED));
    for (const name of ["guildhall.db", "guildhall.key"])
      copyFileSync(join(restored, name), join(data, UNPACKED, name));
    // Before this call the folder still holds the old community.
    commitRestore(data, "before-restore-x");
    mkdirSync(join(data, "before-restore-x"));
    for (const [from, to] of moves.slice(0, done)) renameSync(join(data, from), join(data, to));
    const next = openDataFolder(config, { busyMs: 100, mayCreate: false });
    expect(next.messages.join()).toMatch(
      /Completed an interrupted restore\. The previous community is in .*before-restore-x/,
    );
    expect(next.db.prepare("SELECT text FROM posts").all()).toEqual([{ text: "before" }]);
    next.close();
    const kept = readdirSync(join(data, "before-restore-x")).sort();
    expect(kept).toEqual(["guildhall.db", "guildhall.db-shm", "guildhall.db-wal", "guildhall.key"]);
    expect(readdirSync(data).filter((name) => name.startsWith("restore-"))).toEqual([]);
    expect(finishRestore(config)).toEqual([]);
  }
  const data = continuedCopy();
  mkdirSync(join(data, UNPACKED));
  writeFileSync(join(data, UNPACKED, "guildhall.db"), "half");
  const held = lockFile(join(data, "guildhall.lock"));
  expect(() => living(data, () => undefined)).toThrow(/A restore of .* is running\. Try again/);
  held?.release();
  const after = openDataFolder(configOf(data), { busyMs: 100, mayCreate: false });
  expect(after.messages).toEqual([
    "Deleted the files of an interrupted restore, which had not changed anything.",
  ]);
  after.close();
  expect(textsOf(data)).toEqual([{ text: "before" }, { text: "since" }]);
});

test("a backup fails if the key was rotated between reading the key and copying the database", async () => {
  const data = continuedCopy();
  const key = readKeyFile(configOf(data));
  const path = join(root, "rotated");
  const readState = () =>
    backUp(localBackupFile(path), { data, version: "0.0.0-test", now: NOW, key, withKey: true }).catch(
      (error: Error) => error.message,
    );
  const next = "ab".repeat(8);
  for (const [keys, words] of [
    [`${next} ${key?.fingerprint}`, "A key rotation is unfinished"],
    [next, `sealed with the key ${next}`],
  ] as const) {
    const database = new Database(join(data, "guildhall.db"));
    database.prepare("INSERT OR REPLACE INTO settings (name, value) VALUES ('keys', ?)").run(keys);
    database.close();
    expect(await readState()).toContain(words);
    expect(existsSync(path)).toBe(false);
  }
});
