/**
 * Texts for members, operators, API users and engineers, by kind. Where possible, the program returns its
 * texts. Other texts are read from source files.
 */
import type { EventEmitter } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Token } from "@messageformat/parser";
import type { Command } from "commander";
import { buildSchema, type GraphQLNamedType } from "graphql";
import { programOf } from "../../src/cli/program.ts";
import { type AnySetting, variableOf } from "../../src/config/setting.ts";
import { SETTINGS } from "../../src/config/table.ts";
import { LANGUAGES } from "../../src/core/base/locales.ts";
import { MEANINGS } from "../../src/core/base/refusals/remedies.ts";
import { printedSchema } from "../../src/graphql/schema/index.ts";
import { METRICS } from "../../src/http/metric-table.ts";
import { OPERATIONS } from "../../src/operations/index.ts";
import { ERROR_CODES, type ErrorCode } from "../../src/rest/docs/errors.tsx";
import { openApiDocument } from "../../src/rest/openapi.ts";
import { messagesOf } from "../messages.ts";
import { commentsOf, wideLinesOf } from "./comments.ts";
import { sentencesOf } from "./literals.ts";
import type { Voice } from "./rules.ts";
import { stringsIn, wordingsOf } from "./seed.ts";
import { titlesOf } from "./titles.ts";

const ROOT = join(import.meta.dir, "../..");

/** A text and its place: a file, or a name such as `OpenAPI GET /v1/feed: summary`. */
export interface Text {
  place: string;
  text: string;
  voice: Voice;
  /** Whether the text is a whole Markdown file. The place of a fault then includes the line. */
  isFile?: boolean;
}

/** A kind of text, such as messages or metrics. */
export interface Kind {
  /** Returns the texts of this kind: all texts, or the texts of the files whose paths begin with `under`. */
  read(under?: string): readonly Text[];
  /**
   * Returns prefixes of places. If no place begins with a prefix, a source was not read, and the check fails.
   */
  sources(): readonly string[];
  /** Returns faults in the files of this kind that no rule for sentences reports. */
  faults?(): readonly Finding[];
}

/** A fault in a text. `place` is `path:line`, or the name of a text that is not a file. */
export interface Finding {
  place: string;
  says: string;
}

const english = (location: string, text: string): Text => ({ place: location, text, voice: "en" });
const contents = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const filesOf = (pattern: string): string[] =>
  [...new Bun.Glob(pattern).scanSync({ cwd: ROOT, dot: true })]
    .map((path) => path.replaceAll("\\", "/"))
    .sort();

/**
 * Returns the paths that begin with `under`. `under` may also be a path with a line, `src/app/server.ts:12`.
 */
const within = (paths: readonly string[], under = ""): readonly string[] =>
  paths.filter((path) => path.startsWith(under) || under.startsWith(`${path}:`));

const PROGRAM = await programOf({ variables: {}, settings: "" });

