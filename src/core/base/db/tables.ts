import { getTableColumns, getTableName } from "drizzle-orm";
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";

/** A table as drizzle knows it. */
export type SqlTable = SQLiteTable;

/**
 * What a column holds: `moment` is a whole number of milliseconds since the epoch, `json` is kept as text,
 * `bytes` are seen by nobody outside.
 */
export type ColumnKind = "text" | "whole" | "real" | "truth" | "moment" | "json" | "bytes";

/** A column as its twin says it. */
export interface SqlColumn {
  /** What rows of TypeScript call it. */
  key: string;
  /** What SQL calls it. */
  name: string;
  kind: ColumnKind;
  /** Whether it is never null. */
  isRequired: boolean;
  /** Whether a row may leave it out. */
  mayBeLeftOut: boolean;
  /** The only values that it has, where they are few. */
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
const MOMENT = /(?:_at|_until|_since|^since|^at)$/;

export function tableName(twin: SqlTable): string {
  return getTableName(twin);
}

/** In the order in which the twin names them. */
export function columnsOf(twin: SqlTable): SqlColumn[] {
  return Object.entries(getTableColumns(twin)).map(([key, column]) => {
    const { name, notNull, hasDefault, enumValues } = column;
    const kind = KINDS[column.columnType];
    if (kind === undefined) throw new Error(`nothing is known of columns like ${column.columnType}`);
    return {
      key,
      name,
      kind: kind === "whole" && MOMENT.test(name) ? "moment" : kind,
      isRequired: notNull,
      mayBeLeftOut: !notNull || hasDefault,
      ...(enumValues?.length ? { choices: enumValues } : {}),
    };
  });
}

/** The names of the columns that tell its rows apart, in their order. */
export function keyOf(twin: SqlTable): string[] {
  const { primaryKeys, columns } = getTableConfig(twin);
  return (primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)).map(({ name }) => name);
}
