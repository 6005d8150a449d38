/** @jsxImportSource @kitajs/html */
import type { Picture } from "../../core/community/media/media.ts";
import type { CoreError } from "../../core/ground/errors.ts";
import type { PageAsk } from "../request/route.ts";
import { Field, FileField } from "./parts.tsx";
import { field } from "../request/forms.ts";

/** What a browser offers to choose from. */
export const PICTURES = "image/jpeg,image/png,image/webp,image/gif";

/** How wide they stand on a page; the types of our JSX know no `sizes`. */
const SIZES: object = { sizes: "(max-width: 44rem) 92vw, 40rem" };

/** Pictures in place, each a link to its largest size. A page that was opened by another name of the machine shows them, too. */
export function Pictures({ ask, pictures }: { ask: PageAsk; pictures: readonly Picture[] }) {
  const here = hereOf(ask);
  return (
    <div class="pictures">
      {pictures.map(({ url, srcset, width, height, alt }) => (
        <a href={here(url)} aria-label={alt === "" ? ask.words.feed.card.picture : undefined}>
          <img
            src={here(url)}
            srcset={here(srcset)}
            {...SIZES}
            {...roomOf(width, height)}
            alt={alt}
            loading="lazy"
            decoding="async"
          />
        </a>
      ))}
    </div>
  );
}

/** How high a picture stands on a page at most; CSS pixels. */
const HIGHEST = 544;

/** What a picture takes up where there is room for it: kept free until it comes, so that nothing below it moves. */
function roomOf(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, HIGHEST / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.round(height * scale) };
}

/** Addresses as a page has them that was opened by another name of the machine, too. */
export function hereOf({ core: { origin } }: PageAsk): (addresses: string) => string {
  return (addresses) => addresses.replaceAll(origin, "");
}

/**
 * A file and its description. They come last in their form, the file after the description: the texts of a refused
 * form are read up to its file (`readTexts`).
 */
export function PictureFields({ ask, error }: { ask: PageAsk; error: CoreError | undefined }) {
  const words = ask.words.feed.composer;
  return (
    <>
      <Field
        name="alt"
        label={words.alt}
        hint={words.altHint}
        value={field(ask.form, "alt")}
        maxlength={500}
        ask={ask}
        error={error}
      />
      <FileField
        name="file"
        label={words.file}
        hint={words.fileHint}
        accept={PICTURES}
        ask={ask}
        error={error}
      />
    </>
  );
}
