/**
 * `bun run lint` reads our prose with this: textlint over Markdown, and over messages and descriptions as if each
 * were a paragraph of a page. `bun scripts/prose/prose.ts [KIND | FILE]…` lints some of it.
 */
import { TextlintKernel, type TextlintKernelOptions, type TextlintRuleReporter } from "@textlint/kernel";
import markdown from "@textlint/textlint-plugin-markdown";
import { split } from "sentence-splitter";
import terminology from "textlint-rule-terminology";
import { StringSource } from "textlint-util-to-string";
import { faultsOf, type Language } from "./rules.ts";
import { KINDS, pageAt, type Text } from "./sources.ts";
import { SPELLINGS } from "./terms.ts";

/** A fault as people read it: `path:line`, or the name of a text. */
export interface Finding {
  place: string;
  says: string;
}

/** Lints texts, several of one language at a time: the linter has a price for each document. */
export async function findingsIn(texts: readonly Text[]): Promise<Finding[]> {
  const files = texts.filter(({ isFile }) => isFile);
  const others = Object.values(
    Object.groupBy(
      texts.filter(({ isFile }) => !isFile),
      ({ language }) => language,
    ),
  );
  const found = [
    ...(await Promise.all(files.map(lintPage))),
    ...(await Promise.all(others.map((group) => lintParagraphs(group)))),
  ].flat();
  // A sentence that is in several places is reported once, with all of them.
  const places = Map.groupBy(found, ({ says }) => says);
  return [...places].map(([says, all]) => ({
    place: [...new Set(all.map(({ place }) => place))].join(", and "),
    says,
  }));
}

async function lintPage({ place, text, language }: Text): Promise<Finding[]> {
  const messages = await lintMarkdown(text, language);
  return messages.map(({ line, says }) => ({ place: `${place}:${line}`, says }));
}

async function lintParagraphs(texts: readonly Text[]): Promise<Finding[]> {
  const places: string[] = [];
  const lines: string[] = [];
  for (const { place, text } of texts) {
    for (const line of [...text.trim().split("\n"), ""]) {
      lines.push(line);
      places.push(place);
    }
  }
  const found = await lintMarkdown(lines.join("\n"), texts[0]?.language ?? "en");
  return found.map(({ line, says }) => ({ place: places[line - 1] ?? "", says }));
}

const kernel = new TextlintKernel();

async function lintMarkdown(text: string, language: Language): Promise<{ line: number; says: string }[]> {
  const { messages } = await kernel.lintText(text, optionsOf(language));
  return messages.map(({ line, message }) => ({ line, says: message }));
}

function optionsOf(language: Language): TextlintKernelOptions {
  return {
    filePath: "prose.md",
    ext: ".md",
    plugins: [{ pluginId: "markdown", plugin: markdown }],
    rules: [{ ruleId: "sentences", rule: sentencesIn(language) }, ...(language === "en" ? [SPELLING] : [])],
  };
}

/** Default spellings of the terminology rule that fight the program's own names. */
const EXCLUDED: readonly string[] = [
  "ID",
  "id['’]?s",
  "Bash",
  "Zsh",
  "host[- ]name(s)?",
  "white[- ]space",
  "indexes\\b",
];

const SPELLING = {
  ruleId: "terminology",
  rule: terminology,
  options: { terms: SPELLINGS, exclude: EXCLUDED },
};

type Block = ConstructorParameters<typeof StringSource>[0];

/** Our rules over each sentence of a paragraph, a heading or a cell. */
function sentencesIn(language: Language): TextlintRuleReporter {
  return ({ Syntax, RuleError, report }) => {
    const check = (node: TextlintRuleNode, isHeading: boolean): void => {
      const block = node as Block;
      const plain = new StringSource(block);
      const words = plain.toString();
      const parts = split(masked(block)).filter(({ type }) => type === "Sentence");
      for (const { raw, range } of parts) {
        const text = raw.replaceAll(/\s+/g, " ").trim();
        const isLabel = isHeading || (parts.length === 1 && !/[.!?:…]["”’)]*$/.test(text));
        for (const { says } of faultsOf({ text, isLabel }, language)) {
          const index = plain.originalIndexFromIndex(range[0]) ?? 0;
          const quoted = words
            .slice(...range)
            .replaceAll(/\s+/g, " ")
            .trim();
          report(node, new RuleError(`${says}. In: ${quoted}`, { index }));
        }
      }
    };
    return {
      [Syntax.Paragraph]: (node) => check(node, false),
      [Syntax.Header]: (node) => check(node, true),
      [Syntax.TableCell]: (node) => check(node, false),
    };
  };
}

type TextlintRuleNode = Parameters<Parameters<TextlintRuleReporter>[0]["report"]>[0];

/** The plain text of a block, with `_` for each character of code and of URLs. */
function masked(block: Block): string {
  const source = new StringSource(block, {
    replacer: ({ node, maskValue }) => (node.type === "Code" ? maskValue("_") : undefined),
  });
  return (
    source
      .toString()
      .replaceAll(/https?:\/\/[^\s)]+/g, (url) => "_".repeat(url.length))
      // The splitter takes a number before a full stop for that of a list.
      .replaceAll(/\d(?=[.!?]\s+[\p{Lu}“„«(_])/gu, "x")
  );
}

/** The texts that were asked for: of whole kinds, of files of a kind, or of any Markdown file. */
async function textsFor(wanted: readonly string[]): Promise<Text[]> {
  const names = wanted.length === 0 ? Object.keys(KINDS) : wanted;
  const found = await Promise.all(names.map(textsNamed));
  return found.flat();
}

async function textsNamed(name: string): Promise<Text[]> {
  const kind = KINDS[name];
  if (kind) return kind();
  if (name.endsWith(".md")) return [await pageAt(name)];
  const all = (await Promise.all(Object.values(KINDS).map((each) => each()))).flat();
  const texts = all.filter(({ place }) => place.startsWith(name));
  if (texts.length > 0) return texts;
  throw new Error(`no text of ${name}; name a kind (${Object.keys(KINDS).join(", ")}) or a file`);
}

if (import.meta.main) {
  const texts = await textsFor(process.argv.slice(2));
  const found = await findingsIn(texts);
  for (const { place, says } of found) console.log(`${place}: ${says}`);
  console.error(`${texts.length} texts, ${found.length} faults`);
  process.exit(found.length === 0 ? 0 : 1);
}
