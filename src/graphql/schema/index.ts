import { lexicographicSortSchema, printSchema } from "graphql";
import { builder } from "../builder.ts";
import { withSizeCounting } from "../answer-size.ts";
import "./types.ts";

/** The schema. Each file of this folder defines one type with its queries and mutations. */
export const schema = withSizeCounting(builder.toSchema());

/** Returns the schema as SDL in alphabetical order. */
export function printedSchema(): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
