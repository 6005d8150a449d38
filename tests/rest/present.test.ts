import { expect, test } from "bun:test";
import type { TObject, TSchema } from "@sinclair/typebox";
import { isTimestamp, withoutNull, enumValues } from "../../src/core/base/view.ts";
import { OPERATIONS } from "../../src/operations/index.ts";
import { OPEN } from "../../src/operations/open.ts";
import { presenterOf, snakeCase } from "../../src/rest/present.ts";

const ODD = ["", 'a "quote" \\ and\nlines', "\ud800 alone", "👋 <é>\u2028", "\0\u0007", "plain"];

/** Builds a value of the schema. The number `turn` selects texts, nulls, omitted fields and list lengths. */
function sampleOf(schema: TSchema, turn: number): unknown {
  const { inner, isNullable } = withoutNull(schema);
  if (isNullable && turn % 3 === 0) return null;
  if (isTimestamp(inner)) return 1_795_000_000_000 + turn * 12_345_678;
  const words = enumValues(inner);
  if (words) return words[turn % words.length];
  const { items, properties, required = [] } = inner as Partial<TObject> & { items?: TSchema };
  const type: unknown = inner["type"];
  if (items) return Array.from({ length: turn % 3 }, (_, position) => sampleOf(items, turn + position));
  if (properties) {
    const fields = Object.entries(properties).filter(
      ([name], position) => required.includes(name) || (turn + position) % 2 === 0,
    );
    return Object.fromEntries(
      fields.map(([name, property], position) => [name, sampleOf(property, turn + position)]),
    );
  }
  if (type === "integer") return turn % 4 === 0 ? -turn : turn * 1_000_003;
  if (type === "number") return [0.5, NaN, -0, 1e21][turn % 4];
  if (type === "boolean") return turn % 2 === 0;
  return ODD[turn % ODD.length];
}

/** Presents a value by interpreting its schema. */
function interpreted(schema: TSchema, value: unknown): unknown {
  const { inner } = withoutNull(schema);
  if (value === null || value === undefined) return value;
  if (isTimestamp(inner)) return new Date(value as number).toISOString();
  const { items, properties } = inner as Partial<TObject> & { items?: TSchema };
  if (items) return (value as unknown[]).map((item) => interpreted(items, item));
  if (!properties) return value;
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      snakeCase(name),
      interpreted(property, (value as Record<string, unknown>)[name]),
    ]),
  );
}

test("presents any content as the interpreted view does", () => {
  let count = 0;
  for (const { id, view } of [...OPERATIONS, ...OPEN]) {
    if (!view) continue;
    const present = presenterOf(view);
    for (let turn = 0; turn < 60; turn++) {
      const sample = sampleOf(view, turn);
      expect([id, JSON.stringify(present(sample))]).toEqual([id, JSON.stringify(interpreted(view, sample))]);
      count++;
    }
  }
  expect(count).toBeGreaterThan(2000);
});
