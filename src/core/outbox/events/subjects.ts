import { previewOf, titleOf } from "../../base/title.ts";
import { type AnyEventType, CATALOGUE, type EventData, type EventSubject } from "./catalogue.ts";

/*
 * The event log stores no text that members wrote. An event about a post, a job or a message stores the id of
 * this subject. The text is read from the subject when the event is read (docs/contract.md#5.8). If a text
 * was deleted, hidden or edited, no event, delivery, export or backup therefore contains the text.
 * A receiver's response to an attempt may repeat the text. `TEXT_IS_UNCHANGED` decides whether the response
 * is shown. Exports leave responses out. The database and its backups keep a response as long as the attempt.
 */

/** The payload that the log stores, without the text of the subject. */
export type EventPayload = {
  [Type in AnyEventType]: (typeof CATALOGUE)[Type]["subject"] extends null
    ? EventData[Type]
    : WithoutText<EventData[Type]>;
};

type WithoutText<Data> = Data extends { post: infer Post }
  ? { post: Omit<Post, "title"> }
  : Data extends { job: infer Job }
    ? { job: Omit<Job, "title" | "company"> }
    : Omit<Data, "preview">;

/** The subject argument of an event. Types without a subject take no such argument. */
export type SubjectOf<Type extends AnyEventType> = (typeof CATALOGUE)[Type]["subject"] extends null
  ? []
  : [subjectId: string];

/**
 * SQL queries for the source text of an event `e`, by kind of subject. A query returns a row while everyone
 * who may read the event may read the subject. A deleted account has no subjects, even while its rows are
 * still being deleted. A hidden conversation has no members.
 */
const SUBJECTS: Readonly<Record<EventSubject, string>> = {
  post: `(SELECT s.text FROM posts s CROSS JOIN builders author ON author.id = s.author_id
    WHERE s.id = e.subject_id AND s.hidden_at IS NULL AND author.removed_at IS NULL)`,
  job: `(SELECT json_object('title', s.title, 'name', c.name, 'slug', c.slug)
    FROM jobs s CROSS JOIN companies c ON c.id = s.company_id
    LEFT JOIN builders author ON author.id = s.published_by
    WHERE s.id = e.subject_id AND s.on_board = 1 AND author.removed_at IS NULL)`,
  message: `(SELECT s.text FROM messages s CROSS JOIN builders author ON author.id = s.sender_id
    WHERE s.id = e.subject_id AND author.removed_at IS NULL
      AND EXISTS (SELECT 1 FROM thread_members WHERE thread_id = s.thread_id))`,
};

const typesOf = (subject: EventSubject): string =>
  Object.entries(CATALOGUE)
    .filter(([, kind]) => kind.subject === subject)
    .map(([type]) => `'${type}'`)
    .join(", ");

/**
 * SQL expression for the current text of an event `e`. Null if the subject is gone, and for types without a
 * subject.
 */
const SUBJECT_TEXT = `(CASE ${(Object.keys(SUBJECTS) as EventSubject[])
  .map((subject) => `WHEN e.type IN (${typesOf(subject)}) THEN ${SUBJECTS[subject]}`)
  .join(" ")} END)`;

/**
 * Whether the subject of an event `e` is gone: deleted, hidden, no longer on the job board, or of a deleted
 * account.
 */
export const SUBJECT_IS_GONE = `(e.subject_id IS NOT NULL AND ${SUBJECT_TEXT} IS NULL)`;

/**
 * SQL expression for the time at which the post of an event `e` was last edited. Null if the post was never
 * edited, and for other subjects.
 */
const POST_EDITED_AT = "(SELECT s.edited_at FROM posts s WHERE s.id = e.subject_id)";
/** SQL expression for the time at which the post, or the title of the job, was last edited. */
const EDITED_AT = `coalesce(${POST_EDITED_AT}, (SELECT s.retitled_at FROM jobs s WHERE s.id = e.subject_id))`;

/**
 * Whether the text that an attempt `a` sent for an event `e` is still current. If the text has changed, the
 * receiver's response is not shown, because many receivers echo the request.
 */
export const TEXT_IS_UNCHANGED = `(NOT ${SUBJECT_IS_GONE} AND coalesce(${EDITED_AT} < a.started_at, 1))`;

/** A row of the event log with the current text of its subject. */
export interface EventRowWithText {
  type: string;
  body: string;
  subjectId: string | null;
  /** Current text of the subject (`SUBJECT_TEXT`). */
  subjectText: string | null;
}

