import { join } from "node:path";
import { namedMedia } from "../core/community/media/media.ts";
import { widthsOf } from "../core/community/media/widths.ts";
import type { Core } from "../core/base/core.ts";
import { isRightPicture, writePicture, pictureBytes, pictureName } from "../files/pictures.ts";
import { PortableRefused } from "./transfer-refused.ts";

/** How many files of pictures an export has, and how large all of them are. */
export interface PictureFiles {
  files: number;
  bytes: number;
}

/**
 * Copies the files of pictures into an export, of one builder or of all. What is not there is left out: the
 * doctor tells of it, and an import would.
 */
export function exportPictures(
  core: Core,
  data: string,
  folder: string,
  builderId: string | undefined,
): PictureFiles {
  const done = { files: 0, bytes: 0 };
  for (const { hash, width } of namedMedia(core, builderId))
    for (const each of widthsOf(width)) {
      const name = pictureName(hash, each);
      const bytes = pictureBytes(data, name);
      if (bytes === undefined) continue;
      writePicture(join(data, name), join(folder, name), false);
      done.files++;
      done.bytes += bytes;
    }
  return done;
}

/** The largest that our own drawing makes is far below. */
const FILE_MAX_BYTES = 64 * 1024 * 1024;

/**
 * Copies the pictures that a database names out of the folder of its export. Throws PortableRefused for the
 * first that is missing there, or is another than its name says; into nowhere it only looks.
 */
export function importPictures(core: Core, folder: string, data: string | undefined): void {
  for (const { hash, width } of namedMedia(core, undefined))
    for (const each of widthsOf(width)) {
      const name = pictureName(hash, each);
      const path = join(folder, name);
      const bytes = pictureBytes(folder, name);
      if (bytes === undefined)
        throw new PortableRefused(`${path} is missing, but the export refers to this image.`);
      if (bytes > FILE_MAX_BYTES || (each === width && !isRightPicture(path, hash)))
        throw new PortableRefused(`${path} does not match its name. Export again.`);
      if (data !== undefined) writePicture(path, join(data, name), false);
    }
}
