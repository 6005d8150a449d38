import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { reencode } from "../media/reencode.ts";
import { isDiskFull } from "../files/disk-space.ts";
import { PictureRefused } from "../media/refused.ts";
import type { Outcome } from "../media/encoder.ts";

/**
 * The main program of the process that decodes one picture: `re-encode FILE FOLDER`. Writes `WIDTH.webp`
 * files into the folder and returns the output to print. A hang or crash ends only this process.
 */
export async function reencodeFile(file: string, folder: string): Promise<string> {
  return JSON.stringify(await outcomeOf(file, folder));
}

async function outcomeOf(file: string, folder: string): Promise<Outcome> {
  try {
    const sizes = await reencode(readFileSync(file));
    for (const { width, bytes } of sizes) save(join(folder, `${width}.webp`), bytes);
    const largest = sizes[sizes.length - 1];
    if (!largest) throw new Error("an image has no sizes");
    return {
      width: largest.width,
      height: largest.height,
      bytes: sizes.reduce((sum, { bytes }) => sum + bytes.length, 0),
      hash: createHash("sha256").update(largest.bytes).digest("hex").slice(0, 40),
    };
  } catch (error) {
    if (error instanceof PictureRefused) return { fault: error.fault };
    if (isDiskFull(error)) return { fault: "media_full" };
    throw error;
  }
}

/** Flushes the file to disk, because a database row will refer to it. */
function save(path: string, bytes: Buffer): void {
  const file = openSync(path, "wx", 0o600);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
