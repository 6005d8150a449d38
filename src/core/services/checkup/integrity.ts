import type { FixableFinding } from "./checkup.ts";
import { countDangling, quickCheck, selectTables, treesOf } from "./integrity-store.ts";
import { counted } from "../../base/count-with-noun.ts";
import { isTonight, type DataContext } from "./context.ts";

/** Of each table: SQLite throws where it goes on from damage and cannot. */
const ROWS_MAX = 1;
const DANGLING_MAX = 1000;

const RESTORE = "stop the server, then guildhall restore FILE --replace with the newest backup that is whole";

/** Of all tables, or of those whose turn it is tonight: within a week it is each one's. */
export function tablesOf({ db, clock }: DataContext, isSampled: boolean): string[] {
  return selectTables(db).filter((_, place) => !isSampled || isTonight(clock, place));
}

/** Whether the pages of the tables and their indexes are what SQLite has written: one table at a time. */
export function checkPages(context: DataContext, isSampled: boolean): FixableFinding[] {
  const tables = tablesOf(context, isSampled);
  const found: FixableFinding[] = [];
  tables.forEach((table, done) => {
    context.progress(done, tables.length);
    const [first, ...others] = linesOf(context, table);
    if (first === undefined) return;
    const more = others.length > 0 ? " (and more)" : "";
    found.push({
      check: "quick_check",
      severity: "severe",
      says: `guildhall.db is damaged in ${table}: ${first}${more}`,
      mend: RESTORE,
    });
  });
  if (found.length > 0) return found;
  return [
    {
      check: "quick_check",
      severity: "ok",
      says: `the pages ${isSampled ? "of tonight’s" : "of all"} ${tables.length} tables are sound`,
    },
  ];
}

const whichOf = (isSampled: boolean): string => (isSampled ? "of tonight’s tables" : "of all tables");

function linesOf({ db }: DataContext, table: string): string[] {
  try {
    const lines = quickCheck(db, table, ROWS_MAX).flatMap((line) => line.split("\n"));
    return lines.filter((line) => !line.startsWith("***")).map((line) => named(line, treesOf(db)));
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** SQLite calls a tree of pages by its first one. */
function named(line: string, trees: ReadonlyMap<number, string>): string {
  return line.replace(/^Tree (\d+)\b/, (tree, root: string) => trees.get(Number(root)) ?? tree);
}

/** Undefined where a damaged page keeps it from being counted, which is a finding of its own. */
function danglingOf({ db }: DataContext, table: string): number | undefined {
  try {
    return countDangling(db, table, DANGLING_MAX);
  } catch {
    return undefined;
  }
}

/** Whether what rows refer to is there. SQLite keeps to it, unless a program of others has written, or a page is damaged. */
export function checkReferences(context: DataContext, isSampled: boolean): FixableFinding[] {
  const tables = tablesOf(context, isSampled).filter((table) => table !== "sqlite_schema");
  const found: FixableFinding[] = [];
  tables.forEach((table, done) => {
    context.progress(done, tables.length);
    const dangling = danglingOf(context, table);
    if (dangling === 0) return;
    if (dangling === undefined)
      return void found.push({
        check: "foreign_keys",
        severity: "severe",
        says: `this could not be looked at in ${table}`,
        mend: RESTORE,
      });
    const most = dangling === DANGLING_MAX ? "at least " : "";
    found.push({
      check: "foreign_keys",
      severity: "severe",
      says: `${most}${counted(dangling, "row")} of ${table} refer${dangling === 1 ? "s" : ""} to what is not there`,
      mend: RESTORE,
    });
  });
  if (found.length > 0) return found;
  return [
    { check: "foreign_keys", severity: "ok", says: `all that rows ${whichOf(isSampled)} refer to is there` },
  ];
}