export const EVENT_COLUMNS = `e.type, e.body, e.subject_id AS subjectId, ${SUBJECT_TEXT} AS subjectText`;

/**
 * Whether an event `e` is listed for readers who did not receive the event. The subject of the event must
 * exist. After an edit of a post, the `post.created` event of the post is not listed (docs/contract.md#5.8).
 */
export const IS_LISTED = `(e.subject_id IS NULL OR (${SUBJECT_TEXT} IS NOT NULL
    AND NOT (e.type = 'post.created' AND ${POST_EDITED_AT} IS NOT NULL)))`;

/** An event for reading and sending. `body` is the whole event as JSON text. */
export interface Envelope {
  created_at: string;
  data: Record<string, unknown>;
  body: string;
}

/** Returns the envelope with the current text of the subject. Returns undefined if the subject is gone. */
export function envelopeOf({ type, body, subjectId, subjectText }: EventRowWithText): Envelope | undefined {
  const stored = JSON.parse(body) as Omit<Envelope, "body">;
  if (subjectId === null) return { ...stored, body };
  if (subjectText === null || !hasText(type)) return undefined;
  const worded = { ...stored, data: ADD_TEXT[type](stored.data as never, subjectText) };
  return { ...worded, body: JSON.stringify(worded) };
}

/**
 * Returns the row unchanged if the subject exists. Returns the row with empty text if the subject is gone.
 * Used for events that are requested by id.
 */
export function withEmptyText<Row extends EventRowWithText>(row: Row): Row {
  const empty = row.type === "job.published" ? JSON.stringify({ title: "", name: "", slug: "" }) : "";
  return { ...row, subjectText: row.subjectText ?? empty };
}

/** The stored part of an event: its type, its envelope and its subject. */
type LogRow = Pick<EventRowWithText, "type" | "body"> & {
  subjectId?: string | null;
  workspaceId?: string | null;
};

/**
 * Converts a row of an export from a version before 0.3 to the current format. Such a row includes the text
 * and has no subject id. A message event of such an export does not name its message, so nobody can read the
 * event afterwards. Throws if the payload does not match its type.
 */
export function withoutText<Row extends LogRow>(row: Row): Row {
  const isTest = (row.workspaceId ?? null) !== null;
  if (isTest || (row.subjectId ?? null) !== null || !hasText(row.type)) return row;
  const envelope = JSON.parse(row.body) as { data: never };
  const [subjectId, data] = SPLIT_TEXT[CATALOGUE[row.type].subject](envelope.data);
  if (typeof subjectId !== "string") throw new Error("the payload names no subject");
  return { ...row, subjectId, body: JSON.stringify({ ...envelope, data }) };
}

type SplitText<Type extends TypeWithText> = (
  data: EventData[Type],
) => [subjectId: string, fact: EventPayload[Type]];

const SPLIT_TEXT: {
  post: SplitText<"post.created">;
  job: SplitText<"job.published">;
  message: SplitText<"dm.received">;
} = {
  post: ({ post: { title: _, ...post } }) => [post.id, { post }],
  job: ({ job: { title: _, company: __, ...job } }) => [job.id, { job }],
  message: ({ preview: _, ...fact }) => [fact.thread_id, fact],
};

/** The types whose events include text. */
type TypeWithText = {
  [Type in AnyEventType]: (typeof CATALOGUE)[Type]["subject"] extends null ? never : Type;
}[AnyEventType];

function hasText(type: string): type is TypeWithText {
  return Object.hasOwn(ADD_TEXT, type);
}

function addPostTitle(
  { post: { id, author_id, url } }: EventPayload["post.created"],
  text: string,
): EventData["post.created"] {
  return { post: { id, author_id, title: titleOf(text), url } };
}

/** Functions that add the text of the subject to the stored payload. */
const ADD_TEXT: {
  readonly [Type in TypeWithText]: (fact: EventPayload[Type], text: string) => EventData[Type];
} = {
  "post.created": addPostTitle,
  "post.updated": addPostTitle,
  "job.published": ({ job: { id, url } }, text) => {
    const { title, name, slug } = JSON.parse(text) as Record<"title" | "name" | "slug", string>;
    return { job: { id, title, company: { name, slug }, url } };
  },
  "dm.received": (fact, text) => ({ ...fact, preview: previewOf(text) }),
};
