import { SCHEMA_VERSION } from "./migrate.ts";
import type { Db } from "./open.ts";
import { setSetting } from "./settings.ts";

/**
 * Commits a change of a row that nobody reads, and resolves when it is on disk; rejects as any write does
 * that cannot be stored.
 */
export function probeWrite({ db }: { db: Db }): Promise<void> {
  return db.write(() => setSetting({ db }, "probe", ""));
}

/** Whether the database has the tables that this program works with. */
export function isOfThisProgram({ db }: { db: Db }): boolean {
  return db.prepare<{ user_version: number }>("PRAGMA user_version").get()?.user_version === SCHEMA_VERSION;
}
