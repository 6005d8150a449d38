/** The part of an element of Bun's Markdown parser that this module reads. */
export interface Element {
  type: string;
  props: {
    href?: string;
    src?: string;
    alt?: string;
    start?: number;
    checked?: boolean;
    language?: string;
    align?: "left" | "center" | "right";
    children?: Part[];
  };
}
export type Part = Element | string;

/**
 * Noncharacter that marks the start of a footnote or tag, and an escaped @. `parse` removes it from user
 * text, so users cannot write it.
 */
export const MARK = "\uFDD0";

/** Parses a Markdown text into a tree. Removes `MARK` from the user's text before it adds its own marks. */
export function parse(markdown: string): Element {
  let text = markdown.includes(MARK) ? markdown.replaceAll(MARK, "") : markdown;
  // Without the mark, the parser reads a one-word footnote as a link reference definition and drops the
  // footnote from the output.
  if (text.includes("[^")) text = text.replaceAll(NOTE_START, `$1${MARK}:`);
  // Tags, and URLs with another scheme than `http` or `https`, remain text. The parser has a single option
  // for everything in angle brackets. So the mark prevents the parser from recognizing what must remain text.
  if (text.includes("<")) text = text.replaceAll(TAG_START, `<${MARK}`);
  const options = {
    noHtmlBlocks: true,
    autolinks: { url: true, www: true },
    tables: !text.includes("|") || cellsOf(text) <= CELLS_MAX,
  };
  return Bun.markdown.react(text, undefined, options) as unknown as Element;
}

/**
 * Start of a tag or an autolink (CommonMark 6.5, 6.6), except `<https://…>` without a user name before the
 * host.
 */
const TAG_START = /<(?=[a-z!?]|\/[a-z])(?!https?:\/\/[^\s<>/?#@]+(?:[/?#][^\s<>]*)?>)/gi;

const NOTE_START = /^( {0,3}\[\^[\w-]{1,32}\]):/gm;

/**
 * Maximum number of table cells in a text. Above this limit, tables are not parsed. The limit is needed
 * because a row of two characters creates as many cells as the head row has.
 */
const CELLS_MAX = 5000;

/**
 * Returns an upper bound for the table cells in a text. No row has more cells than the delimiter row below
 * the table head.
 */
function cellsOf(text: string): number {
  const lines = text.split(/\r\n?|\n/);
  let [widest, rows] = [0, 0];
  for (const line of lines) {
    if (line.trim() !== "") rows++;
    if (/^[\s>|:*+\d.)-]*$/.test(line) && line.includes("-"))
      widest = Math.max(widest, line.split("|").length + 1);
  }
  return widest * rows;
}

/** Merges adjacent strings, because the parser splits text into pieces. */
export function mergeStrings(parts: readonly Part[]): Part[] {
  const all: Part[] = [];
  let text = "";
  for (const part of parts) {
    // The parser returns an escaped @ as a separate part. The mark keeps this @ from starting a mention.
    if (typeof part === "string") text += part === "@" ? `@${MARK}` : part;
    else {
      if (text !== "") all.push(text);
      all.push(part);
      text = "";
    }
  }
  if (text !== "") all.push(text);
  return all;
}

export interface Footnote {
  label: string;
  parts: Part[];
}

/**
 * Extracts the footnotes. A footnote begins at a line `[^label]:` of a top-level paragraph and ends before
 * the next such line. Paragraphs in a list or quote contain no footnotes.
 */
export function extractFootnotes(parts: readonly Part[]): { body: Part[]; notes: Footnote[] } {
  const [body, notes]: [Part[], Footnote[]] = [[], []];
  for (const part of parts) {
    if (typeof part === "string" || part.type !== "p") {
      body.push(part);
      continue;
    }
    const own: Part[] = [];
    let into = own;
    for (const piece of mergeStrings(part.props.children ?? [])) {
      if (typeof piece !== "string") into.push(piece);
      else
        for (const [index, line] of piece.split(NOTE_LINE).entries()) {
          // Odd entries are labels, captured by the split.
          if (index % 2 === 0) into.push(line.replace(/\n$/, ""));
          else notes.push({ label: line, parts: (into = []) });
        }
    }
    if (own.some((piece) => piece !== "")) body.push({ type: "p", props: { children: own } });
  }
  return { body, notes };
}

const NOTE_LINE = new RegExp(`(?:^|(?<=\\n))\\[\\^([\\w-]{1,32})\\]${MARK}:[ \\t]*`);

/**
 * Decodes a link target. The parser decodes escapes and character references in text, but not in link
 * targets. So this function parses the link target as text, with all other punctuation escaped.
 */
export function decodeAddress(written: string): string {
  if (!/[\\&]/.test(written)) return written;
  const escaped = written.replaceAll(/\\[!-/:-@[-`{-~]|[!-"$%'-/:<-@[-`{-~]/g, (sign) =>
    sign.padStart(2, "\\"),
  );
  return textOfElement(parse(`x${escaped}x`)).slice(1, -1);
}

export function textOfElement({ props }: Element): string {
  return (props.children ?? [])
    .map((part) => (typeof part === "string" ? part : textOfElement(part)))
    .join("");
}
