import { copyFileSync, chmodSync, existsSync, rmSync, statSync } from "node:fs";
import { basename } from "node:path";
import { systemClock } from "../../core/base/clock.ts";
import { MIGRATIONS } from "../../core/base/db/migrations.ts";
import {
  type DatabaseFacts,
  type LogFacts,
  type CommitMark,
  readDatabaseFacts,
  readLogFacts,
  readMark,
} from "./write-ahead-log.ts";
import { freeName } from "./free-name.ts";
import { BackupRefused } from "./refused.ts";
import { stampOf } from "./restore-swap.ts";

/** Result of checking the WAL beside a database. The check runs before SQLite opens the two files. */
export interface LogInspection {
  /**
   * Why the WAL and the database must not be opened together. The text completes a sentence about the
   * database.
   */
  refused?: string;
  /**
   * Number of acknowledged commits that are lost. These commits follow a damaged part of the WAL, and SQLite
   * stops reading at this part.
   */
  lost?: number;
}

/** First schema version with the table `lineage`. */
const LINEAGE_SCHEMA = MIGRATIONS.findIndex(({ name }) => name.endsWith("_lineage")) + 1;
const NOTHING: LogInspection = {};

/**
 * Checks whether the WAL beside a database belongs to that database and has all acknowledged commits.
 * docs/adr/0040-whose-log.md lists what can be detected. Call this only while no server holds the folder, and
 * before this process opens the database. If another program is writing, this function may read one file in a
 * newer state than the other. So a finding counts only if repeated checks find it again.
 */
export function inspectLog(database: string): LogInspection {
  const found = inspectOnce(database);
  for (let retry = 0; retry < 2 && found !== NOTHING; retry++) {
    const next = inspectOnce(database);
    if (next.refused !== found.refused || next.lost !== found.lost) return NOTHING;
  }
  return found;
}

/**
 * Throws BackupRefused if the WAL belongs to another database. Call this before SQLite opens the file.
 * Returns how many acknowledged commits a damaged WAL has lost.
 */
export function refuseForeignLog(file: string): number | undefined {
  const { refused, lost } = inspectLog(file);
  if (refused !== undefined)
    throw new BackupRefused(
      `${file} ${refused}. Put back the database that belongs to the log. To use this database as it is, move guildhall.db-wal and guildhall.db-shm away.`,
    );
  return lost;
}

/**
 * Same as `refuseForeignLog`, but returns a text about the lost commits. Keeps a copy of the damaged WAL,
 * because SQLite will overwrite the WAL.
 */
export function reportLostCommits(file: string): string[] {
  const lost = refuseForeignLog(file);
  if (lost === undefined) return [];
  const logCopy = copyLog(file);
  const where =
    logCopy === undefined ? "there was no space for a copy of the log" : `a copy of the log is in ${logCopy}`;
  return [
    `The log of ${file} is damaged: ${lost} of the last acknowledged commits are lost (${where}). To get them back, restore a backup that contains them.`,
  ];
}

/**
 * Copies the WAL to a file that SQLite does not overwrite. Returns the name of the copy, or undefined if the
 * disk is too full.
 */
function copyLog(database: string): string | undefined {
  const copy = freeName(`${database}-wal.damaged-${stampOf(systemClock.now())}`);
  try {
    copyFileSync(`${database}-wal`, copy);
    chmodSync(copy, 0o600);
    return basename(copy);
  } catch {
    rmSync(copy, { force: true });
    return undefined;
  }
}

function inspectOnce(file: string): LogInspection {
  const size = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  // A WAL that is shorter than one frame has no commits.
  if (size < 512) return NOTHING;
  const database = existsSync(file) ? readDatabaseFacts(file) : undefined;
  if (!database)
    return {
      refused: "is missing or empty, but its log guildhall.db-wal exists",
    };
  const log = readLogFacts(`${file}-wal`, database.pageSize);
  if (log.pages.size === 0) return NOTHING;
  const [mark] = [...log.pages]
    .flatMap((page) => readMark(file, page, database.pageSize) ?? [])
    .sort((a, b) => b.commits - a.commits);
  const refused = refusalOf(database, log, mark);
  if (refused !== undefined) return { refused };
  const lost = (log.beyond?.acknowledged ?? 0) - ((log.last ?? mark)?.promised ?? 0);
  return lost > 0 ? { lost } : NOTHING;
}

/**
 * Returns why the WAL does not continue this database. `mark` is the row of `lineage` in the database file,
 * without the WAL.
 */
function refusalOf(database: DatabaseFacts, log: LogFacts, mark: CommitMark | undefined): string | undefined {
  const { first, last, beyond } = log;
  /**
   * During a checkpoint, the database's first page may be newer than all other pages, because the checkpoint
   * writes it first.
   */
  const isCheckpointing = log.headers.has(database.header);
  if (first && !mark) {
    const isFirstLog = first.commits === 1 && (isCheckpointing || database.schema < LINEAGE_SCHEMA);
    return isFirstLog || (first.commits > 1 && log.isRebuilt)
      ? undefined
      : "is not the database that its log guildhall.db-wal belongs to";
  }
  if (!mark) return undefined;
  if ([...log.lines, beyond?.last.line ?? mark.line].some((line) => line !== mark.line))
    return "belongs to another community, or another copy, than its log guildhall.db-wal";
  if (first && mark.commits < first.commits - 1)
    return `is older than its log guildhall.db-wal (${first.commits - 1 - mark.commits} commits are missing in between)`;
  // If the WAL's first commit has the same number as the database, the cookies cannot be compared. The two
  // numbers are the same if the WAL begins with a VACUUM.
  const isCookieKnown = log.baseCookie !== undefined && first?.commits !== mark.commits;
  if (isCookieKnown && !isCheckpointing && database.cookie !== log.baseCookie)
    return "is a copy of the database that its log guildhall.db-wal belongs to";
  const reached = last?.commits ?? (beyond ? beyond.first.commits - 1 : mark.commits);
  // If SQLite reads no frame of the WAL, the WAL overwrites nothing. The database may be used if it already
  // has all commits of the WAL.
  if (mark.commits <= reached || (!last && mark.commits >= (beyond?.last.commits ?? 0))) return undefined;
  return beyond
    ? "is newer than the readable part of its damaged log guildhall.db-wal"
    : "is newer than its log guildhall.db-wal";
}
