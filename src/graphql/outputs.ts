import type { ObjectFieldsShape } from "@pothos/core";
import { OptionalKind, type TObject, type TSchema } from "@sinclair/typebox";
import { isTimestamp, withoutNull, descriptionOf } from "../core/base/view.ts";
import { builder } from "./builder.ts";
import type { GraphContext } from "./context.ts";
import { typeOf } from "./inputs.ts";

/*
 * Converts the core's views to GraphQL fields. Names, types and descriptions are the same as in the view.
 * Edges and fields that are read in batches are not in a view and are written by hand. `inputs.ts` converts
 * schemas to arguments.
 */

/** GraphQL types by their view. If a view contains another view, the type of the inner view is used. */
const types = new Map<TSchema, unknown>();

/** Pothos' function that creates a field. */
type CreateField = (options: never) => unknown;

/**
 * Reads a field of an object. The object may be loaded in part, so a missing field is read from the database.
 */
export type Read<Noun = Record<string, unknown>> = (
  noun: Noun,
  name: string,
  context: GraphContext,
) => unknown;

/**
 * Returns the fields of a view, except those in `omitted`. Throws at startup if a field has no description.
 * `texts` contains the fields that also exist as an enum field, each with its deprecation reason. The fields
 * in `texts` remain strings.
 */
export function outputsOf(
  createField: CreateField,
  view: TObject,
  omitted: readonly string[] = [],
  read: Read = (noun, name) => noun[name],
  texts: Readonly<Record<string, string>> = {},
): Record<string, never> {
  const fields: Record<string, unknown> = {};
  for (const [name, property] of Object.entries<TSchema>(view.properties)) {
    if (omitted.includes(name)) continue;
    const { inner, isNullable } = withoutNull(property);
    const isList = inner["type"] === "array";
    const deprecationReason = texts[name];
    const type = deprecationReason ? "String" : outputOf(isList ? inner["items"] : inner, name);
    const description = (property["description"] ?? inner["description"]) as string | undefined;
    if (description === undefined) throw new Error(`${String(view["$id"])}.${name} has no description`);
    const options = {
      type: isList ? [type] : type,
      ...(isNullable || property[OptionalKind] === "Optional" ? { nullable: true } : {}),
      description,
      ...(deprecationReason ? { deprecationReason } : {}),
      resolve: (noun: Record<string, unknown>, _args: object, context: GraphContext) =>
        read(noun, name, context) ?? null,
    };
    fields[name] = createField(options as never);
  }
  return fields as Record<string, never>;
}

/**
 * Defines the object type of a view. Views that contain this view use the same type. Fields in `fields`
 * replace view fields of the same name. Fields in `out` are omitted.
 */
export function output<Noun extends object>(
  name: string,
  view: TObject,
  description: string,
  {
    out: omitted = [],
    isNode = false,
    fields,
  }: { out?: readonly string[]; isNode?: boolean; fields?: ObjectFieldsShape<Types, Noun> } = {},
) {
  const ref = builder.objectRef<Noun>(name).implement({
    description,
    ...(isNode ? { interfaces: [builder.nodeInterfaceRef()] } : {}),
    fields: (t) => fieldsWith(t as never, view, omitted, fields),
  });
  types.set(view, ref);
  return ref;
}

/** Returns the fields of a view and the hand-written fields. */
export function fieldsWith<Noun>(
  t: Parameters<ObjectFieldsShape<Types, Noun>>[0],
  view: TObject | undefined,
  omitted: readonly string[],
  fields: ObjectFieldsShape<Types, Noun> | undefined,
  read?: Read<Noun>,
  texts?: Readonly<Record<string, string>>,
): Record<string, never> {
  const custom = (fields?.(t) ?? {}) as Record<string, never>;
  const others = [...omitted, ...Object.keys(custom)];
  return {
    ...(view ? outputsOf((options) => t.field(options), view, others, read as Read | undefined, texts) : {}),
    ...custom,
  };
}

/** Returns the fields of a view as payload fields. */
export function payloadOf<View extends TObject>(view: View) {
  const fields = Object.entries<TSchema>(view.properties).map(([name, schema]) => {
    const { inner } = withoutNull(schema);
    const type = inner["type"] === "array" ? [outputOf(inner["items"], name)] : outputOf(inner, name);
    return [name, { type, description: descriptionOf(schema) }];
  });
  return Object.fromEntries(fields) as {
    [Name in keyof View["properties"]]: { type: unknown; description: string };
  };
}

export type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer T> ? T : never;

function outputOf(schema: TSchema, name: string): unknown {
  if (isTimestamp(schema)) return "DateTime";
  if (schema["type"] !== "object") return typeOf(schema, "", name);
  const known = types.get(schema);
  if (!known) throw new Error(`${name}: make a type of its view first`);
  return known;
}
