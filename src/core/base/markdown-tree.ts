/** What Bun's parser makes of a text, as far as it is read here. */
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
 * Stands behind what begins a footnote or a tag, and behind an @ that was written as a mere sign; nobody can
 * write it.
 */
export const MARK = "\uFDD0";

/** The tree of a Markdown text. No mark is in it but ours: whoever writes that sign has it left out. */
export function parse(markdown: string): Element {
  let text = markdown.includes(MARK) ? markdown.replaceAll(MARK, "") : markdown;
  // The parser takes a note of one word for the address of a link, and keeps it.
  if (text.includes("[^")) text = text.replaceAll(NOTE_START, `$1${MARK}:`);
  // Tags and addresses of other schemes stay text: the parser reads what is in angle brackets, all of it or
  // none.
  if (text.includes("<")) text = text.replaceAll(TAG_START, `<${MARK}`);
  const options = {
    noHtmlBlocks: true,
    autolinks: { url: true, www: true },
    tables: !text.includes("|") || cellsOf(text) <= CELLS_MAX,
  };
  return Bun.markdown.react(text, undefined, options) as unknown as Element;
}

/**
 * What begins a tag or an autolink (CommonMark 6.5, 6.6), unless it is `<https://…>` with nobody's name
 * before the host.
 */
const TAG_START = /<(?=[a-z!?]|\/[a-z])(?!https?:\/\/[^\s<>/?#@]+(?:[/?#][^\s<>]*)?>)/gi;

const NOTE_START = /^( {0,3}\[\^[\w-]{1,32}\]):/gm;

/** A text whose tables could have more than this has none: two signs make a row as wide as its head. */
const CELLS_MAX = 5000;

/** How many cells the tables of a text have at most, as no row is wider than the line below a head. */
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

/** Its parts, with what the parser has cut in pieces as one text again. */
export function joined(parts: readonly Part[]): Part[] {
  const all: Part[] = [];
  let text = "";
  for (const part of parts) {
    // What was escaped stands alone.
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

/** A footnote of the text: what it is called, and what stands in it. */
export interface Footnote {
  label: string;
  parts: Part[];
}

/**
 * Takes the footnotes out of a text: the paragraphs that begin with `[^label]:`, and the lines of theirs that
 * do. Only those that stand in no list or quote are notes.
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
    for (const piece of joined(part.props.children ?? [])) {
      if (typeof piece !== "string") into.push(piece);
      else
        for (const [index, line] of piece.split(NOTE_LINE).entries()) {
          // Every second one is a label.
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
 * An address as it is meant. In addresses the parser leaves escapes and character references as they were
 * written; as a text, in which no other sign means anything, it reads them.
 */
export function read(written: string): string {
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
