import type { Random } from "../../core/base/random.ts";

/*
 * Keeps rendered HTML in memory. Values that differ between requests are holes in the kept HTML. Each page
 * fills them in.
 */

/** A value that each page fills in. `formToken` and `back` are in attributes, and `ago` is text. */
export type Hole = "formToken" | "back" | "ago";

/** HTML as the texts around its holes. There is one text more than there are holes. */
interface Kept {
  texts: readonly string[];
  holes: readonly Hole[];
  bytes: number;
}

const ESCAPED: Readonly<Record<Hole, (value: string) => string>> = {
  formToken: inAttribute,
  back: inAttribute,
  ago: Bun.escapeHTML,
};

/** Escapes an attribute value in the same way as JSX. */
function inAttribute(value: string): string {
  return value.includes('"') ? value.replaceAll('"', "&#34;") : value;
}

/** Rendered HTML by key, up to `maxBytes`. The least recently used HTML is dropped first. */
export interface KeptHtml {
  /** Texts that `render` writes instead of the values. Escaping does not change them. */
  placeholders: Readonly<Record<Hole, string>>;
  /**
   * Returns the HTML of `key` with its holes filled in. `render` makes the HTML with `placeholders` if it is
   * not kept. The key must contain everything that `render` uses.
   */
  htmlOf(key: string, render: () => string, values: Readonly<Record<Hole, string>>): string;
  /** Upper bound of the memory for keys and HTML. */
  bytes(): number;
}

export function createKeptHtml(random: Random, maxBytes: number): KeptHtml {
  // No text of members can contain this value, because no page ever shows it.
  const secret = Buffer.from(random.bytes(16)).toString("hex");
  const hole = new RegExp(`${secret}-(formToken|back|ago)\\.`);
  const byKey = new Map<string, Kept>();
  let bytes = 0;

  function keep(key: string, kept: Kept): void {
    byKey.set(key, kept);
    bytes += kept.bytes;
    for (const [oldest, { bytes: freed }] of byKey) {
      if (bytes <= maxBytes) break;
      byKey.delete(oldest);
      bytes -= freed;
    }
  }

  return {
    placeholders: { formToken: `${secret}-formToken.`, back: `${secret}-back.`, ago: `${secret}-ago.` },
    htmlOf(key, render, values) {
      let kept = byKey.get(key);
      if (kept) {
        // Moves the entry to the end, so the least recently used entry is first.
        byKey.delete(key);
        byKey.set(key, kept);
      } else keep(key, (kept = split(render(), key, hole)));
      let html = kept.texts[0] ?? "";
      for (let i = 0; i < kept.holes.length; i++) {
        const hole = kept.holes[i] as Hole;
        html += ESCAPED[hole](values[hole]) + kept.texts[i + 1];
      }
      return html;
    },
    bytes: () => bytes,
  };
}

function split(html: string, key: string, hole: RegExp): Kept {
  const parts = html.split(hole);
  return {
    texts: parts.filter((_, i) => i % 2 === 0),
    holes: parts.filter((_, i) => i % 2 === 1) as Hole[],
    // A character takes at most two bytes.
    bytes: 2 * (key.length + html.length) + ENTRY_BYTES,
  };
}

/** Memory of an entry beside its texts, rounded up. */
const ENTRY_BYTES = 1000;
