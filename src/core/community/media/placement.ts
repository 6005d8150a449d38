import type { ShownPicture } from "../../base/markdown.ts";
import type { Picture } from "./media.ts";

/**
 * Decides where the pictures of a post appear. A picture whose URL is in the Markdown appears where the URL
 * is. `unplaced` returns all other pictures, which appear below the text. Call `unplaced` after rendering the
 * text. `toPageUrl` converts URLs for the page.
 */
export function placePictures(
  pictures: readonly Picture[],
  toPageUrl: (addresses: string) => string = (addresses) => addresses,
): { pictureOf: (address: string) => ShownPicture | undefined; unplaced: () => Picture[] } {
  const placed = new Set<Picture>();
  return {
    pictureOf(address) {
      const found = pictures.find(({ url }) => url === address || new URL(url).pathname === address);
      if (!found) return undefined;
      placed.add(found);
      return { ...found, url: toPageUrl(found.url), srcset: toPageUrl(found.srcset) };
    },
    unplaced: () => pictures.filter((picture) => !placed.has(picture)),
  };
}
