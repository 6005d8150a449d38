/**
 * Compiles the messages in locales/ into typed functions in locales/compiled/. Messages use the part of ICU
 * MessageFormat that locales/README.md describes. A message or parameter that a language lacks is a compile
 * error, so that no page fails while it is rendered.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Token, parse } from "@messageformat/parser";
import { escapeHtml } from "@kitajs/html";
import { parse as parseToml } from "smol-toml";
import { LANGUAGES } from "../src/core/base/locales.ts";

const ROOT = join(import.meta.dir, "..");
const LOCALES = join(ROOT, "locales");
const COMPILED = "compiled";
const INDEX = "index.ts";
/** The language that all others are compared with. */
const SOURCE = "en";

/** Messages by key, in the tables of their file. */
interface Table {
  [key: string]: string | Table;
}

type Kind = "text" | "number" | "markup";

/** The parameters of a message, and the targets of its links. */
interface Signature {
  params: Map<string, Kind>;
  addresses: Set<string>;
}

interface Message {
  tokens: readonly Token[];
  signature: Signature;
}

/** Messages of one language by file and key, such as `feed` and `card.replies`. */
type Catalogue = Map<string, Map<string, Message>>;

/** All faults of the message files, one per line: file, key, language, and what to change. */
export class MessageFaults extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join("\n"));
    this.name = "MessageFaults";
  }
}

/** Returns the compiled files by name. Throws MessageFaults with all faults. */
export function compileMessages(folder: string, languages: readonly string[]): Map<string, string> {
  const faults: string[] = [];
  const catalogues = new Map(languages.map((language) => [language, read(folder, language, faults)]));
  const source = catalogues.get(SOURCE) ?? new Map<string, Map<string, Message>>();
  for (const [language, catalogue] of catalogues) {
    // A missing folder is one fault, not one per message.
    if (language !== SOURCE && existsSync(join(folder, language)))
      compare(source, catalogue, language, faults);
  }
  if (faults.length > 0) throw new MessageFaults(faults);
  for (const catalogue of catalogues.values()) countedIn(source, catalogue);
  return new Map([
    ["messages.ts", typesOf(source)],
    ...[...catalogues].map(([language, catalogue]): [string, string] => [
      `${language}.ts`,
      codeOf(language, catalogue, source),
    ]),
    [INDEX, indexOf(languages)],
  ]);
}

/** Writes the compiled files if they are out of date. Throws MessageFaults. */
export function refreshMessages(): void {
  const folder = join(LOCALES, COMPILED);
  const index = join(folder, INDEX);
  const head = headOf(sources());
  if (existsSync(index) && readFileSync(index, "utf8").startsWith(head)) return;
  const compiled = compileMessages(LOCALES, LANGUAGES);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!compiled.has(name)) rmSync(join(folder, name));
  // The index is written last, because it marks the other files as complete.
  for (const [name, code] of compiled) {
    // Written through a rename, because parallel commands read the file.
    const written = join(folder, `.${name}.${process.pid}`);
    writeFileSync(written, (name === INDEX ? head : HEAD) + code);
    renameSync(written, join(folder, name));
  }
}

/** Returns the inputs of the compiled files: this program and every message file. */
function sources(): string[] {
  const files = LANGUAGES.flatMap((language) =>
    filesOf(LOCALES, language).map((name) => join(LOCALES, language, name)),
  );
  return [import.meta.path, ...files];
}

function headOf(paths: readonly string[]): string {
  const texts = paths.map((path) => `${path}\n${readFileSync(path, "utf8")}`);
  return `${HEAD}// Of the sources ${Bun.hash(texts.join()).toString(16)}.\n`;
}

function filesOf(folder: string, language: string): string[] {
  const path = join(folder, language);
  return existsSync(path)
    ? readdirSync(path)
        .filter((name) => name.endsWith(".toml"))
        .sort()
    : [];
}

function read(folder: string, language: string, faults: string[]): Catalogue {
  const catalogue: Catalogue = new Map();
  const plurals = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  if (!existsSync(join(folder, language))) faults.push(`locales/${language} is missing`);
  for (const name of filesOf(folder, language)) {
    const messages = new Map<string, Message>();
    const file = basename(name, ".toml");
    catalogue.set(file, messages);
    const fault = (key: string, label: string) => faults.push(placed(file, key, language, label));
    let table: Table;
    try {
      table = parseToml(readFileSync(join(folder, language, name), "utf8")) as Table;
    } catch (thrown) {
      fault("", `is not TOML: ${String(thrown).trim()}`);
      continue;
    }
    for (const [key, text] of flattened(table)) {
      try {
        if (typeof text !== "string" || text.trim() === "") throw new Error("holds no text");
        const tokens = parse(text, { cardinal: plurals, strict: true });
        messages.set(key, { tokens, signature: signatureOf(tokens) });
      } catch (thrown) {
        fault(key, thrown instanceof Error ? thrown.message.replaceAll("\n", "\n  ") : String(thrown));
      }
    }
  }
  return catalogue;
}

