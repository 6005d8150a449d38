import { lexicographicSortSchema, printSchema } from "graphql";
import { builder } from "../builder.ts";
import { withSizeCounting } from "../answer-size.ts";
import "./types.ts";

/** The graph: every type has a file of its own, which adds its queries and mutations too. */
export const schema = withSizeCounting(builder.toSchema());

/** The schema as text (SDL), in the order of the alphabet. */
export function printedSchema(): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
