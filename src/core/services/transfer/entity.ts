import type { TSchema } from "@sinclair/typebox";
import { columnsOf, type SqlTable } from "../../base/db/tables.ts";

/** A row as a line of an export holds it: by the names of SQL, times as text. */
export type Line = Record<string, unknown>;

/** Whose a row is: their id stands in one of its columns, or in what the row belongs to. */
export type RowOwner =
  | { by: readonly string[] }
  | { column: string; of: SqlTable; its: string }
  /** Nobody's: of the community, or of what others could not see of each other. */
  | undefined;

/** A table that is exported. */
export interface Entity {
  twin: SqlTable;
  /** Those that are exported, in their order in a line, by the names of TypeScript. */
  columns: readonly string[];
  /** The others, each with the reason. */
  leftOut: Readonly<Record<string, string>>;
  /** Fields that exports of earlier versions have, each with what it means in those of now. */
  former?: Readonly<Record<string, (value: unknown) => Line>>;
  /** What is asked of a value beside the form of its column, where it is not null. */
  rules: Readonly<Record<string, TSchema>>;
  /** Which rows are one builder's. */
  whose: RowOwner;
  /** How a row leaves where that is not as it stands; `at` is the moment of the export. */
  leaves?: (line: Line, at: number) => Line;
  /** What of a row its builder may see, where that is not all of it. */
  asShown?: (line: Line, builderId: string) => Line;
  /** What is wrong with a line as a whole, in words; undefined where nothing is. */
  proves?: (line: Line) => string | undefined;
  /** Conditions on rows, of which those of the first come first: others refer to them. */
  passes?: readonly string[];
}

type More<Table extends SqlTable> = Partial<Omit<Entity, "twin" | "columns" | "leftOut">> & {
  leftOut?: Readonly<Partial<Record<keyof Table["$inferSelect"] & string, string>>>;
};

/** All columns of a table but those that are left out: what a table gains leaves with it. */
export function exported<Table extends SqlTable>(
  twin: Table,
  { leftOut, rules = {}, whose, ...more }: More<Table> = {},
): Entity {
  const staying = (leftOut ?? {}) as Entity["leftOut"];
  const columns = columnsOf(twin)
    .map(({ key }) => key)
    .filter((key) => !(key in staying));
  return { twin, columns, leftOut: staying, rules, whose, ...more };
}

export const by = (...columns: string[]): RowOwner => ({ by: columns });
export const through = (column: string, of: SqlTable, its = "id"): RowOwner => ({ column, of, its });
