import { OptionalKind, type Static, type TObject, type TSchema } from "@sinclair/typebox";
import { check, faultOf, isEmptyFilter } from "../core/base/check.ts";
import { type ErrorDetail, fault, detailOf, refuseFields } from "../core/base/errors.ts";

/**
 * Parses query parameters with the schema that also documents them. Parsing is strict: no `0x10`, no `1e1`,
 * no blanks, and one value per single parameter. Unknown parameters are ignored (docs/contract.md#2.8).
 */
export function parseQuery<Schema extends TObject>(schema: Schema, query: string): Static<Schema> {
  const sent = query === "" ? NOTHING : split(schema, query);
  const values: Record<string, unknown> = {};
  const details: ErrorDetail[] = [];
  const { properties } = schema;
  for (const name in properties) {
    const property = properties[name] as TSchema;
    const texts = property["type"] === "array" ? listed(sent, name) : sent.get(name);
    if (texts === undefined) {
      if (property["default"] !== undefined) values[name] = property["default"];
      else if (property[OptionalKind] !== "Optional") details.push(fault(name, "missing"));
      continue;
    }
    const isList = property["type"] === "array";
    if (isEmptyFilter(property, isList ? texts : texts.length === 1 ? texts[0] : texts)) continue;
    const value = isList ? texts : single(texts[0] ?? "", property);
    if (!isList && texts.length > 1) details.push(fault(name, "repeated"));
    else if (value === undefined) details.push(detailOf(name, faultOf(property, texts)));
    else values[name] = value;
  }
  if (details.length > 0) throw refuseFields(details);
  return check(schema, values);
}

const NOTHING: ReadonlyMap<string, string[]> = new Map();

/**
 * Decodes application/x-www-form-urlencoded as browsers encode it. Rejects invalid UTF-8 instead of replacing
 * it.
 */
function split(schema: TObject, query: string): ReadonlyMap<string, string[]> {
  const sent = new Map<string, string[]>();
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decode(equals < 0 ? pair : pair.slice(0, equals), QUERY);
    const value = equals < 0 ? "" : decode(pair.slice(equals + 1), hasProperty(schema, name) ? name : QUERY);
    const values = sent.get(name);
    if (values) values.push(value);
    else sent.set(name, [value]);
  }
  return sent;
}

/** Replaces an unknown parameter name in an error, because arbitrary names are not echoed. */
const QUERY = "query";

function decode(text: string, path: string): string {
  try {
    const decoded = decodeURIComponent(text.replaceAll("+", " "));
    if (!decoded.includes("\0")) return decoded;
  } catch {
    // Falls through to the error below.
  }
  throw refuseFields([fault(path, "query_broken")]);
}

function hasProperty({ properties }: TObject, name: string): boolean {
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (property) return true;
  const list = name.endsWith("[]") ? name.slice(0, -2) : "";
  return Object.hasOwn(properties, list) && properties[list]?.["type"] === "array";
}

/** Throws bad_request with the first unknown parameters. Called if the client asks for strict handling. */
export function refuseUnknown(schema: TObject, query: string): void {
  const unknown = [...split(schema, query).keys()].filter((name) => !hasProperty(schema, name));
  if (unknown.length === 0) return;
  const names = new Set(unknown.map((name) => (/^[\w.[\]-]{1,50}$/.test(name) ? name : QUERY)));
  throw refuseFields([...names].slice(0, UNKNOWN_MAX).map((name) => fault(name, "not_known")));
}

const UNKNOWN_MAX = 10;

/**
 * Returns the items of a list. `stack=a&stack=b`, `stack=a,b` and `stack[]=a&stack[]=b` are equal, and empty
 * items are ignored (docs/contract.md#2.14). A list of only empty items is kept for `isEmptyFilter`.
 */
function listed(sent: ReadonlyMap<string, string[]>, name: string): string[] | undefined {
  const texts = [...(sent.get(name) ?? []), ...(sent.get(`${name}[]`) ?? [])];
  if (texts.length === 0) return undefined;
  const items = texts.flatMap((text) => text.split(","));
  const given = items.filter((item) => item !== "");
  return given.length > 0 ? given : items;
}

/** Converts a text to the schema's type. Undefined if the notation is not accepted. */
function single(text: string, schema: TSchema): unknown {
  switch (schema["type"]) {
    case "integer":
      return numberOf(text, /^-?(?:0|[1-9][0-9]{0,15})$/);
    case "number":
      return numberOf(text, /^-?(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,15})?$/);
    case "boolean":
      return text === "true" || text === "1" ? true : text === "false" || text === "0" ? false : undefined;
    default:
      return text;
  }
}

/** `-0` is rejected as another notation of zero. */
function numberOf(text: string, form: RegExp): number | undefined {
  const value = form.test(text) ? Number(text) : undefined;
  return Object.is(value, -0) ? undefined : value;
}
