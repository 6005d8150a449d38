import { damaged } from "./refused.ts";

/**
 * Chunks that define the pixels. All other chunks are removed, because they are optional and some of them can
 * expand to gigabytes.
 */
const REQUIRED_CHUNKS: ReadonlySet<string> = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);
const HEAD = 8;
/** Number of bytes in a chunk besides its data: length, type and checksum. */
const CHUNK_OVERHEAD = 12;
const HEADER_BYTES = 13;

/**
 * Reduces a PNG (ISO/IEC 15948) to its critical chunks and tRNS. Only the first picture of an animation is
 * kept. Throws PictureRefused for a malformed chunk, a wrong checksum or a missing end.
 */
export function cleanPng(bytes: Buffer): Buffer {
  const kept: Buffer[] = [bytes.subarray(0, HEAD)];
  let hasPixels = false;
  for (let at = HEAD; ;) {
    if (at + CHUNK_OVERHEAD > bytes.length) throw damaged();
    const length = bytes.readUInt32BE(at);
    const end = at + CHUNK_OVERHEAD + length;
    if (end > bytes.length) throw damaged();
    const type = bytes.toString("latin1", at + 4, at + 8);
    const isFirst = at === HEAD;
    if (isFirst !== (type === "IHDR") || (isFirst && length !== HEADER_BYTES)) throw damaged();
    if (REQUIRED_CHUNKS.has(type)) {
      if (Bun.hash.crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) throw damaged();
      kept.push(bytes.subarray(at, end));
      // A chunk type that begins with a capital letter is critical. An unknown critical chunk makes the
      // picture unusable.
    } else if (/^[^a-z]/.test(type)) throw damaged();
    hasPixels ||= type === "IDAT";
    if (type === "IEND") {
      if (!hasPixels) throw damaged();
      return Buffer.concat(kept);
    }
    at = end;
  }
}
