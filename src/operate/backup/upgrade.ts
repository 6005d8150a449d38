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

/** An older database, and the data folder in which it stands. */
export interface Older {
  data: string;
  file: string;
  /** Of its schema. */
  version: number;
}

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

/** Told when a step begins: its name, how much is done, and how much there is. */
export type TellStep = (name: string, done: number, total: number) => void;

const REHEARSAL = ".rehearsal";
/** So many copies are kept: that of the last upgrade, and that of the one before it. */
const COPIES_KEPT = 2;
const COPY = /^before-upgrade-\d+-to-\d+-\d{8}T\d{6}Z$/;
const PARTIAL = /^before-upgrade-.*\.partial$/;

/**
 * Brings a database up to this program, all or nothing, once a copy of it was made and looked through
 * (docs/contract.md#12.8). Only who holds the folder may call it. Throws BackupRefused where there is no room
 * or the database is damaged, and DatabaseRefused with the migration that could not be applied: in both cases
 * the database is as it was.
 */
export async function upgradeWithCopy(
  older: Older,
  now: number,
  tell: TellStep,
): Promise<Upgraded & { copy: string }> {
  const { data, file, version } = older;
  const time = isoTime(now).replace(/\.\d+/, "").replaceAll(/[-:]/g, "");
  const copy = join(data, `before-upgrade-${version}-to-${SCHEMA_VERSION}-${time}`);
  clearRehearsal(data);
  // A migration that builds a table anew writes as much as that holds into the log, before anything is freed.
  diskReserve(data).refuseLess(2 * (sizeOf(file) + sizeOf(`${file}-wal`)));
  await keepCopy(older, copy, tell);
  try {
    return { ...upgrade(file, version, tell), copy };
  } catch (error) {
    // The database is what the copy is of. A server that is started again and again would fill the disk.
    rmSync(copy, { recursive: true, force: true });
    throw error;
  } finally {
    forgetCopies(data);
  }
}

/** Gets its name when all of it is on disk and looked through. */
async function keepCopy({ data, file }: Older, copy: string, tell: TellStep): Promise<void> {
  const partial = `${copy}.partial`;
  for (const name of readdirSync(data)) if (PARTIAL.test(name)) rmSync(join(data, name), { recursive: true });
  // Of another start within the same second.
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(partial, { mode: 0o700 });
  try {
    await copyDatabase(file, join(partial, DATABASE_MEMBER), (done, total) => tell("copy", done, total));
    tell("verify copy", 0, 1);
    inspectDatabase(join(partial, DATABASE_MEMBER));
    syncFolder(partial);
    renameSync(partial, copy);
    syncFolder(data);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}

/** A killed rehearsal leaves its copy of the whole database; one that is under way is left alone. */
function clearRehearsal(data: string): void {
  const folder = join(data, REHEARSAL);
  if (!existsSync(folder)) return;
  const held = lockFile(join(folder, ".lock"));
  if (!held) return;
  held.release();
  rmSync(folder, { recursive: true, force: true });
}

function forgetCopies(data: string): void {
  const byTime = (name: string): string => name.slice(name.lastIndexOf("-"));
  const copies = readdirSync(data).filter((name) => COPY.test(name));
  const newestFirst = copies.sort((a, b) => (byTime(a) < byTime(b) ? 1 : -1));
  for (const name of newestFirst.slice(COPIES_KEPT)) rmSync(join(data, name), { recursive: true });
}

export interface Rehearsed extends Upgraded {
  before: Contents & { bytes: number };
  after: Contents & { bytes: number };
}

/**
 * Does the same with a copy that is taken away afterwards, beside a server too, and changes nothing. Throws
 * what the upgrade would.
 */
export async function rehearse({ data, file, version }: Older, tell: TellStep): Promise<Rehearsed> {
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
    await copyDatabase(file, copy, (done, total) => tell("copy", done, total));
    const before = measure();
    const upgraded = upgrade(copy, version, tell);
    return { ...upgraded, before, after: measure() };
  } finally {
    held.release();
    rmSync(folder, { recursive: true, force: true });
  }
}

function upgrade(file: string, from: number, tell: TellStep): Upgraded {
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
    const at = steps.at(-1)?.name ?? "the start";
    throw new DatabaseRefused(
      `The upgrade from schema ${from} to ${SCHEMA_VERSION} failed at ${at}: ${inWords(error)}. The database is unchanged. Go back to your previous version, and report this line.`,
      { cause: error },
    );
  }
  return { from, to: SCHEMA_VERSION, steps };
}

function inWords(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^SQLITE_(?:FULL|IOERR)/.test(code)) return "the disk is full or failing";
  if (code.startsWith("SQLITE_BUSY")) return "another program is using the database";
  return error instanceof Error ? error.message : String(error);
}