/** All kinds by name. */
export const KINDS: Readonly<Record<string, Kind>> = {
  pages: { read: (under) => within(markdownFiles(), under).map(pageAt), sources: markdownFiles },
  comments: {
    read: (under) => within(commentedFiles(), under).flatMap((path) => commentTexts(path, contents(path))),
    sources: () => ["src/", "tests/", "scripts/", "bench/", "deploy/", "locales/"],
    faults: () => commentedFiles().flatMap((path) => wideComments(path, contents(path))),
  },
  titles: {
    read: (under) => within(testFiles(), under).flatMap((path) => titleTexts(path, contents(path))),
    sources: testFiles,
  },
  messages: {
    read: () => LANGUAGES.flatMap((language) => messageTexts(join(ROOT, "locales"), language)),
    sources: () => LANGUAGES.flatMap((language) => filesOf(`locales/${language}/*.toml`)),
  },
  refusals: {
    read: () => refusalTexts(ERROR_CODES),
    sources: () => ERROR_CODES.map(({ code }) => `refusal ${code}:`),
  },
  openapi: {
    read: () => openApiTexts(openApiDocument(OPERATIONS, "https://guild.example", "")),
    sources: () => OPERATIONS.map(({ route }) => `OpenAPI ${route.replace(" ", " /v1")}: summary`),
  },
  graphql: {
    read: () => graphqlTexts(printedSchema()),
    sources: () => ["GraphQL Query.", "GraphQL Mutation.", "GraphQL Subscription."],
  },
  help: {
    read: () => helpTexts(PROGRAM),
    sources: () => helpPlaces(PROGRAM),
  },
  settings: {
    read: () => settingTexts(Object.values(SETTINGS)),
    sources: () => Object.values<AnySetting>(SETTINGS).map((setting) => `setting ${variableOf(setting)}:`),
  },
  metrics: {
    read: () => metricTexts(METRICS),
    sources: () => Object.keys(METRICS).map((name) => `metric ${name}:`),
  },
  alerts: {
    read: () => alertTexts(ALERTS, contents(ALERTS)),
    sources: () => [ALERTS],
  },
  program: {
    read: (under) => within(programFiles(), under).flatMap((path) => literalTexts(path, contents(path))),
    sources: () =>
      ["app", "cli", "cluster", "config", "delivery", "http", "operate"].map((name) => `src/${name}/`),
  },
  seed: {
    read: () => seedFiles().flatMap((path) => seedTexts(path, JSON.parse(contents(path)))),
    sources: seedFiles,
  },
};

// Pages.

/** A generated file with licences of other projects. */
const NOT_OURS = "docs/licences.md";

/** Returns all other Markdown files of the tree, including new files. */
function markdownFiles(): string[] {
  const folders = readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^(?!node_modules$|dist$|\.git$)/.test(entry.name))
    .map(({ name }) => `${name}/**/*.md`);
  return ["*.md", ...folders].flatMap(filesOf).filter((path) => path !== NOT_OURS);
}

/** Reads a Markdown file of this tree. */
export function pageAt(path: string): Text {
  return pageText(path, contents(path));
}

/** A page without its examples of how not to write: `~~Somebody~~ →`. */
export function pageText(path: string, text: string): Text {
  const read = text.replaceAll(/~~[^~]+~~\s+→/g, (example) => example.replaceAll(/[^\n]/g, ""));
  return { ...english(path, read), isFile: true };
}

// Comments and titles of tests.

const COMMENTED = [
  "{src,tests,scripts,bench}/**/*.{ts,tsx,js,css}",
  "deploy/**/*",
  ".ci/run",
  ".github/**/*.yml",
  "Dockerfile",
  "*.{toml,yml,yaml}",
  "locales/*/*.toml",
];
/** Generated files, and files without comments. */
const NOT_COMMENTED = /^tests\/client\/|\.(?:json|md|png)$/;

function commentedFiles(): string[] {
  return COMMENTED.flatMap(filesOf).filter((path) => !NOT_COMMENTED.test(path));
}

export function commentTexts(path: string, source: string): Text[] {
  return commentsOf(path, source).map(({ line, text }) => english(`${path}:${line}`, text));
}

export function wideComments(path: string, source: string): Finding[] {
  return wideLinesOf(path, source).map((line) => ({
    place: `${path}:${line}`,
    says: "wrap comments at 110 columns",
  }));
}

function testFiles(): string[] {
  return filesOf("tests/**/*.test.{ts,tsx}").filter((path) => titlesOf(contents(path)).length > 0);
}

