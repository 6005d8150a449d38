import { SCHEMA_VERSION } from "./migrate.ts";
import type { Db } from "./open.ts";
import { setSetting } from "./settings.ts";

/**
 * Tests whether the database accepts writes: commits a change of an unused row. Resolves when the change is
 * on disk. Rejects like any write that cannot be stored.
 */
export function probeWrite({ db }: { db: Db }): Promise<void> {
  return db.write(() => setSetting({ db }, "probe", ""));
}

/** Whether the database has this release's schema version. */
export function isOfThisProgram({ db }: { db: Db }): boolean {
  return db.prepare<{ user_version: number }>("PRAGMA user_version").get()?.user_version === SCHEMA_VERSION;
}
