import { OptionalKind, type Static, type TObject, type TSchema } from "@sinclair/typebox";
import { badDetails, check, ruleOf } from "../core/check.ts";
import { badRequest, type ErrorDetail } from "../core/errors.ts";

/**
 * The parameters of a query by the schema that also documents them. Values are read strictly, by our own rules: no
 * `0x10`, no `1e1`, no blanks, one value where one is meant. Unknown parameters are ignored (CONTRACT).
 */
export function parseQuery<Schema extends TObject>(schema: Schema, query: string): Static<Schema> {
  const sent = query === "" ? NOTHING : split(query);
  const values: Record<string, unknown> = {};
  const details: ErrorDetail[] = [];
  for (const [name, property] of Object.entries<TSchema>(schema.properties)) {
    const texts = property["type"] === "array" ? listed(sent, name) : sent.get(name);
    if (texts === undefined) {
      if (property["default"] !== undefined) values[name] = property["default"];
      else if (property[OptionalKind] !== "Optional") details.push({ path: name, message: "is missing" });
      continue;
    }
    const isList = property["type"] === "array";
    const value = isList ? texts : single(texts[0] ?? "", property);
    if (!isList && texts.length > 1) details.push({ path: name, message: "must be given only once" });
    else if (value === undefined) details.push({ path: name, message: ruleOf(property, texts) });
    else values[name] = value;
  }
  if (details.length > 0) throw badDetails(details);
  return check(schema, values);
}

const NOTHING: ReadonlyMap<string, string[]> = new Map();

/** Decodes as browsers encode (application/x-www-form-urlencoded), but refuses what is not UTF-8 instead of replacing it. */
function split(query: string): ReadonlyMap<string, string[]> {
  const sent = new Map<string, string[]>();
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? "" : decode(pair.slice(equals + 1));
    const values = sent.get(name);
    if (values) values.push(value);
    else sent.set(name, [value]);
  }
  return sent;
}

function decode(text: string): string {
  try {
    const decoded = decodeURIComponent(text.replaceAll("+", " "));
    if (!decoded.includes("\0")) return decoded;
  } catch {
    // Falls through to the one refusal.
  }
  throw badRequest("The query holds a NUL, or percent signs that do not encode UTF-8; encode it again.");
}

/** `stack=a&stack=b`, `stack=a,b` and `stack[]=a&stack[]=b` mean the same (§4 leaves the encoding open). */
function listed(sent: ReadonlyMap<string, string[]>, name: string): string[] | undefined {
  const texts = [...(sent.get(name) ?? []), ...(sent.get(`${name}[]`) ?? [])];
  return texts.length === 0 ? undefined : texts.flatMap((text) => text.split(","));
}

/** A value as its type; undefined where it is written another way. */
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

/** A minus before nothing is another notation of zero. */
function numberOf(text: string, form: RegExp): number | undefined {
  const value = form.test(text) ? Number(text) : undefined;
  return Object.is(value, -0) ? undefined : value;
}
