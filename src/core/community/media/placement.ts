import type { ShownPicture } from "../../base/markdown.ts";
import type { Picture } from "./media.ts";

/**
 * Places the pictures of a post. A picture whose URL is in the Markdown is shown there, and all others below
 * the text. `here` converts URLs for the page. Call `left` after rendering the text.
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
