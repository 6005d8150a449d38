import { cleanGif } from "./gif.ts";
import { cleanJpeg } from "./jpeg.ts";
import { cleanPng } from "./png.ts";
import { PictureRefused } from "./refused.ts";
import { cleanWebp } from "./webp.ts";

/*
 * Detects the format of a file by its bytes, not by its name or media type (docs/threats.md#M04). Rebuilds
 * each picture from its necessary parts before a decoder reads it. Decompression bombs and hidden data
 * therefore never reach a decoder (docs/adr/0052-pictures.md).
 */

interface Kind {
  name: string;
  is(bytes: Buffer): boolean;
  /** Returns the picture with only its necessary parts. Throws PictureRefused. */
  clean(bytes: Buffer): Buffer;
}

const KINDS: readonly Kind[] = [
  { name: "jpeg", is: (bytes) => begins(bytes, 0, "\xff\xd8\xff"), clean: cleanJpeg },
  { name: "png", is: (bytes) => begins(bytes, 0, "\x89PNG\r\n\x1a\n"), clean: cleanPng },
  {
    name: "webp",
    is: (bytes) => begins(bytes, 0, "RIFF") && begins(bytes, 8, "WEBP"),
    clean: cleanWebp,
  },
  {
    name: "gif",
    is: (bytes) => begins(bytes, 0, "GIF87a") || begins(bytes, 0, "GIF89a"),
    clean: cleanGif,
  },
];

/**
 * Brands of ISO base media files that contain AVIF or HEIC pictures. Bun cannot decode these formats on
 * Linux.
 */
const HEIF = /^(?:avi[fos]|he[iv][cmsx]|mif[12]|msf1|miaf)$/;

/** Returns the format and the cleaned picture. Throws PictureRefused for a file of any other format. */
export function cleanPicture(bytes: Buffer): { kind: string; clean: Buffer } {
  const kind = KINDS.find(({ is }) => is(bytes));
  if (kind) return { kind: kind.name, clean: kind.clean(bytes) };
  if (begins(bytes, 4, "ftyp") && HEIF.test(bytes.toString("latin1", 8, 12)))
    throw new PictureRefused("picture_heic");
  if (isSvg(bytes)) throw new PictureRefused("picture_svg");
  throw new PictureRefused("picture_unknown");
}

function begins(bytes: Buffer, at: number, text: string): boolean {
  return bytes.toString("latin1", at, at + text.length) === text;
}

function isSvg(bytes: Buffer): boolean {
  return /^[^a-z]*<(?:\?xml|!doctype svg|!--|svg)/i.test(bytes.toString("latin1", 0, 200));
}
