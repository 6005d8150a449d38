import { type CheckResult, ok, warning } from "../../core/services/checkup/checkup.ts";
import { namedMedia } from "../../core/community/media/media.ts";
import { widthsOf } from "../../core/community/media/widths.ts";
import { countWithNoun } from "../../core/base/count-with-noun.ts";
import { pictureBytes, pictureName } from "../../files/pictures.ts";
import type { CheckContext } from "./context.ts";
import { formatBytes } from "./format.ts";

/**
 * Checks whether the data folder has the files of each picture that the database uses
 * (docs/contract.md#4.21).
 */
export function checkPictures({ config, db }: CheckContext): CheckResult {
  if (!db) return undefined;
  const named = namedMedia({ db }, undefined);
  let bytes = 0;
  let missing = 0;
  for (const { hash, width } of named) {
    const sizes = widthsOf(width).map((each) => pictureBytes(config.data, pictureName(hash, each)));
    if (sizes.includes(undefined)) missing++;
    bytes += sizes.reduce<number>((sum, each) => sum + (each ?? 0), 0);
  }
  if (missing > 0)
    return warning(
      "pictures",
      `${missing} of ${countWithNoun(named.length, "image")} lack files in the folder media, so pages show gaps.`,
      "Copy the folder media from a backup (zstd -d < FILE | tar x) into the data folder",
    );
  const says =
    named.length === 0
      ? "There are no uploaded images."
      : `All files of ${countWithNoun(named.length, "image")} are there (${formatBytes(bytes)}).`;
  return ok("pictures", says);
}
