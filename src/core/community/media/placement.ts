import type { ShownPicture } from "../../base/markdown.ts";
import type { Picture } from "./media.ts";

/**
 * Places the pictures of a post. One that the Markdown names by its URL is shown there, the others below the
 * text. `here` converts URLs for the page. Call `left` after the text was rendered.
 */
export function placePictures(
  pictures: readonly Picture[],
  here: (addresses: string) => string = (addresses) => addresses,
): { pictureOf: (address: string) => ShownPicture | undefined; left: () => Picture[] } {
  const placed = new Set<Picture>();
  return {
    pictureOf(address) {
      const found = pictures.find(({ url }) => url === address || new URL(url).pathname === address);
      if (!found) return undefined;
      placed.add(found);
      return { ...found, url: here(found.url), srcset: here(found.srcset) };
    },
    left: () => pictures.filter((picture) => !placed.has(picture)),
  };
}
