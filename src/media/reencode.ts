import { WIDTHS, widthsOf } from "../core/community/media/widths.ts";
import { cleanPicture } from "./formats.ts";
import { damaged, PictureRefused } from "./refused.ts";
import { cleanWebp } from "./webp.ts";

/**
 * Maximum number of pixels of a picture. A 4:3 picture may be 7,300 pixels wide, and takes 160 MB when
 * decoded.
 */
const PIXELS_MAX = 40_000_000;
/** Maximum width and height of a picture in pixels. WebP does not allow more. */
const SIDE_MAX = 16_383;
const LARGEST_WIDTH = WIDTHS[WIDTHS.length - 1] as number;
/** Maximum height of the largest size in pixels. Screenshots of long pages remain readable. */
const LARGEST_HEIGHT = 8192;
const QUALITY = 82;

export interface PictureSizes {
  width: number;
  height: number;
  bytes: Buffer;
}

/**
 * Re-encodes a picture upright in each of its widths, the largest last (docs/contract.md#4.21). The result
 * contains only the pixels, and no bytes of the original file. Throws PictureRefused.
 */
export async function reencode(sent: Buffer): Promise<PictureSizes[]> {
  const { clean } = cleanPicture(sent);
  const asked = await decoding(() => new Bun.Image(clean, { maxPixels: PIXELS_MAX }).metadata());
  if (asked.width * asked.height > PIXELS_MAX || Math.max(asked.width, asked.height) > SIDE_MAX)
    throw new PictureRefused("picture_too_large");
  const first = await decoding(() =>
    new Bun.Image(clean, { maxPixels: PIXELS_MAX })
      .resize(LARGEST_WIDTH, LARGEST_HEIGHT, { fit: "inside", withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .bytes(),
  );
  const largest = cleanWebp(Buffer.from(first));
  const { width, height } = await new Bun.Image(largest).metadata();
  const sizes: PictureSizes[] = [];
  for (const each of widthsOf(width).slice(0, -1))
    sizes.push(await scaleDown(largest, each, Math.max(1, Math.round((height * each) / width))));
  return [...sizes, { width, height, bytes: largest }];
}

/** Scales the largest size down. The hash of the largest size therefore identifies all sizes. */
async function scaleDown(largest: Buffer, width: number, height: number): Promise<PictureSizes> {
  const scaled = await new Bun.Image(largest)
    .resize(width, height, { fit: "fill" })
    .webp({ quality: QUALITY })
    .bytes();
  return { width, height, bytes: cleanWebp(Buffer.from(scaled)) };
}

async function decoding<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ERR_IMAGE_TOO_MANY_PIXELS") throw new PictureRefused("picture_too_large");
    if (typeof code === "string" && code.startsWith("ERR_IMAGE_")) throw damaged();
    throw error;
  }
}
