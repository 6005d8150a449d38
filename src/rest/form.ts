import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import { addressOf, type Operation } from "../operations/operation.ts";
import type { Answer } from "./answer.ts";
import { waitParameter } from "./events.ts";
import { exampleOf } from "./example.ts";
import { pageParameters, PageOf } from "./page.ts";
import { v1Schema } from "./present.ts";

/* The v1 form of an operation, derived from its kind, method and views. */

/** Returns the schema of the query parameters. */
export function queryOf(op: Operation): TObject {
  if (op.kind !== "list") return NO_QUERY;
  return Type.Object({ ...pageParameters, ...op.filter?.properties, ...waitParameter(op) });
}

const NO_QUERY = Type.Object({});

/** Returns the success status. */
export function statusOf(op: Operation): Answer["status"] {
  if (op.kind === "upload") return 201;
  if (op.kind !== "write") return 200;
  return op.effect === "creates" ? 201 : op.view ? 200 : 204;
}

/** Returns the schema of the response body and an example. Undefined for 204. */
export function bodyOf(op: Operation): { schema: TSchema; example: unknown } | undefined {
  if (!op.view) return undefined;
  const item = v1Schema(op.view);
  // `undefined` in `op.example` removes the field.
  const fields = Object.entries({ ...(exampleOf(op.view) as object), ...op.example });
  const example = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  switch (op.kind) {
    case "list":
      return { schema: PageOf(op.page, item), example: { data: [example], next: null } };
    case "all":
      return {
        schema: Type.Object({ data: Type.Array(item, { description: "All items." }) }, { $id: op.list }),
        example: { data: [example] },
      };
    default:
      return { schema: item, example };
  }
}

/** Returns the possible error statuses in ascending order. */
export function refusalsOf(op: Operation): number[] {
  const { method } = addressOf(op);
  const own = [
    ...(op.param ? [404] : []),
    ...(method === "POST" ? [409, 422] : []),
    ...(method === "GET" || method === "POST" ? [] : [412]),
    ...(op.refusals ?? []),
  ];
  return [...new Set([400, 401, 403, 429, 500, ...own])].sort((a, b) => a - b);
}
