import type { Core } from "../src/core/base/core.ts";

/** Database reads: the statements, the total number of rows, and the most rows of one statement. */
export interface RecordedReads {
  statements: Set<string>;
  rows: number;
  mostRows: number;
}

/** A core that records its reads by `prepare`. */
export function recordReads(core: Core): { core: Core; reads: RecordedReads } {
  const reads: RecordedReads = { statements: new Set(), rows: 0, mostRows: 0 };
  const note = (rows: number): void => {
    reads.rows += rows;
    reads.mostRows = Math.max(reads.mostRows, rows);
  };
  const prepare = (sql: string) => {
    const statement = core.db.prepare(sql);
    reads.statements.add(sql);
    return new Proxy(statement, {
      get(target, name) {
        const value = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        return (...values: unknown[]) => {
          const found: unknown = value.apply(target, values);
          if (name === "all") note((found as unknown[]).length);
          if (name === "get") note(1);
          return found;
        };
      },
    });
  };
  const db = { ...core.db, prepare: prepare as Core["db"]["prepare"] };
  return { core: { ...core, db }, reads };
}
