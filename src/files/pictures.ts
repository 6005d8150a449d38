import { createHash } from "node:crypto";
import { copyFileSync, linkSync, lstatSync, mkdirSync, readFileSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/*
 * The files of pictures, by the names that a data folder has them under (`media/ab/HASH-WIDTH.webp`), from
 * one folder into another: they never change, so that a link is as good as a copy.
 */

/** What a picture's file is called in a folder. */
export function pictureName(hash: string, width: number): string {
  return `media/${hash.slice(0, 2)}/${hash}-${width}.webp`;
}

/**
 * Puts one into a folder that was fetched by its address: all of it, or nothing. One at a time of the same.
 */
export async function copyPicture(folder: string, address: string, bytes: Uint8Array): Promise<void> {
  const [, hash = "", width] = /^\/media\/([0-9a-f]{40})-(\d{1,4})\.webp$/.exec(address) ?? [];
  const file = join(folder, pictureName(hash, Number(width)));
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const part = `${file}.part`;
  try {
    await writeFile(part, bytes, { mode: 0o600 });
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** How large one is; undefined where there is no plain file of that name. */
export function pictureBytes(folder: string, name: string): number | undefined {
  const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
  return found?.isFile() ? found.size : undefined;
}

/** Puts one into another folder, without its bytes where the disk knows links, and `mayLink`. */
export function writePicture(from: string, to: string, mayLink: boolean): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  try {
    if (mayLink) return linkSync(from, to);
  } catch {
    // Another disk, or one without links.
  }
  copyFileSync(from, to);
}

/** Whether the largest of a picture's files is the one that its name says. */
export function isRightPicture(file: string, hash: string): boolean {
  return createHash("sha256").update(readFileSync(file)).digest("hex").startsWith(hash);
}
