import { previewOf, titleOf } from "../../base/title.ts";
import { type AnyEventType, CATALOGUE, type EventData, type EventSubject } from "./catalogue.ts";

/*
 * The log stores no words of members. An event whose type has a subject (a post, a job, a message) stores the
 * subject's id, and its words are read from the subject at the moment of reading (docs/contract.md#5.8). So a
 * deleted, hidden or edited text is in no event and no delivery, also of an export or a backup. What a
 * receiver answered to an attempt may repeat the text: it is shown by `TEXT_IS_UNCHANGED`, no export has it,
 * and the database and its backups keep it as long as the attempt.
 */

/** The payload that the log stores: the words of the subject left out. */
export type EventFact = {
  [Type in AnyEventType]: (typeof CATALOGUE)[Type]["subject"] extends null
    ? EventData[Type]
    : Unworded<EventData[Type]>;
};

type Unworded<Data> = Data extends { post: infer Post }
  ? { post: Omit<Post, "title"> }
  : Data extends { job: infer Job }
    ? { job: Omit<Job, "title" | "company"> }
    : Omit<Data, "preview">;

/** The subject of an event, in the row of the log. Types without a subject take none. */
export type SubjectOf<Type extends AnyEventType> = (typeof CATALOGUE)[Type]["subject"] extends null
  ? []
  : [subjectId: string];

/**
 * The source text of the words of an event `e`, as a query for each kind of subject. The query has a row
 * while everyone who may read the event may read the subject. An account that was deleted a moment ago has no
 * subjects, even while its rows are still being deleted.
 */
const SUBJECTS: Readonly<Record<EventSubject, string>> = {
  post: `(SELECT s.text FROM posts s CROSS JOIN builders author ON author.id = s.author_id
    WHERE s.id = e.subject_id AND s.hidden_at IS NULL AND author.removed_at IS NULL)`,
  job: `(SELECT json_object('title', s.title, 'name', c.name, 'slug', c.slug)
    FROM jobs s CROSS JOIN companies c ON c.id = s.company_id
    LEFT JOIN builders author ON author.id = s.published_by
    WHERE s.id = e.subject_id AND s.on_board = 1 AND author.removed_at IS NULL)`,
  message: `(SELECT s.text FROM messages s CROSS JOIN builders author ON author.id = s.sender_id
    WHERE s.id = e.subject_id AND author.removed_at IS NULL)`,
};

const typesOf = (subject: EventSubject): string =>
  Object.entries(CATALOGUE)
    .filter(([, kind]) => kind.subject === subject)
    .map(([type]) => `'${type}'`)
    .join(", ");

/**
 * The words of an event `e` as its subject has them now; null where it is gone, and for a type without one.
 */
const SUBJECT_TEXT = `(CASE ${(Object.keys(SUBJECTS) as EventSubject[])
  .map((subject) => `WHEN e.type IN (${typesOf(subject)}) THEN ${SUBJECTS[subject]}`)
  .join(" ")} END)`;

/** Whether the subject of an event `e` is gone: deleted, hidden, off the board, or of a deleted account. */
export const IS_GONE = `(e.subject_id IS NOT NULL AND ${SUBJECT_TEXT} IS NULL)`;

/**
 * When the post that an event `e` is about was last edited; null where it never was, and for any other
 * subject.
 */
const POST_EDITED_AT = "(SELECT s.edited_at FROM posts s WHERE s.id = e.subject_id)";
/** The same of a post, or of the title of a job. */
const EDITED_AT = `coalesce(${POST_EDITED_AT}, (SELECT s.retitled_at FROM jobs s WHERE s.id = e.subject_id))`;

/**
 * Whether the words that an attempt `a` sent of an event `e` are still those of its subject, so that what the
 * receiver answered may be shown: many answer with what they were sent.
 */
export const TEXT_IS_UNCHANGED = `(NOT ${IS_GONE} AND coalesce(${EDITED_AT} < a.started_at, 1))`;

/** A row of the log with its words. */
export interface EventRowWithText {
  type: string;
  body: string;
  subjectId: string | null;
  /** `WORDS` of it. */
  words: string | null;
}

