import { Kind, type Static, type TSchema, Type, TypeRegistry } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { badRequest, type ErrorDetail } from "./errors.ts";

/**
 * The building blocks of every schema. Each is plain JSON Schema for the documents, checks by the rules of
 * CONTRACT.md, and carries its rule in words (`rule`) for the one sentence a person gets back.
 */

const TEXT = "GuildhallText";

export interface TextRule {
  min?: number;
  max: number;
  /** Refuse text that is only white space. */
  visible?: boolean;
  /** Refuse line breaks, other control characters, and letters that nobody sees or that turn the line around: it is a name. */
  line?: boolean;
  description?: string;
  examples?: string[];
}

/**
 * Free text. Length counts Unicode code points; NUL and lone surrogates are refused (they would not be stored as sent), which `rule` leaves
 * away: nobody types them.
 */
export function Text({ min = 1, max, visible, line, ...docs }: TextRule) {
  const atLeast = `${visible ? ", not only white space" : ""}${line ? ", on one line, without invisible characters" : ""}`;
  return Type.Unsafe<string>({
    [Kind]: TEXT,
    type: "string",
    minLength: min,
    maxLength: max,
    ...(visible ? { pattern: "\\S" } : {}),
    ...(line ? { line } : {}),
    ...docs,
    rule: `must be text of ${min} to ${grouped(max)} characters${atLeast}`,
  });
}

/** A short word of a fixed form. `rule` says it in words, with an example. */
export function Word(
  pattern: string,
  rule: string,
  docs: { description?: string; examples?: string[]; maxLength?: number } = {},
) {
  return Type.String({ pattern, ...docs, rule });
}

export function Choice<const Values extends readonly string[]>(
  values: Values,
  description?: string,
  examples?: Values[number][],
) {
  return Type.Unsafe<Values[number]>({
    [Kind]: "GuildhallChoice",
    type: "string",
    enum: values,
    ...(description ? { description } : {}),
    ...(examples ? { examples } : {}),
    rule: `must be one of ${values.join(", ")}`,
  });
}

export function Whole(
  min: number,
  max: number,
  docs: { description?: string; default?: number; examples?: number[] } = {},
) {
  return Type.Integer({
    minimum: min,
    maximum: max,
    ...docs,
    rule: `must be a whole number from ${min} to ${max}`,
  });
}

/** A web address: `https` only, without blanks, at most 2,048 characters. */
export function HttpsUrl(docs: { description?: string; examples?: string[] } = {}) {
  return Type.Unsafe<string>({
    [Kind]: "GuildhallHttpsUrl",
    type: "string",
    format: "uri",
    pattern: "^https://",
    maxLength: 2048,
    ...docs,
    rule: "must be an https:// address of at most 2,048 characters",
  });
}

/** Lower-case words joined by `-` or `.`: rust, node.js, sao-paulo (CONTRACT «Slugs»). */
export function Slug(docs: { description?: string; examples?: string[] } = {}) {
  return Word(
    SLUG,
    "must be 1 to 50 lower-case letters and digits, which - or . may join (such as node.js)",
    {
      maxLength: 50,
      ...docs,
    },
  );
}

const SLUG = "^[a-z0-9]+(?:[-.][a-z0-9]+)*$";

interface TextSchema {
  minLength: number;
  maxLength: number;
  pattern?: string;
  line?: boolean;
}

TypeRegistry.Set<TextSchema>(
  TEXT,
  (schema, value) => typeof value === "string" && textFault(schema, value) === undefined,
);

/** Which part of its rule a text breaks, in words of its own; undefined for none. */
function textFault({ minLength, maxLength, pattern, line }: TextSchema, text: string): string | undefined {
  if (text.includes("\0") || !text.isWellFormed()) return "must not hold broken characters, such as NUL";
  const length = codePoints(text);
  if (length > maxLength) return `must have at most ${grouped(maxLength)} characters, not ${grouped(length)}`;
  if (length === 0 && minLength > 0) return "must not be empty";
  if (length < minLength)
    return `must have at least ${grouped(minLength)} characters, not ${grouped(length)}`;
  if (line && UNSEEN.test(text.replace(SHAPING, "")))
    return "must be on one line, without invisible characters";
  if (pattern && !(line ? SHOWN : /\S/u).test(text)) return "must not be blank";
  return undefined;
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

/**
 * Format characters, the turners of direction among them, blanks that count as letters, and what stands for nothing yet: a name that
 * looks like another one, or like none, does it with these (THREATS E10). Variation selectors are in the first class too.
 */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029\u2800]/u;

