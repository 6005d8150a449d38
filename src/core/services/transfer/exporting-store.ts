import type { Core } from "../../base/core.ts";
import { columnsOf, tableName, type SqlTable } from "../../base/db/tables.ts";
import type { Form } from "./line-format.ts";
import { EXPORTED } from "./exported-tables.ts";

type Values = Readonly<Record<string, unknown>>;

/**
 * A page of rows to select from a table, in the order of its key: the first rows, or the rows after `after`.
 */
export interface Walk {
  /** One of the SQL conditions in the entity's `passes`; undefined selects all rows. */
  pass: string | undefined;
  /** If set, selects only this builder's rows. */
  builderId: string | undefined;
  after: readonly unknown[] | undefined;
  limit: number;
}

/** Quotes names of tables and columns. They must come from the schema, never from input. */
export function named(...names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

/** Selects the next rows of a table in the order of its key. */
export function selectRows(core: Core, form: Form, { pass, builderId, after, limit }: Walk): Values[] {
  const owner = builderId === undefined ? undefined : ownerCondition(form.entity.twin);
  if (builderId !== undefined && owner === undefined) return [];
  const placeholders = form.key.map(() => "?").join(", ");
  const conditions = [
    pass,
    owner,
    builderId === undefined ? undefined : form.entity.ownRows,
    // A builder's own export excludes rows that the builder deleted; a periodic task removes them soon.
    builderId === undefined ? undefined : notDropped(form),
    after && `(${named(...form.key)}) > (${placeholders})`,
  ].filter((condition) => condition !== undefined);
  const key = named(...form.key);
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  // In the export of one builder, the subquery finds the keys of a page in an index. Only the rows of that
  // page are then read. Without the subquery, every page would read all rows of the builder.
  const found =
    builderId === undefined
      ? `${where} ORDER BY ${key} LIMIT ?`
      : `WHERE (${key}) IN (SELECT ${key} FROM ${named(form.name)} ${where} ORDER BY ${key} LIMIT ?) ORDER BY ${key}`;
  const ownerIds = Array.from({ length: (owner ?? "").split("?").length - 1 }, () => builderId);
  return core.db
    .prepare<Values>(
      `SELECT ${named(...form.columns.map(({ name }) => name))} FROM ${named(form.name)} ${found}`,
    )
    .all(...ownerIds, ...(after ?? []), limit);
}

/**
 * Returns the SQL condition that excludes rows that are being deleted. The condition also tests `hidden_at`,
 * because such a row is always hidden too. Indexes contain `hidden_at`, so SQLite decides most rows without
 * reading them.
 */
function notDropped({ name, columns }: Form): string | undefined {
  const has = (column: string): boolean => columns.some((each) => each.name === column);
  if (name === "builders" || !has("removed_at")) return undefined;
  return has("hidden_at") ? "(hidden_at IS NULL OR removed_at IS NULL)" : "removed_at IS NULL";
}

/**
 * Returns the SQL condition for a builder's rows. Each `?` is the builder's id. Returns undefined if the
 * table's rows belong to no builder.
 */
function ownerCondition(twin: SqlTable): string | undefined {
  const owner = EXPORTED.find((entity) => entity.twin === twin)?.owner;
  if (owner === undefined) return undefined;
  if ("by" in owner) return `(${owner.by.map((key) => `${columnName(twin, key)} = ?`).join(" OR ")})`;
  const { column, of, its } = owner;
  const ownedRows = ownerCondition(of) ?? "0";
  return `${columnName(twin, column)} IN (SELECT ${columnName(of, its)} FROM ${named(tableName(of))} WHERE ${ownedRows})`;
}

function columnName(twin: SqlTable, key: string): string {
  const found = columnsOf(twin).find((column) => column.key === key);
  if (!found) throw new Error(`${tableName(twin)} has no column called ${key}`);
  return named(found.name);
}

export function countRows(core: Core, { name }: Form): number {
  return core.db.prepare<{ n: number }>(`SELECT count(*) AS n FROM ${named(name)}`).get()?.n ?? 0;
}

/** Selects the members whose ids occur in the export of one builder. */
export function selectPeople(
  core: Core,
  ids: readonly string[],
): { id: string; username: string; name: string }[] {
  return core.db
    .prepare<{ id: string; username: string; name: string }>(
      `SELECT b.id, b.username, b.name FROM json_each(?) wanted CROSS JOIN builders b ON b.id = wanted.value
       WHERE b.removed_at IS NULL ORDER BY b.id`,
    )
    .all(JSON.stringify(ids));
}

/**
 * Starts a read transaction. All following reads see the database as of now, even if other connections write.
 */
export function beginSnapshot(core: Core): void {
  core.db.prepare("BEGIN").run();
  // The first read of a transaction makes SQLite take the snapshot.
  core.db.prepare("SELECT one FROM event_log").get();
}

export function endSnapshot(core: Core): void {
  core.db.prepare("COMMIT").run();
}

/**
 * Returns the last number of each AUTOINCREMENT table. A number is never assigned again, even if its row is
 * deleted.
 */
export function selectSequences(core: Core): Record<string, number> {
  const rows = core.db
    .prepare<{ name: string; seq: number }>("SELECT name, seq FROM sqlite_sequence ORDER BY name")
    .all();
  return Object.fromEntries(rows.map(({ name, seq }) => [name, seq]));
}