/** Returns titles without the cited section of the contract. `{value}` replaces `${expression}`. */
export function titleTexts(path: string, source: string): Text[] {
  return titlesOf(source).map(({ line, title }) =>
    english(
      `${path}:${line}`,
      title.replace(/^docs\/[\w#./-]+: /, "").replaceAll(/\$\{[^}]*\}|%[a-z]\b/g, "{value}"),
    ),
  );
}

// Messages.

export function messageTexts(folder: string, language: (typeof LANGUAGES)[number]): Text[] {
  return [...messagesOf(folder, language)].flatMap(({ file, key, tokens }) =>
    branchesOf(tokens)
      .flatMap(blocksOf)
      .map((text) => ({ place: `locales/${language}/${file}.toml: ${key}`, text, voice: language })),
  );
}

/**
 * Returns the texts that a message can become, one per branch of its plurals and selects. Parameters are kept
 * as `{name}`.
 */
export function branchesOf(tokens: readonly Token[], count = "count"): string[] {
  let texts = [""];
  for (const token of tokens) {
    const ends = endsOf(token, count);
    texts = texts.flatMap((text) => ends.map((end) => text + end));
  }
  return [...new Set(texts)];
}

function endsOf(token: Token, count: string): string[] {
  if (token.type === "content") return [token.value.replaceAll(/<(\w+)\/>/g, "{$1}")];
  if (token.type === "octothorpe") return [`{${count}}`];
  if (token.type === "plural") return token.cases.flatMap(({ tokens }) => branchesOf(tokens, token.arg));
  if (token.type === "select") return token.cases.flatMap(({ tokens }) => branchesOf(tokens, count));
  return [`{${token.arg}}`];
}

// Refusals and the two APIs.

export function refusalTexts(codes: readonly Pick<ErrorCode, "code" | "message" | "remedy">[]): Text[] {
  return [
    ...codes.map(({ code, message }) => english(`refusal ${code}: message`, message)),
    ...codes.flatMap(({ code, remedy }) =>
      remedy === undefined ? [] : [english(`refusal ${code}: remedy`, remedy)],
    ),
    ...Object.entries(MEANINGS).map(([error, text]) => english(`refusal ${error}: meaning`, text)),
  ];
}

/**
 * Returns the descriptions of an OpenAPI document. The place of a text is its path in the document. Leaves
 * out the guide, which is checked as a page.
 */
export function openApiTexts(document: Readonly<Record<string, unknown>>): Text[] {
  const { info, tags, ...rest } = document;
  return [...proseIn(rest, [])];
}

const PROSE_FIELDS = ["description", "summary", "title"];

function* proseIn(value: unknown, path: readonly string[]): Iterable<Text> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    // Examples contain texts of members.
    if (key === "example" || key === "examples") continue;
    if (typeof inner === "string" && PROSE_FIELDS.includes(key))
      yield english(`OpenAPI ${locationOf(path)}: ${key}`, inner);
    else yield* proseIn(inner, [...path, key]);
  }
}

/** Formats a path in the document: `paths`, `/feed`, `get`, `parameters` become `GET /v1/feed parameters`. */
function locationOf([root = "", path = "", method = "", ...rest]: readonly string[]): string {
  if (root !== "paths") return [root, path, method, ...rest].filter((part) => part !== "").join(".");
  return [method.toUpperCase(), `/v1${path}`, rest.join(".")].filter((part) => part !== "").join(" ");
}

/** Returns the descriptions of a GraphQL schema. */
export function graphqlTexts(schema: string): Text[] {
  const types = Object.values(buildSchema(schema).getTypeMap());
  return types.filter(({ name }) => !name.startsWith("__")).flatMap(descriptionsOf);
}

interface Described {
  name: string;
  description?: string | null | undefined;
}

function descriptionsOf(type: GraphQLNamedType): Text[] {
  const textOf = (owner: string, { name, description }: Described): Text[] =>
    typeof description === "string" ? [english(`GraphQL ${owner}${name}: description`, description)] : [];
  const fields: (Described & { args?: readonly Described[] })[] = [
    ...("getFields" in type ? Object.values(type.getFields()) : []),
    ...("getValues" in type ? type.getValues() : []),
  ];
  return [
    ...textOf("", type),
    ...fields.flatMap((field) => [
      ...textOf(`${type.name}.`, field),
      ...(field.args ?? []).flatMap((arg) => textOf(`${type.name}.${field.name}.`, arg)),
    ]),
  ];
}

// Texts for operators.

/** Returns the places of the descriptions of a command and its subcommands. */
function helpPlaces(command: Command, above = ""): string[] {
  const name = `${above}${command.name()}`;
  return [`${name} --help`, ...command.commands.flatMap((each) => helpPlaces(each, `${name} `))];
}

