import { createHash } from "node:crypto";
import { fault, refuse, refuseFields } from "./errors.ts";

/** docs/contract.md#V4.5: page size 1 to 100, 20 when not asked for. */
export const PAGE_LIMIT = { min: 1, max: 100, default: 20 } as const;

/** What a caller asks of a list: at most `limit` nodes, after the place that `cursor` names, or before it. */
export interface PageRequest {
  limit: number;
  cursor?: string | undefined;
  /** The name of the cursor in the caller's request, for refusals; `cursor` where it has no other. */
  argument?: "after" | "before" | undefined;
  /**
   * Walks from the end towards the beginning: the nodes right before the cursor (Relay's `last` and
   * `before`).
   */
  backwards?: boolean | undefined;
  /** `walkedTo` of an earlier answer to this request: nothing up to there is read again. */
  walkedTo?: string | undefined;
}

/**
 * One page of a list. A cursor names the place of a node, so the same page serves `next` in REST and edges in
 * Relay.
 */
export interface Page<Node> {
  /** In the list's own order, whichever way it was walked. */
  nodes: Node[];
  hasNextPage: boolean;
  hasPreviousPage: boolean;
  cursorOf(node: Node): string;
  /**
   * The last place that was read at the end of the list. It is behind the last node if the places between
   * were skipped.
   */
  walkedTo?: string | undefined;
}

/** The same page with more said of each of its nodes. */
export function withNodes<Node, More extends Node>(page: Page<Node>, nodes: More[]): Page<More> {
  return { ...page, nodes };
}

/**
 * The list a cursor belongs to, with the filters that shaped it: it opens no other (docs/contract.md#2.12).
 */
export interface CursorScope {
  list: string;
  filters: Readonly<Record<string, unknown>>;
}

export type CursorKey = readonly (string | number)[];

export const CURSOR_MAX_LENGTH = 512;

/**
 * Turns `limit + 1` rows, read from the place the request names in the direction it names, into a page: the
 * extra row only tells that there is more; `hasMore` tells it of a page that ends early. Keyset, never
 * OFFSET, so rows inserted meanwhile neither shift nor repeat anything. Against the direction of the walk a
 * page has a neighbour when it has a cursor: that node stands there (Relay Cursor Connections §4.4).
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
  // The same for all of them, and made only where one is asked for.
  let head: string | undefined;
  return {
    nodes: request.backwards ? nodes.reverse() : nodes,
    hasNextPage: request.backwards ? hasLess : hasMore,
    hasPreviousPage: request.backwards ? hasMore : hasLess,
    cursorOf: (node) => encodeKey((head ??= headOf(scope)), keyOf(node)),
  };
}

/** Where a walk along one of many lists goes on: behind `from`, or from its end where that is undefined. */
export interface Walk<From> {
  /** The list's owner: a post for its replies, an endpoint for its deliveries. */
  id: string;
  from: From | undefined;
}

/**
 * The same page of many lists, each from its own place, for whoever asks for all of them in one go: `select`
 * reads the rows of all walks together. Throws as `cursorKey`; a cursor opens only the list that it is of.
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

/** Rows of many lists, each list by itself and in the order in which it is walked. */
export function inLists<Row extends { id: string }>(
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
 * How SQL walks a list that is read greatest first: `key BEYOND ? ORDER BY key ORDER`, the other way round
 * for backwards.
 */
export function descending({ backwards }: PageRequest): { beyond: "<" | ">"; order: "DESC" | "ASC" } {
  return backwards ? { beyond: ">", order: "ASC" } : { beyond: "<", order: "DESC" };
}

/**
 * The key inside a cursor, or undefined where the request has none; every list asks this first. Throws
 * bad_request for a limit outside 1 to 100, and for a cursor that is not of the form that this list with
 * these filters makes.
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

/** What all cursors of a list begin with: `["feed","…"`. */
function headOf({ list, filters }: CursorScope): string {
  return JSON.stringify([list, fingerprint(filters)]).slice(0, -1);
}

function encodeKey(head: string, key: CursorKey): string {
  return Buffer.from(`${head},${JSON.stringify(key).slice(1)}`).toString("base64url");
}

function decodeCursor(cursor: string, scope: CursorScope): CursorKey | undefined {
  if (cursor.length > CURSOR_MAX_LENGTH) return undefined;
  const [, , ...key] = parseArray(Buffer.from(cursor, "base64url").toString("utf8"));
  // Ours is only what we would write for this key, this list and these filters: Base64 and JSON have other
  // spellings.
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
 * Filters in one short text: the same filters in another order, or left out and undefined, are the same; a
 * list is a set, whose order and repetitions mean nothing.
 */
function fingerprint(filters: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(filters)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(
      ([name, value]) => [name, Array.isArray(value) ? [...new Set<string>(value)].sort() : value] as const,
    );
  if (given.length === 0) return "";
  given.sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(given)).digest("base64url").slice(0, 11);
}
