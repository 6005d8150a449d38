import type Database from "better-sqlite3";
import { and, getTableColumns, is, Param, Placeholder, sql } from "drizzle-orm";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";

/**
 * Writes rows from objects, with drizzle statements made from the tables in `schema*.ts`. All other
 * statements are SQL in a store (docs/adr/0032-sql.md).
 */
export interface Rows {
  /**
   * Inserts a row; omitted columns get their default. Returns the rowid, which is `seq` in tables that have
   * one.
   */
  insert<Table extends SQLiteTable>(table: Table, row: Readonly<Table["$inferInsert"]>): number;
  /** Inserts a row unless it conflicts with an existing one. Returns whether it was inserted. */
  insertNew<Table extends SQLiteTable>(table: Table, row: Readonly<Table["$inferInsert"]>): boolean;
  /** Inserts a row, or updates the row with the same primary key. */
  upsert<Table extends SQLiteTable>(table: Table, row: Readonly<Table["$inferInsert"]>): void;
  /**
   * Applies `change` to the rows that match all of `key`. Returns whether any row matched; false for an empty
   * change.
   */
  patch<Table extends SQLiteTable>(
    table: Table,
    key: Readonly<Partial<Table["$inferSelect"]>>,
    change: Readonly<Partial<Table["$inferInsert"]>>,
  ): boolean;
}

type Row = Readonly<Record<string, unknown>>;
type Write = (row: Row) => Database.RunResult;
type Placeholders = Record<string, Placeholder>;

/** SQL and parameters of a drizzle statement. */
interface BoundStatement {
  sql: string;
  params: unknown[];
}

/**
 * Prefix of the placeholders for key columns. A column can be part of the key and of the change, and each use
 * needs its own placeholder.
 */
const KEY = "key of ";

/** Creates the functions that write rows. Caches one statement per table and set of columns. */
export function createRows(orm: BetterSQLite3Database, prepare: (text: string) => Database.Statement): Rows {
  const writesByTable = new Map<SQLiteTable, Map<string, Write>>();

  function write(
    table: SQLiteTable,
    operation: keyof Rows,
    row: Row,
    make: (table: SQLiteTable, places: Placeholders) => { toSQL(): BoundStatement },
  ): Database.RunResult {
    let shape: string = operation;
    for (const name in row) if (row[name] !== undefined) shape += ` ${name}`;
    const writes = writesByTable.get(table) ?? new Map<string, Write>();
    writesByTable.set(table, writes);
    let storedWrite = writes.get(shape);
    if (!storedWrite) {
      const given = Object.keys(row).filter((name) => row[name] !== undefined);
      const placeholders = Object.fromEntries(given.map((name) => [name, sql.placeholder(name)]));
      storedWrite = bound(make(table, placeholders).toSQL());
      writes.set(shape, storedWrite);
    }
    return storedWrite(row);
  }

  /**
   * Binds values without drizzle's `fillPlaceholders`, which turns a null into `false` or `"null"` in boolean
   * and JSON columns.
   */
  function bound(made: BoundStatement): Write {
    const statement = prepare(made.sql);
    const parameters = made.params.map((param) => {
      const value = is(param, Param) ? param.value : param;
      return is(value, Placeholder)
        ? { name: value.name, encoder: is(param, Param) ? param.encoder : undefined }
        : { value: param };
    });
    return (row) =>
      statement.run(
        parameters.map((parameter) => {
          if (parameter.name === undefined) return parameter.value;
          const given = row[parameter.name];
          return given === null || !parameter.encoder ? given : parameter.encoder.mapToDriverValue(given);
        }),
      );
  }

  const add = (table: SQLiteTable, places: Placeholders) => orm.insert(table).values(places);

  const put = (table: SQLiteTable, places: Placeholders) => {
    const { primaryKeys, columns } = getTableConfig(table);
    const target = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
    const others = Object.entries(getTableColumns(table)).filter(
      ([name, column]) => name in places && !target.includes(column),
    );
    const set = others.map(([name, column]) => [name, sql`excluded.${sql.identifier(column.name)}`]);
    return add(table, places).onConflictDoUpdate({ target, set: Object.fromEntries(set) });
  };

  const change = (table: SQLiteTable, places: Placeholders) => {
    const [key, set] = [true, false].map((isKey) =>
      Object.entries(places).filter(([name]) => name.startsWith(KEY) === isKey),
    );
    const columns = getTableColumns(table);
    const where = key?.map(([name, place]) => sql`${columns[name.slice(KEY.length)]} = ${place}`) ?? [];
    return orm
      .update(table)
      .set(Object.fromEntries(set ?? []))
      .where(and(...where));
  };

  return {
    insert: (table, row) => Number(write(table, "insert", row, add).lastInsertRowid),
    insertNew: (table, row) =>
      write(table, "insertNew", row, (...given) => add(...given).onConflictDoNothing()).changes > 0,
    upsert: (table, row) => void write(table, "upsert", row, put),
    patch(table, key, changes) {
      if (Object.values(changes).every((value) => value === undefined)) return false;
      const named = Object.entries(key).map(([name, value]) => [KEY + name, value]);
      return write(table, "patch", { ...changes, ...Object.fromEntries(named) }, change).changes > 0;
    },
  };
}
