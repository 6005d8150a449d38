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
}

/** IDs between which a page lies, without the ends. */
export interface Span {
  after: string;
  before: string;
}

/** Number of newest entries of each kind that a filter reads. */
const FILTERED_MAX = 10_000;

const IS_HELD = "EXISTS (SELECT 1 FROM held WHERE subject_id = c.id AND dismissed_at IS NULL)";
const COLUMNS = `SELECT c.id, c.createdAt, ${IS_HELD} AS isHeld`;

/**
 * Each condition is skipped if its first parameter is null. Content of a deleted account is left out,
 * because it can be restored only with the account (docs/contract.md#9.12).
 */
const LIMITS = `AND (? IS NULL OR c.author IN (SELECT builder_id FROM invited WHERE invited_by = ?))
    AND (? IS NULL OR c.author IN (SELECT builder_id FROM sign_ups WHERE network = ?))
    AND (? IS NULL OR instr(lower(c.text), ?) > 0)
    AND (? IS NULL OR CASE ? WHEN 'visible' THEN c.hiddenAt IS NULL WHEN 'held' THEN ${IS_HELD}
      ELSE c.hiddenAt IS NOT NULL AND NOT ${IS_HELD} END)
    AND NOT EXISTS (SELECT 1 FROM builders WHERE id = c.author AND removed_at IS NOT NULL)`;

/** Returns the parameters of `LIMITS`. */
function limitsOf({ invitedBy, network, linkHost, state }: ContentConditions): (string | null)[] {
  return [invitedBy, network, linkHost, state].flatMap((value) => [value ?? null, value ?? null]);
}

const POSTS = `SELECT id, created_at AS createdAt, author_id AS author, text, hidden_at AS hiddenAt,
    parent_id IS NOT NULL AS isReply, removed_at FROM posts`;
const PROMPTS = `SELECT id, created_at AS createdAt, author_id AS author, title || ' ' || body AS text,
    hidden_at AS hiddenAt, removed_at FROM prompts`;
const JOBS = `SELECT id, posted_at AS createdAt, published_by AS author,
    title || ' ' || description || ' ' || apply_url AS text, hidden_at AS hiddenAt FROM jobs`;

/**
 * Selects posts and replies for a page, or only one of both, newest first. Oldest first for a backwards
 * request.
 */
export function selectPosts(
  core: Core,
  conditions: ContentConditions,
  { after, before }: Span,
  request: PageRequest,
  isReply: boolean | undefined,
): ContentRow[] {
  const { order } = descending(request);
  const { authorId } = conditions;
  const limits = [
    isReply === undefined ? null : 1,
    Number(isReply ?? 0),
    ...limitsOf(conditions),
    request.limit + 1,
  ];
  return authorId === undefined
    ? core.db
        .prepare<ContentRow>(
          `${COLUMNS} FROM (${POSTS}) c WHERE c.id > ? AND c.id < ? AND c.removed_at IS NULL AND (? IS NULL OR c.isReply = ?) ${LIMITS}
           ORDER BY c.id ${order} LIMIT ?`,
        )
        .all(after, before, ...limits)
    : core.db
        .prepare<ContentRow>(
          `${COLUMNS} FROM (${POSTS} INDEXED BY posts_by_author WHERE author_id = ?) c
           WHERE c.id > ? AND c.id < ? AND c.removed_at IS NULL AND (? IS NULL OR c.isReply = ?) ${LIMITS}
           ORDER BY c.id ${order} LIMIT ?`,
        )
        .all(authorId, after, before, ...limits);
}

/** Selects prompts for a page, newest first, or oldest first for a backwards request. */
export function selectPrompts(
  core: Core,
  conditions: ContentConditions,
  { after, before }: Span,
  request: PageRequest,
): ContentRow[] {
  const { order } = descending(request);
  const { authorId } = conditions;
  const limits = [...limitsOf(conditions), request.limit + 1];
  return authorId === undefined
    ? core.db
        .prepare<ContentRow>(
          `${COLUMNS} FROM (${PROMPTS}) c WHERE c.id > ? AND c.id < ? AND c.removed_at IS NULL ${LIMITS}
           ORDER BY c.id ${order} LIMIT ?`,
        )
        .all(after, before, ...limits)
    : core.db
        .prepare<ContentRow>(
          `${COLUMNS} FROM (${PROMPTS} INDEXED BY prompts_by_author WHERE author_id = ?) c
           WHERE c.id > ? AND c.id < ? AND c.removed_at IS NULL ${LIMITS}
           ORDER BY c.id ${order} LIMIT ?`,
        )
        .all(authorId, after, before, ...limits);
}

/** Selects jobs for a page, newest first, or oldest first for a backwards request. */
export function selectJobs(
  core: Core,
  conditions: ContentConditions,
  { after, before }: Span,
  request: PageRequest,
): ContentRow[] {
  const { order } = descending(request);
  const { authorId } = conditions;
  const limits = [...limitsOf(conditions), request.limit + 1];
  return authorId === undefined
    ? core.db
        .prepare<ContentRow>(
          `${COLUMNS} FROM (${JOBS}) c WHERE c.id > ? AND c.id < ? ${LIMITS}
           ORDER BY c.id ${order} LIMIT ?`,
        )
        .all(after, before, ...limits)
    : core.db
        .prepare<ContentRow>(
          `${COLUMNS} FROM (${JOBS} INDEXED BY jobs_by_publisher WHERE published_by = ?) c
           WHERE c.id > ? AND c.id < ? ${LIMITS}
           ORDER BY c.id ${order} LIMIT ?`,
        )
        .all(authorId, after, before, ...limits);
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
