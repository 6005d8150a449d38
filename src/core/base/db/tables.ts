import { getTableColumns, getTableName } from "drizzle-orm";
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";

/** A drizzle table. */
export type SqlTable = SQLiteTable;

/**
 * Type of a column. `moment` is a whole number of milliseconds since the epoch. `json` is stored as text.
 * `bytes` never leave the server.
 */
export type ColumnKind = "text" | "whole" | "real" | "truth" | "moment" | "json" | "bytes";

/** A column of a drizzle table. */
export interface SqlColumn {
  /** Name of the column in TypeScript rows. */
  key: string;
  /** Name of the column in SQL. */
  name: string;
  kind: ColumnKind;
  /** Whether the column is never null. */
  isRequired: boolean;
  /** Whether a row may omit the column. */
  canBeOmitted: boolean;
  /** All allowed values of an enumeration. Omitted for other columns. */
  choices?: readonly string[];
}

const KINDS: Readonly<Record<string, ColumnKind>> = {
  SQLiteText: "text",
  SQLiteTextJson: "json",
  SQLiteInteger: "whole",
  SQLiteBoolean: "truth",
  SQLiteReal: "real",
  SQLiteBlobBuffer: "bytes",
};
const TIME_COLUMN = /(?:_at|_until|_since|^since|^until|^at)$/;

export function tableName(table: SqlTable): string {
  return getTableName(table);
}

/** Returns the columns in the order of the drizzle table. */
export function columnsOf(table: SqlTable): SqlColumn[] {
  return Object.entries(getTableColumns(table)).map(([key, column]) => {
    const { name, notNull, hasDefault, enumValues } = column;
    const kind = KINDS[column.columnType];
    if (kind === undefined) throw new Error(`nothing is known of columns like ${column.columnType}`);
    return {
      key,
      name,
      kind: kind === "whole" && TIME_COLUMN.test(name) ? "moment" : kind,
      isRequired: notNull,
      canBeOmitted: !notNull || hasDefault,
      ...(enumValues?.length ? { choices: enumValues } : {}),
    };
  });
}

/** Returns the names of the primary key's columns, in the order of the key. */
export function keyOf(table: SqlTable): string[] {
  const { primaryKeys, columns } = getTableConfig(table);
  return (primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)).map(({ name }) => name);
}
