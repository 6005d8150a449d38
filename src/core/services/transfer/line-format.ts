import { type TSchema, Type } from "@sinclair/typebox";
import { Choice, ruled, Text, WholeNumber, PatternText } from "../../base/check.ts";
import { isoTime } from "../../base/clock.ts";
import { columnsOf, keyOf, tableName, type SqlColumn } from "../../base/db/tables.ts";
import type { Entity, Line } from "./entity.ts";

/** Maximum length of text columns that have no rule. */
const TEXT_MAX = 4096;
const MOMENT = "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$";

/** An exported table with everything that is needed to read and write its lines. */
export interface Form {
  entity: Entity;
  /** Name of the file and of the table. */
  name: string;
  columns: readonly SqlColumn[];
  /** SQL names of the key columns. */
  key: readonly string[];
  /** JSON Schema of a line. */
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
 * Builds the schema of a line from the columns of its table and the rules of the core. Columns that can be
 * null or have a default may be missing. An export always contains all columns.
 */
function schemaOf(entity: Entity, columns: readonly SqlColumn[]): TSchema {
  const properties = columns.map((column) => {
    const { key, name, isRequired, canBeOmitted } = column;
    const own = entity.rules[key] ?? plain(column);
    const value = isRequired ? own : orNull(own);
    return [name, canBeOmitted ? Type.Optional(value) : value];
  });
  return Type.Object(Object.fromEntries(properties), { additionalProperties: false });
}

/** Allows null and keeps the description of the rule. */
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
      return WholeNumber(-(2 ** 40), 2 ** 40);
    case "moment":
      return PatternText(MOMENT, ruled("not_moment"), { maxLength: 24 });
    case "real":
      return Type.Number(ruled("not_decimal", { min: -Number.MAX_VALUE, max: Number.MAX_VALUE }));
    case "truth":
      return Type.Boolean(ruled("not_boolean"));
    default:
      throw new Error(`nothing says what ${name} holds`);
  }
}

/** A TypeID with any prefix. The table determines the kind of id. */
const ID = PatternText("^[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}$", ruled("not_valid"), { maxLength: 40 });

/** Converts a row from SQL to a line. */
export function toLine({ columns }: Form, row: Readonly<Record<string, unknown>>): Line {
  const line: Line = {};
  for (const { name, kind } of columns) line[name] = exportValue(kind, row[name]);
  return line;
}

function exportValue(kind: SqlColumn["kind"], value: unknown): unknown {
  if (value === null) return null;
  if (kind === "moment") return isoTime(value as number);
  if (kind === "truth") return value === 1;
  return kind === "json" ? JSON.parse(value as string) : value;
}

/** Returns the JSON Schema of a line for other tools. */
export function publishedSchema({ name, schema }: Form): Line {
  const draft = "https://json-schema.org/draft/2020-12/schema";
  return { $schema: draft, title: name, ...published(schema) };
}

/** Keywords of our schemas that are not part of JSON Schema. */
const INTERNAL_KEYWORDS: ReadonlySet<string> = new Set(["rule", "fault", "line", "tooLong", "examples"]);

function published(schema: TSchema): Line {
  const own = Object.entries(schema).filter(([name]) => !INTERNAL_KEYWORDS.has(name));
  return Object.fromEntries(own.map(([name, value]) => [name, publishedPart(name, value)]));
}

function publishedPart(name: string, value: unknown): unknown {
  if (name === "anyOf") return (value as TSchema[]).map(published);
  if (name === "items") return published(value as TSchema);
  if (name !== "properties" && name !== "patternProperties") return value;
  const parts = Object.entries(value as Record<string, TSchema>);
  return Object.fromEntries(parts.map(([key, part]) => [key, published(part)]));
}
