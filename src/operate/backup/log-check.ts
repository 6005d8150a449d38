import { copyFileSync, chmodSync, existsSync, rmSync, statSync } from "node:fs";
import { basename } from "node:path";
import { systemClock } from "../../core/base/clock.ts";
import { MIGRATIONS } from "../../core/base/db/migrations.ts";
import {
  type DatabaseFacts,
  type LogFacts,
  type Mark,
  readDatabaseFacts,
  readLogFacts,
  readMark,
} from "./write-ahead-log.ts";
import { freeName } from "./free-name.ts";
import { BackupRefused } from "./refused.ts";
import { stampOf } from "./restore-swap.ts";

/** What a look at the log beside a database came to, before SQLite sees either. */
export interface LogInspection {
  /** Why the two must not be opened together, as a sentence without an end. */
  refused?: string;
  /** Acknowledged commits that stand behind a damaged place, where SQLite does not look. */
  lost?: number;
}

/** The version of the tables since which there is `lineage`. */
const COUNTED_SINCE = MIGRATIONS.findIndex(({ name }) => name.endsWith("_lineage")) + 1;
const NOTHING: LogInspection = {};

/**
 * Whether the log beside a database is its own, and whether all that was acknowledged is in it: what is
 * detected, and what cannot be, is docs/adr/0040-whose-log.md. Only where no server has the folder, and
 * before this process opens the database. Of two files that another program is just writing one may be newer
 * than the other: what is found is believed when it is found again.
 */
export function inspectLog(database: string): LogInspection {
  const found = lookOnce(database);
  for (let again = 0; again < 2 && found !== NOTHING; again++) {
    const next = lookOnce(database);
    if (next.refused !== found.refused || next.lost !== found.lost) return NOTHING;
  }
  return found;
}

/**
 * Before SQLite sees it: a log that is none of this database's is refused. How many acknowledged commits a
 * damaged one has lost.
 */
export function refuseForeignLog(file: string): number | undefined {
  const { refused, lost } = inspectLog(file);
  if (refused !== undefined)
    throw new BackupRefused(
      `${file} ${refused}. Put back the database that belongs to the log. To use this database as it is, move guildhall.db-wal and guildhall.db-shm away.`,
    );
  return lost;
}

/** The same, in words, and what SQLite will write over is kept. */
export function reportLostCommits(file: string): string[] {
  const lost = refuseForeignLog(file);
  if (lost === undefined) return [];
  const kept = keepLog(file);
  const where =
    kept === undefined ? "there was no space for a copy of the log" : `a copy of the log is in ${kept}`;
  return [
    `The log of ${file} is damaged: ${lost} of the last acknowledged commits are lost (${where}). To get them back, restore a backup that contains them.`,
  ];
}

/** Where SQLite does not write over it. The name of the copy; undefined where there is no room. */
function keepLog(database: string): string | undefined {
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

function lookOnce(file: string): LogInspection {
  const size = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  // Less than a frame holds nothing.
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

/** Why the log is not what this database goes on with. `mark`: the database's own, without the log. */
function refusalOf(database: DatabaseFacts, log: LogFacts, mark: Mark | undefined): string | undefined {
  const { first, last, beyond } = log;
  /** A checkpoint begins with the first page, so that this one may be newer than all others. */
  const isTakenOver = log.headers.has(database.header);
  if (first && !mark) {
    const isBornHere = first.commits === 1 && (isTakenOver || database.schema < COUNTED_SINCE);
    return isBornHere || (first.commits > 1 && log.isRebuilt)
      ? undefined
      : "is not the database that its log guildhall.db-wal belongs to";
  }
  if (!mark) return undefined;
  if ([...log.lines, beyond?.last.line ?? mark.line].some((line) => line !== mark.line))
    return "belongs to another community, or another copy, than its log guildhall.db-wal";
  if (first && mark.commits < first.commits - 1)
    return `is older than its log guildhall.db-wal (${first.commits - 1 - mark.commits} commits are missing in between)`;
  // A log that begins with a VACUUM begins with the database's own count.
  const isCookieKnown = log.baseCookie !== undefined && first?.commits !== mark.commits;
  if (isCookieKnown && !isTakenOver && database.cookie !== log.baseCookie)
    return "is a copy of the database that its log guildhall.db-wal belongs to";
  const reached = last?.commits ?? (beyond ? beyond.first.commits - 1 : mark.commits);
  // Of a log that SQLite does not read at all nothing is put over a database that has all of it.
  if (mark.commits <= reached || (!last && mark.commits >= (beyond?.last.commits ?? 0))) return undefined;
  return beyond
    ? "is newer than the readable part of its damaged log guildhall.db-wal"
    : "is newer than its log guildhall.db-wal";
}
