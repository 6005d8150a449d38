/** The texts that members, operators and API users read, by kind, from the program where it can be asked. */
import { join } from "node:path";
import type { Token } from "@messageformat/parser";
import { printedSchema } from "../../src/graphql/schema/index.ts";
import { OPERATIONS } from "../../src/operations/index.ts";
import { ERROR_CODES } from "../../src/rest/docs/errors.tsx";
import { openApiDocument } from "../../src/rest/openapi.ts";
import { REMEDIES } from "../../src/core/base/refusals/remedies.ts";
import { LANGUAGES } from "../../src/core/base/locales.ts";
import { buildSchema, type GraphQLNamedType } from "graphql";
import { messagesOf } from "../messages.ts";
import type { Language } from "./rules.ts";

const ROOT = join(import.meta.dir, "../..");

/** One text and where it is: a file, or a name such as `OpenAPI GET /v1/feed: summary`. */
export interface Text {
  place: string;
  text: string;
  language: Language;
  /** The text is a whole file: faults are placed by its lines. */
  isFile?: boolean;
}

/** Markdown that members, operators and API users read. */
const PAGES = [
  "README.md",
  "src/rest/guide.md",
  "docs/api.md",
  "docs/community.md",
  "docs/errors.md",
  "docs/graphql.md",
  "docs/oauth.md",
  "docs/operating.md",
  "docs/scaling.md",
  "docs/samples/**/*.md",
  "locales/README.md",
];

/** Every kind of text. */
export const KINDS: Readonly<Record<string, () => Promise<Text[]>>> = {
  pages,
  messages,
  refusals,
  openapi,
  graphql,
};

async function pages(): Promise<Text[]> {
  const paths = PAGES.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(ROOT)].sort());
  return Promise.all(paths.map(pageAt));
}

/** One Markdown file of this tree. */
export async function pageAt(path: string): Promise<Text> {
  return { place: path, text: await Bun.file(join(ROOT, path)).text(), language: "en", isFile: true };
}

async function messages(): Promise<Text[]> {
  return LANGUAGES.flatMap((language) =>
    [...messagesOf(join(ROOT, "locales"), language)].flatMap(({ file, key, tokens }) =>
      branchesOf(tokens).map((text) => ({
        place: `locales/${language}/${file}.toml: ${key}`,
        text,
        language,
      })),
    ),
  );
}

/** A message with each branch of its plurals and selects, as texts of their own. Parameters stay as `{name}`. */
export function branchesOf(tokens: readonly Token[], count = "count"): string[] {
  let texts = [""];
  for (const token of tokens) {
    const ends =
      token.type === "content"
        ? [token.value.replaceAll(/<(\w+)\/>/g, "{$1}")]
        : token.type === "octothorpe"
          ? [`{${count}}`]
          : token.type === "plural" || token.type === "select"
            ? token.cases.flatMap((each) =>
                branchesOf(each.tokens, token.type === "plural" ? token.arg : count),
              )
            : "arg" in token
              ? [`{${token.arg}}`]
              : [];
    texts = texts.flatMap((text) => ends.map((end) => text + end));
  }
  return [...new Set(texts)];
}

async function refusals(): Promise<Text[]> {
  return [
    ...ERROR_CODES.flatMap(({ code, message, remedy }) => [
      { place: `refusal ${code}: message`, text: message, language: "en" as const },
      ...(Object.values(REMEDIES).includes(remedy)
        ? []
        : [{ place: `refusal ${code}: remedy`, text: remedy, language: "en" as const }]),
    ]),
    ...Object.entries(REMEDIES).map(([error, text]) => ({
      place: `refusal ${error}: remedy of the status`,
      text,
      language: "en" as const,
    })),
  ];
}

async function openapi(): Promise<Text[]> {
  const texts = [...proseIn(openApiDocument(OPERATIONS, "https://guild.example", ""), [])];
  // Parameters that many operations have are described once.
  return [...new Map(texts.map((each) => [each.text, each] as const).reverse()).values()].reverse();
}

const PROSE_FIELDS = ["description", "summary", "title"];

/** The descriptions of a JSON document, each by the path to it. */
function* proseIn(value: unknown, path: readonly string[]): Iterable<Text> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    // Examples hold members' words.
    if (key === "example" || key === "examples") continue;
    if (typeof inner === "string" && PROSE_FIELDS.includes(key))
      yield { place: `OpenAPI ${placeOf(path)}: ${key}`, text: inner, language: "en" };
    else yield* proseIn(inner, [...path, key]);
  }
}

/** `paths /feed get parameters 0` → `GET /v1/feed parameters 0`. */
function placeOf([root = "", path = "", method = "", ...rest]: readonly string[]): string {
  if (root !== "paths") return [root, path, method, ...rest].filter((part) => part !== "").join(".");
  return [method.toUpperCase(), `/v1${path}`, rest.join(".")].filter((part) => part !== "").join(" ");
}

async function graphql(): Promise<Text[]> {
  const types = Object.values(buildSchema(printedSchema()).getTypeMap());
  return types.filter(({ name }) => !name.startsWith("__")).flatMap(descriptionsOf);
}

interface Described {
  name: string;
  description?: string | null | undefined;
}

function descriptionsOf(type: GraphQLNamedType): Text[] {
  const textOf = (owner: string, { name, description }: Described): Text[] =>
    typeof description === "string"
      ? [{ place: `GraphQL ${owner}${name}: description`, text: description, language: "en" }]
      : [];
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
