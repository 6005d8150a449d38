import { type TSchema, Type } from "@sinclair/typebox";
import { Choice, ruled, Text, Whole, Word } from "../../base/check.ts";
import { isoTime } from "../../base/clock.ts";
import { columnsOf, keyOf, tableName, type SqlColumn } from "../../base/db/tables.ts";
import type { Entity, Line } from "./entity.ts";

/** Text that nothing else is asked of: names, words and ids of the program itself. */
const TEXT_MAX = 4096;
const MOMENT = "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$";

/** An entity in the form in which it is read and written. */
export interface Form {
  entity: Entity;
  /** Of its file, and its table's. */
  name: string;
  columns: readonly SqlColumn[];
  /** What tells its rows apart, by the names of SQL. */
  key: readonly string[];
  /** Of one line. */
  schema: TSchema;
}

export function formOf(entity: Entity): Form {
  const all = new Map(columnsOf(entity.twin).map((column) => [column.key, column]));
  const columns = entity.columns.map((key) => {
    const column = all.get(key);
    if (!column || column.kind === "bytes") throw new Error(`${key} cannot be exported`);
    return column;
  });
  const name = tableName(entity.twin);
  return { entity, name, columns, key: keyOf(entity.twin), schema: schemaOf(entity, columns) };
}

/**
 * JSON Schema of a line, from the columns of the table's twin and the core's own rules. What may be null, or
 * has a value of its own accord, may be left out; an export leaves nothing out.
 */
function schemaOf(entity: Entity, columns: readonly SqlColumn[]): TSchema {
  const properties = columns.map((column) => {
    const { key, name, isRequired, mayBeLeftOut } = column;
    const own = entity.rules[key] ?? plain(column);
    const value = isRequired ? own : orNull(own);
    return [name, mayBeLeftOut ? Type.Optional(value) : value];
  });
  return Type.Object(Object.fromEntries(properties), { additionalProperties: false });
}

/** A null that is added keeps the rule in words. */
function orNull(schema: TSchema): TSchema {
  const { rule, fault } = schema as { rule?: string; fault?: unknown };
  return Type.Union([schema, Type.Null()], {
    ...(rule === undefined ? {} : { rule: `${rule}, or null` }),
    ...(fault === undefined ? {} : { fault }),
  });
}

function plain({ key, name, kind, choices }: SqlColumn): TSchema {
  switch (kind) {
    case "text":
      if (choices) return Choice(choices);
      return key === "id" ? ID : Text({ min: 0, max: TEXT_MAX });
    case "whole":
      return Whole(-(2 ** 40), 2 ** 40);
    case "moment":
      return Word(MOMENT, ruled("not_moment"), { maxLength: 24 });
    case "real":
      return Type.Number(ruled("not_decimal", { min: -Number.MAX_VALUE, max: Number.MAX_VALUE }));
    case "truth":
      return Type.Boolean(ruled("not_boolean"));
    default:
      throw new Error(`nothing says what ${name} holds`);
  }
}

/** A TypeID: the table says of which kind. */
const ID = Word("^[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}$", ruled("not_valid"), { maxLength: 40 });

/** A row, as SQL gives it, as its line. */
export function toLine({ columns }: Form, row: Readonly<Record<string, unknown>>): Line {
  const line: Line = {};
  for (const { name, kind } of columns) line[name] = leaving(kind, row[name]);
  return line;
}

function leaving(kind: SqlColumn["kind"], value: unknown): unknown {
  if (value === null) return null;
  if (kind === "moment") return isoTime(value as number);
  if (kind === "truth") return value === 1;
  return kind === "json" ? JSON.parse(value as string) : value;
}

/** The JSON Schema of a line, for whoever reads an export with other tools. */
export function publishedSchema({ name, schema }: Form): Line {
  const draft = "https://json-schema.org/draft/2020-12/schema";
  return { $schema: draft, title: name, ...published(schema) };
}

/** What our own schemas carry beside JSON Schema. */
const OURS: ReadonlySet<string> = new Set(["rule", "fault", "line", "tooLong", "examples"]);

function published(schema: TSchema): Line {
  const own = Object.entries(schema).filter(([name]) => !OURS.has(name));
  return Object.fromEntries(own.map(([name, value]) => [name, publishedPart(name, value)]));
}

function publishedPart(name: string, value: unknown): unknown {
  if (name === "anyOf") return (value as TSchema[]).map(published);
  if (name === "items") return published(value as TSchema);
  if (name !== "properties" && name !== "patternProperties") return value;
  const parts = Object.entries(value as Record<string, TSchema>);
  return Object.fromEntries(parts.map(([key, part]) => [key, published(part)]));
}
