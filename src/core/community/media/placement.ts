import type { Shown } from "../../base/markdown.ts";
import type { Picture } from "./media.ts";

/**
 * Where the pictures of a post stand in its text: one that its Markdown names by its address stands there, the others
 * below. `here` makes its addresses those of the page. Ask for `left` when the text is written.
 */
export function placing(
  pictures: readonly Picture[],
  here: (addresses: string) => string = (addresses) => addresses,
): { pictureOf: (address: string) => Shown | undefined; left: () => Picture[] } {
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