/** Yields the parsed messages of one language. Throws MessageFaults. */
export function* messagesOf(
  folder: string,
  language: string,
): Iterable<{ file: string; key: string; tokens: readonly Token[] }> {
  const faults: string[] = [];
  const catalogue = read(folder, language, faults);
  if (faults.length > 0) throw new MessageFaults(faults);
  for (const [file, messages] of catalogue) {
    for (const [key, { tokens }] of messages) yield { file, key: key.replaceAll(SEPARATOR, "."), tokens };
  }
}

function placed(file: string, key: string, language: string, label: string): string {
  return `locales/${language}/${file}.toml${key === "" ? "" : `: ${key.replaceAll(SEPARATOR, ".")}`} (${language}) ${label}`;
}

function* flattened(table: Table, above: readonly string[] = []): Iterable<[key: string, text: unknown]> {
  for (const [key, value] of Object.entries(table)) {
    const path = [...above, key];
    if (typeof value === "object" && value !== null && !Array.isArray(value)) yield* flattened(value, path);
    else yield [path.join(SEPARATOR), value];
  }
}

/** Separates the parts of a key. Codes such as `post.created` are one part. */
const SEPARATOR = "\0";

const ELEMENT = /<(\w+)\/>/g;
const LINK = /\[([^\]]+)\]\(([^)]+)\)/;

function signatureOf(tokens: readonly Token[]): Signature {
  const signature: Signature = { params: new Map(), addresses: new Set() };
  collect(tokens, signature);
  return signature;
}

function collect(tokens: readonly Token[], { params, addresses }: Signature): void {
  const add = (name: string, kind: Kind): void => {
    if (!/^[a-z]\w*$/i.test(name)) throw new Error(`has a parameter that is no name: {${name}}`);
    const known = params.get(name);
    if (known !== undefined && (known === "markup") !== (kind === "markup"))
      throw new Error(`has {${name}} and <${name}/>: a parameter is text or markup`);
    params.set(name, known === "number" ? known : kind);
  };
  for (const token of tokens) {
    if (token.type === "content") {
      for (const [, name = ""] of token.value.matchAll(ELEMENT)) add(name, "markup");
      const [sign] = /[<>&]/.exec(token.value.replace(ELEMENT, "")) ?? [];
      if (sign !== undefined)
        throw new Error(`has ${sign} in its text: a message holds no markup but <name/>`);
    } else if (token.type === "argument") add(token.arg, "text");
    else if (token.type === "plural" || token.type === "select") {
      if (token.type === "plural" && token.pluralOffset)
        throw new Error("has an offset, which is not supported");
      add(token.arg, token.type === "plural" ? "number" : "text");
      for (const each of token.cases) collect(each.tokens, { params, addresses });
      if (!token.cases.some(({ key }) => key === "other"))
        throw new Error(`lacks the case other of {${token.arg}}`);
    } else if (token.type !== "octothorpe")
      throw new Error(
        `formats {${token.arg}}: only plural and select are supported, all else is formatted in code`,
      );
  }
  for (const address of addressesOf(tokens)) addresses.add(address);
}

/**
 * Returns the targets of the links in these tokens, as translators write them. Links inside plural and select
 * cases are not included.
 */
function addressesOf(tokens: readonly Token[]): string[] {
  const text = tokens
    .map((token) =>
      token.type === "content" ? token.value : token.type === "argument" ? `{${token.arg}}` : "",
    )
    .join("");
  return [...text.matchAll(new RegExp(LINK, "g"))].map(([, , address = ""]) => address);
}

function compare(source: Catalogue, catalogue: Catalogue, language: string, faults: string[]): void {
  for (const file of new Set([...source.keys(), ...catalogue.keys()])) {
    const [wanted, found] = [source.get(file), catalogue.get(file)];
    const fault = (key: string, label: string) => faults.push(placed(file, key, language, label));
    for (const key of new Set([...(wanted?.keys() ?? []), ...(found?.keys() ?? [])])) {
      const [english, message] = [wanted?.get(key), found?.get(key)];
      if (!message) fault(key, "is missing");
      else if (!english) fault(key, `is not in locales/${SOURCE}/${file}.toml`);
      else for (const label of differences(english.signature, message.signature)) fault(key, label);
    }
  }
}

