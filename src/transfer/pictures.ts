import { join } from "node:path";
import { namedMedia } from "../core/community/media/media.ts";
import { widthsOf } from "../core/community/media/widths.ts";
import type { Core } from "../core/base/core.ts";
import { isRightPicture, writePicture, pictureBytes, pictureName } from "../files/pictures.ts";
import { TransferRefused } from "./transfer-refused.ts";

/** Number and total size of the picture files of an export. */
export interface PictureFiles {
  files: number;
  bytes: number;
}

/**
 * Copies the picture files of one builder, or of all, into an export. Skips missing files, which the doctor
 * and an import report.
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

/** Largest accepted file. Files that this program creates are far smaller. */
const FILE_MAX_BYTES = 64 * 1024 * 1024;

/**
 * Copies the pictures that the database uses from the export into `data`. If `data` is undefined, only checks
 * them. Throws TransferRefused for the first picture that is missing or does not match its name.
 */
export function importPictures(core: Core, folder: string, data: string | undefined): void {
  for (const { hash, width } of namedMedia(core, undefined))
    for (const each of widthsOf(width)) {
      const name = pictureName(hash, each);
      const path = join(folder, name);
      const bytes = pictureBytes(folder, name);
      if (bytes === undefined)
        throw new TransferRefused(`${path} is missing, but the export refers to this image.`);
      if (bytes > FILE_MAX_BYTES || (each === width && !isRightPicture(path, hash)))
        throw new TransferRefused(`${path} does not match its name. Export again.`);
      if (data !== undefined) writePicture(path, join(data, name), false);
    }
}
