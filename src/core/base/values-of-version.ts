import type { Core } from "./core.ts";

/** Values that were read from one version of the database, by key. */
export interface VersionValues<Value> {
  version: number | undefined;
  values: Map<string, Value>;
}

/** Maximum number of values in memory. */
const VALUES_MAX = 2_000;

/**
 * Returns the values that were read since the last change of the database. The map is empty after a change
 * by any process, so a hidden text or a suspended member never comes from it. The caller adds what it reads.
 */
export function valuesOfVersion<Value>(
  { db, memory }: Pick<Core, "db" | "memory">,
  make: () => VersionValues<Value>,
): Map<string, Value> {
  // A write transaction keeps no values, because the database version does not yet cover its changes.
  if (db.transaction() !== undefined) return new Map();
  const current = memory(make);
  const version = db.version();
  if (current.version !== version || current.values.size >= VALUES_MAX)
    Object.assign(current, { version, values: new Map() });
  return current.values;
}
