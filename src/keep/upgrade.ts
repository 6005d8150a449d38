import { systemClock } from "../core/ground/clock.ts";
import { DatabaseRefused, SCHEMA_VERSION } from "../core/ground/db/migrate.ts";
import { upgradeDatabase } from "../core/ground/db/open.ts";

/** One migration, or the look at the foreign keys behind the last. */
export interface Step {
  name: string;
  ms: number;
}

export interface Upgraded {
  from: number;
  to: number;
  steps: Step[];
}

/** Told when a step begins: its name, how many are done, and how many there are. */
export type TellStep = (name: string, done: number, total: number) => void;

/**
 * Brings a database up to this program, all or nothing (docs/contract.md#12.8). Throws DatabaseRefused with
 * words that say which migration could not be applied, and that the database is as it was.
 */
export function upgrade(file: string, from: number, tell: TellStep): Upgraded {
  const steps: Step[] = [];
  let since = systemClock.elapsed();
  const end = (): void => {
    const last = steps.at(-1);
    if (last) last.ms = systemClock.elapsed() - since;
  };
  try {
    upgradeDatabase(file, (name, done, total) => {
      end();
      tell(name, done, total);
      since = systemClock.elapsed();
      steps.push({ name, ms: 0 });
    });
    end();
  } catch (error) {
    const at = steps.at(-1)?.name ?? "its beginning";
    throw new DatabaseRefused(
      `the upgrade from schema ${from} to ${SCHEMA_VERSION} failed at ${at}: ${inWords(error)}. The database is as it was: go on with the Guildhall that you had, and report this line`,
      { cause: error },
    );
  }
  return { from, to: SCHEMA_VERSION, steps };
}

function inWords(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^SQLITE_(?:FULL|IOERR)/.test(code)) return "the disk is full, or fails";
  if (code.startsWith("SQLITE_BUSY")) return "another program holds the database";
  return error instanceof Error ? error.message : String(error);
}
