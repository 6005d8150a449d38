/**
 * The prose check of `bun run lint`. Runs textlint on Markdown files, and on all messages and descriptions as
 * paragraphs of Markdown documents. `bun scripts/prose/prose.ts [KIND | FILE]…` checks only the named texts.
 */
import { TextlintKernel, type TextlintKernelOptions, type TextlintRuleReporter } from "@textlint/kernel";
import markdown from "@textlint/textlint-plugin-markdown";
import terminology from "textlint-rule-terminology";
import type { Linted } from "../lint.ts";
import { CODE, DEFINED, faultsOf, type Voice } from "./rules.ts";
import { type Finding, type Kind, KINDS, pageAt, type Text } from "./sources.ts";
import { SPELLINGS } from "./terms.ts";

/**
 * Lints texts. Joins all texts of one voice into one document, except for files, because each run of textlint
 * takes time.
 */
export async function findingsIn(texts: readonly Text[]): Promise<Finding[]> {
  const files = texts.filter(({ isFile }) => isFile);
  const others = Map.groupBy(
    texts.filter(({ isFile }) => !isFile),
    ({ voice }) => voice,
  );
  const found = await Promise.all([
    ...files.map(lintPage),
    ...[...others].map(([voice, group]) => lintParagraphs(group, voice)),
  ]);
  // A finding that occurs in several places is reported once, with its places.
  const places = Map.groupBy(found.flat(), ({ says }) => says);
  return [...places].map(([says, all]) => ({
    place: listed([...new Set(all.map(({ place }) => place))]),
    says,
  }));
}

function listed(places: readonly string[]): string {
  const more = places.length - LOCATIONS_MAX;
  return [...places.slice(0, LOCATIONS_MAX), ...(more > 0 ? [`${more} more`] : [])].join(", and ");
}

const LOCATIONS_MAX = 4;

async function lintPage({ place, text, voice }: Text): Promise<Finding[]> {
  const found = await lintMarkdown(text, voice);
  return found.map(({ line, says }) => ({ place: `${place}:${line}`, says }));
}

async function lintParagraphs(texts: readonly Text[], voice: Voice): Promise<Finding[]> {
  const lines: string[] = [];
  const placesOf: string[][] = [];
  // Equal texts, such as names of buttons, are linted once.
  for (const [text, all] of Map.groupBy(texts, (each) => each.text.trim())) {
    const locations = all.map(({ place }) => place);
    for (const line of [...readableLines(text), ""]) {
      lines.push(line);
      placesOf.push(locations);
    }
  }
  const found = await lintMarkdown(lines.join("\n"), voice);
  return found.flatMap(({ line, says }) =>
    (placesOf[line - 1] ?? []).map((location) => ({ place: location, says })),
  );
}

const FENCE = /^\s*(?:```|~~~)/;
/**
 * Matches the start of a line that Markdown parses as code, HTML or a link definition. textlint skips such
 * lines.
 */
const UNREAD = /^\s*(?=```|~~~|<|\[[^\]]*\]:)/;

/**
 * Returns the lines of a text. Escapes the starts that `UNREAD` matches, so that textlint reads each line and
 * the texts after it. A code fence is kept if it is closed.
 */
function readableLines(text: string): string[] {
  const lines = text.split("\n");
  const isClosed = lines.filter((line) => FENCE.test(line)).length % 2 === 0;
  return lines.map((line) => (isClosed && FENCE.test(line) ? line : line.replace(UNREAD, "\\")));
}

const kernel = new TextlintKernel();

async function lintMarkdown(text: string, voice: Voice): Promise<{ line: number; says: string }[]> {
  const { messages } = await kernel.lintText(text, optionsOf(voice));
  const lines = text.split("\n");
  return messages.map(({ ruleId, line, column, message }) => ({
    line,
    says: ruleId === OURS ? message : `${message}. In: ${around(lines[line - 1] ?? "", column)}`,
  }));
}

/** Returns up to 80 characters on each side of a column. */
function around(line: string, column: number): string {
  const [from, to] = [Math.max(0, column - 80), column + 80];
  return `${from > 0 ? "…" : ""}${line.slice(from, to).trim()}${to < line.length ? "…" : ""}`;
}

const OURS = "sentences";

function optionsOf(voice: Voice): TextlintKernelOptions {
  const spelling = { terms: SPELLINGS, defaultTerms: false };
  return {
    filePath: "prose.md",
    ext: ".md",
    plugins: [{ pluginId: "markdown", plugin: markdown }],
    rules: [
      { ruleId: OURS, rule: sentencesIn(voice) },
      ...(voice === "en" ? [{ ruleId: "terminology", rule: terminology, options: spelling }] : []),
    ],
  };
}

/**
 * The textlint rule that checks each sentence of a paragraph, a heading, a table cell or an image
 * description.
 */
