import { Kind, OptionalKind, type Static, type TSchema, Type, TypeRegistry } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { type ErrorDetail, type Fault, detailOf, refuseFields } from "./errors.ts";
import type { FaultCode } from "./refusals/faults.ts";
import { formatFault, type FaultParamsOf } from "./refusals/refusals.ts";
import { slugOfName } from "./slugs.ts";

/**
 * Building blocks for every schema. Each block is a plain JSON Schema, so that the API documents can show it.
 * Each block also checks values by the rules of docs/contract.md. The field `rule` of a block is the rule as
 * text. The field `fault` is the error for a value that breaks the rule.
 */

const TEXT = "GuildhallText";

export interface TextRule {
  min?: number;
  max: number;
  /** Whether to reject text that is only white space. */
  visible?: boolean;
  /**
   * Whether the text is a name on one line. Such a text must not contain line breaks, other control
   * characters, invisible characters or bidirectional controls.
   */
  line?: boolean;
  description?: string;
  examples?: string[];
}

/**
 * Free text. Length counts Unicode code points. NUL and lone surrogates are rejected because SQLite would not
 * store them unchanged. `rule` does not mention these characters, because nobody types them.
 */
export function Text({ min = 1, max, visible, line, ...docs }: TextRule) {
  const length = formatFault("not_text", { min, max });
  const notBlank = visible ? `, and ${formatFault("text_blank")}` : "";
  const oneLine = line ? `. It ${formatFault("text_unseen")}` : "";
  return Type.Unsafe<string>({
    [Kind]: TEXT,
    type: "string",
    minLength: min,
    maxLength: max,
    ...(visible ? { pattern: "\\S" } : {}),
    ...(line ? { line } : {}),
    ...docs,
    ...ruled("not_text", { min, max }),
    rule: `${length}${notBlank}${oneLine}`,
  });
}

/**
 * Returns the regular expression for the API documents. Uses only syntax that every language shares, so it
 * omits the Unicode list of invisible characters.
 */
export function textPattern({ visible, line }: Pick<TextRule, "visible" | "line">): string {
  const refused = line ? "\\x00-\\x1f\\x7f-\\x9f\\xad" : "\\x00";
  return visible ? `^[^${refused}\\S]*[^${refused}\\s][^${refused}]*$` : `^[^${refused}]*$`;
}

/** The rule of a schema, as text and as an error. */
export interface Ruled {
  rule: string;
  fault: Fault;
}

/** Builds the rule for a schema that is not made by the blocks in this file. */
export function ruled<C extends FaultCode>(code: C, ...[params]: FaultParamsOf<C>): Ruled {
  return { rule: formatFault(code, params), fault: { code, ...(params ? { params } : {}) } };
}

/** Like `ruled`, for a value that may also be null. */
export function ruledOrNull<C extends FaultCode>(code: C, ...params: FaultParamsOf<C>): Ruled {
  const { rule, fault } = ruled(code, ...params);
  return { rule: `${rule}, or null`, fault };
}

/** Builds the schema of a short string that matches a pattern. */
export function PatternText(
  pattern: string,
  rule: Ruled,
  docs: { description?: string; examples?: string[]; maxLength?: number } = {},
) {
  return Type.String({ pattern, ...docs, ...rule });
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
    ...ruled("not_choice", { choices: values }),
  });
}

export function WholeNumber(
  min: number,
  max: number,
  docs: { description?: string; default?: number; examples?: number[] } = {},
) {
  return Type.Integer({
    minimum: min,
    maximum: max,
    ...docs,
    ...ruled("not_whole", { min, max }),
  });
}

/** Longest URL, in characters. */
export const URL_MAX = 2048;

/**
 * A web URL: `https` only (any letter case), at most 2,048 characters. Rejects blanks, invisible characters,
 * bidirectional controls and user names before the host. Pages show the URL as a link, so the visible host
 * must be the real host.
 */
export function HttpsUrl(docs: { description?: string; examples?: string[] } = {}) {
  return Type.Unsafe<string>({
    [Kind]: "GuildhallHttpsUrl",
    type: "string",
    format: "uri",
    pattern: "^[Hh][Tt][Tt][Pp][Ss]://",
    maxLength: URL_MAX,
    ...docs,
    ...ruled("not_https_url", { max: URL_MAX }),
  });
}

/**
 * URL by which people apply for a job: a web URL as in `HttpsUrl`, or `mailto:` with one plain email address
 * (RFC 6068). Rejects `mailto:` fields such as `subject` and `cc`, because a mail program could fill in these
 * fields unnoticed.
 */