function differences(english: Signature, other: Signature): string[] {
  const written = ({ params, addresses }: Signature): string[] => [
    ...[...params].map(([name, kind]) => (kind === "markup" ? `<${name}/>` : `{${name}}`)),
    ...[...addresses].map((address) => `](${address})`),
  ];
  const [wanted, found] = [written(english), written(other)];
  return [
    ...wanted.filter((each) => !found.includes(each)).map((each) => `lacks ${each}, which is in ${SOURCE}`),
    ...found.filter((each) => !wanted.includes(each)).map((each) => `has ${each}, which is not in ${SOURCE}`),
  ];
}

/** Marks a parameter as a number in all languages if one language uses it in a plural. */
function countedIn(source: Catalogue, catalogue: Catalogue): void {
  for (const [file, messages] of catalogue) {
    for (const [key, { signature }] of messages) {
      const english = source.get(file)?.get(key)?.signature.params;
      for (const [name, kind] of signature.params) if (kind === "number") english?.set(name, kind);
    }
  }
}

const HEAD = "// Generated by `bun run deps` from the message files in locales/.\n";

/** Whether a message is markup: it has links, or parameters that are elements. */
function isMarkup({ params, addresses }: Signature): boolean {
  return addresses.size > 0 || [...params.values()].includes("markup");
}

const TYPES: Readonly<Record<Kind, string>> = { text: "Text", number: "number", markup: "Markup" };

function typeOf({ signature }: Message): string {
  const result = isMarkup(signature) ? "Markup" : "string";
  const params = [...signature.params].map(([name, kind]) => `${name}: ${TYPES[kind]}`);
  return params.length === 0 ? result : `(params: { ${params.join("; ")} }) => ${result}`;
}

