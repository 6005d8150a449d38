import { createHash } from "node:crypto";
import { mkdirSync, rmSync, statSync, unlinkSync } from "node:fs";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { EncodedSizes, IncomingFile, PictureStorage } from "../core/community/media/picture-storage.ts";
import { widthsOf } from "../core/community/media/widths.ts";
import { HOUR } from "../core/base/clock.ts";
import { refuse } from "../core/base/errors.ts";
import { pictureName } from "../files/pictures.ts";
import { isDiskFull } from "../files/disk-space.ts";
import type { Encoder } from "./encoder.ts";

/**
 * Subfolder of the data folder. Its files are named `ab/HASH-WIDTH.webp`, where `ab` are the first two
 * characters of the hash.
 */
const MEDIA = "media";
/**
 * Subfolder for uploads and for pictures during re-encoding. Files of interrupted uploads remain in this
 * folder until the next start.
 */
const SCRATCH = ".incoming";
const FILE = /^([0-9a-f]{40})-\d{1,4}\.webp$/;
const SUBFOLDER = /^[0-9a-f]{2}$/;

/**
 * Minimum age of unreferenced files that the sweep deletes, in ms. A new file is unreferenced until its row
 * is written. An upload takes less than an hour.
 */
const ABANDONED_AFTER_MS = HOUR;

/**
 * Creates the storage for the pictures of a data folder. Files are written before their rows. A crash in
 * between leaves unreferenced files, which the sweep deletes. A row without files cannot occur.
 */
export function createPictureStorage(data: string, encoder: Encoder): PictureStorage {
  const folder = join(data, MEDIA);
  const scratch = join(folder, SCRATCH);
  let count = 0;
  let isClear = false;

  /** Empties the folder for uploads once per process, before the first upload. */
  function clear(): void {
    if (isClear) return;
    rmSync(scratch, { recursive: true, force: true });
    mkdirSync(scratch, { recursive: true, mode: 0o700 });
    isClear = true;
  }

  async function receive(): Promise<FileIncoming> {
    clear();
    return beginFile(join(scratch, String(++count)));
  }

  async function draw(sent: IncomingFile, builderId: string): Promise<EncodedSizes> {
    const incoming = sent as FileIncoming;
    await incoming.close();
    const encodedFolder = `${incoming.path}.d`;
    await mkdir(encodedFolder, { mode: 0o700 });
    try {
      const outcome = await encoder.draw(incoming.path, encodedFolder, builderId);
      if ("fault" in outcome) throw refuse(outcome.fault);
      await moveToStorage(encodedFolder, outcome);
      return outcome;
    } finally {
      await rm(encodedFolder, { recursive: true, force: true });
    }
  }

  /**
   * Moves the files of a picture to their final folder. The files are already synced. Also syncs the folders,
   * so that the names are durable.
   */
  async function moveToStorage(from: string, { hash, width }: EncodedSizes): Promise<void> {
    const folderOfHash = join(folder, hash.slice(0, 2));
    const isNew = (await mkdir(folderOfHash, { recursive: true, mode: 0o700 })) !== undefined;
    for (const each of widthsOf(width)) await rename(join(from, `${each}.webp`), pathOf(hash, each));
    await syncFolder(folderOfHash);
    if (isNew) await syncFolder(folder);
  }

  function pathOf(hash: string, width: number): string {
    return join(data, pictureName(hash, width));
  }

  return {
    receive,
    encode: draw,
    async find(hash, width) {
      const file = Bun.file(pathOf(hash, width));
      return (await file.exists()) ? file : undefined;
    },
    async sweep(isNamed, now) {
      for (const shelf of await namesIn(folder))
        if (SUBFOLDER.test(shelf))
          for (const name of await namesIn(join(folder, shelf))) {
            const [, hash] = FILE.exec(name) ?? [];
            const path = join(folder, shelf, name);
            // Checks and deletes synchronously, so that a concurrent upload of the same picture cannot store
            // its files in between.
            if (hash !== undefined && isOld(path, now) && !isNamed(hash)) unlinkSync(path);
          }
    },
  };
}

function isOld(path: string, now: number): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && now - found.mtimeMs > ABANDONED_AFTER_MS;
}

interface FileIncoming extends IncomingFile {
  path: string;
  close(): Promise<void>;
}

async function beginFile(path: string): Promise<FileIncoming> {
  const file = await open(path, "wx", 0o600);
  const hash = createHash("sha256");
  let length = 0;
  let digest: string | undefined;
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await file.close();
  };
  return {
    path,
    close,
    async write(bytes) {
      await file.writeFile(bytes).catch(refuseFull);
      hash.update(bytes);
      length += bytes.length;
    },
    length: () => length,
    digest: () => (digest ??= hash.digest("hex")),
    async discard() {
      await close();
      await rm(path, { force: true });
    },
  };
}

/**
 * Throws the refusal for a full disk. A full disk is neither a server error nor a fault of the picture. The
 * readiness check reports a full disk to the operator.
 */
function refuseFull(error: unknown): never {
  throw isDiskFull(error) ? refuse("media_full") : error;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