/** The same where they shape what is beside them, as people's names and emoji need it: joined signs, forms of signs, of Han and of joining scripts. */
const SHAPING = new RegExp(
  [
    "(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})",
    "(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]",
    "(?<=[#*0-9])\\ufe0f(?=\\u20e3)",
    "(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]",
    `(?<=${joining()})[\\u200c\\u200d](?=${joining()})`,
  ].join("|"),
  "gu",
);

function joining(): string {
  const scripts = "Arab Syrc Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh".split(" ");
  return `[${scripts.map((script) => `\\p{Script=${script}}`).join("")}]`;
}

/** What a name is made of: marks alone, and blanks, show nobody. */
const SHOWN = /[\p{L}\p{N}\p{P}\p{S}]/u;

TypeRegistry.Set<{ enum: string[] }>(
  "GuildhallChoice",
  (schema, value) => typeof value === "string" && schema.enum.includes(value),
);

TypeRegistry.Set("GuildhallHttpsUrl", (_schema, value) => {
  if (
    typeof value !== "string" ||
    value.length > 2048 ||
    /[\s\p{Cc}\\]/u.test(value) ||
    !value.isWellFormed()
  )
    return false;
  return value.startsWith("https://") && URL.canParse(value);
});

/** Characters as CONTRACT counts them: code points, not UTF-16 units. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800) count--;
  }
  return count;
}

const compiled = new WeakMap<TSchema, TypeCheck<TSchema>>();
const DETAILS_MAX = 10;

/**
 * Returns `value` as what the schema says it is. Throws bad_request with one detail for each field that breaks its
 * rule (the first ten); a detail names the field and the rule and never repeats the value.
 */
export function check<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  let checker = compiled.get(schema);
  if (!checker) {
    checker = TypeCompiler.Compile(schema as TSchema);
    compiled.set(schema, checker);
  }
  if (checker.Check(value)) return value as Static<Schema>;
  throw badDetails(collectDetails(checker, value));
}

/** One bad_request for all the fields that are wrong; its message is the first of them in full. */
export function badDetails(details: ErrorDetail[]) {
  const [first] = details;
  const message = first
    ? `${first.path === "" ? "The body" : `\`${first.path}\``} ${first.message}.`
    : "The request is malformed.";
  return badRequest(message, details);
}

function collectDetails(checker: TypeCheck<TSchema>, value: unknown): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>();
  for (const error of checker.Errors(value)) {
    const path = error.path.slice(1).replaceAll("/", ".");
    if (!details.has(path)) details.set(path, { path, message: ruleOf(error.schema, error.value) });
    if (details.size === DETAILS_MAX) break;
  }
  return [...details.values()];
}

/** What a value must be by its schema, in words: «must be …»; of a text, only what it is not yet. */
export function ruleOf(schema: TSchema, value: unknown): string {
  if (value === undefined) return "is missing";
  const text = [schema, ...((schema["anyOf"] as TSchema[] | undefined) ?? [])].find(
    (one) => one[Kind] === TEXT,
  );
  const fault =
    text && typeof value === "string" ? textFault(text as unknown as TextSchema, value) : undefined;
  if (fault !== undefined) return fault;
  if (typeof schema["rule"] === "string") return schema["rule"];
  if (schema["type"] === "array") return arrayRule(schema);
  if (schema["type"] === "object") return "must be a JSON object";
  return `must be a ${String(schema["type"] ?? "valid value")}`;
}

function arrayRule(schema: TSchema): string {
  const min = schema["minItems"] as number | undefined;
  const max = schema["maxItems"] as number | undefined;
  if (min && max) return `must be a list of ${min} to ${max} items`;
  if (max) return `must be a list of at most ${max} items`;
  return min ? `must be a list of at least ${min} item${min > 1 ? "s" : ""}` : "must be a list";
}
