import type { Core } from "../../base/core.ts";
import { descending, type PageRequest } from "../../base/page.ts";

/** A row of the list of content. */
export interface ContentRow {
  id: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  isHeld: 0 | 1;
}

/** Conditions of the list. Each part that is set limits the list. */
export interface ContentConditions {
  authorId?: string | undefined;
  /** ID of the member who invited the author. */
  invitedBy?: string | undefined;
  /** The network of the author's sign-up. */
  network?: string | undefined;
  /** A host in the text, in lower case. */
  linkHost?: string | undefined;
  state?: "visible" | "hidden" | "held" | undefined;
  /** Whether a post is a reply. */
  isReply?: boolean | undefined;
}

/** IDs between which a page lies, without the ends. */
export interface Span {
  after: string;
  before: string;
}

/** Number of newest entries of each kind that a filter reads. */
const FILTERED_MAX = 10_000;

const IS_HELD = "EXISTS (SELECT 1 FROM held WHERE subject_id = c.id AND dismissed_at IS NULL)";

/** Columns, indexes and conditions of the table of each kind. */
const TABLES = {
  post: {
    from: "posts",
    createdAt: "c.created_at",
    author: "c.author_id",
    text: "c.text",
    byAuthor: "posts_by_author",
    hidden: "posts_hidden",
    exists: "c.removed_at IS NULL",
  },
  prompt: {
    from: "prompts",
    createdAt: "c.created_at",
    author: "c.author_id",
    text: "c.title || ' ' || c.body",
    byAuthor: "prompts_by_author",
    hidden: "prompts_hidden",
    exists: "c.removed_at IS NULL",
  },
  job: {
    from: "jobs",
    createdAt: "c.posted_at",
    author: "c.published_by",
    text: "c.title || ' ' || c.description || ' ' || c.apply_url",
    byAuthor: "jobs_by_publisher",
    hidden: "jobs_hidden",
    exists: "TRUE",
  },
} as const;

const STATES = {
  visible: "c.hidden_at IS NULL",
  hidden: `c.hidden_at IS NOT NULL AND NOT ${IS_HELD}`,
  held: "h.dismissed_at IS NULL",
} as const;

/**
 * Selects content of one kind for a page, newest first, or oldest first for a backwards request. The kind
 * `post` includes replies. Leaves out content of a deleted account, because it can be restored only with the
 * account (docs/contract.md#9.12).
 */
export function selectContent(
  core: Core,
  kind: keyof typeof TABLES,
  { isReply, authorId, invitedBy, network, linkHost, state }: ContentConditions,
  { after, before }: Span,
  request: PageRequest,
): ContentRow[] {
  const { order } = descending(request);
  const { from, createdAt, author, text, byAuthor, hidden, exists } = TABLES[kind];
  const id = state === "held" ? "h.subject_id" : "c.id";
  const index =
    authorId !== undefined ? `INDEXED BY ${byAuthor}` : state === "hidden" ? `INDEXED BY ${hidden}` : "";
  const source =
    state === "held" ? `held h CROSS JOIN ${from} c ON c.id = h.subject_id` : `${from} c ${index}`;
  const conditions = [
    `${id} > ? AND ${id} < ? AND ${exists}`,
    `NOT EXISTS (SELECT 1 FROM builders WHERE id = ${author} AND removed_at IS NOT NULL)`,
    ...(authorId === undefined ? [] : [`${author} = ?`]),
    ...(isReply === undefined || kind !== "post" ? [] : [`c.parent_id IS ${isReply ? "NOT " : ""}NULL`]),
    // The plus signs keep the order of the list: the table is read by id, not by author.
    ...(invitedBy === undefined
      ? []
      : [`+${author} IN (SELECT builder_id FROM invited WHERE invited_by = ?)`]),
    ...(network === undefined ? [] : [`+${author} IN (SELECT builder_id FROM sign_ups WHERE network = ?)`]),
    ...(linkHost === undefined ? [] : [`instr(lower(${text}), ?) > 0`]),
    ...(state === undefined ? [] : [STATES[state]]),
  ];
  const bound = [after, before, authorId, invitedBy, network, linkHost].filter(
    (value) => value !== undefined,
  );
  return core.db
    .prepare<ContentRow>(
      `SELECT c.id, ${createdAt} AS createdAt, ${IS_HELD} AS isHeld FROM ${source}
       WHERE ${conditions.join(" AND ")} ORDER BY ${id} ${order} LIMIT ?`,
    )
    .all(...bound, request.limit + 1);
}

/** Selects the ID before the newest entries of each kind that a filter reads. None if there are fewer. */
export function selectFilterEnds(core: Core): string[] {
  return core.db
    .prepare<{ id: string }>(
      `SELECT * FROM (SELECT id FROM posts ORDER BY id DESC LIMIT 1 OFFSET ?)
       UNION ALL SELECT * FROM (SELECT id FROM prompts ORDER BY id DESC LIMIT 1 OFFSET ?)
       UNION ALL SELECT * FROM (SELECT id FROM jobs ORDER BY id DESC LIMIT 1 OFFSET ?)`,
    )
    .all(FILTERED_MAX, FILTERED_MAX, FILTERED_MAX)
    .map(({ id }) => id);
}
