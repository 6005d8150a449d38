import { createHash } from "node:crypto";
import { copyFileSync, linkSync, lstatSync, mkdirSync, readFileSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/*
 * Helpers to copy picture files between data folders. The files are named `media/ab/HASH-WIDTH.webp`. The
 * files never change, so a hard link is as good as a copy.
 */

/** Returns a picture's file name, relative to the folder. */
export function pictureName(hash: string, width: number): string {
  return `media/${hash.slice(0, 2)}/${hash}-${width}.webp`;
}

/**
 * Stores a picture that was downloaded from `address`, atomically. Do not call it concurrently for the same
 * picture.
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

/** Returns the size of a picture in bytes. Returns `undefined` if no regular file has that name. */
export function pictureBytes(folder: string, name: string): number | undefined {
  const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
  return found?.isFile() ? found.size : undefined;
}

/**
 * Writes a picture to another folder. Creates a hard link if `mayLink` is set and the disk supports it, and a
 * copy otherwise.
 */
export function writePicture(from: string, to: string, mayLink: boolean): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  try {
    if (mayLink) return linkSync(from, to);
  } catch {
    // Copies the file, because the target is on another disk or the disk has no hard links.
  }
  copyFileSync(from, to);
}

/**
 * Whether a file's content matches `hash`. Pass the file of the largest width, because the hash covers only
 * this file.
 */
export function isRightPicture(file: string, hash: string): boolean {
  return createHash("sha256").update(readFileSync(file)).digest("hex").startsWith(hash);
}
