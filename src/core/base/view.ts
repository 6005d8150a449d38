import { Kind, type TObject, type TProperties, type TSchema, Type, TypeRegistry } from "@sinclair/typebox";

/*
 * A view says what is shown of a noun, beside the draft that says what is taken: names as the core has them,
 * types, words, examples. REST's answers, the OpenAPI document and GraphQL's types are made from it.
 */

interface Docs {
  description?: string;
  examples?: unknown[];
}

const TIMESTAMP = "GuildhallTimestamp";

/** A time in the core's form, milliseconds since the epoch; every transport gives it out as RFC 3339. */
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

/** An identifier: an opaque text. `example` is a whole one. */
export function Id(example: string, description?: string) {
  return Type.String({ ...(description ? { description } : {}), examples: [example] });
}

/** A text that is shown. */
export function Shown(description: string, ...examples: string[]) {
  return Type.String({ description, ...(examples.length > 0 ? { examples } : {}) });
}

/** `example` null: nothing is what a reader meets most. */
export function orNull<Schema extends TSchema>(schema: Schema, docs: string | Docs) {
  return Type.Union([schema, Type.Null()], typeof docs === "string" ? { description: docs } : docs);
}

/**
 * One of some words, as an answer shows it: each is said by itself, so that a generated client knows it by
 * name.
 */
export function OneOf<const Words extends readonly string[]>(words: Words, description: string) {
  return Type.Union(
    words.map((word: Words[number]) => Type.Literal(word)),
    { description },
  );
}

/** The words that a schema allows, where it allows but some. */
export function wordsAllowed(schema: TSchema): readonly string[] | undefined {
  const members = schema["anyOf"] as TSchema[] | undefined;
  const isOneOf = members?.every((member) => typeof member["const"] === "string");
  return isOneOf ? members?.map((member) => member["const"]) : (schema["enum"] as string[] | undefined);
}

/** The schema inside of `orNull`, and whether it was one. */
export function withoutNull(schema: TSchema): { inner: TSchema; isNullable: boolean } {
  const members = schema["anyOf"] as TSchema[] | undefined;
  const inner = members?.find((member) => member["type"] !== "null");
  return inner && members?.length === 2 && members.some((member) => member["type"] === "null")
    ? { inner, isNullable: true }
    : { inner: schema, isNullable: false };
}

/** What a view says of a field, for what stands beside it in another form. Throws where it says nothing. */
export function descriptionOf(schema: TSchema): string {
  if (schema.description === undefined) throw new Error("a field of a view says nothing of itself");
  return schema.description;
}

/** A named view of some fields of another view, in this order. */
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

/** A named view of all fields of two views. */
export function mergeViews<One extends TProperties, Other extends TProperties>(
  $id: string,
  one: TObject<One>,
  other: TObject<Other>,
): TObject<One & Other> {
  return Type.Object({ ...one.properties, ...other.properties }, { $id });
}
