import { indexPost, insertTags } from "../../community/feed/feed.ts";
import { insertIndexed } from "../../community/jobs/jobs.ts";
import { indexPrompt } from "../../community/prompts/prompts.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { getSetting, setSetting } from "../../base/db/settings.ts";
import type { posts } from "../../base/db/schema.ts";
import type { events } from "../../base/db/schema-delivery.ts";
import type { jobs } from "../../base/db/schema-jobs.ts";
import { type IdKind, isId, kindOf, lastIdAt } from "../../base/ids.ts";
import { envelopeOf, withoutText } from "../../outbox/events/subjects.ts";
import { createFirstSecret } from "../../outbox/webhooks/secrets.ts";
import type { Form } from "./line-format.ts";
import { fromLine, LineRefused } from "./parse-line.ts";
import {
  dropFromDirectory,
  findInconsistency,
  insertRow,
  patchLogEnd,
  raiseSequence,
  rebuildXpDays,
} from "./importing-store.ts";

export { hasRow } from "./importing-store.ts";
export { fromLine, LineRefused } from "./parse-line.ts";

type Row = Record<string, unknown>;

/** A line of a file. Numbers start at 1. */
export interface NumberedLine {
  number: number;
  text: string;
}

/** Progress of an import. It is stored in the imported database in the same transaction as the rows. */
export interface ImportMark {
  /** SHA-256 of the manifest, which identifies the export. */
  export: string;
  /** The current file, the number of its imported lines, and the offset of the next line in bytes. */
  file: string;
  lines: number;
  bytes: number;
  isDone: boolean;
  /**
   * Host and time (ms since the epoch) of the export. Accounts that are older than this time can be claimed.
   */
  from: string;
  exportedAt: number;
}

/** Returns the progress of the import; undefined if no import was started in this database. */
export function importMark(core: Core): ImportMark | undefined {
  const text = getSetting(core, "import");
  return text === undefined ? undefined : (JSON.parse(text) as ImportMark);
}

/**
 * Imports lines of a file and stores the progress, in one transaction. Calls `refused` with each invalid line
 * and the reason. If `refused` throws, the transaction is rolled back.
 */
export function importLines(
  core: Core,
  form: Form,
  lines: readonly NumberedLine[],
  mark: ImportMark,
  refused: (line: NumberedLine, why: string) => void,
): void {
  const latest = latestAt(core.clock.now() + DAY);
  core.db.transact(() => {
    for (const line of lines) {
      try {
        const row = fromLine(form, line.text);
        refuseFuture(form, row, latest);
        write(core, form, row);
      } catch (error) {
        refused(line, whyRefused(error));
      }
    }
    saveMark(core, mark);
  });
}

function saveMark(core: Core, mark: ImportMark): void {
  setSetting(core, "import", JSON.stringify(mark));
}

/** Data of an export in addition to its rows. */
export interface ExportMetadata {
  /** The steady time at the export, in ms since the epoch. */
  steadyAt: number;
  sequences: Readonly<Record<string, number>>;
}

/**
 * Checks the imported rows for consistency and rebuilds derived data. Returns undefined if the import is
 * complete. Otherwise stores nothing and returns the first inconsistency as text with its table and key.
 */
export function finishImport(core: Core, mark: ImportMark, around: ExportMetadata): string | undefined {
  const unsound = findInconsistency(core);
  if (unsound !== undefined) return unsound;
  core.db.transact(() => {
    rebuildXpDays(core);
    for (const [name, last] of Object.entries(around.sequences)) raiseSequence(core, name, last);
    // Deliveries are due at steady times, so the steady time must continue from the exported value
    // (docs/adr/0020-steady-time.md).
    const steady = { steady: around.steadyAt, wall: mark.exportedAt };
    setSetting(core, "steady-time", JSON.stringify(steady));
    saveMark(core, { ...mark, isDone: true });
  });
  return undefined;
}

/**
 * Functions that insert rows of tables that need more than an insert. For credentials, these functions insert
 * random values that nobody knows. After the import, the owners create new credentials.
 */
