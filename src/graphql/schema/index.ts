import { lexicographicSortSchema, printSchema } from "graphql";
import { builder } from "../builder.ts";
import { measured } from "../size.ts";
import "./builder-type.ts";
import "./post.ts";
import "./job.ts";
import "./job-filter.ts";
import "./prompt.ts";
import "./event.ts";
import "./delivery.ts";
import "./webhook-endpoint.ts";
import "./workspace.ts";
import "./message.ts";
import "./moderation.ts";
import "./viewer.ts";
import "./vocabulary.ts";
import "./node.ts";
import "./rate-limit.ts";
import "./subscription.ts";

/** The graph: every type has a file of its own, which adds its queries and mutations too. */
export const schema = measured(builder.toSchema());

/** The schema as text (SDL), in the order of the alphabet. */
export function printedSchema(): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
