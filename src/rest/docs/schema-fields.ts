import { ContactUrl, HttpsUrl, Slug, textPattern } from "../../core/base/check.ts";
import { countWithNoun } from "../../core/base/count-with-noun.ts";
import { Username } from "../../core/identity/builders/username.ts";

/** Describes schemas for the reference, and builds examples from them. */

type Bound = "minimum" | "maximum" | "minLength" | "maxLength" | "minItems" | "maxItems";

/** The subset of JSON Schema that our schemas use. */
export interface Schema extends Partial<Record<Bound, number>> {
  type?: string;
  format?: string;
  pattern?: string;
  description?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  default?: unknown;
  examples?: unknown[] | undefined;
}

/** One row of a table: a parameter or a field. `parentPath` is the path of the parent (`data[].author.`). */
export interface Field {
  parentPath: string;
  name: string;
  /** Where the value is sent, and whether it is required. */
  note: string;
  schema: Schema;
}

/** Returns the fields of an object as rows. Nested fields follow their parent. */
export function fieldsOf({ properties = {}, required = [] }: Schema, parentPath = ""): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => [
    { parentPath, name, note: required.includes(name) ? "required" : "optional", schema },
    ...fieldsOf(schema, `${parentPath}${name}.`),
    ...fieldsOf(schema.items ?? {}, `${parentPath}${name}[].`),
  ]);
}

/** Returns a type as text: `string`, `integer`, `object[]`, `string or null`. */
export function typeOf(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" or ");
  return schema.type === "array" ? `${typeOf(schema.items ?? {})}[]` : (schema.type ?? "any");
}

/**
 * Returns the constraints of a value, such as “1 to 100, default 20”. Empty if any value of the type is
 * valid.
 */
export function ruleOf(schema: Schema): string {
  const item = schema.items ? ruleOf(schema.items) : "";
  return [
    range(schema.minimum, schema.maximum),
    range(schema.minItems, schema.maxItems, "item"),
    item && `each ${item}`,
    schema.enum && `one of ${schema.enum.map((value) => `\`${String(value)}\``).join(", ")}`,
    // A named form already states the length.
    form(schema) ?? range(schema.minLength, schema.maxLength, "character"),
    TEXTS.get(schema.pattern ?? "") ? "not blank" : "",
    schema.default === undefined ? "" : `default ${String(schema.default)}`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** Names of known string patterns. Other patterns are shown as regular expressions. */
const FORMS: ReadonlyMap<string, string> = new Map([
  [Slug().pattern ?? "", "slug"],
  [Username.pattern ?? "", "username"],
  [(Username.pattern ?? "").replaceAll("a-z", "A-Za-z"), "username"],
  [HttpsUrl().pattern ?? "", "https:// URL"],
  [ContactUrl().pattern ?? "", "https:// or mailto: URL"],
]);

/**
 * Patterns that accept any text, and whether the text must be visible. These patterns only reject characters
 * that nobody types.
 */
const TEXTS: ReadonlyMap<string, boolean> = new Map(
  [true, false].flatMap((visible) =>
    [true, false].map((line) => [textPattern({ visible, line }), visible] as const),
  ),
);

function form({ format, pattern, maxLength = 0 }: Schema): string | undefined {
  if (format === "date-time") return "ISO 8601 time";
  const own = pattern?.replace(/^\^\$\|/, "");
  if (own === undefined || TEXTS.has(own)) return format === "uri" ? "URL" : undefined;
  const upTo = maxLength > 100 ? `, up to ${plural(maxLength, "character")}` : "";
  return FORMS.has(own) ? FORMS.get(own) + upTo : `matches \`${own}\``;
}

function range(min: number | undefined, max: number | undefined, unit?: string): string {
  if (max === undefined) return min ? `at least ${plural(min, unit)}` : "";
  if (min === undefined || (min === 0 && unit)) return `up to ${plural(max, unit)}`;
  return `${min.toLocaleString("en-US")} to ${plural(max, unit)}`;
}

function plural(amount: number, unit?: string): string {
  return unit ? countWithNoun(amount, unit) : amount.toLocaleString("en-US");
}

/** Builds a value from the examples of a schema. Undefined if it has none. */
export function exampleOf(schema: Schema): unknown {
  if (schema.examples) return schema.examples[0];
  const item = schema.items && exampleOf(schema.items);
  if (schema.items) return item === undefined ? undefined : [item];
  if (!schema.properties) return undefined;
  const parts = Object.entries(schema.properties).map(([name, part]) => [name, exampleOf(part)] as const);
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined));
}

/** Quotes a text for a POSIX shell. */
export function quote(text: string): string {
  return /^[\w:/.[\]%-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const LINE_LENGTH = 52;

/** Like JSON.stringify with two spaces, but a value that fits on one line is not broken. */
export function json(value: unknown, indent = "", begun = indent.length): string {
  // JSON escapes line breaks in strings, so every line break belongs to the layout.
  const layout = JSON.stringify(value, null, 1) ?? "null";
  const line = layout.replaceAll(/(?<=\[)\n *|\n *(?=\])/g, "").replaceAll(/\n */g, " ");
  if (typeof value !== "object" || value === null || line.length <= LINE_LENGTH - begun) return line;
  const inner = `${indent}  `;
  const parts = Object.entries(value).map(([name, part]) => {
    const start = inner + (Array.isArray(value) ? "" : `${JSON.stringify(name)}: `);
    return start + json(part, inner, start.length);
  });
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${parts.join(",\n")}\n${indent}${close}`;
}
