// docs/contract.md#12.4: a backup to another disk needs no room on the disk of the data folder.
import { expect, test } from "bun:test";
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../../src/config/config.ts";
import { createPost } from "../../../src/core/community/feed/feed.ts";
import { createMedia } from "../../../src/core/community/media/media.ts";
import { setPictureStorage } from "../../../src/core/community/media/picture-storage.ts";
import { freeBytes } from "../../../src/files/disk-space.ts";
import { createFolderCore, type DataFolder, openDataFolder } from "../../../src/app/data-folder.ts";
import { createPictureStorage } from "../../../src/media/picture-storage.ts";
import { command } from "../../command.ts";
import { inProcessEncoder } from "../../media/gallery.ts";
import * as made from "../../media/sample-images.ts";
import { KEY, createMember } from "../../support.ts";

const open = (folder: string): DataFolder =>
  openDataFolder(readConfig({ GUILDHALL_KEY: KEY }, { data: folder }), { busyMs: 100, mayCreate: true });

async function settle(folder: string): Promise<void> {
  const dataFolder = open(folder);
  try {
    const core = createFolderCore(
      dataFolder,
      readConfig({ GUILDHALL_KEY: KEY }, { data: folder }),
      "https://guild.test",
    );
    const shop = createPictureStorage(folder, inProcessEncoder());
    setPictureStorage(core, shop);
    const { caller } = createMember(core, "ada");
    const sent = await shop.receive();
    await sent.write(made.png(500, 100, 1));
    const drawn = await shop.encode(sent, "ada");
    await sent.discard();
    createPost(core, caller, { text: "one", media: [createMedia(core, caller, drawn, { alt: "one" }).id] });
  } finally {
    dataFolder.close();
  }
}

function fill(folder: string): void {
  const file = openSync(join(folder, "filler"), "w");
  try {
    for (;;) if (writeSync(file, Buffer.alloc(4096, 1)) < 4096) break;
  } catch {
    // The disk is full.
  } finally {
    closeSync(file);
  }
}

test("a backup to another disk is complete while the disk of the data folder is full, in every mode", async () => {
  const root = mkdtempSync(join(tmpdir(), "guildhall-full-"));
  const [disk, other] = [join(root, "disk"), join(root, "other")];
  for (const folder of [disk, other]) mkdirSync(folder);
  const isMounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", disk]).exitCode === 0;
  try {
    if (!isMounted) return console.log("no disk can be mounted here: none was filled");
    const data = join(disk, "d");
    await settle(data);
    fill(disk);
    expect(freeBytes(disk)).toBe(0);

    const cold = await command({ folder: data }, ["backup", join(other, "cold.tar.zst")]);
    expect(cold).toEqual({ code: 0, stdout: `${join(other, "cold.tar.zst")}\n`, stderr: expect.any(String) });
    const kept = Bun.spawnSync(["rm", join(disk, "filler")]).exitCode;
    expect(kept).toBe(0);
    // A running server has created its shared memory file before the disk is full.
    const dataFolder = open(data);
    try {
      fill(disk);
      const hot = await command({ folder: data }, ["backup", join(other, "hot.tar.zst")]);
      expect(hot).toMatchObject({ code: 0, stdout: `${join(other, "hot.tar.zst")}\n` });
      const scheduled = await command({ folder: data }, ["backup", "--scheduled"], {
        GUILDHALL_BACKUP: other,
      });
      expect(scheduled).toMatchObject({ code: 0 });
      expect(scheduled.stdout).toStartWith(`${other}/guildhall-`);
      const here = await command({ folder: data }, ["backup"]);
      expect(here).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("has no space") });
    } finally {
      dataFolder.close();
    }

    const archives = readdirSync(other);
    expect(archives.filter((name) => !name.endsWith(".tar.zst"))).toEqual([]);
    expect(archives).toHaveLength(3);
    for (const [at, name] of archives.entries()) {
      const there = join(root, `restored-${at}`);
      expect(await command({ folder: there }, ["restore", join(other, name)])).toMatchObject({ code: 0 });
      const pictures = readdirSync(join(there, "media"), { recursive: true, encoding: "utf8" });
      expect(pictures.filter((picture) => picture.endsWith(".webp")).length).toBeGreaterThan(0);
      const restored = open(there);
      expect(restored.db.prepare("SELECT text FROM posts").all()).toEqual([{ text: "one" }]);
      restored.close();
    }
  } finally {
    if (isMounted) Bun.spawnSync(["umount", "--lazy", disk]);
    rmSync(root, { recursive: true });
  }
});