export function ContactUrl(docs: { description?: string; examples?: string[] } = {}) {
  return Type.Unsafe<string>({
    [Kind]: "GuildhallContactUrl",
    type: "string",
    format: "uri",
    pattern: `^[Hh][Tt][Tt][Pp][Ss]://|^[Mm][Aa][Ii][Ll][Tt][Oo]:${PLAIN_MAIL}$`,
    maxLength: URL_MAX,
    ...docs,
    ...ruled("not_contact_url", { max: URL_MAX }),
  });
}

const PLAIN_MAIL = "[A-Za-z0-9._+~-]+@(?:[A-Za-z0-9-]+\\.)+[A-Za-z0-9-]+";
const IS_MAILTO = new RegExp(`^mailto:${PLAIN_MAIL}$`, "i");
/** Longest `mailto:` URL: the scheme and the longest email address (RFC 5321 §4.5.3.1.3). */
const MAILTO_MAX = 7 + 254;

/** Lower-case words joined by `-` or `.`: rust, node.js, sao-paulo (docs/contract.md#2.10). */
export function Slug(docs: { description?: string; examples?: string[] } = {}) {
  return PatternText(SLUG, ruled("not_slug"), { maxLength: 50, ...docs });
}

const SLUG = "^[a-z0-9]+(?:[-.][a-z0-9]+)*$";
const IS_SLUG = new RegExp(SLUG);

/** Whether `Slug` accepts the text. */
export function isSlug(text: string): boolean {
  return text.length <= 50 && IS_SLUG.test(text);
}

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

/** Returns the part of the rule that the text breaks, or undefined. */
function textFault({ minLength, maxLength, pattern, line }: TextSchema, text: string): Fault | undefined {
  if (text.includes("\0") || !text.isWellFormed()) return { code: "text_broken" };
  const length = codePoints(text);
  if (length > maxLength) return { code: "text_too_long", params: { max: maxLength, length } };
  if (length === 0 && minLength > 0) return { code: "text_empty" };
  if (length < minLength) return { code: "text_too_short", params: { min: minLength, length } };
  if (line && INVISIBLE.test(text.replace(SHAPING, ""))) return { code: "text_unseen" };
  if (pattern && !(line ? NAME_CHARACTER : VISIBLE).test(text)) return { code: "text_blank" };
  return undefined;
}

/**
 * Invisible and misleading characters: format characters (including bidirectional controls), blanks that
 * count as letters, and unassigned code points. A name can use them to look like another name or to look
 * empty (docs/threats.md#E10). `Default_Ignorable_Code_Point` includes variation selectors.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029\u2800]/u;

/**
 * Allowed uses of `INVISIBLE` characters: joiners and variation selectors in emoji, in Han characters and in
 * joining scripts.
 */
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

/**
 * A visible character. Text with the rule `visible` needs at least one visible character. Control characters
 * count as visible, because browsers draw them as a box.
 */
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2028\u2029\u2800]/u;

/**
 * Whether a text contains a visible character. Spaces and zero-width characters are not visible. Control
 * characters are visible.
 */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/**
 * A letter, number, punctuation mark or symbol. A name needs at least one of these characters, because
 * combining marks and blanks alone show nothing.
 */
const NAME_CHARACTER = /[\p{L}\p{N}\p{P}\p{S}]/u;

TypeRegistry.Set<{ enum: string[] }>(
  "GuildhallChoice",
  (schema, value) => typeof value === "string" && schema.enum.includes(value),
);

TypeRegistry.Set("GuildhallHttpsUrl", (_schema, value) => isHttpsUrl(value));

TypeRegistry.Set(
  "GuildhallContactUrl",
  (_schema, value) =>
    isHttpsUrl(value) || (typeof value === "string" && value.length <= MAILTO_MAX && IS_MAILTO.test(value)),
);

/** Whether `HttpsUrl` accepts the value. */
export function isHttpsUrl(value: unknown): value is string {
  if (
    typeof value !== "string" ||
    value.length > URL_MAX ||
    /[\s\\]/u.test(value) ||
    INVISIBLE.test(value) ||
    !value.isWellFormed()
  )
    return false;
  return /^https:\/\/[^/?#@]+(?:[/?#]|$)/i.test(value) && URL.canParse(value);
}

/** Counts code points, not UTF-16 units (docs/contract.md#2.9). */
export function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800) count--;
  }
  return count;
}

