import { type TSchema, Type } from "@sinclair/typebox";
import { ruled, WholeNumber } from "../core/base/check.ts";
import { CURSOR_MAX_LENGTH, type Page, PAGE_LIMIT, type PageRequest } from "../core/base/page.ts";
import type { Answer } from "./answer.ts";

/** The format of a cursor, for clients that store cursors. */
const CURSOR = { minLength: 1, maxLength: CURSOR_MAX_LENGTH, pattern: "^[A-Za-z0-9_-]+$" };

/** The two parameters of every list (docs/contract.md#V4.1, docs/contract.md#V4.5). */
export const pageParameters = {
  cursor: Type.Optional(
    Type.String({
      description: "The `next` value of the previous page. Leave it out for the first page.",
      ...CURSOR,
      ...ruled("not_cursor"),
    }),
  ),
  limit: WholeNumber(PAGE_LIMIT.min, PAGE_LIMIT.max, {
    default: PAGE_LIMIT.default,
    description: "The number of items per page.",
  }),
};

/** `{ data, next }` (docs/contract.md#V4.2). */
export function PageOf(id: string, item: TSchema) {
  return Type.Object(
    {
      data: Type.Array(item, { description: "The items on this page." }),
      next: Type.Union([Type.String(CURSOR), Type.Null()], {
        description: "The cursor of the next page. `null` on the last page.",
      }),
    },
    { $id: id },
  );
}

export function pageRequest(query: { limit: number; cursor?: string }): PageRequest {
  return { limit: query.limit, cursor: query.cursor };
}

export function presentPage<Node>(page: Page<Node>, present: (node: Node) => unknown): Answer {
  const last = page.nodes.at(-1);
  const next = page.hasNextPage && last !== undefined ? page.cursorOf(last) : null;
  return { status: 200, body: { data: page.nodes.map(present), next }, next };
}
