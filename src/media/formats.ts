import { cleanGif } from "./gif.ts";
import { cleanJpeg } from "./jpeg.ts";
import { cleanPng } from "./png.ts";
import { PictureRefused } from "./refused.ts";
import { cleanWebp } from "./webp.ts";

/*
 * What somebody has sent, by its bytes and not by its name or type (docs/threats.md#M04). Each kind is
 * rebuilt of the parts that a picture needs before a decoder sees it: what unpacks to more than its pixels,
 * and whatever else was hidden between them, never gets there (docs/adr/0052-pictures.md).
 */

interface Kind {
  name: string;
  is(bytes: Buffer): boolean;
  /** The picture alone. Throws PictureRefused. */
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

/** What ISO base media files of these brands are: AVIF and HEIC, of which Bun has no decoder on Linux. */
const HEIF = /^(?:avi[fos]|he[iv][cmsx]|mif[12]|msf1|miaf)$/;

/** The picture in these bytes, and which kind it is. Throws PictureRefused for anything else. */
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
