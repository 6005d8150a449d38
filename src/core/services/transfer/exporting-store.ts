import type { Core } from "../../base/core.ts";
import { columnsOf, tableName, type SqlTable } from "../../base/db/tables.ts";
import type { Form } from "./line-format.ts";
import { EXPORTED } from "./exported-tables.ts";

type Values = Readonly<Record<string, unknown>>;

/** A walk over a table by its key: from behind `after`, or from the beginning. */
export interface Walk {
  /** One of the conditions of the entity; all rows, where it has none. */
  pass: string | undefined;
  /** Only this builder's rows. */
  builderId: string | undefined;
  after: readonly unknown[] | undefined;
  limit: number;
}

/** Names of tables and columns come from their twins, and from nobody else. */
export function named(...names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

/** The next rows of a table, in the order of its key. */
export function selectRows(core: Core, form: Form, { pass, builderId, after, limit }: Walk): Values[] {
  const whose = builderId === undefined ? undefined : conditionOfWhose(form.entity.twin);
  if (builderId !== undefined && whose === undefined) return [];
  const places = form.key.map(() => "?").join(", ");
  const conditions = [
    pass,
    whose,
    // What they have deleted is gone for them, and its rows soon are.
    builderId === undefined ? undefined : notDropped(form),
    after && `(${named(...form.key)}) > (${places})`,
  ].filter((condition) => condition !== undefined);
  const key = named(...form.key);
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  // Of one builder the page is found by keys alone, which an index holds: in their order come whole rows of a
  // page, and not all that one builder ever wrote for each.
  const found =
    builderId === undefined
      ? `${where} ORDER BY ${key} LIMIT ?`
      : `WHERE (${key}) IN (SELECT ${key} FROM ${named(form.name)} ${where} ORDER BY ${key} LIMIT ?) ORDER BY ${key}`;
  const whom = Array.from({ length: (whose ?? "").split("?").length - 1 }, () => builderId);
  return core.db
    .prepare<Values>(
      `SELECT ${named(...form.columns.map(({ name }) => name))} FROM ${named(form.name)} ${found}`,
    )
    .all(...whom, ...(after ?? []), limit);
}

/** What is dropped is hidden first, and that indexes hold: the row itself need not be looked at. */
function notDropped({ name, columns }: Form): string | undefined {
  const has = (column: string): boolean => columns.some((each) => each.name === column);
  if (name === "builders" || !has("removed_at")) return undefined;
  return has("hidden_at") ? "(hidden_at IS NULL OR removed_at IS NULL)" : "removed_at IS NULL";
}

/** With a place for the builder wherever there is a question mark; undefined for what is nobody's. */
function conditionOfWhose(twin: SqlTable): string | undefined {
  const whose = EXPORTED.find((entity) => entity.twin === twin)?.whose;
  if (whose === undefined) return undefined;
  if ("by" in whose) return `(${whose.by.map((key) => `${columnCalled(twin, key)} = ?`).join(" OR ")})`;
  const { column, of, its } = whose;
  const theirs = conditionOfWhose(of) ?? "0";
  return `${columnCalled(twin, column)} IN (SELECT ${columnCalled(of, its)} FROM ${named(tableName(of))} WHERE ${theirs})`;
}

function columnCalled(twin: SqlTable, key: string): string {
  const found = columnsOf(twin).find((column) => column.key === key);
  if (!found) throw new Error(`${tableName(twin)} has no column called ${key}`);
  return named(found.name);
}

export function countRows(core: Core, { name }: Form): number {
  return core.db.prepare<{ n: number }>(`SELECT count(*) AS n FROM ${named(name)}`).get()?.n ?? 0;
}

/** What stands for itself wherever a row of another names it: everybody an export of one builder tells of. */
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

/** From now on all that is read is of this moment, whoever writes meanwhile. */
export function beginSnapshot(core: Core): void {
  core.db.prepare("BEGIN").run();
  // It is taken by what is read first.
  core.db.prepare("SELECT one FROM event_log").get();
}

export function endSnapshot(core: Core): void {
  core.db.prepare("COMMIT").run();
}

/** The last numbers that were ever given: none is given again, also where its row is gone. */
export function selectSequences(core: Core): Record<string, number> {
  const rows = core.db
    .prepare<{ name: string; seq: number }>("SELECT name, seq FROM sqlite_sequence ORDER BY name")
    .all();
  return Object.fromEntries(rows.map(({ name, seq }) => [name, seq]));
}