/** Returns the help texts of a command and its subcommands. */
export function helpTexts(command: Command, above = ""): Text[] {
  const name = `${above}${command.name()}`;
  const location = `${name} --help`;
  return [
    english(location, command.description()),
    ...command.registeredArguments.map((each) => english(`${location}: <${each.name()}>`, each.description)),
    ...command.options.map((each) => english(`${location}: ${each.flags}`, each.description)),
    ...helpAfter(command).map((text) => english(location, text)),
    ...command.commands.flatMap((each) => helpTexts(each, `${name} `)),
  ].filter(({ text }) => text !== "");
}

/** Returns the paragraphs below the options of a command. */
function helpAfter(command: Command): string[] {
  let help = "";
  // Commander keeps added texts as listeners, which its types do not show.
  const emitter = command as unknown as EventEmitter;
  emitter.emit("afterHelp", { error: false, command, write: (text: string) => (help += text) });
  return blocksOf(help);
}

/**
 * Splits plain text into paragraphs. An indented line is an example or a row of a list. It becomes a
 * paragraph without its first column.
 */
function blocksOf(text: string): string[] {
  return text
    .split(/\n(?=\s)/)
    .map((block) => block.trim().replace(/^(?:guildhall \S.*?|\S+)(?: {2,}|$)/, ""))
    .filter((block) => block !== "");
}

export function settingTexts(settings: readonly AnySetting[]): Text[] {
  return settings.flatMap((setting) =>
    [setting.meaning, setting.bounds, setting.defaultText].flatMap((text) =>
      text === undefined ? [] : [english(`setting ${variableOf(setting)}:`, text)],
    ),
  );
}

export function metricTexts(metrics: Readonly<Record<string, { help: string }>>): Text[] {
  return Object.entries(metrics).map(([name, { help }]) => english(`metric ${name}:`, help));
}

const ALERTS = "deploy/guildhall.rules.yml";

interface Rules {
  groups: { rules: { alert?: string; annotations?: Record<string, string> }[] }[];
}

/** Returns the annotations of the Prometheus alerts. */
export function alertTexts(path: string, yaml: string): Text[] {
  const { groups } = Bun.YAML.parse(yaml) as Rules;
  return groups
    .flatMap(({ rules }) => rules)
    .flatMap(({ alert = "", annotations = {} }) =>
      Object.entries(annotations)
        .filter(([name]) => !name.endsWith("_url"))
        .map(([name, text]) =>
          english(`${path}: ${alert}: ${name}`, text.replaceAll(/\{\{[^}]*\}\}/g, "{value}")),
        ),
    );
}

/**
 * Source files that are skipped here. Another kind reads their literals, or their texts are those of the
 * demo's members.
 */
const OTHER_SOURCES = /^src\/(?:demo|graphql\/schema|operations|core\/base\/(?:refusals|languages\.))/;

function programFiles(): string[] {
  return ["src/**/*.{ts,tsx}", "scripts/dashboard.ts"]
    .flatMap(filesOf)
    .filter((path) => !OTHER_SOURCES.test(path));
}

/**
 * Returns the sentences in the literals of a source: log messages, findings of the doctor and errors of
 * commands.
 */
export function literalTexts(path: string, source: string): Text[] {
  return sentencesOf(path, source).flatMap(({ line, text }) =>
    blocksOf(text).map((block) => english(`${path}:${line}`, block)),
  );
}

// The demo.

/** Returns the seed files. Leaves out lists of names, which have no sentences. */
function seedFiles(): string[] {
  return filesOf("data/seed/*.json").filter((path) => !/\/(?:cities|names)\.json$/.test(path));
}

/** Returns the texts of the demo's members, in each wording of their templates. */
export function seedTexts(path: string, seed: unknown): Text[] {
  return [...stringsIn(seed)].flatMap(([key, template]) =>
    wordingsOf(template).map((text) => ({ place: `${path}: ${key}`, text, voice: "members" as const })),
  );
}
