const TITLE_MAX = 80;
const PREVIEW_MAX = 140;

/**
 * What to call a post that has no title (docs/contract.md#5.7): its first heading or line with something to
 * read in it, as plain text of at most 80 characters.
 */
export function titleOf(markdown: string): string {
  // Only marks, such as a lone rule: better the marks than nothing.
  return shorten(firstLineOf(markdown) || markdown.trim(), TITLE_MAX);
}

/** The beginning of a message on one line, as plain text of at most 140 characters (docs/contract.md#5.7). */
export function previewOf(markdown: string): string {
  return openingOf(markdown, PREVIEW_MAX);
}

/** The same as `titleOf`, whole; empty where there is nothing to read. */
export function firstLineOf(markdown: string): string {
  for (const line of linesOf(markdown)) {
    const text = plainText(line);
    if (text !== "") return text;
  }
  return "";
}

/** The beginning of a text on one line, as plain text: its Markdown without the marks. */
export function openingOf(markdown: string, max: number): string {
  let opening = "";
  for (const line of linesOf(markdown)) {
    const text = plainText(line);
    if (text !== "") opening += opening === "" ? text : ` ${text}`;
    // Two units a character at most: the rest would be cut off.
    if (opening.length > 2 * max) break;
  }
  return shorten(opening === "" ? markdown.trim() : opening, max);
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/);
}

/** One line of Markdown without its marks. Bounded work: every pattern is linear in the line. */
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

/** At most so many characters; what is cut ends in «…». */
function shorten(text: string, max: number): string {
  const letters = [...text];
  if (letters.length <= max) return text;
  const kept = letters.slice(0, max - 1).join("");
  return `${kept.trimEnd()}…`;
}
