import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isoTime, systemClock } from "../../core/base/clock.ts";
import { DatabaseRefused, SCHEMA_VERSION } from "../../core/base/db/migrate.ts";
import { upgradeDatabase } from "../../core/base/db/open.ts";
import { lockFile } from "./file-lock.ts";
import { DATABASE_MEMBER } from "./manifest.ts";
import { syncFolder } from "./backup-file.ts";
import { BackupRefused } from "./refused.ts";
import { sizeOf } from "../../files/disk-space.ts";
import { diskReserve } from "./disk-reserve.ts";
import { type Contents, copyDatabase, inspectDatabase } from "./database-copy.ts";

/** A database with an older schema, and its data folder. */
export interface OutdatedDatabase {
  data: string;
  file: string;
  /** Schema version. */
  version: number;
}

/** One migration, or the check of foreign keys after the last one. */
export interface Step {
  name: string;
  ms: number;
}

export interface Upgraded {
  from: number;
  to: number;
  steps: Step[];
}

/** Called when a step begins, with its name and the progress. */
export type ReportStep = (name: string, done: number, total: number) => void;

const REHEARSAL = ".rehearsal";
/** Number of copies to keep: the copies of the last two upgrades. */
const COPIES_MAX = 2;
const COPY = /^before-upgrade-\d+-to-\d+-\d{8}T\d{6}Z$/;
const PARTIAL = /^before-upgrade-.*\.partial$/;

/**
 * Migrates a database to this program's schema, all or nothing. Makes and checks a copy before
 * (docs/contract.md#12.8). The caller must hold the folder lock. Throws BackupRefused if the disk is too full
 * or the database is damaged. Throws DatabaseRefused with the name of the migration that failed. In both
 * cases the database is unchanged.
 */
export async function upgradeWithCopy(
  outdated: OutdatedDatabase,
  now: number,
  reportStep: ReportStep,
): Promise<Upgraded & { copy: string }> {
  const { data, file, version } = outdated;
  const time = isoTime(now).replace(/\.\d+/, "").replaceAll(/[-:]/g, "");
  const copy = join(data, `before-upgrade-${version}-to-${SCHEMA_VERSION}-${time}`);
  clearRehearsal(data);
  // A migration that rebuilds a table writes the whole table into the WAL before any space is freed.
  diskReserve(data).refuseLess(2 * (sizeOf(file) + sizeOf(`${file}-wal`)));
  await keepCopy(outdated, copy, reportStep);
  try {
    return { ...upgrade(file, version, reportStep), copy };
  } catch (error) {
    // The database is unchanged, so its copy is not needed. Otherwise a server that restarts repeatedly would
    // fill the disk with copies.
    rmSync(copy, { recursive: true, force: true });
    throw error;
  } finally {
    deleteOldCopies(data);
  }
}

/** Copies the database. The copy gets its name only when it is on disk and checked. */
async function keepCopy(
  { data, file }: OutdatedDatabase,
  copy: string,
  reportStep: ReportStep,
): Promise<void> {
  const partial = `${copy}.partial`;
  for (const name of readdirSync(data)) if (PARTIAL.test(name)) rmSync(join(data, name), { recursive: true });
  // Another start within the same second may have left this copy.
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(partial, { mode: 0o700 });
  try {
    await copyDatabase(file, join(partial, DATABASE_MEMBER), (done, total) =>
      reportStep("copy", done, total),
    );
    reportStep("verify copy", 0, 1);
    inspectDatabase(join(partial, DATABASE_MEMBER));
    syncFolder(partial);
    renameSync(partial, copy);
    syncFolder(data);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}

/** Deletes the copy of the database that a killed rehearsal left. Keeps the copy of a running rehearsal. */
function clearRehearsal(data: string): void {
  const folder = join(data, REHEARSAL);
  if (!existsSync(folder)) return;
  const held = lockFile(join(folder, ".lock"));
  if (!held) return;
  held.release();
  rmSync(folder, { recursive: true, force: true });
}

function deleteOldCopies(data: string): void {
  const byTime = (name: string): string => name.slice(name.lastIndexOf("-"));
  const copies = readdirSync(data).filter((name) => COPY.test(name));
  const newestFirst = copies.sort((a, b) => (byTime(a) < byTime(b) ? 1 : -1));
  for (const name of newestFirst.slice(COPIES_MAX)) rmSync(join(data, name), { recursive: true });
}

export interface Rehearsed extends Upgraded {
  before: Contents & { bytes: number };
  after: Contents & { bytes: number };
}

/**
 * Rehearses the migration on a temporary copy. A server may be running on the data folder. The database
 * itself is unchanged. Throws the errors of `upgradeWithCopy`.
 */
export async function rehearse(
  { data, file, version }: OutdatedDatabase,
  reportStep: ReportStep,
): Promise<Rehearsed> {
  const folder = join(data, REHEARSAL);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const held = lockFile(join(folder, ".lock"));
  if (!held)
    throw new BackupRefused(`Another rehearsal in ${data} is running. Try again when it has finished.`);
  const copy = join(folder, DATABASE_MEMBER);
  const measure = (): Rehearsed["before"] => ({ ...inspectDatabase(copy), bytes: sizeOf(copy) });
  try {
    for (const end of ["", "-wal", "-shm"]) rmSync(`${copy}${end}`, { force: true });
    diskReserve(folder).refuseLess(2 * (sizeOf(file) + sizeOf(`${file}-wal`)));
    await copyDatabase(file, copy, (done, total) => reportStep("copy", done, total));
    const before = measure();
    const upgraded = upgrade(copy, version, reportStep);
    return { ...upgraded, before, after: measure() };
  } finally {
    held.release();
    rmSync(folder, { recursive: true, force: true });
  }
}

function upgrade(file: string, from: number, reportStep: ReportStep): Upgraded {
  const steps: Step[] = [];
  let since = systemClock.elapsed();
  const end = (): void => {
    const last = steps.at(-1);
    if (last) last.ms = systemClock.elapsed() - since;
  };
  try {
    upgradeDatabase(file, (name, done, total) => {
      end();
      reportStep(name, done, total);
      since = systemClock.elapsed();
      steps.push({ name, ms: 0 });
    });
    end();
  } catch (error) {
    const at = steps.at(-1)?.name ?? "the start";
    throw new DatabaseRefused(
      `The upgrade from schema ${from} to ${SCHEMA_VERSION} failed at ${at}: ${describe(error)}. The database is unchanged. Go back to your previous version, and report this line.`,
      { cause: error },
    );
  }
  return { from, to: SCHEMA_VERSION, steps };
}

function describe(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^SQLITE_(?:FULL|IOERR)/.test(code)) return "the disk is full or failing";
  if (code.startsWith("SQLITE_BUSY")) return "another program is using the database";
  return error instanceof Error ? error.message : String(error);
}
