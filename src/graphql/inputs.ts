import { OptionalKind, type Static, type TObject, type TSchema } from "@sinclair/typebox";
import { check, isEmptyFilter } from "../core/base/check.ts";
import { CoreError, refuseFields } from "../core/base/errors.ts";
import { withoutNull, enumValues } from "../core/base/view.ts";
import { builder } from "./builder.ts";

/*
 * Converts the core's schemas to GraphQL arguments and input types. Names are the names in REST in camelCase,
 * and descriptions include the limits. The same schemas validate the input.
 */

/** Options of one argument or input field. */
interface FieldOptions {
  type: unknown;
  required: unknown;
  description: string;
  deprecationReason: string | undefined;
}
/** Pothos' function that creates an argument or an input field. Both functions take the same options. */
type CreateField = (options: never) => unknown;

/** `time_zone` → `timeZone`. */
export function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Converts the fields of a schema to arguments or input fields. `owner` is the name prefix of nested inputs.
 */
export function fieldsOf(createField: CreateField, schema: TObject, owner: string): Record<string, never> {
  const fields: Record<string, unknown> = {};
  for (const [name, property] of Object.entries<TSchema>(schema.properties)) {
    const { inner, isNullable } = withoutNull(property);
    const isRequired = property[OptionalKind] !== "Optional" && !isNullable;
    const isList = inner["type"] === "array";
    const type = typeOf(isList ? inner["items"] : inner, owner, capital(camel(name)));
    const options: FieldOptions = {
      type: isList ? [type] : type,
      required: isList ? { list: isRequired, items: true } : isRequired,
      description: describe(property, inner),
      deprecationReason: property["deprecated"] as string | undefined,
    };
    fields[camel(name)] = createField(options as never);
  }
  return fields as Record<string, never>;
}

/**
 * Validates input against a schema. A `null` counts as omitted if the schema does not allow null. Throws
 * bad_request like REST, with paths in camelCase.
 */
export function readInput<Schema extends TObject>(schema: Schema, given: object): Static<Schema> {
  try {
    return check(schema, toSnakeCase(schema, given as Record<string, unknown>));
  } catch (error) {
    if (error instanceof CoreError && error.details)
      throw refuseFields(error.details.map((detail) => ({ ...detail, path: camel(detail.path) })));
    throw error;
  }
}

/** Same as `readInput`, for the arguments of a list. Empty filters are ignored, as in REST. */
export function readFilter<Schema extends TObject>(schema: Schema, given: object): Static<Schema> {
  const values = Object.entries(given).filter(([name, value]) => {
    const property = Object.entries<TSchema>(schema.properties).find(([key]) => camel(key) === name)?.[1];
    return property === undefined || !isEmptyFilter(property, value);
  });
  return readInput(schema, Object.fromEntries(values));
}

function toSnakeCase(schema: TSchema, given: Record<string, unknown>): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, property] of Object.entries<TSchema>(schema["properties"])) {
    const value = given[camel(name)];
    const { inner, isNullable } = withoutNull(property);
    if (value === undefined || (value === null && !isNullable)) continue;
    const isObject = inner["type"] === "object" && value !== null;
    values[name] = isObject ? toSnakeCase(inner, value as Record<string, unknown>) : value;
  }
  return values;
}

const enums = new Map<string, { name: string; ref: unknown }>();
const objects = new Map<string, { schema: TSchema; ref: unknown }>();

/**
 * Registers an enum for a list of values. `typeOf` finds the enum by its values. If any value is not a valid
 * GraphQL name (`feed:read`, `post.created`, `first-post`), all values of the enum are written like
 * FEED_READ.
 */
export function enumOf<const Values extends readonly string[]>(
  name: string,
  values: Values,
  description: string,
  descriptions?: Readonly<Partial<Record<Values[number], string>>>,
) {
  const areNames = values.every((value) => /^\w+$/.test(value));
  const ref = builder.enumType(name, {
    description,
    values: Object.fromEntries(
      values.map((value) => [
        areNames ? value : value.replaceAll(/\W/g, "_").toUpperCase(),
        { value, description: descriptions?.[value as Values[number]] ?? `\`${value}\`` },
      ]),
    ) as { [Value in Values[number]]: { value: Value; description: string } },
  });
  enums.set(values.join(), { name, ref });
  return ref;
}

export function typeOf(schema: TSchema, owner: string, name: string): unknown {
  const values = enumValues(schema);
  if (values) {
    const known = enums.get(values.join());
    if (!known) throw new Error(`${owner}${name}: make an enum of ${values.join()} first`);
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
 * Returns the input type of a schema. Equal schemas share one type. If another schema already uses the name,
 * the new type gets its owner's name as prefix.
 */
function objectOf(schema: TObject, owner: string, field: string): unknown {
  const name = objects.has(`${field}Input`) ? `${owner}${field}Input` : `${field}Input`;
  const known = [...objects.values()].find(
    (one) => one.schema === schema || isSameSchema(one.schema, schema),
  );
  if (known) return known.ref;
  const ref = builder.inputType(name, {
    description: describe(schema, schema),
    fields: (t) => fieldsOf((options) => t.field(options), schema, name),
  });
  objects.set(name, { schema, ref });
  return ref;
}

function isSameSchema(one: TSchema, other: TSchema): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns the description of a field, including its limits. */
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