const WRITERS: Readonly<Record<string, (core: Core, form: Form, row: Row) => void>> = {
  builders(core, form, row) {
    insertRow(core, form, row);
    // Inserting a builder also inserts a directory entry. This entry is deleted, because the directory is
    // imported from its own file.
    dropFromDirectory(core, row["id"] as string);
  },
  apps(core, form, row) {
    const isConfidential = row["kind"] === "confidential";
    insertRow(core, form, { ...row, secretHash: isConfidential ? Buffer.from(core.random.bytes(32)) : null });
  },
  posts(core, form, row) {
    insertRow(core, form, row);
    const { id, authorId, tags = [], rootId, hiddenAt } = row as typeof posts.$inferInsert;
    if ((rootId ?? null) === null && (hiddenAt ?? null) === null) insertTags(core, { id, authorId, tags });
    indexPost(core, id);
  },
  prompts(core, form, row) {
    insertRow(core, form, row);
    indexPrompt(core, row["id"] as string);
  },
  jobs(core, form, row) {
    insertRow(core, form, row);
    const job = row as typeof jobs.$inferSelect & { onBoard?: boolean };
    if (job.onBoard ?? true) insertIndexed(core, { ...job, city: job.city ?? null });
  },
  webhook_endpoints(core, form, row) {
    insertRow(core, form, row);
    createFirstSecret(core, row["id"] as string);
  },
  events(core, form, row) {
    insertRow(core, form, storedEvent(row as typeof events.$inferSelect));
  },
  event_log(core, _form, row) {
    refuseLogEnd(row);
    patchLogEnd(core, row);
  },
};

/**
 * Returns the row to store for an imported event. Throws LineRefused for a payload that could not be read
 * back.
 */
function storedEvent(row: typeof events.$inferSelect): Row {
  try {
    const stored = withoutText(row);
    envelopeOf({ ...stored, subjectId: stored.subjectId ?? null, subjectText: "{}" });
    return stored;
  } catch {
    throw new LineRefused("`body` must be a valid payload for the event's `type`");
  }
}

function write(core: Core, form: Form, row: Row): void {
  (WRITERS[form.name] ?? insertRow)(core, form, row);
}

/**
 * Columns that may be in the future. `dueAt` and `firstAt` are steady times. `since` is the time from which a
 * time zone applies, and this time can be the end of the current day. `until` is the end of a restriction.
 */
const MAY_BE_FUTURE: ReadonlySet<string> = new Set(["dueAt", "firstAt", "since", "until"]);

/** The latest time that a row may have, and the latest id of each kind for that time. */
interface Latest {
  at: number;
  lastIdLike(id: string): string;
}

function latestAt(at: number): Latest {
  const ids = new Map<string, string>();
  return {
    at,
    lastIdLike(id) {
      const kind = kindOf(id);
      const known = ids.get(kind) ?? lastIdAt(kind as IdKind, at);
      ids.set(kind, known);
      return known;
    },
  };
}

/**
 * Throws for a row with a future time. Such a row would sort as newer than all rows that are written until
 * that time.
 */
function refuseFuture({ columns }: Form, row: Row, latest: Latest): void {
  for (const { key, name, kind } of columns) {
    const value = row[key];
    if (kind === "moment" && !MAY_BE_FUTURE.has(key) && typeof value === "number" && value > latest.at)
      throw new LineRefused(`\`${name}\` is in the future: check the clocks of both machines`);
    if (key === "id" && typeof value === "string" && value > latest.lastIdLike(value))
      throw new LineRefused("`id` is from the future");
  }
}

/**
 * Throws for an end of the log that is inconsistent or in the future. `nextPosition` searches for an id after
 * `last_id`, one millisecond at a time from `last_at`. If `last_id` were much later than `last_at`, the
 * search would take very long.
 */
function refuseLogEnd({ lastId, lastAt, prunedId }: Row): void {
  const isPlace = (id: unknown): id is string => id === "" || isId("evt", id);
  if (!isPlace(lastId) || !isPlace(prunedId) || prunedId > lastId)
    throw new LineRefused("`last_id` and `pruned_id` must be ids of events, `pruned_id` not after `last_id`");
  if (lastId > lastIdAt("evt", Number(lastAt)))
    throw new LineRefused("`last_at` must be the time of `last_id`");
}

/**
 * Returns the reason why a line was refused, as text to follow the file and line number. Rethrows all other
 * errors.
 */
function whyRefused(error: unknown): string {
  if (error instanceof LineRefused) return error.message;
  const { code, message } = error as { code?: unknown; message?: unknown };
  const kind = String(code);
  if (!kind.startsWith("SQLITE_CONSTRAINT")) throw error;
  const about = String(message)
    .replace(/^.*constraint failed:? ?/, "")
    .slice(0, 300);
  if (/PRIMARYKEY|UNIQUE|ROWID/.test(kind)) return `appears twice: ${about} must be unique`;
  if (/FOREIGNKEY/.test(kind)) return "refers to something that is not in the export";
  if (/NOTNULL/.test(kind)) return `${about} must not be null`;
  return `breaks a rule of its table: ${about}`;
}
