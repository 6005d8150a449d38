import type { Scope } from "../../identity/access/scopes.ts";
import { readableTypesJson } from "../events/catalogue.ts";

/**
 * The reader of a delivery log. Reading a delivery needs the scope of its event type. A delivery about a
 * member's messages or job matches is visible only to that member. Lists and counts for other readers leave
 * these deliveries out, even if the members share the endpoint and the workspace.
 */
export interface LogReader {
  workspaceId: string;
  builderId: string;
  scopes: ReadonlySet<Scope>;
}

/** SQL condition for an event `e` that a `LogReader` may read. Takes the parameters `mayRead(reader)`. */
export const MAY_READ =
  "(e.builder_id IS NULL OR e.builder_id = ?) AND e.type IN (SELECT value FROM json_each(?))";

export function mayRead({ builderId, scopes }: LogReader): [builderId: string, types: string] {
  return [builderId, readableTypesJson(scopes)];
}
