import { ContactUrl, HttpsUrl, Slug, textPattern } from "../../core/base/check.ts";
import { countWithNoun } from "../../core/base/count-with-noun.ts";
import { Username } from "../../core/identity/builders/username.ts";

/** What the reference says of a schema, and the examples that it makes of one. */

type Bound = "minimum" | "maximum" | "minLength" | "maxLength" | "minItems" | "maxItems";

/** JSON Schema as far as our own schemas go. */
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

/** One row of a table: a parameter, or a field by what it stands in (`data[].author.`). */
export interface Field {
  within: string;
  name: string;
  /** Where it is sent, and whether it has to be. */
  note: string;
  schema: Schema;
}

/** The fields of an object row by row, those of nested objects and lists under their own. */
export function fieldsOf({ properties = {}, required = [] }: Schema, within = ""): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => [
    { within, name, note: required.includes(name) ? "required" : "optional", schema },
    ...fieldsOf(schema, `${within}${name}.`),
    ...fieldsOf(schema.items ?? {}, `${within}${name}[].`),
  ]);
}

/** `string`, `integer`, `object[]`, `string or null`. */
export function typeOf(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" or ");
  return schema.type === "array" ? `${typeOf(schema.items ?? {})}[]` : (schema.type ?? "any");
}

/**
 * The rule of a value in a few words, such as «1 to 100, default 20»; empty where any value of the type will
 * do.
 */
export function ruleOf(schema: Schema): string {
  const item = schema.items ? ruleOf(schema.items) : "";
  return [
    range(schema.minimum, schema.maximum),
    range(schema.minItems, schema.maxItems, "item"),
    item && `each ${item}`,
    schema.enum && `one of ${schema.enum.map((value) => `\`${String(value)}\``).join(", ")}`,
    // A form in words says how long, too.
    form(schema) ?? range(schema.minLength, schema.maxLength, "character"),
    TEXTS.get(schema.pattern ?? "") ? "not blank" : "",
    schema.default === undefined ? "" : `default ${String(schema.default)}`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** Forms of strings that have a name; another one shows its expression. */
const FORMS: ReadonlyMap<string, string> = new Map([
  [Slug().pattern ?? "", "slug"],
  [Username.pattern ?? "", "username"],
  [(Username.pattern ?? "").replaceAll("a-z", "A-Za-z"), "username"],
  [HttpsUrl().pattern ?? "", "https:// URL"],
  [ContactUrl().pattern ?? "", "https:// or mailto: URL"],
]);

/** Forms that any text has, and whether it must show something: nobody types what else they refuse. */
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

/** A value that the schema's own examples make; undefined where it gives none. */
export function exampleOf(schema: Schema): unknown {
  if (schema.examples) return schema.examples[0];
  const item = schema.items && exampleOf(schema.items);
  if (schema.items) return item === undefined ? undefined : [item];
  if (!schema.properties) return undefined;
  const parts = Object.entries(schema.properties).map(([name, part]) => [name, exampleOf(part)] as const);
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined));
}

/** For a POSIX shell: single quotes keep everything but themselves. */
export function quote(text: string): string {
  return /^[\w:/.[\]%-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const LINE_LENGTH = 52;

/** Like JSON.stringify with two blanks, but what fits on a line stays on one. */
export function json(value: unknown, indent = "", begun = indent.length): string {
  // No text holds a bare line end, so each of these is the layout's.
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
