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
import { giveFirstSecret } from "../../outbox/webhooks/secrets.ts";
import type { Form } from "./line-format.ts";
import { fromLine, LineRefused } from "./parse-line.ts";
import {
  dropFromDirectory,
  findInconsistency,
  insertRow,
  patchLogEnd,
  raiseSequence,
  sumUpDays,
} from "./importing-store.ts";

export { hasRow } from "./importing-store.ts";
export { fromLine, LineRefused } from "./parse-line.ts";

type Row = Record<string, unknown>;

/** A line of a file, counted from 1. */
export interface NumberedLine {
  number: number;
  text: string;
}

/** How far an import is: stands in the database that it fills, and is written with the rows. */
export interface ImportMark {
  /** The SHA-256 of the manifest: which export it is. */
  export: string;
  /** The file that is being read, how many lines of it are in, and where the next one begins. */
  file: string;
  lines: number;
  bytes: number;
  isDone: boolean;
  /** The host that it came from, and of when it is (ms since the epoch): who came with it can be claimed. */
  from: string;
  exportedAt: number;
}

/** Undefined in a database that no import has begun to fill. */
export function importMark(core: Core): ImportMark | undefined {
  const text = getSetting(core, "import");
  return text === undefined ? undefined : (JSON.parse(text) as ImportMark);
}

/**
 * Takes some lines of a file in, and writes down how far it is, in one transaction. `refused` is told of each
 * line that cannot be taken, with the reason; what it throws ends the transaction, and nothing of it stays.
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

/** What an export says beside its rows. */
export interface ExportMetadata {
  /** Where the steady time stood then: ms since the epoch. */
  steadyAt: number;
  sequences: Readonly<Record<string, number>>;
}

/**
 * Makes anew what follows from the rows, and looks whether they make sense together: what does not is told in
 * words, with its table and key, and nothing of this is stored. Undefined where the import is done.
 */
export function finishImport(core: Core, mark: ImportMark, around: ExportMetadata): string | undefined {
  const unsound = findInconsistency(core);
  if (unsound !== undefined) return unsound;
  core.db.transact(() => {
    sumUpDays(core);
    for (const [name, last] of Object.entries(around.sequences)) raiseSequence(core, name, last);
    // Deliveries are due by it: it goes on from where it stood (docs/adr/0020-steady-time.md).
    const steady = { steady: around.steadyAt, wall: mark.exportedAt };
    setSetting(core, "steady-time", JSON.stringify(steady));
    saveMark(core, { ...mark, isDone: true });
  });
  return undefined;
}

/**
 * What more than its row comes with a row. Credentials are made anew, and nobody is told them: their owners
 * make others.
 */
const WRITERS: Readonly<Record<string, (core: Core, form: Form, row: Row) => void>> = {
  builders(core, form, row) {
    insertRow(core, form, row);
    // Where they stand in the directory is in a file of its own.
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
    giveFirstSecret(core, row["id"] as string);
  },
  events(core, form, row) {
    insertRow(core, form, storedEvent(row as typeof events.$inferSelect));
  },
  event_log(core, _form, row) {
    refuseLogEnd(row);
    patchLogEnd(core, row);
  },
};

/** Refuses a payload that could not be read again. */
function storedEvent(row: typeof events.$inferSelect): Row {
  try {
    const stored = withoutText(row);
    envelopeOf({ ...stored, subjectId: stored.subjectId ?? null, words: "{}" });
    return stored;
  } catch {
    throw new LineRefused("`body` must be a valid payload for the event's `type`");
  }
}

function write(core: Core, form: Form, row: Row): void {
  (WRITERS[form.name] ?? insertRow)(core, form, row);
}

/** What may lie ahead: by the steady time, or because it ends something. */
const AHEAD: ReadonlySet<string> = new Set(["dueAt", "firstAt", "since"]);

/** The last moment that a row may tell, and the last id of it of each kind. */
interface Latest {
  at: number;
  idLike(id: string): string;
}

function latestAt(at: number): Latest {
  const ids = new Map<string, string>();
  return {
    at,
    idLike(id) {
      const kind = kindOf(id);
      const known = ids.get(kind) ?? lastIdAt(kind as IdKind, at);
      ids.set(kind, known);
      return known;
    },
  };
}

/** What came later than now would stand before everything that comes, and new ids behind it. */
function refuseFuture({ columns }: Form, row: Row, latest: Latest): void {
  for (const { key, name, kind } of columns) {
    const value = row[key];
    if (kind === "moment" && !AHEAD.has(key) && typeof value === "number" && value > latest.at)
      throw new LineRefused(`\`${name}\` is in the future: check the clocks of both machines`);
    if (key === "id" && typeof value === "string" && value > latest.idLike(value))
      throw new LineRefused("`id` is from the future");
  }
}

/** New places of the log are sought from here on, a millisecond after the other. */
function refuseLogEnd({ lastId, lastAt, prunedId }: Row): void {
  const isPlace = (id: unknown): id is string => id === "" || isId("evt", id);
  if (!isPlace(lastId) || !isPlace(prunedId) || prunedId > lastId)
    throw new LineRefused("`last_id` and `pruned_id` must be ids of events, `pruned_id` not after `last_id`");
  if (lastId > lastIdAt("evt", Number(lastAt)))
    throw new LineRefused("`last_at` must be the time of `last_id`");
}

/** In words that stand behind the file and the line; whatever else is wrong is thrown on. */
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
