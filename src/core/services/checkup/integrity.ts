import { countWithNoun } from "../../base/count-with-noun.ts";
import { type Finding, ok, severe } from "./checkup.ts";
import { type DataContext, isDueTonight } from "./context.ts";
import { countDangling, quickCheck, selectTables, selectTrees } from "./integrity-store.ts";

const DANGLING_MAX = 1000;
const RESTORE = "Stop the server, then restore the newest intact backup: guildhall restore FILE --replace";

/**
 * Returns all tables. If `isSampled`, returns only the tables whose turn is tonight: each table is checked
 * once a week.
 */
export function tablesOf({ db, clock }: DataContext, isSampled: boolean): string[] {
  return selectTables(db).filter((_, index) => !isSampled || isDueTonight(clock, index));
}

/** Checks the pages of tables and their indexes for damage, one table at a time. */
export function checkPages(context: DataContext, isSampled: boolean): Finding[] {
  const tables = tablesOf(context, isSampled);
  const found = eachTable(context, tables, (table) => {
    const [first, ...others] = damageIn(context, table);
    if (first === undefined) return undefined;
    return `guildhall.db is damaged in ${table}: ${first}${others.length > 0 ? " (and more)" : ""}`;
  });
  if (found.length > 0) return found.map((says) => severe("quick_check", says, RESTORE));
  const which = isSampled ? "tonight’s" : "all";
  return [ok("quick_check", `The pages of ${which} ${tables.length} tables are intact.`)];
}

function damageIn({ db }: DataContext, table: string): string[] {
  try {
    const lines = quickCheck(db, table)?.split("\n") ?? [];
    const trees = selectTrees(db);
    return lines
      .filter((line) => !line.startsWith("***"))
      .map((line) => line.replace(/^Tree (\d+)\b/, (tree, root: string) => trees.get(Number(root)) ?? tree));
  } catch (error) {
    // If the damage prevents SQLite from continuing, SQLite throws. The error is then the finding.
    return [error instanceof Error ? error.message : String(error)];
  }
}

/**
 * Checks that referenced rows exist. SQLite enforces this, but another program or a damaged page can break
 * it.
 */
export function checkReferences(context: DataContext, isSampled: boolean): Finding[] {
  const tables = tablesOf(context, isSampled).filter((table) => table !== "sqlite_schema");
  const found = eachTable(context, tables, (table) => {
    const dangling = danglingIn(context, table);
    if (dangling === undefined) return `The table ${table} cannot be checked.`;
    if (dangling === 0) return undefined;
    const rows = `${dangling === DANGLING_MAX ? "At least " : ""}${countWithNoun(dangling, "row")}`;
    return `${rows} of ${table} refer${dangling === 1 ? "s" : ""} to missing rows.`;
  });
  if (found.length > 0) return found.map((says) => severe("foreign_keys", says, RESTORE));
  const which = isSampled ? "tonight’s tables" : "all tables";
  return [ok("foreign_keys", `All references in ${which} are intact.`)];
}

/**
 * Counts the rows that refer to missing rows. Returns undefined if a damaged page prevents the count;
 * `checkPages` reports such pages.
 */
function danglingIn({ db }: DataContext, table: string): number | undefined {
  try {
    return countDangling(db, table, DANGLING_MAX);
  } catch {
    return undefined;
  }
}

function eachTable(
  { progress }: DataContext,
  tables: readonly string[],
  check: (table: string) => string | undefined,
): string[] {
  return tables.flatMap((table, done) => {
    progress(done, tables.length);
    return check(table) ?? [];
  });
}