function sentencesIn(voice: Voice): TextlintRuleReporter {
  return ({ Syntax, RuleError, report }) => {
    const check = (node: Block, isHeading: boolean): void => {
      const { read, shown, indexOf } = textOf(node);
      const parts = [...sentenceEnds.segment(read)];
      for (const { segment, index } of parts) {
        const text = segment.trim();
        const isLabel = isHeading || (parts.length === 1 && !/[.!?:…]["”’)]*$/.test(text));
        for (const { says } of faultsOf({ text, isLabel, isFirst: index === 0 }, voice)) {
          const [term = ""] = DEFINED.exec(segment) ?? [];
          const quoted = shown.slice(index + term.length, index + segment.length).replaceAll(/\s+/g, " ");
          const start = indexOf(index) - node.range[0];
          report(node, new RuleError(`${says}. In: ${quoted.trim()}`, { index: start }));
        }
      }
    };
    return {
      [Syntax.Paragraph]: (node) => check(node, false),
      [Syntax.Header]: (node) => check(node, true),
      [Syntax.TableCell]: (node) => check(node, false),
      [Syntax.Image]: (node) => check(node, false),
    };
  };
}

type Block = Parameters<Parameters<TextlintRuleReporter>[0]["report"]>[0];

interface Words {
  /** The text for the rules: on one line, with `CODE` for each character of code, URLs and JSON. */
  read: string;
  /** The same text with its code shown. Each character has the same index as in `read`. */
  shown: string;
  /** Returns the index in the file of a character of `read`. */
  indexOf(index: number): number;
}

const sentenceEnds = new Intl.Segmenter("en", { granularity: "sentence" });
/** Matches URLs and JSON. */
const NOT_WORDS = /https?:\/\/[^\s)]+|[{[]"[^\n]*"[}\]]+/g;
/** Matches a test file and the titles of its tests, as docs/threats.md cites them. */
const CITED_TESTS = /`tests\/[^`]*`(?:,?\s“[^”]*”)+/g;

function textOf(block: Block): Words {
  const starts: { at: number; index: number }[] = [];
  let read = "";
  let shown = "";
  const visit = (node: Block): void => {
    if ("children" in node) for (const child of node.children as readonly Block[]) visit(child);
    else {
      const isCode = node.type === "Code";
      const value =
        node === block && "alt" in node
          ? String(node.alt)
          : (node.type === "Str" || isCode) && "value" in node
            ? String(node.value)
            : " ";
      const text = isCode ? `\`${value}\`` : value;
      starts.push({ at: read.length, index: node.range[0] });
      read += isCode ? CODE.repeat(text.length) : text.replaceAll("\n", " ");
      shown += text;
    }
  };
  visit(block);
  for (const { 0: cited, index } of shown.matchAll(CITED_TESTS))
    read = read.slice(0, index) + CODE.repeat(cited.length) + read.slice(index + cited.length);
  return {
    read: read.replaceAll(NOT_WORDS, (code) => CODE.repeat(code.length)),
    shown,
    indexOf(index) {
      const { at, index: start } = starts.findLast((each) => each.at <= index) ?? { at: 0, index: 0 };
      return start + index - at;
    },
  };
}

/** Lints all texts of some kinds. Also fails if a kind returned no text for one of its sources. */
export async function lintProse(kinds: Readonly<Record<string, Kind>> = KINDS): Promise<Linted> {
  const texts: Text[] = [];
  const unread: string[] = [];
  const found: Finding[] = [];
  for (const [name, kind] of Object.entries(kinds)) {
    const read = kind.read();
    const sources = kind.sources();
    if (read.length === 0 || sources.length === 0) unread.push(`${name}: nothing was read`);
    const locations = read.map(({ place }) => place).sort();
    for (const source of sources) if (!hasPrefix(locations, source)) unread.push(`${source} was not read`);
    texts.push(...read);
    found.push(...(kind.faults?.() ?? []));
  }
  found.push(...(await findingsIn(texts)));
  const lines = [...found.map(({ place, says }) => `${place}: ${says}`), ...unread];
  return {
    output: [...lines, `Prose: ${lines.length} faults in ${texts.length} texts.`].join("\n"),
    isClean: lines.length === 0,
  };
}

/** Whether one of the sorted texts starts with `prefix`. */
function hasPrefix(sorted: readonly string[], prefix: string): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? "") < prefix) low = middle + 1;
    else high = middle;
  }
  return sorted[low]?.startsWith(prefix) ?? false;
}

/** Lints the texts with the given names. A name is a kind, a Markdown file, or the start of a `place`. */
export function lintNamed(names: readonly string[]): Promise<Linted> {
  const textsNamed = (name: string): readonly Text[] => {
    const kind = KINDS[name];
    if (kind) return kind.read();
    if (name.endsWith(".md")) return [pageAt(name)];
    const read = Object.values(KINDS).flatMap((each) => each.read(name));
    const texts = read.filter(({ place }) => place.startsWith(name));
    if (texts.length > 0) return texts;
    throw new Error(`There is no text of ${name}. Name a kind (${Object.keys(KINDS).join(", ")}) or a file.`);
  };
  return lintProse({ wanted: { read: () => names.flatMap(textsNamed), sources: () => [""] } });
}

if (import.meta.main) {
  const wanted = process.argv.slice(2);
  const { output, isClean } = await (wanted.length === 0 ? lintProse() : lintNamed(wanted));
  console.log(output);
  process.exit(isClean ? 0 : 1);
}
