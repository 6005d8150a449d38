import { escapeHtml } from "@kitajs/html";

/** Markup of ours, or an address where it stands for one. */
export type Places = Readonly<Record<string, JSX.Element>>;

/**
 * A sentence of the catalogue as markup. `[words](address)` becomes a link, `{name}` what stands in that
 * place: markup that is safe already; in an address text, which is escaped here. The sentence's own words are
 * text. Throws for a place that is not told: a sentence with a hole helps nobody.
 */
export function weave(sentence: string, places: Places = {}): string {
  return sentence
    .split(/(\[[^\]]+\]\([^)]+\))/)
    .map((piece) => {
      const [, words, address] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(piece) ?? [];
      if (words === undefined || address === undefined) return fill(piece, places);
      return `<a href="${escapeHtml(address.replace(/\{(\w+)\}/g, (_, name) => told(places, name)))}">${fill(words, places)}</a>`;
    })
    .join("");
}

function fill(words: string, places: Places): string {
  return words
    .split(/(\{\w+\})/)
    .map((piece) => (/^\{\w+\}$/.test(piece) ? told(places, piece.slice(1, -1)) : escapeHtml(piece)))
    .join("");
}

function told(places: Places, name: string): string {
  const markup = places[name];
  if (typeof markup !== "string") throw new Error(`the place «${name}» of a sentence is not told`);
  return markup;
}
