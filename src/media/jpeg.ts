import { damaged, PictureRefused } from "./refused.ts";

/**
 * Maximum number of scans in a picture. A camera's progressive picture has ten scans. Each scan costs a pass
 * over all blocks.
 */
const SCANS_MAX = 64;

const [SOI, EOI, SOS, DHT, DAC] = [0xd8, 0xd9, 0xda, 0xc4, 0xcc];
const [APP0, APP1, APP14, APP15, COM] = [0xe0, 0xe1, 0xee, 0xef, 0xfe];

/**
 * Removes comments and application data from a JPEG (ISO/IEC 10918-1), including colour profiles. Keeps the
 * orientation (Exif) and the colour encoding (Adobe). Also removes all bytes after the picture. Throws
 * PictureRefused if the file is cut off or has too many scans.
 */
export function cleanJpeg(bytes: Buffer): Buffer {
  const kept: Buffer[] = [bytes.subarray(0, 2)];
  let scans = 0;
  let at = 2;
  for (;;) {
    at = nextMarker(bytes, at);
    const marker = bytes[at + 1] as number;
    if (marker === SOI) throw damaged();
    if (marker === EOI) {
      if (scans === 0) throw damaged();
      kept.push(Buffer.from([0xff, EOI]));
      return Buffer.concat(kept);
    }
    if (isBare(marker)) {
      at += 2;
      continue;
    }
    if (at + 4 > bytes.length) throw damaged();
    // The length includes its own two bytes. If a comment has a smaller length, libjpeg skips only these two
    // bytes.
    let end = at + 2 + Math.max(2, bytes.readUInt16BE(at + 2));
    if (end > bytes.length) throw damaged();
    if (marker === SOS) {
      if (++scans > SCANS_MAX) throw new PictureRefused("picture_too_costly");
      end = endOfScan(bytes, end);
    }
    if (isNeeded(marker, bytes.subarray(at + 4, end))) kept.push(bytes.subarray(at, end));
    at = end;
  }
}

/**
 * Returns the position of the next marker. Skips 0xff fill bytes before a marker (B.1.1.2), and other bytes
 * that cameras and programs leave there. Decoders also skip these bytes (libjpeg, Go, browsers).
 */
function nextMarker(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next !== undefined && next !== 0 && next !== 0xff) return at;
  }
  throw damaged();
}

/** Whether a marker has no length: RST and TEM. */
function isBare(marker: number): boolean {
  return marker === 0x01 || isRestart(marker);
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7;
}

function isNeeded(marker: number, content: Buffer): boolean {
  if (marker === APP1) return content.toString("latin1", 0, 6) === "Exif\0\0";
  if (marker === APP14) return content.toString("latin1", 0, 5) === "Adobe";
  if ((marker >= APP0 && marker <= APP15) || marker === COM) return false;
  // Whether a segment is kept: frames, tables, intervals and scans, but no reserved markers.
  return (marker >= 0xc0 && marker <= 0xdf) || marker === DHT || marker === DAC;
}

/** Returns the position of the next marker that is not a restart marker. */
function endOfScan(bytes: Buffer, from: number): number {
  let at = nextMarker(bytes, from);
  while (isRestart(bytes[at + 1] as number)) at = nextMarker(bytes, at + 2);
  return at;
}