function typesOf(source: Catalogue): string {
  return `import type { Markup, Text } from "../../src/locale/runtime.ts";

/** Every message; each language has all of them. */
export interface Messages {
${nested(
  source,
  (message) => `: ${typeOf(message)};`,
  (name) => `${name}: {`,
  "};",
)}
}
`;
}

function codeOf(language: string, catalogue: Catalogue, source: Catalogue): string {
  const body = nested(
    catalogue,
    (message, file, key) => `: ${expressionOf(message, source.get(file)?.get(key) ?? message)},`,
    (name) => `${name}: {`,
    "},",
  );
  const used = ["plural", "number", "text", "escaped", "markup"].filter((name) => body.includes(`${name}(`));
  return `import { runtimeOf } from "../../src/locale/runtime.ts";
import type { Messages } from "./messages.ts";

const { ${used.join(", ")} } = runtimeOf("${language}");

export const ${language.replaceAll("-", "_")}: Messages = {
${body}
};
`;
}

/** Returns the code of the index. It loads a language when it is first used, which keeps starts fast. */
function indexOf(languages: readonly string[]): string {
  const getters = languages.map((language) => {
    const name = language.replaceAll("-", "_");
    const file = `"./${language}.ts"`;
    return `  get "${language}"(): Messages {\n    return (require(${file}) as typeof import(${file})).${name};\n  },`;
  });
  return `import type { Messages } from "./messages.ts";
export type { Messages } from "./messages.ts";

export const CATALOGUES = {\n${getters.join("\n")}\n};
`;
}

/** Returns the lines of an object with all messages. Its properties are file names and keys. */
function nested(
  catalogue: Catalogue,
  line: (message: Message, file: string, key: string) => string,
  open: (name: string) => string,
  close: string,
): string {
  const lines: string[] = [];
  const above: string[] = [];
  const push = (code: string) => lines.push("  ".repeat(above.length + 1) + code);
  const into = (tables: readonly string[]): void => {
    const differ = above.findIndex((table, i) => table !== tables[i]);
    while (differ !== -1 && above.length > differ) {
      above.pop();
      push(close);
    }
    for (const table of tables.slice(above.length)) {
      push(open(propertyOf(table)));
      above.push(table);
    }
  };
  for (const [file, messages] of catalogue) {
    for (const [key, message] of messages) {
      const parts = [camelCased(file), ...key.split(SEPARATOR)];
      into(parts.slice(0, -1));
      push(propertyOf(parts.at(-1) ?? "") + line(message, file, key));
    }
  }
  into([]);
  return lines.join("\n");
}

function camelCased(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function propertyOf(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name);
}

function expressionOf({ tokens }: Message, { signature }: Message): string {
  const code = template(tokens, isMarkup(signature));
  if (signature.params.size === 0) return code;
  return `${usesParams(tokens) ? "(p)" : "()"} => ${code}`;
}

/**
 * Whether the compiled function reads its parameters. A plural or select with one case, as in some languages,
 * reads none.
 */
function usesParams(tokens: readonly Token[]): boolean {
  return tokens.some((token) => {
    if (token.type === "content") return token.value.search(ELEMENT) !== -1;
    if (token.type !== "plural" && token.type !== "select") return true;
    return token.cases.length > 1 || token.cases.some((each) => usesParams(each.tokens));
  });
}

/** A literal part of a template, or an expression in it. */
type Part = { text: string } | { code: string };

/** Compiles tokens to an expression: a string or a template literal. */
function template(tokens: readonly Token[], asMarkup: boolean, count = ""): string {
  const parts = asMarkup ? markupParts(tokens, count) : tokens.flatMap((token) => plainParts(token, count));
  const [only, ...others] = parts;
  if (only && "code" in only && others.length === 0) return only.code;
  if (parts.every((part) => "text" in part)) return JSON.stringify(parts.map(({ text }) => text).join(""));
  return `\`${parts.map((part) => ("text" in part ? quoted(part.text) : `\${${part.code}}`)).join("")}\``;
}

function quoted(text: string): string {
  return text.replaceAll(/[\\`]|\$\{/g, "\\$&");
}

function plainParts(token: Token, count: string): Part[] {
  if (token.type === "content") return [{ text: token.value }];
  if (token.type === "argument") return [{ code: `text(p.${token.arg})` }];
  return [{ code: valueOf(token, false, count) }];
}

/**
 * Compiles markup: `[words](address)` becomes a link, and `<name/>` the element that the page passes. All
 * text is escaped.
 */
function markupParts(tokens: readonly Token[], count: string): Part[] {
  const others = tokens.filter(({ type }) => type !== "content");
  let next = 0;
  // While links are parsed, a private-use character replaces each token that is not text.
  const text = tokens
    .map((token) => (token.type === "content" ? token.value : String.fromCharCode(PRIVATE + next++)))
    .join("");
  const filled = (piece: string): Part[] =>
    piece.split(PIECES).flatMap((each): Part[] => {
      const token = others[each.charCodeAt(0) - PRIVATE];
      const [, element] = /^<(\w+)\/>$/.exec(each) ?? [];
      if (element !== undefined) return [{ code: `markup(p.${element})` }];
      if (!token) return each === "" ? [] : [{ text: escapeHtml(each) }];
      return [{ code: token.type === "argument" ? `escaped(p.${token.arg})` : valueOf(token, true, count) }];
    });
  const parts: Part[] = [];
  let rest = text;
  for (let link = LINK.exec(rest); link; link = LINK.exec(rest)) {
    const [whole, words = "", address = ""] = link;
    parts.push(...filled(rest.slice(0, link.index)), { text: '<a href="' }, ...filled(address));
    parts.push({ text: '">' }, ...filled(words), { text: "</a>" });
    rest = rest.slice(link.index + whole.length);
  }
  return [...parts, ...filled(rest)];
}

const PRIVATE = 0xe000;
const PIECES = /([\ue000-\uf8ff]|<\w+\/>)/;

/** Compiles a plural or a select to nested conditions, or `#` to the count of the enclosing plural. */
function valueOf(token: Token, asMarkup: boolean, count: string): string {
  if (token.type === "octothorpe") return `number(p.${count})`;
  if (token.type !== "plural" && token.type !== "select") throw new Error(`${token.type} is not supported`);
  const within = token.type === "plural" ? token.arg : count;
  const conditionOf = (key: string): string =>
    token.type === "select"
      ? `p.${token.arg} === ${JSON.stringify(key)}`
      : key.startsWith("=")
        ? `p.${token.arg} === ${key.slice(1)}`
        : `plural(p.${token.arg}) === "${key}"`;
  const exactFirst = token.cases
    .filter(({ key }) => key !== "other")
    .toSorted((a, b) => Number(b.key.startsWith("=")) - Number(a.key.startsWith("=")));
  const other = token.cases.find(({ key }) => key === "other");
  const code = exactFirst.map(
    ({ key, tokens }) => `${conditionOf(key)} ? ${template(tokens, asMarkup, within)} : `,
  );
  return `(${code.join("")}${template(other?.tokens ?? [], asMarkup, within)})`;
}

if (import.meta.main) {
  try {
    refreshMessages();
  } catch (thrown) {
    if (!(thrown instanceof MessageFaults)) throw thrown;
    console.error(thrown.message);
    process.exit(1);
  }
}
