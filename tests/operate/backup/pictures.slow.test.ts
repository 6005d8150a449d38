// docs/contract.md#12.4, docs/contract.md#12.5, docs/contract.md#12.6: backups, restores and exports include
// the pictures.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../../src/config/config.ts";
import { createPost } from "../../../src/core/community/feed/feed.ts";
import { createMedia, sweepMedia } from "../../../src/core/community/media/media.ts";
import { setPictureStorage } from "../../../src/core/community/media/picture-storage.ts";
import { HOUR } from "../../../src/core/base/clock.ts";
import { type Core } from "../../../src/core/base/core.ts";
import { findingsOf } from "../../../src/core/services/checkup/checkup.ts";
import { checkPictures } from "../../../src/operate/doctor/pictures.ts";
import { createFolderCore, openDataFolder, verifyKey, readKeyFile } from "../../../src/app/data-folder.ts";
import { run } from "../../../src/cli/program.ts";
import { backUp } from "../../../src/operate/backup/backup.ts";
import { fingerprintAt } from "../../../src/operate/backup/key-files.ts";
import { withMediaLocked, unlessMediaLocked } from "../../../src/operate/backup/media-lock.ts";
import { localBackupFile } from "../../../src/operate/backup/backup-file.ts";
import { restore } from "../../../src/operate/backup/restore.ts";
import { createPictureStorage } from "../../../src/media/picture-storage.ts";
import { createMember } from "../../support.ts";
import { inProcessEncoder } from "../../media/gallery.ts";
import * as made from "../../media/sample-images.ts";

const NOW = Date.parse("2026-11-22T16:00:00Z");
const configOf = (data: string) => readConfig({}, { data });

let root: string;
let home: string;
let next = 0;
const fresh = (): string => join(root, `d${next++}`);

async function living<Result>(data: string, work: (core: Core) => Result | Promise<Result>): Promise<Result> {
  const config = configOf(data);
  const dataFolder = openDataFolder(config, { busyMs: 100, mayCreate: true });
  try {
    return await work(createFolderCore(dataFolder, config, "https://guild.test"));
  } finally {
    dataFolder.close();
  }
}

function pictures(folder: string): Record<string, string> {
  const names = readdirSync(join(folder, "media"), { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => name.endsWith(".webp"));
  return Object.fromEntries(
    files.sort().map((name) => [name, Bun.hash(readFileSync(join(folder, "media", name))).toString()]),
  );
}

const looked = (data: string) =>
  living(data, ({ db }) => findingsOf(checkPictures({ config: configOf(data), db } as never))[0]);

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "guildhall-kept-pictures-"));
  home = fresh();
  await living(home, async (core) => {
    const shop = createPictureStorage(home, inProcessEncoder());
    setPictureStorage(core, shop);
    const ada = createMember(core, "ada").caller;
    for (const [i, text] of ["one", "two"].entries()) {
      const sent = await shop.receive();
      await sent.write(made.png(500, 100 + i, i));
      const drawn = await shop.encode(sent, "ada");
      await sent.discard();
      const { id } = createMedia(core, ada, drawn, { alt: text });
      createPost(core, ada, { text, media: [id] });
    }
  });
});
afterAll(() => rmSync(root, { recursive: true }));

async function backedUp(): Promise<string> {
  const path = join(root, `backup-${next++}`);
  const key = readKeyFile(configOf(home));
  await backUp(localBackupFile(path), { data: home, version: "0.0.0-test", now: NOW, key, withKey: true });
  return path;
}

function restoreTo(data: string, from: string, replace = false) {
  const config = configOf(data);
  const fingerprint = fingerprintAt(config);
  return restore(localBackupFile(from), {
    data,
    now: NOW,
    key: { fingerprint, others: [], name: config.keyFile, isInFolder: true },
    replace,
    proveKey: (database, inside) => verifyKey(database, config, inside),
  });
}

test("a backup contains the pictures, and a restore brings them and keeps the previous ones aside", async () => {
  const from = await backedUp();
  const data = fresh();
  const { manifest } = await restoreTo(data, from);
  expect(manifest.media?.files).toBe(6);
  expect(pictures(data)).toEqual(pictures(home));
  expect(Object.keys(pictures(data))).toHaveLength(6);
  expect(await looked(data)).toMatchObject({ check: "pictures", severity: "ok" });
  const first = Object.keys(pictures(data))[0] ?? "";
  expect(statSync(join(data, "media", first)).mode & 0o777).toBe(0o600);
  rmSync(join(data, "media", first));
  expect(await looked(data)).toMatchObject({ severity: "warning", says: expect.stringContaining("1 of 2") });
  const left = pictures(data);
  const { keptAs } = await restoreTo(data, from, true);
  expect(pictures(data)).toEqual(pictures(home));
  expect(pictures(join(data, keptAs ?? ""))).toEqual(left);
});

test("deletes no picture file while a backup or an export runs", async () => {
  const swept: string[] = [];
  const sweep = (name: string) => unlessMediaLocked(home, async () => void swept.push(name));
  await withMediaLocked(home, async () => {
    await sweep("meanwhile");
  });
  await sweep("afterwards");
  expect(swept).toEqual(["afterwards"]);
  const before = pictures(home);
  await living(home, (core) => {
    const shop = createPictureStorage(home, inProcessEncoder());
    return sweepMedia({ ...core, clock: { ...core.clock, now: () => Date.now() + 2 * HOUR } }, shop);
  });
  expect(pictures(home)).toEqual(before);
});

test("an export contains the pictures, and an import refuses a missing or changed file", async () => {
  const folder = fresh();
  const guildhall = (...args: string[]) =>
    run(["bun", "guildhall", ...args], { variables: {}, settings: join(root, "none.toml") });
  expect(await guildhall("export", folder, "--data", home)).toBe(0);
  expect(pictures(folder)).toEqual(pictures(home));
  const data = fresh();
  expect(await guildhall("import", folder, "--data", data)).toBe(0);
  expect(pictures(data)).toEqual(pictures(home));
  expect(await looked(data)).toMatchObject({ severity: "ok" });
  const [other = "", some = ""] = Object.keys(pictures(folder)).filter((name) => name.endsWith("-500.webp"));
  await Bun.write(join(folder, "media", some), Bun.file(join(folder, "media", other)));
  const corrupted = fresh();
  expect(await guildhall("import", folder, "--data", corrupted)).toBe(1);
  rmSync(join(folder, "media", some));
  expect(await guildhall("import", folder, "--data", corrupted)).toBe(1);
  expect(existsSync(corrupted)).toBe(false);
});
