import type { TSchema } from "@sinclair/typebox";
import type { Core } from "../../base/core.ts";
import { columnsOf, type SqlTable } from "../../base/db/tables.ts";

/** A row as one line of an export. The keys are SQL column names, and times are text. */
export type Line = Record<string, unknown>;

/**
 * How a row belongs to a builder. Either the columns `by` contain the builder's id, or the row refers to
 * another row that belongs to the builder.
 */
export type RowOwner =
  | { by: readonly string[] }
  | { column: string; of: SqlTable; its: string }
  /**
   * The rows of the table belong to no builder. They belong to the community, or they contain data that
   * members must not see of each other.
   */
  | undefined;

/** A table that is exported. */
export interface Entity {
  twin: SqlTable;
  /** TypeScript names of the exported columns, in their order in a line. */
  columns: readonly string[];
  /** Columns that are not exported, each with the reason. */
  leftOut: Readonly<Record<string, string>>;
  /** Fields of exports of earlier versions, each with its conversion to current fields. */
  former?: Readonly<Record<string, (value: unknown) => Line>>;
  /** Rules for non-null values, in addition to the type of the column. */
  rules: Readonly<Record<string, TSchema>>;
  /** The rows that belong to a builder. */
  owner: RowOwner;
  /** SQL condition for those of the builder's rows that the builder's own export contains. */
  ownRows?: string;
  /** Changes a row for the export; `at` is the time of the export. */
  transform?: (line: Line, at: number, core: Core) => Line;
  /** Removes data that the row's builder must not see. */
  redact?: (line: Line, builderId: string) => Line;
  /** Checks a line as a whole and returns what is wrong, as text. */
  validate?: (line: Line) => string | undefined;
  /**
   * SQL conditions that split the rows of a table into passes. The rows of earlier passes are exported first,
   * because rows of later passes refer to them.
   */
  passes?: readonly string[];
}

type More<Table extends SqlTable> = Partial<Omit<Entity, "twin" | "columns" | "leftOut">> & {
  leftOut?: Readonly<Partial<Record<keyof Table["$inferSelect"] & string, string>>>;
};

/** Exports all columns of a table except `leftOut`. So a new column is exported by default. */
export function exported<Table extends SqlTable>(
  twin: Table,
  { leftOut, rules = {}, owner: whose, ...more }: More<Table> = {},
): Entity {
  const staying = (leftOut ?? {}) as Entity["leftOut"];
  const columns = columnsOf(twin)
    .map(({ key }) => key)
    .filter((key) => !(key in staying));
  return { twin, columns, leftOut: staying, rules, owner: whose, ...more };
}

export const by = (...columns: string[]): RowOwner => ({ by: columns });
export const through = (column: string, of: SqlTable, its = "id"): RowOwner => ({ column, of, its });