/**
 * Faults of filters that take a cursor, an event ID or a time. An empty string in such a filter is an error
 * and does not mean “not set”.
 */
const POSITION_FAULTS: ReadonlySet<FaultCode> = new Set(["not_cursor", "not_event_id", "not_moment"]);

/**
 * Whether a filter has no value. HTML forms and generated clients send an empty filter when the filter is not
 * set.
 */
export function isEmptyFilter(schema: TSchema, value: unknown): boolean {
  if (schema[OptionalKind] !== "Optional") return false;
  if (Array.isArray(value)) return value.every((item) => item === "");
  const own = schema["fault"] as Fault | undefined;
  return value === "" && schema["type"] === "string" && !(own && POSITION_FAULTS.has(own.code));
}

/** The filters of a list, as its schema defines them. An undefined filter equals an omitted one. */
export type Filtered<Schema extends TSchema> = {
  [Name in keyof Static<Schema>]?: Static<Schema>[Name] | undefined;
};

const compiled = new WeakMap<TSchema, TypeCheck<TSchema>>();
const DETAILS_MAX = 10;

/**
 * Returns `value` typed by the schema. Throws bad_request with one detail for each invalid field, ten at
 * most. A detail names the field and the rule and never repeats the value.
 */
export function check<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  let checker = compiled.get(schema);
  if (!checker) {
    checker = TypeCompiler.Compile(schema as TSchema);
    compiled.set(schema, checker);
  }
  if (checker.Check(value)) return value as Static<Schema>;
  throw refuseFields(collectDetails(checker, shortened(schema, value)));
}

/**
 * Returns the value with each array cut to one item more than the schema allows. Without the cut, TypeBox
 * would build an error for every item of an array that is too long (docs/threats.md#B02).
 */
function shortened(schema: TSchema, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const inner = (schema["anyOf"] as TSchema[] | undefined)?.find(({ type }) => type !== "null") ?? schema;
  if (Array.isArray(value)) {
    const max = inner["maxItems"] as number | undefined;
    const items = inner["items"] as TSchema | undefined;
    const kept = max === undefined || value.length <= max ? value : value.slice(0, max + 1);
    return items?.["type"] === "object" ? kept.map((item) => shortened(items, item)) : kept;
  }
  const properties = Object.entries((inner["properties"] ?? {}) as Record<string, TSchema>);
  return properties.reduce<object>((whole, [name, property]) => {
    const given = (value as Record<string, unknown>)[name];
    const short = Object.hasOwn(value, name) ? shortened(property, given) : given;
    return short === given ? whole : { ...whole, [name]: short };
  }, value);
}

function collectDetails(checker: TypeCheck<TSchema>, value: unknown): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>();
  for (const error of checker.Errors(value)) {
    const path = error.path.slice(1).replaceAll("/", ".");
    if (!details.has(path)) details.set(path, detailOf(path, faultOf(error.schema, error.value)));
    if (details.size === DETAILS_MAX) break;
  }
  return [...details.values()];
}

/** Returns the rule that the value breaks. For a text, names only the broken part of the rule. */
export function faultOf(schema: TSchema, value: unknown): Fault {
  if (value === undefined) return { code: "missing" };
  const text = [schema, ...((schema["anyOf"] as TSchema[] | undefined) ?? [])].find(
    (one) => one[Kind] === TEXT,
  );
  const broken =
    text && typeof value === "string" ? textFault(text as unknown as TextSchema, value) : undefined;
  if (broken) return broken;
  if (schema["type"] === "array") return listFault(schema, value);
  const own = schema["fault"] as Fault | undefined;
  const slug = own?.code === "not_slug" && typeof value === "string" ? slugOfName(value) : undefined;
  if (slug !== undefined) return { code: "not_slug_but_name", params: { slug } };
  return own ?? { code: schema["type"] === "object" ? "not_object" : "not_valid" };
}

function listFault(schema: TSchema, value: unknown): Fault {
  if (!Array.isArray(value)) return { code: "not_list" };
  const min = schema["minItems"] as number | undefined;
  const max = schema["maxItems"] as number | undefined;
  const tooLong = schema["tooLong"] as FaultCode | undefined;
  if (tooLong && max && value.length > max) return { code: tooLong, params: { max } };
  if (min && max) return { code: "list_out_of_range", params: { min, max } };
  if (max) return { code: "list_too_long", params: { max } };
  return min ? { code: "list_too_short", params: { min } } : { code: "not_list" };
}
