import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import { addressOf, type Operation } from "../operations/operation.ts";
import type { Answer } from "./answer.ts";
import { waitParameter } from "./events.ts";
import { exampleOf } from "./example.ts";
import { pageParameters, PageOf } from "./page.ts";
import { v1Schema } from "./present.ts";

/* The form that v1 gives an operation of the table: what follows from its kind, its method and its views. */

/** The parameters of its query. */
export function queryOf(op: Operation): TObject {
  if (op.kind !== "list") return NO_QUERY;
  return Type.Object({ ...pageParameters, ...op.filter?.properties, ...waitParameter(op) });
}

const NO_QUERY = Type.Object({});

/** The status of what it answers where nothing is wrong. */
export function statusOf(op: Operation): Answer["status"] {
  if (op.kind === "upload") return 201;
  if (op.kind !== "write") return 200;
  return op.effect === "makes" ? 201 : op.view ? 200 : 204;
}

/** What stands in the answer, with an example of it; undefined for 204. */
export function bodyOf(op: Operation): { schema: TSchema; example: unknown } | undefined {
  if (!op.view) return undefined;
  const item = v1Schema(op.view);
  // What stands as undefined is not in this example.
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

/** The statuses with which it can be refused, in their order. */
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
