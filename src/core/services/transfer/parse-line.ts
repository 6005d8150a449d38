import { check } from "../../base/check.ts";
import { isoTime } from "../../base/clock.ts";
import { CoreError } from "../../base/errors.ts";
import type { Form } from "./line-format.ts";
import type { Line } from "./entity.ts";

/** Parses a line of a file into a row with TypeScript names. Throws LineRefused for an invalid line. */
export function fromLine(form: Form, text: string): Record<string, unknown> {
  const line = inCurrentFormat(form, parsed(text));
  const unknownField = Object.keys(line).find((name) => !form.columns.some((column) => column.name === name));
  if (unknownField !== undefined)
    throw new LineRefused(`has the unknown field ${JSON.stringify(unknownField.slice(0, 50))}`);
  try {
    check(form.schema, line);
  } catch (error) {
    if (error instanceof CoreError) throw new LineRefused(error.message);
    throw error;
  }
  const wrong = form.entity.validate?.(line);
  if (wrong !== undefined) throw new LineRefused(wrong);
  const row: Record<string, unknown> = {};
  for (const { key, name, kind } of form.columns) {
    const value = line[name];
    if (value !== undefined) row[key] = kind === "moment" && value !== null ? momentOf(name, value) : value;
  }
  return row;
}

/** Converts fields of earlier versions to current fields. */
function inCurrentFormat({ entity: { former = {} } }: Form, line: Line): Line {
  const names = Object.keys(line).filter((name) => Object.hasOwn(former, name));
  if (names.length === 0) return line;
  const kept = Object.entries(line).filter(([name]) => !names.includes(name));
  return Object.assign(Object.fromEntries(kept), ...names.map((name) => former[name]?.(line[name])));
}

/** An invalid line. The message follows the file and line number in a report. */
export class LineRefused extends Error {
  override name = "LineRefused";
}

function parsed(text: string): Line {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new LineRefused("is not valid JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new LineRefused("must be a JSON object");
  return value as Line;
}

/**
 * Parses a timestamp. Accepts only the canonical form of a timestamp, so that an export after the import is
 * identical to the imported export.
 */
function momentOf(name: string, value: unknown): number {
  const at = Date.parse(String(value));
  if (Number.isNaN(at) || isoTime(at) !== value)
    throw new LineRefused(`\`${name}\` must be a timestamp in UTC, such as 2026-11-20T09:30:00.000Z`);
  return at;
}
