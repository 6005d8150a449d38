import type { ShownPicture } from "../../base/markdown.ts";
import type { Picture } from "./media.ts";

/**
 * Decides where the pictures of a post appear. A picture whose URL is in the Markdown appears there. `left`
 * returns all other pictures, which appear below the text. Call `left` after rendering the text. `here`
 * converts URLs for the page.
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
