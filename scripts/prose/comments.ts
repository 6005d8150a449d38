/** Reads the comments of this project's files, for the prose check. */
import ts from "typescript";

export interface Comment {
  /** Line on which the comment begins. */
  line: number;
  /** Text without comment marks. A paragraph or a list item is one line. */
  text: string;
}

/** Longest line of a comment, in characters. Code is formatted to the same width. */
const WIDTH = 110;

/**
 * Returns the comments of a file, in the syntax of its extension. Leaves out directives for compilers and
 * linters.
 */
export function commentsOf(path: string, source: string): Comment[] {
  return rawComments(path, source)
    .map(({ line, raw }) => ({ line, text: unmarked(raw) }))
    .filter(({ text }) => /\p{L}/u.test(text));
}

const DIRECTIVE = /^(?:@ts-|@type |@jsx|oxlint-|eslint-|!|syntax=|shellcheck |\/ ?<)/;

/**
 * Returns the numbers of comment lines that are too wide. Lines of tables and lines with very long words may
 * be wider.
 */
export function wideLinesOf(path: string, source: string): number[] {
  return rawComments(path, source).flatMap(({ line, raw, indent }) =>
    raw.split("\n").flatMap((text, index) => {
      const isWide = (index === 0 ? indent : 0) + text.length > WIDTH;
      const longest = Math.max(...text.split(" ").map((word) => word.length));
      const isTable = /^\s*(?:\/\/|\*|#) \|/.test(text);
      return isWide && !isTable && longest < WIDTH / 2 ? [line + index] : [];
    }),
  );
}

interface RawComment {
  line: number;
  /** Number of characters before the comment on its line. */
  indent: number;
  raw: string;
}

/** Returns comments with their marks. `//` or `#` comments on consecutive lines are one comment. */
function rawComments(path: string, source: string): RawComment[] {
  const ranges = /\.(?:tsx?|js)$/.test(path)
    ? codeRanges(path, source)
    : [...source.matchAll(path.endsWith(".css") ? IN_CSS : AFTER_HASH)].map(rangeOf);
  const found: (RawComment & { end: number })[] = [];
  let line = 1;
  let counted = 0;
  for (const [start, end] of ranges) {
    const raw = source.slice(start, end);
    if (DIRECTIVE.test(unmarked(raw))) continue;
    line += source.slice(counted, start).split("\n").length - 1;
    counted = start;
    const indent = start - (source.lastIndexOf("\n", start - 1) + 1);
    const previous = found.at(-1);
    const isContinued =
      !raw.startsWith("/*") &&
      previous?.indent === indent &&
      /^\n[ \t]*$/.test(source.slice(previous.end, start));
    if (isContinued) Object.assign(previous, { end, raw: `${previous.raw}\n${" ".repeat(indent)}${raw}` });
    else found.push({ line, indent, raw, end });
  }
  return found;
}

type Range = readonly [start: number, end: number];

const rangeOf = ({ index, 0: text }: RegExpExecArray): Range => [index, index + text.length];

const IN_CSS = /\/\*[\s\S]*?\*\//g;
/** Matches comments on lines of their own in shell scripts, YAML, TOML and Dockerfiles. */
const AFTER_HASH = /(?<=^[ \t]*)#.*$/gm;
const IN_CODE = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

/** Skips comment marks in strings, templates, regular expressions and JSX text. */
function codeRanges(path: string, source: string): Range[] {
  const literals = literalsOf(ts.createSourceFile(path, source, ts.ScriptTarget.Latest));
  const found: Range[] = [];
  let next = 0;
  IN_CODE.lastIndex = 0;
  for (let match = IN_CODE.exec(source); match; match = IN_CODE.exec(source)) {
    while ((literals[next]?.[1] ?? Infinity) <= match.index) next++;
    const [start, end] = literals[next] ?? [Infinity, Infinity];
    if (start <= match.index) IN_CODE.lastIndex = end;
    else found.push(rangeOf(match));
  }
  return found;
}

function literalsOf(file: ts.SourceFile): Range[] {
  const found: Range[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) found.push([node.pos, node.end]);
    else if (
      ts.isLiteralExpression(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node)
    )
      found.push([node.getStart(file), node.end]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found.sort(([a], [b]) => a - b);
}

/**
 * Joins wrapped lines. Items of lists, tags and empty lines keep their line breaks. Drops tables and indented
 * examples.
 */
function unmarked(raw: string): string {
  const body = raw.replace(/^\/\*+/, "").replace(/\s*\*+\/$/, "");
  const lines = body.split("\n").map((line) => line.replace(/^\s*(?:\/\/|\*|#+)? ?/, "").trimEnd());
  let text = "";
  let isInList = false;
  for (const line of lines) {
    const isItem = /^(?:[-*] |\d+\. )/.test(line);
    const isIndented = /^ {2,}/.test(line);
    isInList = isItem || (isInList && isIndented);
    if (line.startsWith("|") || (isIndented && !isInList)) continue;
    const isApart = isItem || line === "" || text.endsWith("\n") || line.startsWith("@");
    text += text === "" || isApart ? `\n${line}` : ` ${line.trimStart()}`;
  }
  return text.trim();
}