/** The columns of `EventRowWithText`. */
export const EVENT_COLUMNS = `e.type, e.body, e.subject_id AS subjectId, ${SUBJECT_TEXT} AS words`;

/**
 * Whether an event `e` is in the log for someone who was not sent it: its subject is there, and it does not
 * announce a post in words that were edited since (docs/contract.md#5.8).
 */
export const IS_LISTED = `(e.subject_id IS NULL OR (${SUBJECT_TEXT} IS NOT NULL
    AND NOT (e.type = 'post.created' AND ${POST_EDITED_AT} IS NOT NULL)))`;

/** An event as it is read and sent: `body` is all of it, as JSON text. */
export interface Envelope {
  created_at: string;
  data: Record<string, unknown>;
  body: string;
}

/** The envelope with the words of now; undefined where its subject is gone. */
export function envelopeOf({ type, body, subjectId, words }: EventRowWithText): Envelope | undefined {
  const stored = JSON.parse(body) as Omit<Envelope, "body">;
  if (subjectId === null) return { ...stored, body };
  if (words === null || !hasWords(type)) return undefined;
  const worded = { ...stored, data: WORD_IN[type](stored.data as never, words) };
  return { ...worded, body: JSON.stringify(worded) };
}

/** The row with empty words where its subject is gone: as it is shown to those who ask for it by its id. */
export function withEmptyText<Row extends EventRowWithText>(row: Row): Row {
  const empty = row.type === "job.published" ? JSON.stringify({ title: "", name: "", slug: "" }) : "";
  return { ...row, words: row.words ?? empty };
}

/** What the log stores of an event: its type, its envelope and its subject. */
type LogRow = Pick<EventRowWithText, "type" | "body"> & {
  subjectId?: string | null;
  workspaceId?: string | null;
};

/**
 * A row as the log stores it now, of one as exports before 0.3 hold it: with its words, and without its
 * subject. Nobody reads a message event of such an export, which does not say which message it is about.
 * Throws where the payload is not that of its type.
 */
export function withoutText<Row extends LogRow>(row: Row): Row {
  const isTest = (row.workspaceId ?? null) !== null;
  if (isTest || (row.subjectId ?? null) !== null || !hasWords(row.type)) return row;
  const envelope = JSON.parse(row.body) as { data: never };
  const [subjectId, data] = PARTED[CATALOGUE[row.type].subject](envelope.data);
  if (typeof subjectId !== "string") throw new Error("the payload names no subject");
  return { ...row, subjectId, body: JSON.stringify({ ...envelope, data }) };
}

type Parted<Type extends TypeWithText> = (
  data: EventData[Type],
) => [subjectId: string, fact: EventFact[Type]];

const PARTED: { post: Parted<"post.created">; job: Parted<"job.published">; message: Parted<"dm.received"> } =
  {
    post: ({ post: { title: _, ...post } }) => [post.id, { post }],
    job: ({ job: { title: _, company: __, ...job } }) => [job.id, { job }],
    message: ({ preview: _, ...fact }) => [fact.thread_id, fact],
  };

/** The types whose events have words. */
type TypeWithText = {
  [Type in AnyEventType]: (typeof CATALOGUE)[Type]["subject"] extends null ? never : Type;
}[AnyEventType];

function hasWords(type: string): type is TypeWithText {
  return Object.hasOwn(WORD_IN, type);
}

function wordPost(
  { post: { id, author_id, url } }: EventFact["post.created"],
  words: string,
): EventData["post.created"] {
  return { post: { id, author_id, title: titleOf(words), url } };
}

/** Puts the words of a subject into what the log stores of it. */
const WORD_IN: {
  readonly [Type in TypeWithText]: (fact: EventFact[Type], words: string) => EventData[Type];
} = {
  "post.created": wordPost,
  "post.updated": wordPost,
  "job.published": ({ job: { id, url } }, words) => {
    const { title, name, slug } = JSON.parse(words) as Record<"title" | "name" | "slug", string>;
    return { job: { id, title, company: { name, slug }, url } };
  },
  "dm.received": (fact, words) => ({ ...fact, preview: previewOf(words) }),
};
