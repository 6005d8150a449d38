/** Makes sample pictures and malformed files, so that the repository contains no hostile file. */
import { deflateSync } from "node:zlib";

export const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

export function chunk(type: string, content: Uint8Array = Buffer.alloc(0), crc?: number): Buffer {
  const created = Buffer.alloc(12 + content.length);
  created.writeUInt32BE(content.length, 0);
  created.write(type, 4, "latin1");
  created.set(content, 8);
  created.writeUInt32BE(crc ?? Bun.hash.crc32(created.subarray(4, 8 + content.length)), 8 + content.length);
  return created;
}

export function header(width: number, height: number, more: readonly number[] = [8, 2, 0, 0, 0]): Buffer {
  const created = Buffer.alloc(13);
  created.writeUInt32BE(width, 0);
  created.writeUInt32BE(height, 4);
  created.set(more, 8);
  return created;
}

/** Pixel rows of a picture. Each seed makes a different picture. */
export function rows(width: number, height: number, seed = 0): Buffer {
  const line = width * 3 + 1;
  const created = Buffer.alloc(line * height);
  for (let y = 0; y < height; y++)
    for (let x = 1; x < line; x++) created[y * line + x] = (x * (seed + 1) + y * 3 + seed * 37) & 255;
  return created;
}

/** Makes a PNG. `between` are chunks before the pixels. */
export function png(width: number, height: number, seed = 0, between: readonly Buffer[] = []): Buffer {
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header(width, height)),
    ...between,
    chunk("IDAT", deflateSync(rows(width, height, seed), { level: 1 })),
    chunk("IEND"),
  ]);
}

/** A PNG that claims a size but has almost no data. */
export function claim(
  width: number,
  height: number,
  idat: Uint8Array = deflateSync(Buffer.alloc(9)),
): Buffer {
  return Buffer.concat([SIGNATURE, chunk("IHDR", header(width, height)), chunk("IDAT", idat), chunk("IEND")]);
}

export async function jpeg(width: number, height: number, progressive = false, seed = 0): Promise<Buffer> {
  const created = await new Bun.Image(png(width, height, seed)).jpeg({ quality: 80, progressive }).bytes();
  return Buffer.from(created);
}

export async function webp(width: number, height: number): Promise<Buffer> {
  return Buffer.from(await new Bun.Image(png(width, height)).webp().bytes());
}

export function withSegment(jpg: Buffer, marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255]);
  return Buffer.concat([jpg.subarray(0, 2), head, content, jpg.subarray(2)]);
}

/** Exif data with an orientation entry, followed by the text `beside`. */
export function exif(orientation: number, beside = ""): Buffer {
  const tiff = Buffer.from("49492a000800000001001201030001000000000000000000", "hex");
  tiff[18] = orientation;
  return Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff, Buffer.from(beside)]);
}

/** A GIF with two colours. Every frame contains the same single pixel, whatever `side` claims. */
export function gif(width: number, height: number, frames = 1, side = 1): Buffer {
  const head = Buffer.alloc(13);
  head.write("GIF89a", "latin1");
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  head[10] = 0x80;
  const place = Buffer.alloc(9);
  place.writeUInt16LE(side, 4);
  place.writeUInt16LE(side, 6);
  const frame = Buffer.concat([
    Buffer.from([0x21, 0xf9, 4, 0, 1, 0, 0, 0, 0x2c]),
    place,
    // One pixel in LZW codes: clear, colour 1, end.
    Buffer.from([2, 2, 0x4c, 0x01, 0]),
  ]);
  const colours = Buffer.from([0, 0, 0, 200, 60, 20]);
  return Buffer.concat([head, colours, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])]);
}

export function riff(...chunks: readonly (readonly [string, Buffer])[]): Buffer {
  const parts = chunks.flatMap(([type, content]) => {
    const head = Buffer.alloc(8);
    head.write(type, "latin1");
    head.writeUInt32LE(content.length, 4);
    return [head, content, Buffer.alloc(content.length & 1)];
  });
  const inside = Buffer.concat([Buffer.from("WEBP"), ...parts]);
  const head = Buffer.alloc(8);
  head.write("RIFF", "latin1");
  head.writeUInt32LE(inside.length, 4);
  return Buffer.concat([head, inside]);
}

/** The frame chunk of a WebP file without its container. */
export function pixelsOf(created: Buffer): readonly [string, Buffer] {
  return [created.toString("latin1", 12, 16), created.subarray(20, 20 + created.readUInt32LE(16))];
}
