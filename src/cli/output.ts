import type { Command } from "commander";
import { isoTime } from "../core/base/clock.ts";
import { type Page, PAGE_LIMIT, type PageRequest } from "../core/base/page.ts";

/** The fields of one record. Milliseconds under a name such as `createdAt` are printed as a time. */
export type Row = Readonly<Record<string, unknown>>;

export interface JsonFlag {
  json?: boolean;
}

export function jsonOption(command: Command): Command {
  return command.option("--json", "Print JSON");
}

/** Returns the nodes of all pages of a list, but not more than `most`. */
export function readAllPages<Node>(list: (request: PageRequest) => Page<Node>, most = Infinity): Node[] {
  const found: Node[] = [];
  for (let cursor: string | undefined; found.length < most;) {
    const page = list({ limit: Math.min(PAGE_LIMIT.max, most - found.length), cursor });
    found.push(...page.nodes);
    const last = page.nodes.at(-1);
    if (!page.hasNextPage || !last) break;
    cursor = page.cursorOf(last);
  }
  return found;
}

/** Prints a line per row with tab-separated cells, for `cut` and `sort`. */
export function printRows(rows: readonly Row[]): void {
  process.stdout.write(rows.map((row) => `${lineOf(row)}\n`).join(""));
}

/** Prints a line per field, with the name first. A field with several records gets a line per record. */
export function printParts(row: Row): void {
  for (const [name, value] of Object.entries(timed(row) as Row)) {
    const lines = Array.isArray(value) && value.every(isRow) ? value.map(lineOf) : [cell(value)];
    for (const line of lines) process.stdout.write(`${name}\t${line}\n`);
  }
}

/**
 * Prints an object or a list as JSON. Control characters and bidirectional overrides are escaped, because a
 * terminal would execute them.
 */
export function printJson(value: unknown): void {
  const text = JSON.stringify(timed(value), undefined, 2).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  process.stdout.write(`${text}\n`);
}

const IS_TIME = /(?:^at|At|Since)$/;

/** Replaces milliseconds with times in the format of the API. */
function timed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(timed);
  if (!isRow(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      typeof part === "number" && IS_TIME.test(name) ? isoTime(part) : timed(part),
    ]),
  );
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function lineOf(row: Row): string {
  return Object.values(timed(row) as Row)
    .map(cell)
    .join("\t");
}

/**
 * Formats a value as one cell. Names come from members: a tab must not start a cell, and an escape sequence
 * must not reach the terminal.
 */
function cell(value: unknown): string {
  if (value === null || value === undefined || value === "") return "-";
  const text =
    typeof value === "string" ? value : Array.isArray(value) ? value.join(" ") : JSON.stringify(value);
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, " ");
}
