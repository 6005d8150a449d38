import { Kind, type TObject, type TProperties, type TSchema, Type, TypeRegistry } from "@sinclair/typebox";

/*
 * A view describes a type in responses: field names, types, descriptions, examples. A draft describes a type
 * in requests. REST responses, the OpenAPI document and the GraphQL types are derived from views.
 */

interface Docs {
  description?: string;
  examples?: unknown[];
}

const TIMESTAMP = "GuildhallTimestamp";

/** A time in milliseconds since the epoch. Every transport formats it as RFC 3339. */
export function Timestamp(docs: Docs = {}) {
  return Type.Unsafe<number>({
    [Kind]: TIMESTAMP,
    type: "string",
    format: "date-time",
    examples: ["2026-11-20T09:30:00.000Z"],
    ...docs,
  });
}

TypeRegistry.Set(TIMESTAMP, (_schema, value) => typeof value === "number");

export function isTimestamp(schema: TSchema): boolean {
  return schema[Kind] === TIMESTAMP;
}

/** An opaque identifier. `example` is a complete identifier. */
export function Id(example: string, description?: string) {
  return Type.String({ ...(description ? { description } : {}), examples: [example] });
}

/** Schema of a text in a response. */
export function DisplayText(description: string, ...examples: string[]) {
  return Type.String({ description, ...(examples.length > 0 ? { examples } : {}) });
}

/** A schema that also allows null. Use `example: null` when null is the most common value. */
export function orNull<Schema extends TSchema>(schema: Schema, docs: string | Docs) {
  return Type.Union([schema, Type.Null()], typeof docs === "string" ? { description: docs } : docs);
}

/**
 * An enumeration in a response. Each value is a separate literal, so that generated clients have a name for
 * the value.
 */
export function Enum<const Words extends readonly string[]>(words: Words, description: string) {
  return Type.Union(
    words.map((word: Words[number]) => Type.Literal(word)),
    { description },
  );
}

/** Returns the values of an enumeration; undefined for any other schema. */
export function enumValues(schema: TSchema): readonly string[] | undefined {
  const members = schema["anyOf"] as TSchema[] | undefined;
  const isEnum = members?.every((member) => typeof member["const"] === "string");
  return isEnum ? members?.map((member) => member["const"]) : (schema["enum"] as string[] | undefined);
}

/** Returns the schema inside `orNull`, and whether it was nullable. */
export function withoutNull(schema: TSchema): { inner: TSchema; isNullable: boolean } {
  const members = schema["anyOf"] as TSchema[] | undefined;
  const inner = members?.find((member) => member["type"] !== "null");
  return inner && members?.length === 2 && members.some((member) => member["type"] === "null")
    ? { inner, isNullable: true }
    : { inner: schema, isNullable: false };
}

/**
 * Returns the description of a field, so that other documents can reuse it. Throws when the field has no
 * description.
 */
export function descriptionOf(schema: TSchema): string {
  if (schema.description === undefined) throw new Error("a field of a view says nothing of itself");
  return schema.description;
}

/** Builds a named view from some fields of another view, in this order. */
export function pickFields<
  View extends TObject,
  const Names extends readonly (keyof View["properties"] & string)[],
>($id: string, view: View, names: Names, docs: Docs = {}) {
  const { properties } = view;
  return Type.Object(
    Object.fromEntries(names.map((name) => [name, properties[name]])) as unknown as {
      [Name in Names[number]]: View["properties"][Name];
    },
    { $id, ...docs },
  );
}

/** Builds a named view from all fields of two views. */
export function mergeViews<One extends TProperties, Other extends TProperties>(
  $id: string,
  one: TObject<One>,
  other: TObject<Other>,
): TObject<One & Other> {
  return Type.Object({ ...one.properties, ...other.properties }, { $id });
}
