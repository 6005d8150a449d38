import { OPERATIONS } from "../src/operations/index.ts";
import { addressOf } from "../src/operations/operation.ts";
import { bodyOf, queryOf, refusalsOf, statusOf } from "../src/rest/form.ts";

/** All operations with their V1 routes, for tests that cover every operation. */
export const ROUTES = OPERATIONS.map((op) => ({
  ...op,
  ...addressOf(op),
  query: queryOf(op),
  body: op.kind === "write" ? op.draft : undefined,
  answer: { status: statusOf(op), ...bodyOf(op) },
  refused: refusalsOf(op),
}));
export type Route = (typeof ROUTES)[number];
