import type { TestWorld } from "../support.ts";

/** Every statement that `work` prepares, with SQLite's query plan. */
export function plansOf(world: TestWorld, work: () => void): { sql: string; plan: string[] }[] {
  const { db } = world.core;
  const seen = new Set<string>();
  const spied = { ...db, prepare: ((sql: string) => (seen.add(sql), db.prepare(sql))) as typeof db.prepare };
  const core = world.core as { db: typeof db };
  core.db = spied;
  try {
    work();
  } finally {
    core.db = db;
  }
  return [...seen]
    .filter((sql) => /^\s*(?:SELECT|UPDATE|DELETE)/.test(sql))
    .map((sql) => ({
      sql,
      plan: db
        .prepare<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...params(sql))
        .map(({ detail }) => detail),
    }));
}

/** One value per parameter. The values do not change the plan. */
function params(sql: string): unknown[] {
  const numbered = [...sql.matchAll(/\?(\d+)/g)].map(([, n]) => Number(n));
  const count = numbered.length > 0 ? Math.max(...numbered) : (sql.match(/\?/g) ?? []).length;
  return Array.from({ length: count }, () => "1");
}
