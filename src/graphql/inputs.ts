import { OptionalKind, type Static, type TObject, type TSchema } from "@sinclair/typebox";
import { check, isEmptyFilter } from "../core/base/check.ts";
import { CoreError, refuseFields } from "../core/base/errors.ts";
import { withoutNull, wordsAllowed } from "../core/base/view.ts";
import { builder } from "./builder.ts";

/*
 * A rule is written once, in the core, as a schema. Here it becomes arguments and inputs: REST's names in
 * camelCase, its descriptions and limits in words; and what came in is checked by that very schema.
 */

/** The words of one argument or input field. */
interface FieldWords {
  type: unknown;
  required: unknown;
  description: string;
  deprecationReason: string | undefined;
}
/** Pothos' own maker of arguments, or of input fields: both take the same words. */
type Make = (words: never) => unknown;

/** `time_zone` → `timeZone`. */
export function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * The fields of a schema as arguments or as the fields of an input. `owner` names the inputs inside of it.
 */
export function fieldsOf(make: Make, schema: TObject, owner: string): Record<string, never> {
  const fields: Record<string, unknown> = {};
  for (const [name, property] of Object.entries<TSchema>(schema.properties)) {
    const { inner, isNullable } = withoutNull(property);
    const isRequired = property[OptionalKind] !== "Optional" && !isNullable;
    const isList = inner["type"] === "array";
    const type = typeOf(isList ? inner["items"] : inner, owner, capital(camel(name)));
    const words: FieldWords = {
      type: isList ? [type] : type,
      required: isList ? { list: isRequired, items: true } : isRequired,
      description: describe(property, inner),
      deprecationReason: property["deprecated"] as string | undefined,
    };
    fields[camel(name)] = make(words as never);
  }
  return fields as Record<string, never>;
}

/**
 * What came in, as the schema says it is. null means «left out» wherever the schema has no null of its own.
 * Throws bad_request as REST does, its paths in our names.
 */
export function readInput<Schema extends TObject>(schema: Schema, given: object): Static<Schema> {
  try {
    return check(schema, snaked(schema, given as Record<string, unknown>));
  } catch (error) {
    if (error instanceof CoreError && error.details)
      throw refuseFields(error.details.map((detail) => ({ ...detail, path: camel(detail.path) })));
    throw error;
  }
}

/** The same for the arguments of a list. An empty one is ignored, as in REST. */
export function readFilter<Schema extends TObject>(schema: Schema, given: object): Static<Schema> {
  const values = Object.entries(given).filter(([name, value]) => {
    const property = Object.entries<TSchema>(schema.properties).find(([key]) => camel(key) === name)?.[1];
    return property === undefined || !isEmptyFilter(property, value);
  });
  return readInput(schema, Object.fromEntries(values));
}

function snaked(schema: TSchema, given: Record<string, unknown>): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, property] of Object.entries<TSchema>(schema["properties"])) {
    const value = given[camel(name)];
    const { inner, isNullable } = withoutNull(property);
    if (value === undefined || (value === null && !isNullable)) continue;
    const isObject = inner["type"] === "object" && value !== null;
    values[name] = isObject ? snaked(inner, value as Record<string, unknown>) : value;
  }
  return values;
}

const enums = new Map<string, { name: string; ref: unknown }>();
const objects = new Map<string, { schema: TSchema; ref: unknown }>();

/**
 * Makes the enum of a `Choice` known under a name; one list of words is one enum. Where one of them is no
 * name in GraphQL (`feed:read`, `post.created`, `first-post`), all are written as FEED_READ.
 */
export function enumOf<const Values extends readonly string[]>(
  name: string,
  values: Values,
  description: string,
  words?: Readonly<Partial<Record<Values[number], string>>>,
) {
  const areNames = values.every((value) => /^\w+$/.test(value));
  const ref = builder.enumType(name, {
    description,
    values: Object.fromEntries(
      values.map((value) => [
        areNames ? value : value.replaceAll(/\W/g, "_").toUpperCase(),
        { value, description: words?.[value as Values[number]] ?? `\`${value}\`` },
      ]),
    ) as { [Value in Values[number]]: { value: Value; description: string } },
  });
  enums.set(values.join(), { name, ref });
  return ref;
}

export function typeOf(schema: TSchema, owner: string, name: string): unknown {
  const words = wordsAllowed(schema);
  if (words) {
    const known = enums.get(words.join());
    if (!known) throw new Error(`${owner}${name}: make an enum of ${words.join()} first`);
    return known.ref;
  }
  switch (schema["type"]) {
    case "integer":
      return "Int";
    case "number":
      return "Float";
    case "boolean":
      return "Boolean";
    case "object":
      return objectOf(schema as TObject, owner, name);
    default:
      return schema["format"] === "date-time" ? "DateTime" : "String";
  }
}

/**
 * One schema is one input, wherever it stands; another one of the same name is called after its owner, too.
 */
function objectOf(schema: TObject, owner: string, field: string): unknown {
  const name = objects.has(`${field}Input`) ? `${owner}${field}Input` : `${field}Input`;
  const known = [...objects.values()].find((one) => one.schema === schema || same(one.schema, schema));
  if (known) return known.ref;
  const ref = builder.inputType(name, {
    description: describe(schema, schema),
    fields: (t) => fieldsOf((words) => t.field(words), schema, name),
  });
  objects.set(name, { schema, ref });
  return ref;
}

function same(one: TSchema, other: TSchema): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The description of a field, with its rule. */
function describe(property: TSchema, inner: TSchema): string {
  const said = (property["description"] ?? inner["description"]) as string | undefined;
  const rule = (property["rule"] ?? inner["rule"] ?? listRule(inner)) as string | undefined;
  const sentences = [said, rule].filter((part) => part !== undefined).map(sentence);
  return sentences.length > 0 ? sentences.join(" ") : "The same as in REST.";
}

function listRule(schema: TSchema): string | undefined {
  const [min, max] = [schema["minItems"] as number | undefined, schema["maxItems"] as number | undefined];
  const item = (schema["items"] as TSchema | undefined)?.["rule"];
  const length = max === undefined ? undefined : min ? `${min} to ${max} items` : `at most ${max} items`;
  return length && `${length}${item ? `. Each item ${item}` : ""}`;
}

function sentence(text: string): string {
  return `${capital(text)}${text.endsWith(".") ? "" : "."}`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
