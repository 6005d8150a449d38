import { damaged } from "./refused.ts";

/** What the pixels are made of. All else can be left away, and some of it unpacks to gigabytes. */
const NEEDED: ReadonlySet<string> = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);
const HEAD = 8;
/** Length, type and checksum. */
const AROUND = 12;
const HEADER_BYTES = 13;

/**
 * A PNG (ISO/IEC 15948) of its critical chunks and tRNS alone; of an animated one its first picture. Throws
 * PictureRefused where a chunk does not fit, its checksum is wrong, or the end is missing.
 */
export function cleanPng(bytes: Buffer): Buffer {
  const kept: Buffer[] = [bytes.subarray(0, HEAD)];
  let hasPixels = false;
  for (let at = HEAD; ;) {
    if (at + AROUND > bytes.length) throw damaged();
    const length = bytes.readUInt32BE(at);
    const end = at + AROUND + length;
    if (end > bytes.length) throw damaged();
    const type = bytes.toString("latin1", at + 4, at + 8);
    const isFirst = at === HEAD;
    if (isFirst !== (type === "IHDR") || (isFirst && length !== HEADER_BYTES)) throw damaged();
    if (NEEDED.has(type)) {
      if (Bun.hash.crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) throw damaged();
      kept.push(bytes.subarray(at, end));
      // A critical chunk that nobody knows begins with a capital letter.
    } else if (/^[^a-z]/.test(type)) throw damaged();
    hasPixels ||= type === "IDAT";
    if (type === "IEND") {
      if (!hasPixels) throw damaged();
      return Buffer.concat(kept);
    }
    at = end;
  }
}
