const TITLE_MAX = 80;
const PREVIEW_MAX = 140;
/** In UTF-16 units. */
const LONG_WORD = 24;

/**
 * Returns a title for a post without one (docs/contract.md#5.7): the first heading or line with readable
 * text, as plain text of at most 80 characters.
 */
export function titleOf(markdown: string): string {
  // When a text contains only Markdown marks, such as a rule, its title is the text itself.
  return shorten(firstLineOf(markdown) || markdown.trim(), TITLE_MAX);
}

/**
 * Returns the beginning of a message on one line, as plain text of at most 140 characters
 * (docs/contract.md#5.7).
 */
export function previewOf(markdown: string): string {
  return openingOf(markdown, PREVIEW_MAX);
}

/**
 * Returns the first readable line in full, as `titleOf` finds it. Returns an empty string when the text has
 * no readable line.
 */
export function firstLineOf(markdown: string): string {
  for (const line of linesOf(markdown)) {
    const text = plainText(line);
    if (text !== "") return text;
  }
  return "";
}

/** Returns the beginning of a text on one line, as plain text without Markdown marks. */
export function openingOf(markdown: string, max: number): string {
  let opening = "";
  for (const line of linesOf(markdown)) {
    const text = plainText(line);
    if (text !== "") opening += opening === "" ? text : ` ${text}`;
    // Stop when the text certainly has more than `max` characters. A character has at most two UTF-16 units,
    // and the remainder would be cut off.
    if (opening.length > 2 * max) break;
  }
  return shorten(opening === "" ? markdown.trim() : opening, max);
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/);
}

/** Removes the Markdown marks from a line. Every pattern is linear in the length of the line. */
export function plainText(line: string): string {
  if (/^\s*(?:`{3,}|~{3,}|[-*_=](?:\s*[-*_=]){2,}\s*$)/.test(line)) return "";
  return line
    .replace(/^\s*(?:>\s?)*\s*(?:#{1,6}\s+|[-*+]\s+|\d{1,9}[.)]\s+)?/, "")
    .replace(/(?<!\s)\s+#+\s*$/, "")
    .replace(/!?\[([^\][]*)\]\([^()]*\)/g, "$1")
    .replace(/<[^<>]*>/g, "")
    .replace(/[*`]|~~|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, "")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
}

/**
 * Shortens a text to at most `max` characters and marks the cut with “…”. Cuts between two words. A long
 * word is cut, as in a script without spaces.
 */
function shorten(text: string, max: number): string {
  const characters = [...text];
  if (characters.length <= max) return text;
  const kept = characters.slice(0, max - 1).join("");
  const end = characters[max - 1] === " " ? kept.length : kept.lastIndexOf(" ");
  return `${(kept.length - end > LONG_WORD ? kept : kept.slice(0, end)).trimEnd()}…`;
}
