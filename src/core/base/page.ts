import { hash } from "node:crypto";
import { fault, refuse, refuseFields } from "./errors.ts";

/** Page size: 1 to 100, default 20 (docs/contract.md#V4.5). */
export const PAGE_LIMIT = { min: 1, max: 100, default: 20 } as const;

/** A page request: at most `limit` nodes after or before the position of `cursor`. */
export interface PageRequest {
  limit: number;
  cursor?: string | undefined;
  /** Name of the cursor argument in the caller's request, for error messages. Defaults to `cursor`. */
  argument?: "after" | "before" | undefined;
  /** Whether to walk from the end: the nodes right before the cursor (Relay's `last` and `before`). */
  backwards?: boolean | undefined;
  /** `walkedTo` of an earlier response to this request. Reading resumes there. */
  walkedTo?: string | undefined;
}

/**
 * One page of a list. A cursor holds the position of a node, so the same page serves `next` in REST and edges
 * in Relay.
 */
export interface Page<Node> {
  /** Nodes in the order of the list, whichever direction was walked. */
  nodes: Node[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  cursorOf(node: Node): string;
  /**
   * Last position that was read. It is later than the position of the last node when rows after that node
   * were skipped.
   */
  walkedTo?: string | undefined;
}

/** Returns the page with each node replaced by its extended version. */
export function withNodes<Node, More extends Node>(page: Page<Node>, nodes: More[]): Page<More> {
  return { ...page, nodes };
}

/**
 * The list of a cursor, with its filters. A cursor is valid for that list and those filters only
 * (docs/contract.md#2.12).
 */
export interface CursorScope {
  list: string;
  filters: Readonly<Record<string, unknown>>;
}

export type CursorKey = readonly (string | number)[];

export const CURSOR_MAX_LENGTH = 512;

/**
 * Builds a page from up to `limit + 1` rows, read from the request's cursor in its direction. The extra row
 * only shows that more rows exist. Pass `hasMore` for a page that ends early.
 *
 * Pages use a keyset, never OFFSET, so rows inserted meanwhile neither shift nor repeat anything. On the side
 * of the cursor, another page always exists, because that page contains the cursor's node (Relay Cursor
 * Connections §4.4).
 */
export function pageOf<Node>(
  rows: Node[],
  request: PageRequest,
  scope: CursorScope,
  keyOf: (node: Node) => CursorKey,
  hasMore = rows.length > request.limit,
): Page<Node> {
  const hasLess = request.cursor !== undefined;
  const nodes = rows.length > request.limit ? rows.slice(0, request.limit) : rows;
  // The head is the part that all cursors of the page share. It is built on first use.
  let head: string | undefined;
  return {
    nodes: request.backwards ? nodes.reverse() : nodes,
    hasNextPage: request.backwards ? hasLess : hasMore,
    hasPreviousPage: request.backwards ? hasMore : hasLess,
    cursorOf: (node) => encodeKey((head ??= headOf(scope)), keyOf(node)),
  };
}

/**
 * Start of a page in one of several lists that `pagesOf` reads. The page starts at the key `from`, or at an
 * end of the list when `from` is undefined.
 */
export interface Walk<From> {
  /** ID of the list's owner: a post for its replies, an endpoint for its deliveries. */
  id: string;
  from: From | undefined;
}

/**
 * Builds the requested page for several lists at once. `select` reads the rows of all lists in one query.
 * Throws like `cursorKey`. A cursor is valid only for its own list.
 */
export function pagesOf<Node, From extends string | number>(
  ids: readonly string[],
  request: PageRequest,
  list: {
    scopeOf(id: string): CursorScope;
    isKey(key: CursorKey): key is readonly [From];
    select(walks: readonly Walk<From>[]): ReadonlyMap<string, Node[]>;
    keyOf(node: Node): From;
  },
): ReadonlyMap<string, Page<Node>> {
  const walks = ids.map((id) => ({ id, from: cursorKey(request, list.scopeOf(id), list.isKey)?.[0] }));
  const rows = list.select(walks);
  return new Map(
    ids.map((id) => [
      id,
      pageOf(rows.get(id) ?? [], request, list.scopeOf(id), (node) => [list.keyOf(node)]),
    ]),
  );
}

/** Groups rows by list and sorts each list in the direction of the walk. */
export function groupByList<Row extends { id: string }>(
  rows: readonly Row[],
  listOf: (row: Row) => string,
  order: "DESC" | "ASC",
): ReadonlyMap<string, Row[]> {
  const lists = Map.groupBy(rows, listOf);
  const sign = order === "ASC" ? 1 : -1;
  for (const list of lists.values()) list.sort((a, b) => (a.id < b.id ? -sign : sign));
  return lists;
}

/**
 * Returns `<` or `>` and the sort order for a query on a list that is sorted in descending order: `key BEYOND
 * ? ORDER BY key ORDER`. A backwards request gets the opposite operator and order.
 */
export function descending({ backwards }: PageRequest): { beyond: "<" | ">"; order: "DESC" | "ASC" } {
  return backwards ? { beyond: ">", order: "ASC" } : { beyond: "<", order: "DESC" };
}

/**
 * Returns the key inside the cursor, or undefined without a cursor. Every list calls this first. Throws
 * bad_request for a limit outside 1 to 100, and for a cursor that does not belong to this list with these
 * filters.
 */
export function cursorKey<Key extends CursorKey>(
  request: PageRequest,
  scope: CursorScope,
  isKey: (key: CursorKey) => key is Key,
): Key | undefined {
  const isLimit =
    Number.isInteger(request.limit) && request.limit >= PAGE_LIMIT.min && request.limit <= PAGE_LIMIT.max;
  if (!isLimit)
    throw refuseFields([fault("limit", "not_whole", { min: PAGE_LIMIT.min, max: PAGE_LIMIT.max })]);
  if (request.cursor === undefined) return undefined;
  const key = decodeCursor(request.cursor, scope);
  if (key === undefined || !isKey(key))
    throw refuse("cursor_foreign", { name: request.argument ?? "cursor" });
  return key;
}

function encodeCursor(scope: CursorScope, key: CursorKey): string {
  return encodeKey(headOf(scope), key);
}

/** Returns the prefix of all cursors of a list: `["feed","…"`. */
function headOf({ list, filters }: CursorScope): string {
  return JSON.stringify([list, fingerprint(filters)]).slice(0, -1);
}

function encodeKey(head: string, key: CursorKey): string {
  return Buffer.from(`${head},${JSON.stringify(key).slice(1)}`).toString("base64url");
}

function decodeCursor(cursor: string, scope: CursorScope): CursorKey | undefined {
  if (cursor.length > CURSOR_MAX_LENGTH) return undefined;
  const [, , ...key] = parseArray(Buffer.from(cursor, "base64url").toString("utf8"));
  // Accept only the exact text that we would write for this key. Base64 and JSON allow other spellings of the
  // same key.
  return key.every(isKeyPart) && encodeCursor(scope, key) === cursor ? key : undefined;
}

function parseArray(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function isKeyPart(part: unknown): part is string | number {
  return typeof part === "string" || (typeof part === "number" && Number.isFinite(part));
}

/**
 * Hashes filters to a short text. The order of filters does not matter, and an omitted filter equals an
 * undefined one. In an array, order and duplicates do not matter.
 */
function fingerprint(filters: Readonly<Record<string, unknown>>): string {
  const given: [name: string, value: unknown][] = [];
  for (const name in filters) {
    const value = filters[name];
    if (value === undefined || value === null) continue;
    given.push([name, Array.isArray(value) ? [...new Set<string>(value)].sort() : value]);
  }
  if (given.length === 0) return "";
  given.sort(([a], [b]) => (a < b ? -1 : 1));
  return hash("sha256", JSON.stringify(given), "base64url").slice(0, 11);
}
