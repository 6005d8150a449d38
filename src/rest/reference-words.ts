import { Username } from "../core/identity/builders/username.ts";
import { Slug, textPattern } from "../core/ground/check.ts";
import { type ApiOperation, exampleOf, type Schema } from "./reference-document.ts";
import { printJson } from "./reference-parts.tsx";

/** The examples keep the token in a variable of the shell, so that none of them holds what looks like one. */
export const AUTHORIZATION = '-H "Authorization: Bearer $TOKEN"';

/** `string`, `integer`, `object[]`, `string or null`. */
export function typeOf(schema: Schema): string {
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.type === "array") return `${schema.items ? typeOf(schema.items) : "any"}[]`;
  return schema.type ?? "any";
}

/** The rule of a value in a few words, such as «1 to 100, default 20»; empty where any value of the type will do. */
export function ruleOf(schema: Schema): string {
  const item = schema.items ? ruleOf(schema.items) : "";
  return [
    range(schema.minimum, schema.maximum),
    range(schema.minItems, schema.maxItems, "item"),
    item === "" ? undefined : `each ${item}`,
    schema.enum && `one of ${schema.enum.map((value) => `\`${String(value)}\``).join(", ")}`,
    // A form in words says how long, too.
    form(schema) ?? range(schema.minLength, schema.maxLength, "character"),
    schema.pattern !== undefined && TEXTS.get(schema.pattern) ? "not blank" : undefined,
    schema.default === undefined ? undefined : `default ${showExample(schema.default)}`,
  ]
    .filter((part) => part !== undefined)
    .join(", ");
}

export function showExample(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A command to paste: the path and body are filled with the examples of the document. */
export function curlOf(operation: ApiOperation, baseUrl: string): string {
  const { method, path, parameters, body, scope } = operation;
  const filled = path.replaceAll(/\{(\w+)\}/g, (hole, name: string) => {
    const example = parameters.find(
      (parameter) => parameter.in === "path" && parameter.name === name,
    )?.example;
    return example === undefined ? hole : encodeURIComponent(showExample(example));
  });
  const query = parameters
    .filter((parameter) => parameter.in === "query")
    .flatMap(({ name, schema }) => {
      const example = exampleOf(schema);
      const values = Array.isArray(example) ? example : [example];
      return values.filter((value) => value !== undefined).map((value) => `${name}=${String(value)}`);
    });
  const isPlain = method === "GET" || (method === "POST" && body !== undefined);
  const words = [
    `curl ${query.length > 0 ? "-G " : ""}${isPlain ? "" : `-X ${method} `}${quoteAddress(baseUrl + filled)}`,
    ...(scope === undefined ? [] : [AUTHORIZATION]),
    ...query.map((pair) => `--data-urlencode ${quote(pair)}`),
    ...(body === undefined
      ? []
      : [
          '-H "Content-Type: application/json"',
          `-d ${quote(printJson(exampleOf(body)).replaceAll("\n", "\n  "))}`,
        ]),
  ];
  return words.join(" \\\n  ");
}

/** Forms of strings that have a name; another one shows its expression. */
const FORMS: ReadonlyMap<string, string> = new Map([
  [Slug().pattern ?? "", "slug"],
  [Username.pattern ?? "", "username"],
  [(Username.pattern ?? "").replaceAll("a-z", "A-Za-z"), "username"],
  ["^https://", "https:// address"],
]);

/** Forms that any text has, and whether it must show something: nobody types what else they refuse. */
const TEXTS: ReadonlyMap<string, boolean> = new Map(
  [true, false].flatMap((visible) =>
    [true, false].map((line) => [textPattern({ visible, line }), visible] as const),
  ),
);

function form({ format, pattern, maxLength }: Schema): string | undefined {
  const upTo = maxLength !== undefined && maxLength > 100 ? `, up to ${count(maxLength)} characters` : "";
  if (format === "date-time") return "ISO-8601 time";
  const own = pattern?.replace(/^\^\$\|/, "");
  if (own === undefined || TEXTS.has(own)) return format === "uri" ? "URL" : undefined;
  const name = FORMS.get(own);
  return name === undefined ? `matches \`${own}\`` : name + upTo;
}

function range(min: number | undefined, max: number | undefined, unit?: string): string | undefined {
  if (max === undefined) return min ? `at least ${plural(min, unit)}` : undefined;
  if (min === undefined || (min === 0 && unit !== undefined)) return `up to ${plural(max, unit)}`;
  return `${count(min)} to ${plural(max, unit)}`;
}

function plural(amount: number, unit?: string): string {
  if (unit === undefined) return count(amount);
  return `${count(amount)} ${unit}${amount === 1 ? "" : "s"}`;
}

export function count(amount: number): string {
  return amount.toLocaleString("en-US");
}

/** For a POSIX shell: single quotes keep everything but themselves. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function quoteAddress(address: string): string {
  return /^[\w:/.[\]%-]+$/.test(address) ? address : quote(address);
}
